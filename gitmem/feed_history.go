package gitmem

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
)

// historyKey is the one mark of a history shard; its data is the source's cursor.
const historyKey = "history"

// historyFeed brings a repository's history shard up to date from the tips that
// were indexed last.
type historyFeed struct {
	ctx  context.Context
	m    *Memory
	repo *git.Repository
}

func (f *historyFeed) plan(marks map[string]index.Mark, _ index.State) (index.Update, error) {
	old, known := marks[historyKey]
	tips, err := f.tips()
	if errors.Is(err, git.ErrEmpty) {
		if known {
			return index.Update{Drop: []string{historyKey}, Forget: []string{historyKey}}, nil
		}
		return index.Update{}, nil
	}
	if err != nil {
		return index.Update{}, err
	}
	if known && old.Hash == strings.Join(tips, " ") {
		return index.Update{}, nil
	}
	var u index.Update
	from := providers.Cursor{}
	switch {
	case known && f.continues(old, tips):
		from.Value = old.Data
	case known: // rewritten history or another branch: start over
		u.Drop = []string{historyKey}
	}
	u.Docs, u.Marks = f.docs(from, tips)
	return u, nil
}

// tips are the commits that the history is read from, sorted.
func (f *historyFeed) tips() ([]string, error) {
	refs, err := f.repo.Tips()
	if err != nil {
		return nil, err
	}
	var tips []string
	for _, r := range refs {
		tips = append(tips, r.Hash)
	}
	slices.Sort(tips)
	return slices.Compact(tips), nil
}

// continues tells whether every tip that was indexed is still part of the history.
// A tip that can't be read any more is not.
func (f *historyFeed) continues(old index.Mark, tips []string) bool {
	for _, tip := range strings.Fields(old.Hash) {
		if ok, err := f.repo.Ancestor(f.ctx, tip, tips...); err != nil || !ok {
			return false
		}
	}
	return true
}

func (f *historyFeed) docs(from providers.Cursor, tips []string) (iter.Seq2[index.Doc, error], func() []index.Mark) {
	mark := index.Mark{Key: historyKey, Hash: strings.Join(tips, " ")}
	src := git.NewSource(f.repo)
	errStopped := errors.New("stopped")
	seq := func(yield func(index.Doc, error) bool) {
		cursor, err := src.Fetch(f.ctx, from, func(it providers.Item) error {
			if f.m.forgotten().HasUnit(it.ID, "") {
				return nil
			}
			if !yield(f.doc(it), nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopped) {
			yield(index.Doc{}, err)
			return
		}
		mark.Data = cursor.Value
		mark.ScannedNs = f.m.o.Now().UnixNano()
		if n := len(src.Skipped()); n > 0 {
			f.m.notice("%d objects of the repository are missing or damaged and were passed over.", n)
		}
	}
	return seq, func() []index.Mark { return []index.Mark{mark} }
}

// doc makes a document of a commit. Its author's name is searched as a weak field,
// so that a question may name who did it.
func (f *historyFeed) doc(it providers.Item) index.Doc {
	role := "commit"
	if it.Merge {
		role = "merge"
	}
	name := f.m.clean(it.Author.Name)
	return index.Doc{
		ID: it.ID, Source: historyKey, Layer: cite.LayerTeam, Type: it.Type, Role: role,
		Author: name + " <" + f.m.clean(it.Author.Email) + ">", Time: it.Time,
		Title: f.m.clean(it.Title), Text: f.m.clean(it.Text), Tool: name, Paths: f.m.cleanPaths(it.Paths),
	}
}
