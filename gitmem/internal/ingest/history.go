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
	// historyKey is the source of a history's commits. Its mark contains the cursor of git's source as data, the tips as
	// hash, and the number of skipped objects as lines.
	historyKey = "history"
	// BareKey is the source of those commits of which only messages and files are indexed. It has a mark while there may
	// be such commits, or commits that are not indexed at all.
	BareKey = "history, messages only"
	// atOnce is the number of commits that are indexed before an answer, regardless of the time.
	atOnce = 200
)

// Budget limits how much of a history is indexed before the first answer: the number of newest commits of a new history
// (Fresh) or of a continued one (Later), and the time. Comparing contents is many times slower than reading messages.
// [Sources.Update] continues with Batch commits at a time; until then a question searches the messages of the others:
// see [Sources.AddWaiting].
type Budget struct {
	Fresh, Later int
	Time         time.Duration
	Batch        int
	Transcripts  int64 // bytes of transcripts, see newest
}

// UsualBudget returns the budget of a question.
func UsualBudget() Budget {
	return Budget{Fresh: 2000, Later: 500, Time: 300 * time.Millisecond, Batch: 4000, Transcripts: 12 << 20}
}

// historySource refreshes a repository's history shard from the tips that were indexed last.
type historySource struct {
	m    *Sources
	repo *git.Repository
	// whole is set if no indexer continues: commits beyond the budget are indexed without diff terms, and not left for
	// later.
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
		case err != nil: // it is unknown what was removed: start over
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

// tips returns the sorted commits from which the history is read.
func (f *historySource) tips() ([]string, error) {
	refs, err := f.repo.Tips()
	if err != nil {
		return nil, err
	}
	tips := slice.Map(refs, func(r git.Ref) string { return r.Hash })
	slices.Sort(tips)
	return slices.Compact(tips), nil
}

// docs returns the commits since a cursor. pending is set if some earlier commits wait, and passed is the number of
// objects skipped before.
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

// give passes a commit on as a document, unless it was forgotten.
func (f *historySource) give(it providers.Item, bare bool, yield func(index.Doc, error) bool) error {
	if !f.m.Forgotten().HasUnit(it.ID, "") && !yield(f.doc(it, bare), nil) {
		return errStopped
	}
	return nil
}

// reportSkippedObjects adds a caveat about objects of a history that are not in its index.
func (src *Sources) reportSkippedObjects(n int64) {
	if n > 0 {
		src.ws.Caveat("%d objects of the repository are missing, damaged or too large and were passed over.", n)
	}
}

// fetch passes on the newest commits since a cursor with their diff terms, and reports whether there are more than the
// budget permits. The others are left, or passed on bare if no indexer continues. A merge has no diff terms, so it is
// never bare.
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

// doc converts a commit to a document. Its author's name is a weak field, so that questions by author match.
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

// churn returns the number of changed lines for each of an item's paths, or nil if unknown.
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
