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
	// docsKey is the key of the mark for the commit whose documents were read; the marks of documents have their paths as
	// keys.
	docsKey = "\x00docs"
	// touchDepth is the number of commits that are searched for the last change of a document. A document that was changed
	// earlier has the date in its text, or none.
	touchDepth = 2000
	// ModeOfFile is git's mode of a regular file.
	ModeOfFile = 0o100000
)

// docsShard returns the index of a workspace's documents. They are read from the current commit: committed documents
// are agreed on by the team, while a work tree also contains one person's drafts.
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

// docsIndex returns the index of the documents in the requested commit. It depends on the commit's history, which
// contains the last changes.
func (src *Sources) docsIndex(p *workspace.Place, plan Planner) Shard {
	if src.ws.AtHead() {
		return src.shard(providers.Docs, docsDir(p), 0, plan)
	}
	return src.frozenShard(providers.Docs, store.ShortHash(docsDir(p)+"\x00"+src.ws.Frozen.Head), plan)
}

func docsDir(p *workspace.Place) string {
	return "docs-" + store.ShortHash(p.Loc.CommonDir+"\x00"+p.Loc.GitDir)
}

// documentSource refreshes the shard of a repository's documents from its current commit.
type documentSource struct {
	m *Sources
	p *workspace.Place
}

// open returns a separate repository to read from, and the commit. Indexes are refreshed in parallel, and each needs
// its own repository.
func (f *documentSource) open() (repo *git.Repository, head string, done func(), err error) {
	if repo, err = f.m.ws.OpenRepository(f.p); err != nil {
		return nil, "", nil, err
	}
	done = func() { _ = repo.Close() } // read-only, so errors do not matter
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

// DocumentsAt returns the documents in a commit.
func DocumentsAt(repo *git.Repository, head string) (files []docs.File, left int, err error) {
	if head == "" {
		return nil, 0, nil
	}
	entries, err := repo.List(head, "")
	if err != nil {
		return nil, 0, err
	}
	for _, e := range entries {
		if e.Mode&0o170000 == ModeOfFile { // a link points to an existing file
			files = append(files, docs.File{Path: strings.ToValidUTF8(e.Path, "\uFFFD"), Hash: e.Hash})
		}
	}
	files, left = docs.Choose(files)
	return files, left, nil
}

// docs parses the documents that changed since another commit.
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
			all, _ := repo.Tags() // without them, release notes have the date of their document
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

// touched searches the newest commits for the last change of each document.
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
			break // documents not found have the date in their text
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

// touchText encodes a last change for a mark.
func touchText(t docs.LastChange) string {
	if t.Time.IsZero() {
		return ""
	}
	t.Time = t.Time.UTC()
	b, _ := json.Marshal(t) // always encodable
	return string(b)
}

// document returns a section of a document in the current commit.
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

// section returns a part of a document without secrets. Release notes get the name of their tag, and its time if they
// are undated.
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

// docsSource returns the documents of the requested commit, which are listed once.
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
	known := map[string]docs.LastChange{} // of this commit; opening the index is the slowest part
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

// lastChange returns the last change of a document according to the index.
func (src *Sources) lastChange(p *workspace.Place, path string) docs.LastChange {
	snap, err := src.docsIndex(p, nil).Index.Snapshot()
	if err != nil {
		return docs.LastChange{} // not indexed yet
	}
	defer snap.Close()
	var last docs.LastChange
	mark, _ := snap.Mark(path)
	_ = json.Unmarshal([]byte(mark.Data), &last) // "" means an unknown change
	last.Time = last.Time.UTC()
	return last
}

// Owners returns the path owners of a workspace's repository in its current commit.
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
