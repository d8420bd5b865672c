package store

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// blobAt is a version of a file: its new content also depends on its path.
type blobAt struct {
	id   hash
	path string
}

// rewriter computes the history that a purge leaves, in memory. git fast-export lists the commits, parents first, with
// the changes of each against its first parent. A second run processes only new commits.
type rewriter struct {
	store *Store
	purge Purge
	hex   *regexp.Regexp
	batch *batch // new objects

	same    map[blobAt]bool // unchanged versions
	cut     map[blobAt]bool // changed versions
	commits map[hash]hash   // new id of each commit
	tags    map[hash]hash
	paths   map[string]bool // paths already examined
	notes   bool            // processing commits of git notes

	count     int // number of commits in the old history
	rewritten []PurgedCommit
	files     map[string]int
	refs      map[string]PurgedRef
	names     map[string]bool // names that contain purged text
	unsigned  int
	stashed   int
}

func newRewriter(s *Store, p Purge) *rewriter {
	return &rewriter{
		store: s, purge: p, hex: regexp.MustCompile("[0-9a-f]+"), batch: s.objects.batch(), same: map[blobAt]bool{},
		cut: map[blobAt]bool{}, commits: map[hash]hash{}, tags: map[hash]hash{},
		paths: map[string]bool{}, files: map[string]int{}, names: map[string]bool{}, refs: map[string]PurgedRef{},
	}
}

// history rewrites the commits reachable from tips. The format is that of git-fast-import(1).
func (r *rewriter) history(ctx context.Context, tips string) error {
	out, err := r.store.ourGit(ctx, []byte(tips), "fast-export", "--no-data", "--show-original-ids",
		"--reencode=no", "--stdin")
	if err != nil {
		return err
	}
	var commit hash
	var files []string // M mode id path, D path
	for len(out) > 0 {
		first, rest, _ := bytes.Cut(out, []byte("\n"))
		line := string(first)
		out = rest
		switch word, value, _ := strings.Cut(line, " "); word {
		case "original-oid":
			commit, _ = parseHash(value)
		case "data":
			n, err := strconv.Atoi(value)
			if err != nil || n > len(out) {
				return fmt.Errorf("git fast-export: %q", line)
			}
			out = out[n:]
		case "M", "D":
			files = append(files, line)
		case "":
			if _, known := r.commits[commit]; !known && !commit.IsZero() {
				if err := r.commit(commit, files); err != nil {
					return fmt.Errorf("commit %s: %w", commit, err)
				}
			}
			commit, files = hash{}, nil
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// commit rewrites a commit whose parents are done.
func (r *rewriter) commit(id hash, files []string) error {
	r.count++
	body, err := r.store.objects.get(id, "commit")
	if err != nil {
		return err
	}
	head, message, _ := strings.Cut(string(body), "\n\n")
	head, signed, changed, err := r.header(head)
	if err != nil {
		return err
	}
	text := r.purge.Message(message)
	changed = changed || text != message
	changes := make([]change, len(files))
	for i, line := range files {
		same := false
		if changes[i], same, err = r.change(line); err != nil {
			return err
		}
		changed = changed || !same
	}
	if r.commits[id] = id; !changed {
		return nil
	}
	if signed {
		r.unsigned++ // the signature does not fit another text
	}
	_, head, _ = strings.Cut(head, "\n") // without its tree
	var tree hash
	if parent, ok := parseHash(strings.TrimPrefix(head[:min(len(head), 47)], "parent ")); ok {
		var above []byte
		if above, err = r.batch.get(parent, "commit"); err == nil {
			tree, err = treeOf(above)
		}
	}
	if err == nil {
		tree, err = r.batch.apply(tree, "", changes)
	}
	if tree.IsZero() {
		tree = r.batch.add("tree", nil)
	}
	now := r.batch.add("commit", []byte("tree "+tree.String()+"\n"+head+"\n\n"+r.renamed(text)))
	r.commits[id], r.commits[now] = now, now
	r.rewritten = append(r.rewritten, PurgedCommit{id.String(), now.String(), !r.movesParent(string(body))})
	return err
}

// movesParent reports whether a parent of a commit gets another id.
func (r *rewriter) movesParent(body string) bool {
	head, _, _ := strings.Cut(body, "\n\n")
	for line := range strings.SplitSeq(head, "\n") {
		name, isParent := strings.CutPrefix(line, "parent ")
		if id, ok := parseHash(name); isParent && ok && r.commits[id] != id {
			return true
		}
	}
	return false
}

// header rewrites the header of a commit or a tag, and drops its signature.
func (r *rewriter) header(head string) (now string, signed, changed bool, err error) {
	var lines []string
	leave := false
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, " ")
		if key != "" { // otherwise the line continues the previous one
			leave = strings.HasPrefix(key, "gpgsig") || key == "mergetag"
		}
		if signed = signed || leave; leave {
			continue
		}
		old := line
		if id, ok := parseHash(value); ok && (key == "parent" || key == "object") {
			to, err := r.object(id)
			if err != nil {
				return "", false, false, err
			}
			line = key + " " + to.String()
		}
		line = r.person(line)
		changed = changed || line != old
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n"), signed, changed, nil
}

// change rewrites the change of one file in a commit. The target of a link can't be rewritten: the link is removed.
func (r *rewriter) change(line string) (c change, same bool, err error) {
	name := strings.TrimPrefix(line, "D ")
	f := strings.SplitN(line, " ", 4) // M mode id path
	if name == line {
		name = f[3]
	}
	if strings.HasPrefix(name, `"`) {
		if name, err = strconv.Unquote(name); err != nil {
			return c, false, fmt.Errorf("path %s: %w", line, err)
		}
	}
	r.path(name)
	c.path = name
	if about, ok := parseHash(strings.ReplaceAll(name, "/", "")); ok && r.notes { // a note is named after its object
		if now, ok := r.commits[about]; ok {
			c.path = respell(name, now.String())
		}
	}
	if f[0] == "D" {
		return c, c.path == name, nil
	}
	mode, _ := strconv.ParseUint(f[1], 8, 32) // git writes valid modes
	id, _ := parseHash(f[2])
	content, err := r.file(uint32(mode), id, name)
	switch {
	case err != nil:
		return c, false, err
	case content != nil:
		c.file = file{uint32(mode), r.batch.add("blob", content)}
		return c, false, nil
	case r.same[blobAt{id, name}]:
		c.file = file{uint32(mode), id}
		return c, c.path == name, nil
	}
	return c, false, nil
}

// file returns the new content of a version of a file, or nil if it is removed or, as recorded in same, unchanged.
// Entries that are not files of this repository are unchanged.
func (r *rewriter) file(mode uint32, id hash, name string) ([]byte, error) {
	at := blobAt{id, name}
	if r.same[at] {
		return nil, nil
	}
	if mode == modeSubmodule {
		r.same[at] = true
		return nil, nil
	}
	body, err := r.store.objects.get(id, "blob")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	content := r.purge.File(name, body)
	if content != nil && bytes.Equal(content, body) {
		r.same[at] = true
		return nil, nil
	}
	if !r.cut[at] {
		r.cut[at] = true
		r.files[name]++
	}
	if mode == modeLink {
		return nil, nil
	}
	if content != nil {
		r.same[blobAt{hashObject("blob", content), name}] = true
	}
	return content, nil
}

// path checks whether a path, or one of its folders, contains purged text.
func (r *rewriter) path(name string) {
	for ; !r.paths[name] && name != "."; name = path.Dir(name) {
		r.paths[name] = true
		r.name(name, path.Base(name))
	}
}

// name records a name that contains purged text.
func (r *rewriter) name(whole, part string) {
	if r.purge.Name(part) != part {
		r.names[whole] = true
	}
}

// person rewrites a header line that names somebody: a name, an address in angle brackets and a time.
func (r *rewriter) person(line string) string {
	at, end := strings.Index(line, " <"), strings.LastIndex(line, ">")
	kind, _, _ := strings.Cut(line, " ")
	if kind != "author" && kind != "committer" && kind != "tagger" || at < len(kind)+1 || end < at {
		return line
	}
	return kind + " " + r.purge.Name(line[len(kind)+1:at]) + " <" + r.purge.Name(line[at+2:end]) + line[end:]
}

// respell replaces the digits in a path and keeps its slashes.
func respell(path, digits string) string {
	b := []byte(path)
	at := 0
	for i := range b {
		if b[i] != '/' {
			b[i] = digits[at]
			at++
		}
	}
	return string(b)
}

// renamed maps full commit ids in a message, as in "This reverts commit …", to the rewritten commits.
func (r *rewriter) renamed(text string) string {
	return r.hex.ReplaceAllStringFunc(text, func(digits string) string {
		if id, ok := parseHash(digits); ok {
			if now, ok := r.commits[id]; ok {
				return now.String()
			}
		}
		return digits
	})
}

// tag rewrites a tag, and the tags that it points to.
func (r *rewriter) tag(old hash, body []byte) (hash, error) {
	if to, ok := r.tags[old]; ok {
		return to, nil
	}
	head, message, _ := strings.Cut(string(body), "\n\n")
	head, _, changed, err := r.header(head)
	if err != nil {
		return hash{}, fmt.Errorf("tag %s: %w", old, err)
	}
	before, _, signed := strings.Cut(message, "-----BEGIN ")
	text := r.purge.Message(before)
	if r.tags[old] = old; !changed && text == before {
		return old, nil
	}
	if signed {
		r.unsigned++
	}
	r.tags[old] = r.batch.add("tag", []byte(head+"\n\n"+r.renamed(text)))
	return r.tags[old], nil
}

// object returns the new target of a reference after its commits are done.
func (r *rewriter) object(id hash) (hash, error) {
	if to, ok := r.commits[id]; ok {
		return to, nil
	}
	body, err := r.store.objects.get(id, "tag")
	if err != nil {
		return hash{}, err
	}
	return r.tag(id, body)
}
