package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/forge"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/docs"
	"github.com/gitmem/gitmem/providers/git"
)

const (
	// docsKey is the mark of the commit whose documents were read; the marks of the
	// documents have their paths.
	docsKey = "\x00docs"
	// touchDepth is how many commits are looked through for who changed a document
	// last. One that is older has the date that it gives itself, or none.
	touchDepth = 2000
	// ModeOfFile is git's mode of a regular file.
	ModeOfFile = 0o100000
)

// docsShard is the index of the documents of a place. They are read as the current
// commit has them: what is committed is what the team agreed on, while a work tree
// also holds what one person is about to try.
func (src *Sources) docsShard(ctx context.Context, p *workspace.Place) (Shard, bool) {
	repo, err := src.ws.Repository(p)
	if err != nil || repo == nil {
		return Shard{}, false
	}
	source := &documentSource{m: src, p: p}
	if src.ws.AtHead() {
		return src.docsIndex(p, source.plan(ctx)), true
	}
	files, _, err := DocumentsAt(repo, src.ws.Frozen.Head)
	if err != nil {
		src.ws.Caveat("The documents of then could not be listed: %v", err)
	}
	return src.docsIndex(p, source.plan(ctx)), len(files) > 0
}

// docsIndex is the index of the documents of the commit that is asked about: who changed
// them last depends on what came before it.
func (src *Sources) docsIndex(p *workspace.Place, plan Planner) Shard {
	if src.ws.AtHead() {
		return src.shard(providers.Docs, docsDir(p), 0, plan)
	}
	return src.frozenShard(providers.Docs, store.ShortHash(docsDir(p)+"\x00"+src.ws.Frozen.Head), plan)
}

func docsDir(p *workspace.Place) string {
	return "docs-" + store.ShortHash(p.Loc.CommonDir+"\x00"+p.Loc.GitDir)
}

// documentSource brings the shard of a repository's documents up to date with its current
// commit.
type documentSource struct {
	m *Sources
	p *workspace.Place
}

// open gives a repository to read from, and the commit. Indexes are brought up to date
// at once, and a repository is for one of them.
func (f *documentSource) open() (repo *git.Repository, head string, done func(), err error) {
	if repo, err = f.m.ws.OpenRepository(f.p); err != nil {
		return nil, "", nil, err
	}
	done = func() { _ = repo.Close() } // read-only: nothing can be lost
	ref, err := repo.Head()
	if err != nil && !errors.Is(err, git.ErrEmpty) {
		done()
		return nil, "", nil, err
	}
	return repo, ref.Hash, done, nil
}

func (f *documentSource) plan(ctx context.Context) Planner {
	return func(marks map[string]index.Mark, _ index.State) (index.Update, error) { return f.changes(ctx, marks) }
}

func (f *documentSource) changes(ctx context.Context, marks map[string]index.Mark) (index.Update, error) {
	old, known := marks[docsKey]
	repo, head, done, err := f.open()
	if err != nil {
		return index.Update{}, err
	}
	defer done()
	if old.Hash == head && (known || head == "") {
		return index.Update{}, nil
	}
	files, left, err := DocumentsAt(repo, head)
	if err != nil {
		return index.Update{}, err
	}
	if left > 0 {
		f.m.ws.Caveat("%s of the repository were left out: no more than %d are read.", messages.Plural(left, "document"),
			docs.MaxFiles)
	}
	var u index.Update
	var changed []docs.File
	present := map[string]bool{docsKey: true}
	for _, file := range files {
		present[file.Path] = true
		mark, read := marks[file.Path]
		if read && mark.Hash == file.Hash || f.m.SecretName(file.Path) {
			continue
		}
		if read {
			u.Drop = append(u.Drop, file.Path)
		}
		changed = append(changed, file)
	}
	forget(&u, marks, present)
	u.Docs, u.Marks = f.docs(ctx, head, old.Hash, files, changed)
	return u, nil
}

// DocumentsAt are the documents of a commit.
func DocumentsAt(repo *git.Repository, head string) (files []docs.File, left int, err error) {
	if head == "" {
		return nil, 0, nil
	}
	entries, err := repo.List(head, "")
	if err != nil {
		return nil, 0, err
	}
	for _, e := range entries {
		if e.Mode&0o170000 == ModeOfFile { // a link names what is there already
			files = append(files, docs.File{Path: strings.ToValidUTF8(e.Path, "\uFFFD"), Hash: e.Hash})
		}
	}
	files, left = docs.Choose(files)
	return files, left, nil
}

// docs cuts the documents that changed since another commit.
func (f *documentSource) docs(ctx context.Context, head, before string, all,
	changed []docs.File) (iter.Seq2[index.Doc, error], func() []index.Mark) {
	var marks []index.Mark
	seq := func(yield func(index.Doc, error) bool) {
		marks = []index.Mark{{Key: docsKey, Hash: head, ScannedNs: f.m.ws.Options.Now().UnixNano()}}
		if len(changed) == 0 {
			return
		}
		repo, _, done, err := f.open()
		if err != nil {
			yield(index.Doc{}, err)
			return
		}
		defer done()
		touched := f.touched(ctx, repo, head, before, changed)
		siblings := docs.Paths(all)
		tags := sync.OnceValue(func() []git.Tag {
			all, _ := repo.Tags() // without them, notes have the date of their document
			return all
		})
		for _, file := range changed {
			b, err := repo.Content(git.Entry{Path: file.Path, Mode: ModeOfFile, Hash: file.Hash})
			if err != nil || len(b) > docs.MaxSize {
				f.m.ws.Caveat("%s is missing, damaged or very large and is not searched.", f.m.ws.Redactor.Path(file.Path))
			}
			last := touched[file.Path]
			marks = append(marks, index.Mark{Key: file.Path, Hash: file.Hash, Data: touchText(last)})
			if err != nil {
				continue
			}
			for _, part := range docs.Cut(file.Path, []byte(f.m.ws.Redactor.Lines(string(b))), last, siblings) {
				if !f.m.Forgotten().HasUnit(part.ID, "") && !yield(f.m.itemDoc(file.Path, f.m.section(part, tags)), nil) {
					return
				}
			}
		}
	}
	return seq, func() []index.Mark { return marks }
}

// touched looks through the newest commits for the last change of each document.
func (f *documentSource) touched(ctx context.Context, repo *git.Repository, head, before string,
	files []docs.File) map[string]docs.LastChange {
	out := map[string]docs.LastChange{}
	wanted := slice.Set(slice.Map(files, func(file docs.File) string { return file.Path }))
	o := git.WalkOptions{Paths: true}
	if before != "" {
		if ok, err := repo.Ancestor(ctx, before, head); ok && err == nil {
			o.Not = []string{before}
		}
	}
	n := 0
	for c, err := range repo.Walk(ctx, []string{head}, o) {
		if n++; err != nil || n > touchDepth || len(wanted) == 0 {
			break // what is not known has the date that it gives itself
		}
		for _, ch := range c.Changes {
			if wanted[ch.Path] && len(c.Parents) < 2 {
				delete(wanted, ch.Path)
				out[ch.Path] = docs.LastChange{Time: c.Author.When, Author: providers.Person{Name: f.m.ws.Clean(c.Author.Name),
					Email: f.m.ws.Clean(c.Author.Email)}}
			}
		}
	}
	return out
}

// touchText is the form of a last change in a mark.
func touchText(t docs.LastChange) string {
	if t.Time.IsZero() {
		return ""
	}
	t.Time = t.Time.UTC()
	b, _ := json.Marshal(t) // a time and names always can be
	return string(b)
}

// document looks a section of a document up, as the current commit has it.
func (src *Sources) document(p *workspace.Place, id cite.ID) (it providers.Item, line int, err error) {
	repo, err := src.ws.Repository(p)
	if err != nil || repo == nil {
		return providers.Item{}, 0, errors.Join(err, cite.ErrNotFound)
	}
	head, err := repo.Head()
	if err != nil {
		return providers.Item{}, 0, cite.ErrNotFound
	}
	list, err := src.docsSource(p, repo, head.Hash)
	if err != nil {
		return providers.Item{}, 0, err
	}
	part, err := list.Section(id.String())
	if errors.Is(err, providers.ErrNotFound) {
		err = fmt.Errorf("no such document at the current commit: %w", cite.ErrNotFound)
	}
	return src.section(part, src.ReleaseTags), part.Line, err
}

// section is a part of a document without secrets. Notes of a release have the name of its tag, and
// its time where they bear no date.
func (src *Sources) section(part docs.Section, tags func() []git.Tag) providers.Item {
	if part.Release != "" {
		if tag, ok := noteTag(tags(), part.Release, part.Paths[0]); ok {
			part.Release = tag.Name
			if part.Undated {
				part.Time = tag.When
			}
		}
	}
	return forge.Sanitised(part.Item, src.ws.Redactor)
}

// docsSource reads the documents of the commit that is asked about, which are listed once.
func (src *Sources) docsSource(p *workspace.Place, repo *git.Repository, head string) (*docs.Source, error) {
	if src.documents != nil {
		return src.documents, nil
	}
	files, _, err := DocumentsAt(repo, head)
	if err != nil {
		return nil, err
	}
	read := func(f docs.File) ([]byte, error) {
		b, err := repo.Content(git.Entry{Path: f.Path, Mode: ModeOfFile, Hash: f.Hash})
		return []byte(src.ws.Redactor.Lines(string(b))), err
	}
	known := map[string]docs.LastChange{} // at this commit; opening the index takes longer than all else
	src.documents = docs.NewSource(files, read, func(path string) docs.LastChange {
		last := known[path]
		if last.Time.IsZero() {
			last = src.lastChange(p, path)
			known[path] = last
		}
		return last
	})
	return src.documents, nil
}

// lastChange is the last change of a document as the index noted it.
func (src *Sources) lastChange(p *workspace.Place, path string) docs.LastChange {
	snap, err := src.docsIndex(p, nil).Index.Snapshot()
	if err != nil {
		return docs.LastChange{} // not indexed yet
	}
	defer snap.Close()
	var last docs.LastChange
	mark, _ := snap.Mark(path)
	_ = json.Unmarshal([]byte(mark.Data), &last) // "" is of a change that is not known
	last.Time = last.Time.UTC()
	return last
}

// Owners says who owns which paths of a place, as its current commit has it.
func (src *Sources) Owners(p *workspace.Place) docs.Owners {
	repo, err := src.ws.Repository(p)
	if err != nil || repo == nil {
		return docs.Owners{}
	}
	for _, name := range docs.OwnerFiles() {
		if b, err := repo.Blob("HEAD", name); err == nil && len(b) <= docs.MaxSize {
			return docs.ParseOwners([]byte(src.ws.Redactor.Lines(string(b))))
		}
	}
	return docs.Owners{}
}
