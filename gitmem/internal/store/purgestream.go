package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// blobAt names a version of a file: what it becomes depends on its path, too.
type blobAt struct {
	id   hash
	path string
}

// rewriter computes the history that a purge leaves. git fast-export tells the
// commits, parents first, with what each changes against its first parent; those
// that change go on to an importer. Run again, it does only what is new.
type rewriter struct {
	store *Store
	purge Purge
	hex   *regexp.Regexp
	in    *importer // nil: nothing is written, and what changes has no id
	batch *batch    // new tags and staged files

	same    map[blobAt]bool // versions that stay; may be shared with a later run
	cut     map[blobAt]bool // versions that do not
	commits map[hash]hash   // what becomes of each
	tags    map[hash]hash
	paths   map[string]bool // that were looked at
	notes   bool            // it is at commits of git notes

	count     int // commits of the history as it was
	rewritten []PurgedCommit
	files     map[string]int
	refs      map[string]PurgedRef
	names     map[string]bool // that hold what shall go
	unsigned  int
	stashed   int
}

func newRewriter(s *Store, p Purge, same map[blobAt]bool) *rewriter {
	return &rewriter{
		store: s, purge: p, hex: regexp.MustCompile("[0-9a-f]+"), batch: s.objects.batch(), same: same, cut: map[blobAt]bool{}, commits: map[hash]hash{}, tags: map[hash]hash{},
		paths: map[string]bool{}, files: map[string]int{}, names: map[string]bool{}, refs: map[string]PurgedRef{},
	}
}

// exported is a commit as git fast-export tells it.
type exported struct {
	id      hash
	head    []string // author, committer, encoding
	message string
	parents []hash
	files   []string // M mode id path, D path
}

// history rewrites what commits reach. The format is that of git-fast-import(1).
func (r *rewriter) history(ctx context.Context, tips string) error {
	out, err := r.store.ourGit(ctx, []byte(tips), "fast-export", "--no-data", "--show-original-ids", "--reencode=no", "--stdin")
	if err != nil {
		return err
	}
	marks, mark := map[string]hash{}, ""
	c := exported{}
	for len(out) > 0 {
		first, rest, _ := bytes.Cut(out, []byte("\n"))
		line := string(first)
		out = rest
		switch word, value, _ := strings.Cut(line, " "); word {
		case "mark":
			mark = value
		case "original-oid":
			c.id, _ = parseHash(value)
			marks[mark] = c.id
		case "author", "committer", "encoding":
			c.head = append(c.head, line)
		case "data":
			n, err := strconv.Atoi(value)
			if err != nil || n > len(out) {
				return fmt.Errorf("git fast-export: %q", line)
			}
			c.message, out = string(out[:n]), out[n:]
		case "from", "merge":
			c.parents = append(c.parents, marks[value])
		case "M", "D":
			c.files = append(c.files, line)
		case "":
			if _, known := r.commits[c.id]; !known && !c.id.IsZero() {
				if err := r.commit(c); err != nil {
					return fmt.Errorf("commit %s: %w", c.id, err)
				}
			}
			c = exported{}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// commit rewrites a commit whose parents are done.
func (r *rewriter) commit(c exported) error {
	r.count++
	changed := false
	for i, line := range c.head {
		c.head[i] = r.person(line)
		changed = changed || c.head[i] != line
	}
	for _, p := range c.parents {
		changed = changed || r.commits[p] != p
	}
	text := r.purge.Message(c.message)
	changed = changed || text != c.message
	var files strings.Builder
	for _, line := range c.files {
		now, err := r.change(line)
		if err != nil {
			return err
		}
		files.WriteString(now + "\n")
		changed = changed || now != line
	}
	r.commits[c.id] = c.id
	if !changed {
		return nil
	}
	body, err := r.store.objects.get(c.id, "commit")
	if err != nil {
		return err
	}
	if head, _, _ := bytes.Cut(body, []byte("\n\n")); bytes.Contains(head, []byte("\ngpgsig")) || bytes.Contains(head, []byte("\nmergetag ")) {
		r.unsigned++ // no other text can have the same signature
	}
	c.message = r.renamed(text)
	now, err := r.in.commit(c, r.commits, files.String())
	r.commits[c.id] = now
	if r.in != nil {
		r.commits[now] = now
	}
	r.rewritten = append(r.rewritten, PurgedCommit{c.id.String(), now.String()})
	return err
}

// change rewrites what a commit changes of one file. A link can't lead to something
// else: it goes.
func (r *rewriter) change(line string) (string, error) {
	quoted := strings.TrimPrefix(line, "D ")
	f := strings.SplitN(line, " ", 4) // M mode id path
	if quoted == line {
		quoted = f[3]
	}
	name := quoted
	if strings.HasPrefix(quoted, `"`) {
		var err error
		if name, err = strconv.Unquote(quoted); err != nil {
			return "", fmt.Errorf("path %s: %w", quoted, err)
		}
	}
	r.path(name)
	if about, ok := parseHash(strings.ReplaceAll(name, "/", "")); ok && r.notes { // notes are named for what they are of
		if now, ok := r.commits[about]; ok {
			quoted = respell(name, now.String())
		}
	}
	if f[0] == "D" {
		return "D " + quoted, nil
	}
	line = strings.Join(f[:3], " ") + " " + quoted
	id, _ := parseHash(f[2])
	content, err := r.file(f[1], id, name)
	switch {
	case err != nil || content == nil && r.same[blobAt{id, name}]:
		return line, err
	case content == nil:
		return "D " + quoted, nil
	}
	return fmt.Sprintf("M %s inline %s\ndata %d\n%s", f[1], quoted, len(content), content), nil
}

// file returns what a version of a file becomes, nil where it goes or, as same then
// says, stays. What is no file of this repository's stays.
func (r *rewriter) file(mode string, id hash, name string) ([]byte, error) {
	at := blobAt{id, name}
	if r.same[at] {
		return nil, nil
	}
	if mode == "160000" {
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
	if mode == "120000" {
		return nil, nil
	}
	if content != nil {
		r.same[blobAt{hashObject("blob", content), name}] = true
	}
	return content, nil
}

// path looks whether a path, or a folder on it, holds what shall go.
func (r *rewriter) path(name string) {
	for ; !r.paths[name] && name != "."; name = path.Dir(name) {
		r.paths[name] = true
		r.name(name, path.Base(name))
	}
}

// name takes note of a name that holds what shall go.
func (r *rewriter) name(whole, part string) {
	if r.purge.Name != nil && r.purge.Name(part) != part {
		r.names[whole] = true
	}
}

// person rewrites a header line that names somebody: a name, an address in angle
// brackets and a time.
func (r *rewriter) person(line string) string {
	at, end := strings.Index(line, " <"), strings.LastIndex(line, ">")
	kind, _, _ := strings.Cut(line, " ")
	if r.purge.Name == nil || kind != "author" && kind != "committer" && kind != "tagger" || at < len(kind)+1 || end < at {
		return line
	}
	return kind + " " + r.purge.Name(line[len(kind)+1:at]) + " <" + r.purge.Name(line[at+2:end]) + line[end:]
}

// respell writes other digits in the form of a path.
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

// renamed lets whole commit ids in a message, as in "This reverts commit …",
// follow the commits that they name.
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

// tag rewrites a tag, and those that it is a tag of.
func (r *rewriter) tag(old hash, body []byte) (hash, error) {
	if to, ok := r.tags[old]; ok {
		return to, nil
	}
	head, message, _ := strings.Cut(string(body), "\n\n")
	lines := strings.Split(head, "\n")
	for i, line := range lines {
		lines[i] = r.person(line)
		if id, ok := parseHash(strings.TrimPrefix(line, "object ")); ok {
			to, err := r.object(id)
			if err != nil {
				return hash{}, fmt.Errorf("tag %s: %w", old, err)
			}
			lines[i] = "object " + to.String()
		}
	}
	now := strings.Join(lines, "\n")
	before, _, signed := strings.Cut(message, "-----BEGIN ")
	text := r.purge.Message(before)
	if r.tags[old] = old; now == head && text == before {
		return old, nil
	}
	if signed {
		r.unsigned++
	}
	r.tags[old] = r.batch.add("tag", []byte(now+"\n\n"+r.renamed(text)))
	return r.tags[old], nil
}

// write runs the rewriter with an importer, which keeps its objects if they shall stay,
// and calls then before the importer's repository goes.
func (r *rewriter) write(ctx context.Context, keep bool, then func(*purgePlan) error) (err error) {
	if r.in, err = r.store.newImporter(ctx, keep); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.in.close()) }()
	plan, err := r.run(ctx)
	if err == nil {
		err = r.in.finish()
	}
	if err == nil {
		err = then(plan)
	}
	return err
}

// object returns what a reference leads to after its commits are done.
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
