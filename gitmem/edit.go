package gitmem

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown"
)

// Drafts are copies of memory's files for editing by hand.
type Drafts struct{ m *Memory }

// Drafts gives access to the copies of memory's files that somebody edits.
func (m *Memory) Drafts() *Drafts { return &Drafts{m} }

// Draft is a copy of one file of memory for a person to change. It lies in
// gitmem/.drafts below the root, which is never tracked, and stays there until it
// was saved or discarded.
type Draft struct {
	File string // path of the copy on disk
	Path string // the file that it is a copy of, below the root
	Line int    // where to look first, counted from 1; 0 for no line in particular
	// Resumed says that the copy is one that was left by an earlier edit.
	Resumed bool

	m       *Memory
	release func() // lets others edit the file, nil: they can
}

// Edited is what saving a draft did. The JSON form is a public contract.
type Edited struct {
	Path   string       `json:"path"`
	Commit string       `json:"commit"` // "" when nothing was changed
	Files  []FileChange `json:"changes"`
}

// draftsDir holds the copies; basesDir, beside it, what each was made from.
const (
	draftsDir = "gitmem/.drafts"
	basesDir  = "gitmem/.drafts/.base"
)

// Open makes a copy of a file for editing: of the file that a path names or that
// holds a citation, or of the project's MEMORY.md for "". A file that is not there
// yet starts empty. A copy that was left with changes is not overwritten: the error,
// a [Refusal], wraps ErrConflict. It wraps ErrLocked while somebody else edits the
// file this way.
func (ds *Drafts) Open(ctx context.Context, what string) (*Draft, error) {
	if err := ds.m.writable(ctx); err != nil {
		return nil, err
	}
	t, err := ds.m.editable(ctx, what)
	if err != nil {
		return nil, err
	}
	d := ds.m.draftOf(t.rel)
	if t.part {
		d.Line = t.lines.Start + 1
	}
	left, err := os.ReadFile(d.File)
	if err == nil && !bytes.Equal(left, d.base()) {
		return nil, &Refusal{
			Reason: fmt.Sprintf("a draft of %s with changes is left in %s", t.rel, d.File), Err: ErrConflict,
			Advice: "go on with it by gitmem edit --continue " + t.rel + ", or drop it by gitmem edit --discard " + t.rel,
		}
	}
	now, err := ds.m.store.Read("", t.rel)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	if err := d.claim(); err != nil {
		return nil, err
	}
	return d, errors.Join(writePrivate(d.baseFile(), now), writePrivate(d.File, now))
}

// Resume finds a draft that was left: the one of a path or citation, or for "" the
// only one there is.
func (ds *Drafts) Resume(ctx context.Context, what string) (*Draft, error) {
	left, err := ds.m.drafts()
	if err != nil {
		return nil, err
	}
	if what == "" && len(left) == 1 {
		d := ds.m.draftOf(left[0])
		d.Resumed = true
		return d, d.claim()
	}
	if what == "" && len(left) > 1 {
		return nil, &Refusal{Reason: plural(len(left), "draft") + " are left: " + strings.Join(left, ", "), Advice: "name one of them", Err: ErrUsage}
	}
	if what != "" && ds.m.store != nil {
		t, err := ds.m.editable(ctx, what)
		if err != nil {
			return nil, err
		}
		if slices.Contains(left, t.rel) {
			d := ds.m.draftOf(t.rel)
			d.Resumed = true
			return d, d.claim()
		}
	}
	return nil, &Refusal{Reason: "no draft is left", Advice: "begin one with gitmem edit", Err: ErrNotFound}
}

// Discard drops a draft that was left, see [Drafts.Resume], and returns it.
func (ds *Drafts) Discard(ctx context.Context, what string) (*Draft, error) {
	d, err := ds.Resume(ctx, what)
	if err != nil {
		return nil, err
	}
	return d, d.Drop()
}

// editable is the file that is to be edited. One that is not there yet is named by
// the first place that its path can mean and that memory may keep.
func (m *Memory) editable(ctx context.Context, what string) (target, error) {
	if what == "" {
		p, err := m.here(ctx)
		if err != nil {
			return target{}, err
		}
		rel := path.Join(memoryDir(p), "MEMORY.md")
		return target{rel: rel}, m.mayTell(ctx, rel, m.projectOf(m.folders(), rel))
	}
	t, err := m.file(ctx, what)
	switch {
	case err == nil && t.rel == ".gitignore":
		return t, &Refusal{Reason: ".gitignore keeps everything else out of memory's repository", Advice: "change it in an editor of your own if you must", Err: ErrUsage}
	case err == nil || isCitation(what) || !errors.Is(err, ErrNotFound):
		return t, err
	}
	for _, rel := range m.places(ctx, what) {
		if store.Allowed(rel) && strings.HasSuffix(rel, ".md") {
			return target{rel: rel}, nil
		}
	}
	return t, &Refusal{Reason: what + " is no file of memory", Err: ErrNotFound, Advice: "name a Markdown file below " + m.root + "/gitmem or below a memory folder in " + m.root + "/projects"}
}

func (m *Memory) draftOf(rel string) *Draft {
	return &Draft{File: filepath.Join(m.root, filepath.FromSlash(path.Join(draftsDir, rel))), Path: rel, m: m}
}

func (d *Draft) baseFile() string {
	return filepath.Join(d.m.root, filepath.FromSlash(path.Join(basesDir, d.Path)))
}

// claim keeps others from the draft while it is in an editor.
func (d *Draft) claim() error {
	if d.m.store == nil {
		return nil
	}
	release, err := d.m.store.Claim(path.Join(basesDir, d.Path))
	if errors.Is(err, store.ErrLocked) {
		return &Refusal{Reason: d.Path + " is in another gitmem edit already", Advice: "save and leave that one first", Err: ErrLocked}
	}
	d.release = release
	return err
}

// free lets others at the draft.
func (d *Draft) free() {
	if d.release != nil {
		d.release()
		d.release = nil
	}
}

// base is the text that the draft was made from.
func (d *Draft) base() []byte {
	b, err := os.ReadFile(d.baseFile())
	if err != nil {
		return nil // as for a new file: then nothing of the one that is there is taken for deleted
	}
	return b
}

// drafts lists the files that drafts with changes are left of.
func (m *Memory) drafts() ([]string, error) {
	var out []string
	top := filepath.Join(m.root, filepath.FromSlash(draftsDir))
	err := filepath.WalkDir(top, func(name string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case e.IsDir() && e.Name() == path.Base(basesDir):
			return fs.SkipDir
		case !e.Type().IsRegular():
			return nil
		}
		rel, err := filepath.Rel(top, name)
		if err != nil {
			return err
		}
		if rel = filepath.ToSlash(rel); !store.Allowed(rel) {
			return nil // an editor's own
		}
		if b, err := os.ReadFile(name); err != nil || !bytes.Equal(b, m.draftOf(rel).base()) {
			out = append(out, rel)
		}
		return nil
	})
	return out, err
}

// Drop removes the draft.
func (d *Draft) Drop() error {
	err := os.Remove(d.File)
	base := os.Remove(d.baseFile())
	if d.free(); base != nil { // not every system removes an open file
		base = os.Remove(d.baseFile())
	}
	err = errors.Join(err, base)
	top := filepath.Join(d.m.root, "gitmem")
	for _, file := range []string{d.File, d.baseFile()} { // empty folders go, others stay
		for dir := filepath.Dir(file); dir != top && os.Remove(dir) == nil; dir = filepath.Dir(dir) {
			continue
		}
	}
	return err
}

func writePrivate(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o600)
}

// Unchanged tells whether the draft is as it was made.
func (d *Draft) Unchanged() bool {
	b, err := os.ReadFile(d.File)
	return err == nil && bytes.Equal(b, d.base())
}

// Save checks the draft, writes it to its file and commits. What others wrote to
// the file since the draft was made is kept. A draft that can't be saved stays, and
// the error, a [Refusal], says why: it wraps ErrConflict when others changed the
// same lines. Then the draft holds both versions between marks, and saving it later
// settles the matter. Whether it can or not, others may edit the file then.
func (d *Draft) Save(ctx context.Context) (Edited, error) {
	defer d.free()
	out := Edited{Path: d.m.clean(d.Path), Files: []FileChange{}}
	text, err := os.ReadFile(d.File)
	if errors.Is(err, fs.ErrNotExist) {
		return out, &Refusal{Reason: "the draft " + d.File + " is gone, nothing was written", Advice: "begin anew with gitmem edit " + d.Path}
	}
	if err != nil {
		return out, err
	}
	base := d.base()
	if bytes.Equal(base, text) {
		return out, d.Drop()
	}
	if err := d.check(base, text); err != nil {
		return out, err
	}
	ctx, release, err := d.m.store.Hold(ctx)
	if err != nil {
		return out, err
	}
	defer release()
	if err := keepEdits(ctx, d.m, []string{d.Path}); err != nil {
		return out, err
	}
	diff, err := d.write(ctx, base, text)
	if err != nil {
		return out, err
	}
	if err := d.Drop(); err != nil {
		d.m.o.Warn("the edit is written; its draft stays: " + plain.Text(err))
	}
	if out.Files = d.m.fileChanges([]store.FileDiff{diff}); len(out.Files) == 0 {
		return out, nil // others wrote the same
	}
	out.Commit, err = d.m.store.Commit(ctx, store.Change{
		Paths: []string{d.Path}, Subject: "edit: " + d.Path, Time: d.m.o.Now(), Fsync: true,
		Trailers: []string{"Gitmem-Op: edit " + d.Path},
	})
	if err != nil {
		return out, fmt.Errorf("the edit is in %s but is not committed yet: %w", d.Path, err)
	}
	return out, nil
}

// write merges the draft with what is in the file now.
func (d *Draft) write(ctx context.Context, base, text []byte) (store.FileDiff, error) {
	diff := store.FileDiff{Path: d.Path}
	var marked, now []byte
	err := d.m.store.Rewrite(ctx, d.Path, func(old []byte) ([]store.Insertion, error) {
		merged, conflicts := markdown.Merge3(base, text, old)
		if len(conflicts) > 0 {
			marked, now = markdown.MarkConflicts(merged, conflicts, "draft", "file"), old
			return nil, ErrConflict
		}
		diff.Before, diff.After = old, merged
		return d.m.insertions(old, merged), nil
	})
	if marked == nil || !errors.Is(err, ErrConflict) {
		return diff, err
	}
	if err := errors.Join(writePrivate(d.File, marked), writePrivate(d.baseFile(), now)); err != nil {
		return diff, err
	}
	return diff, &Refusal{
		Reason: fmt.Sprintf("others changed the same lines of %s meanwhile", d.Path), Err: ErrConflict,
		Advice: fmt.Sprintf("both versions are in %s from line %d on, between marks: settle them with gitmem edit --continue %s", d.File, markdown.ConflictMark(marked), d.Path),
	}
}

// check refuses a draft that would break its file or keep it out of history.
func (d *Draft) check(base, text []byte) error {
	line, why := d.trouble(base, text)
	if why == "" {
		return nil
	}
	where := d.File
	if line > 0 {
		where = fmt.Sprintf("%s line %d", where, line)
	}
	return &Refusal{Reason: where + ": " + why, Advice: fmt.Sprintf("nothing was written and the draft stays; go on with gitmem edit --continue %s, or drop it with --discard", d.Path)}
}

// trouble finds the first thing that is wrong and the line, counted from 1, 0 when
// it is the file as a whole.
func (d *Draft) trouble(base, text []byte) (line int, why string) {
	n := 0
	for l := range bytes.Lines(text) {
		n++
		if !utf8.Valid(l) || bytes.IndexByte(l, 0) >= 0 {
			return n, "this is not UTF-8 text"
		}
	}
	if at := markdown.ConflictMark(text); at > 0 && markdown.ConflictMark(base) == 0 {
		return at, "a conflict is still marked here"
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return 0, "the draft is empty; a file of memory is not emptied by an edit"
	}
	if _, found := d.m.redactor.Text(string(text)); len(found) > 0 {
		return 1 + bytes.Count(text[:found[0].Start], []byte("\n")), fmt.Sprintf("this holds a secret (%s), which memory never keeps", found[0].Kind)
	}
	if d.m.bringsBack(d.Path, base, text) {
		return 0, "this says again what was forgotten; gitmem note --force writes it on purpose"
	}
	return brokenShape(markdown.Parse(base), markdown.Parse(text))
}

// brokenShape looks for what readers of the file would stumble over and did not
// before: frontmatter that can't be read, a format that nobody knows, a block id
// that is there twice.
func brokenShape(was, now *markdown.Doc) (line int, why string) {
	known := map[string]bool{}
	for _, s := range was.Skipped {
		known[s.Reason] = true
	}
	for _, s := range now.Skipped {
		if (strings.HasPrefix(s.Reason, "frontmatter") || strings.HasPrefix(s.Reason, "block id")) && !known[s.Reason] {
			return s.Line, s.Reason
		}
	}
	if was.Front != nil && now.Front == nil {
		return 1, "the frontmatter between the two lines --- is gone"
	}
	switch format := formatOf(now); {
	case format == "" && formatOf(was) != "":
		return 1, "the frontmatter has lost its field format"
	case format != "" && format != "1":
		return 1, "the frontmatter says format " + format + ", and only 1 is known"
	}
	return 0, ""
}

// formatOf is the format that a file says it has, "" when it says none.
func formatOf(d *markdown.Doc) string {
	if d.Front == nil || d.Front.Fields["format"] == nil {
		return ""
	}
	return fmt.Sprint(d.Front.Fields["format"])
}
