package store

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// blobAt and treeAt name an object together with where it lies: what a file
// becomes depends on its path, too.
type blobAt struct {
	id   hash
	path string
}

// rewriter computes the history that a purge leaves. It remembers what each
// object becomes, so that running it again costs only what is new. A zero hash
// means that the object goes.
type rewriter struct {
	store *Store
	purge Purge
	out   *objectWriter // nil: only compute

	same    map[blobAt]bool // versions that stay; may be shared with a later run
	blobs   map[blobAt]hash
	trees   map[blobAt]hash
	commits map[hash]hash
	tags    map[hash]hash

	notes     bool // it is at commits of git notes
	rewritten []PurgedCommit
	files     map[string]int
	names     map[string]bool // that hold what shall go
	unsigned  int
}

func newRewriter(s *Store, p Purge, same map[blobAt]bool, out *objectWriter) *rewriter {
	if same == nil {
		same = map[blobAt]bool{}
	}
	return &rewriter{
		store: s, purge: p, out: out, same: same, blobs: map[blobAt]hash{}, trees: map[blobAt]hash{},
		commits: map[hash]hash{}, tags: map[hash]hash{}, files: map[string]int{}, names: map[string]bool{},
	}
}

// put names a new object, and writes it unless only a plan is wanted.
func (r *rewriter) put(kind string, body []byte) (hash, error) {
	if r.out == nil {
		return hashObject(kind, body), nil
	}
	return r.out.add(kind, body)
}

// object rewrites what a reference names.
func (r *rewriter) object(ctx context.Context, id hash) (hash, error) {
	kind, body, err := r.store.objects.read(id)
	if err != nil {
		return hash{}, err
	}
	switch kind {
	case "commit":
		return r.commit(ctx, id)
	case "tag":
		return r.tag(ctx, id, body)
	case "tree":
		return r.tree(id, "")
	}
	return r.blob(id, "")
}

func (r *rewriter) blob(id hash, path string) (hash, error) {
	at := blobAt{id, path}
	if r.same[at] {
		return id, nil
	}
	if to, ok := r.blobs[at]; ok {
		return to, nil
	}
	body, err := r.store.objects.get(id, "blob")
	if err != nil {
		return hash{}, fmt.Errorf("%s: %w", path, err)
	}
	content := r.purge.File(path, body)
	if content != nil && bytes.Equal(content, body) {
		r.same[at] = true
		return id, nil
	}
	var to hash
	if content != nil {
		if to, err = r.put("blob", content); err != nil {
			return hash{}, err
		}
	}
	r.blobs[at] = to
	r.files[path]++
	return to, nil
}

// file rewrites a file or a link. A link can't lead to something else: it goes.
func (r *rewriter) file(mode uint32, id hash, path string) (hash, error) {
	const kind, regular, link = 0o170000, 0o100000, 0o120000
	if mode&kind != regular && mode&kind != link {
		return id, nil
	}
	to, err := r.blob(id, path)
	if mode&kind == link && to != id {
		to = hash{}
	}
	return to, err
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

// tree rewrites a folder; dir is "" or ends with a slash. One from which all went
// goes itself, but for the root.
func (r *rewriter) tree(id hash, dir string) (hash, error) {
	at := blobAt{id, dir}
	if to, ok := r.trees[at]; ok {
		return to, nil
	}
	body, err := r.store.objects.get(id, "tree")
	if err != nil {
		return hash{}, fmt.Errorf("tree of /%s: %w", dir, err)
	}
	entries, err := parseTree(body)
	if err != nil {
		return hash{}, fmt.Errorf("tree of /%s: %w", dir, err)
	}
	kept, changed, err := r.entries(entries, dir)
	if err != nil {
		return hash{}, err
	}
	to := id
	switch {
	case changed && len(kept) == 0 && dir != "":
		to = hash{}
	case changed:
		if to, err = r.put("tree", renderTree(kept)); err != nil {
			return hash{}, err
		}
	}
	r.trees[at] = to
	return to, nil
}

// root rewrites the tree of a commit.
func (r *rewriter) root(id hash) (hash, error) {
	if r.notes {
		return r.noteTree(id)
	}
	return r.tree(id, "")
}

func (r *rewriter) entries(entries []treeEntry, dir string) (kept []treeEntry, changed bool, err error) {
	kept = make([]treeEntry, 0, len(entries))
	for _, e := range entries {
		var to hash
		path := dir + string(e.name)
		r.name(path, string(e.name))
		if e.mode == modeTree {
			to, err = r.tree(e.id, path+"/")
		} else {
			to, err = r.file(e.mode, e.id, path)
		}
		if err != nil {
			return nil, false, err
		}
		if to != e.id {
			changed = true
			if to.isZero() {
				continue
			}
			e.id, e.raw = to, nil
		}
		kept = append(kept, e)
	}
	return kept, changed, nil
}

// commit rewrites a commit and all before it. Histories are long, so it keeps a
// stack of its own.
func (r *rewriter) commit(ctx context.Context, id hash) (hash, error) {
	stack := []hash{id}
	for len(stack) > 0 {
		h := stack[len(stack)-1]
		if _, done := r.commits[h]; done {
			stack = stack[:len(stack)-1]
			continue
		}
		if err := ctx.Err(); err != nil {
			return hash{}, err
		}
		body, err := r.store.objects.get(h, "commit")
		if err != nil {
			return hash{}, err
		}
		c := parseHeaders(body)
		open := len(stack)
		for _, parent := range c.ids("parent") {
			if _, done := r.commits[parent]; !done {
				stack = append(stack, parent)
			}
		}
		if len(stack) > open {
			continue
		}
		if r.commits[h], err = r.rewriteCommit(h, c); err != nil {
			return hash{}, fmt.Errorf("commit %s: %w", h, err)
		}
		stack = stack[:len(stack)-1]
	}
	return r.commits[id], nil
}

func (r *rewriter) rewriteCommit(old hash, c headers) (hash, error) {
	changed := false
	for i, line := range c.lines {
		name, value, _ := strings.Cut(line, " ")
		id, ok := parseHash(value)
		if !ok {
			c.lines[i] = r.person(line)
			changed = changed || c.lines[i] != line
			continue
		}
		to := id
		var err error
		switch name {
		case "tree":
			to, err = r.root(id)
		case "parent":
			to = r.commits[id]
		}
		if err != nil {
			return hash{}, err
		}
		if to != id {
			c.lines[i], changed = name+" "+to.String(), true
		}
	}
	text := r.purge.Message(c.message)
	if !changed && text == c.message {
		return old, nil
	}
	c.message = r.renamed(text)
	if c.unsign() {
		r.unsigned++
	}
	to, err := r.put("commit", c.render())
	subject, _, _ := strings.Cut(text, "\n")
	r.rewritten = append(r.rewritten, PurgedCommit{old.String(), to.String(), subject})
	return to, err
}

// renamed lets whole commit ids in a message, as in "This reverts commit …",
// follow the commits that they name.
func (r *rewriter) renamed(text string) string {
	const size = 2 * len(hash{})
	var b strings.Builder
	at := 0
	for i := 0; i+size <= len(text); {
		if !isHexDigit(text[i]) {
			i++
			continue
		}
		end := i
		for end < len(text) && isHexDigit(text[end]) {
			end++
		}
		if end-i == size {
			id, _ := parseHash(text[i:end])
			if to, ok := r.commits[id]; ok && to != id {
				b.WriteString(text[at:i] + to.String())
				at = end
			}
		}
		i = end
	}
	return b.String() + text[at:]
}

func isHexDigit(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' }

func (r *rewriter) tag(ctx context.Context, old hash, body []byte) (hash, error) {
	if to, ok := r.tags[old]; ok {
		return to, nil
	}
	t := parseHeaders(body)
	changed := false
	for i, line := range t.lines {
		value, ok := strings.CutPrefix(line, "object ")
		id, ok2 := parseHash(value)
		if !ok || !ok2 {
			t.lines[i] = r.person(line)
			changed = changed || t.lines[i] != line
			continue
		}
		to, err := r.object(ctx, id)
		if err != nil {
			return hash{}, fmt.Errorf("tag %s: %w", old, err)
		}
		if to != id {
			t.lines[i], changed = "object "+to.String(), true
		}
	}
	before, _, signed := strings.Cut(t.message, "-----BEGIN ")
	text := r.purge.Message(before)
	if !changed && text == before {
		r.tags[old] = old
		return old, nil
	}
	if signed {
		r.unsigned++
	}
	t.message = r.renamed(text)
	to, err := r.put("tag", t.render())
	r.tags[old] = to
	return to, err
}

// headers is a commit or a tag taken apart: header lines, each with the lines that
// continue it, and the message.
type headers struct {
	lines   []string
	message string
}

func parseHeaders(body []byte) headers {
	head, message, _ := strings.Cut(string(body), "\n\n")
	h := headers{message: message}
	for line := range strings.SplitSeq(strings.TrimRight(head, "\n"), "\n") {
		if n := len(h.lines); strings.HasPrefix(line, " ") && n > 0 {
			h.lines[n-1] += "\n" + line
			continue
		}
		h.lines = append(h.lines, line)
	}
	return h
}

func (h headers) render() []byte {
	return []byte(strings.Join(h.lines, "\n") + "\n\n" + h.message)
}

// ids are the values of a header that occurs any number of times.
func (h headers) ids(name string) []hash {
	var out []hash
	for _, line := range h.lines {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			if id, ok := parseHash(value); ok {
				out = append(out, id)
			}
		}
	}
	return out
}

// unsign drops the signatures, of which no other text can have the same.
func (h *headers) unsign() (was bool) {
	kept := h.lines[:0]
	for _, line := range h.lines {
		name, _, _ := strings.Cut(line, " ")
		switch name {
		case "gpgsig", "gpgsig-sha256":
			was = true
		case "mergetag": // a copy of a tag, with its signature and the old id
			was = true
		default:
			kept = append(kept, line)
		}
	}
	h.lines = kept
	return was
}

// objectWriter writes new objects, some megabytes at a time.
type objectWriter struct {
	objects *objects
	batch   *batch
	size    int
	dirs    []string
}

// writerBytes bounds what is held in memory.
const writerBytes = 8 << 20

func (w *objectWriter) add(kind string, body []byte) (hash, error) {
	if w.batch == nil {
		w.batch = w.objects.batch()
	}
	h := w.batch.add(kind, body)
	if w.size += len(body); w.size < writerBytes {
		return h, nil
	}
	return h, w.flush()
}

func (w *objectWriter) flush() error {
	if w.batch == nil {
		return nil
	}
	dirs, err := w.batch.flush(true)
	w.dirs, w.batch, w.size = append(w.dirs, dirs...), nil, 0
	return err
}

// finish makes all that was added last.
func (w *objectWriter) finish() error {
	err := w.flush()
	if err == nil {
		err = w.objects.disk.syncDirs(compacted(w.dirs))
	}
	w.dirs = nil
	return err
}
