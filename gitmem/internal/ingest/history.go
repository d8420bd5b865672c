package ingest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
)

const (
	// historyKey is the source of a history's commits; the data of its mark is the
	// cursor of git's source, the hash its tips, and the lines how many objects were
	// passed over.
	historyKey = "history"
	// BareKey is the source of those commits of which only messages and files are indexed. It
	// has a mark as long as there may be any, or commits that are not indexed at all.
	BareKey = "history, messages only"
	// atOnce is how many commits are indexed before an answer, however long that takes.
	atOnce = 200
)

// Budget is how much of a history is indexed before the first answer: the newest commits, so many
// of a new history or of one that went on, and for so long. Comparing contents costs many times
// what reading messages does; [Sources.Update] goes on, with a batch of commits at a time, and until
// then a question looks through the messages of the others: see [Sources.AddWaiting].
type Budget struct {
	Fresh, Later int
	Time         time.Duration
	Batch        int
	Transcripts  int64 // bytes of them, see newest
}

// UsualBudget is the budget of a question.
func UsualBudget() Budget {
	return Budget{Fresh: 2000, Later: 500, Time: 300 * time.Millisecond, Batch: 4000, Transcripts: 12 << 20}
}

// historySource brings a repository's history shard up to date from the tips that
// were indexed last.
type historySource struct {
	m    *Sources
	repo *git.Repository
	// whole says that nobody goes on: what does not fit into the budget is indexed without diff
	// terms, and not left for later.
	whole bool
}

func (f *historySource) plan(ctx context.Context) Planner {
	return func(marks map[string]index.Mark, _ index.State) (index.Update, error) { return f.changes(ctx, marks) }
}

func (f *historySource) changes(ctx context.Context, marks map[string]index.Mark) (index.Update, error) {
	old, known := marks[historyKey]
	tips, err := f.tips()
	if errors.Is(err, git.ErrEmpty) {
		if known {
			return index.Update{Drop: []string{historyKey, BareKey}, Forget: []string{historyKey, BareKey}}, nil
		}
		return index.Update{}, nil
	}
	if err != nil {
		return index.Update{}, err
	}
	if known && old.Hash == strings.Join(tips, " ") && !git.NewSource(f.repo).Deepened(providers.Cursor{Value: old.Data}) {
		return index.Update{}, nil
	}
	var u index.Update
	from := providers.Cursor{}
	if known {
		switch gone, err := git.NewSource(f.repo).RemovedItems(ctx, providers.Cursor{Value: old.Data}); {
		case ctx.Err() != nil:
			return u, ctx.Err()
		case err != nil: // it is not known what is gone: start over
			u.Drop, u.Forget = []string{historyKey, BareKey}, []string{BareKey}
		default:
			from.Value = old.Data
			if len(gone) > 0 {
				u.Remove = &gone
			}
		}
	}
	_, pending := marks[BareKey]
	if from.Value == "" {
		old.Lines, pending = 0, false
	}
	u.Docs, u.Marks = f.docs(ctx, from, tips, pending, old.Lines)
	return u, nil
}

// tips are the commits that the history is read from, sorted.
func (f *historySource) tips() ([]string, error) {
	refs, err := f.repo.Tips()
	if err != nil {
		return nil, err
	}
	tips := slice.Map(refs, func(r git.Ref) string { return r.Hash })
	slices.Sort(tips)
	return slices.Compact(tips), nil
}

// docs are the commits since a cursor. pending says that some of before wait, and passed how many
// objects were passed over before.
func (f *historySource) docs(ctx context.Context, from providers.Cursor, tips []string, pending bool,
	passed int64) (iter.Seq2[index.Doc, error], func() []index.Mark) {
	mark := index.Mark{Key: historyKey, Hash: strings.Join(tips, " ")}
	src := git.NewSource(f.repo)
	seq := func(yield func(index.Doc, error) bool) {
		cursor, more, err := f.fetch(ctx, src, from, func(it providers.Item, bare bool) error {
			return f.give(it, bare, yield)
		})
		pending = pending || more
		if err != nil {
			if !errors.Is(err, errStopped) {
				yield(index.Doc{}, err)
			}
			return
		}
		mark.Data = cursor.Value
		mark.ScannedNs = f.m.ws.Options.Now().UnixNano()
		mark.Lines = passed + int64(len(src.Skipped()))
		f.m.reportSkippedObjects(mark.Lines)
	}
	return seq, func() []index.Mark {
		if pending {
			return []index.Mark{mark, {Key: BareKey, Hash: mark.Hash}}
		}
		return []index.Mark{mark}
	}
}

var (
	errStopped = errors.New("stopped")
	errEnough  = errors.New("enough for now")
)

// give hands a commit on as a document, unless it was forgotten.
func (f *historySource) give(it providers.Item, bare bool, yield func(index.Doc, error) bool) error {
	if !f.m.Forgotten().HasUnit(it.ID, "") && !yield(f.doc(it, bare), nil) {
		return errStopped
	}
	return nil
}

// reportSkippedObjects says how many objects of a history are not in its index.
func (src *Sources) reportSkippedObjects(n int64) {
	if n > 0 {
		src.ws.Caveat("%d objects of the repository are missing, damaged or too large and were passed over.", n)
	}
}

// fetch hands out the newest commits since a cursor with their diff terms, and reports whether
// there are more than the budget allows: these are left, or handed out bare where nobody goes on. A
// merge has no diff terms, so that it is never bare.
func (f *historySource) fetch(
	ctx context.Context, src *git.Source, from providers.Cursor, give func(it providers.Item, bare bool) error,
) (cursor providers.Cursor, more bool, err error) {
	limit, until := f.m.Budget.Fresh, f.m.ws.Options.Now().Add(f.m.Budget.Time)
	if from.Value != "" {
		limit = f.m.Budget.Later
	}
	given := map[string]bool{}
	cursor, err = src.WithDiffTerms(f.m.ws.Redactor.Lines).Fetch(ctx, from, func(it providers.Item) error {
		if len(given) >= limit || len(given) >= atOnce && f.m.ws.Options.Now().After(until) {
			return errEnough
		}
		given[it.ID] = true
		return give(it, false)
	})
	switch {
	case !errors.Is(err, errEnough):
		return cursor, false, err
	case !f.whole:
		cursor, err = src.Now()
		return cursor, true, err
	}
	cursor, err = src.Fetch(ctx, from, func(it providers.Item) error {
		if given[it.ID] {
			return nil
		}
		more = more || !it.Merge
		return give(it, !it.Merge)
	})
	return cursor, more, err
}

// doc makes a document of a commit. Its author's name is searched as a weak field,
// so that a question may name who did it.
func (f *historySource) doc(it providers.Item, bare bool) index.Doc {
	role := "commit"
	if it.Merge {
		role = "merge"
	}
	name := f.m.ws.Clean(it.Author.Name)
	d := index.Doc{
		ID: it.ID, Source: historyKey, Layer: cite.LayerTeam, Type: typesOf(it), Role: role,
		Author: name + " <" + f.m.ws.Clean(it.Author.Email) + ">", Time: it.Time,
		Title: f.m.ws.Clean(it.Title), Text: f.m.ws.Clean(it.Text), Tool: name, Paths: f.m.ws.CleanPaths(it.Paths),
	}
	for _, p := range it.Also {
		d.Also = append(d.Also, fmt.Sprintf("%s <%s>", f.m.ws.Clean(p.Name), f.m.ws.Clean(p.Email)))
	}
	for _, p := range it.Reviewers {
		d.Reviewers = append(d.Reviewers, fmt.Sprintf("%s <%s>", f.m.ws.Clean(p.Name), f.m.ws.Clean(p.Email)))
	}
	if bare {
		d.Source = BareKey
	} else {
		d.DiffTerms, d.Churn = f.m.ws.Clean(it.Words+"\n"+it.Gist), churn(it)
	}
	return d
}

// churn is how many lines of each of an item's paths changed, nil where that is not known.
func churn(it providers.Item) []uint32 {
	if len(it.Files) != len(it.Paths) {
		return nil
	}
	var out []uint32
	for i, file := range it.Files {
		lines := file.Added + file.Removed
		if lines > 0 && out == nil {
			out = make([]uint32, len(it.Files))
		}
		if lines > 0 {
			out[i] = uint32(min(int64(lines), math.MaxUint32))
		}
	}
	return out
}
