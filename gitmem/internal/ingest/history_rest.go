package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
)

// restFile notes in a history shard's folder what is being read while it is: what is
// there when nobody reads is of a process that did not come to an end.
const restFile = "substance"

// attempt is what restFile holds.
type attempt struct {
	Failures int `json:"failures"` // in a row
	Lost     int `json:"lost"`     // in all
}

// maxLost is how many attempts may end badly before nobody begins another one unasked.
const maxLost = 20

// size is how many commits are read at once: fewer after each failure, so that in the
// end the one is found that does not let itself be read.
func (a attempt) size(batch int) int {
	for range a.Failures {
		batch /= 16
	}
	return max(batch, 1)
}

// givesUp reports whether the first commit is left as it is.
func (a attempt) givesUp() bool { return a.Failures > 4 }

func readAttempt(dir string) (a attempt) {
	b, err := os.ReadFile(filepath.Join(dir, restFile))
	if err != nil || json.Unmarshal(b, &a) != nil {
		return attempt{}
	}
	return a
}

func (a attempt) write(dir string) error {
	b, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, restFile), b, 0o600)
}

// bareRows are the commits of a history's index of which only messages and files are
// indexed so far, newest first.
func bareRows(snap *index.Snapshot) []int32 {
	ref, known := snap.StringRef(BareKey)
	if _, pending := snap.Mark(BareKey); !known || !pending {
		return nil
	}
	var rows []int32
	for i := range snap.Rows() {
		if snap.SourceOf(i) == ref && !snap.Dead(i) {
			rows = append(rows, int32(i))
		}
	}
	slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(snap.Unix(int(b)), snap.Unix(int(a))) })
	return rows
}

// reportHistory notes for the answer what a history's index lacks: what the clone does not have,
// objects that could not be read, and diff terms, with which an indexer would go on.
func (src *Sources) reportHistory(s Shard, snap *index.Snapshot) {
	mark, _ := snap.Mark(historyKey)
	var lacks git.Lacks
	if s.History != nil {
		lacks = s.History.repo.Lacks()
		lacks.Partial = lacks.Partial && mark.Lines > 0 // else what was filtered once was fetched since
	}
	src.reportLacks(lacks)
	if !lacks.Partial {
		src.reportSkippedObjects(mark.Lines)
	}
	n := len(bareRows(snap))
	if n == 0 {
		return
	}
	src.ws.Caveat("What the changes of %s do is not indexed yet, only their messages and files.", messages.Plural(n, "commit"))
	if s.History != nil && readAttempt(s.Index.Dir()).Lost < maxLost {
		src.ws.Shared.MarkUnfinished()
	}
}

// reportLacks says what a clone does not have, and how to get it.
func (src *Sources) reportLacks(lacks git.Lacks) {
	if lacks.Shallow {
		src.ws.MarkIncomplete("")
		src.ws.Caveat("This clone is shallow: what is older than its first commits is not known here. " +
			"git fetch --unshallow fetches the rest.")
	}
	if lacks.Partial {
		src.ws.MarkIncomplete("")
		src.ws.Caveat("This clone is partial: what was not fetched is not known here. " +
			"git fetch --refetch --no-filter fetches all, and gitmem index rebuild reads it.")
	}
	if lacks.Replaced > 0 {
		src.ws.Caveat("git shows %s replaced (git replace); here the history is as it was committed.",
			messages.Plural(lacks.Replaced, "object"))
	}
}

// pendingCommits reads the diff terms of some commits that were indexed without.
type pendingCommits struct {
	*historySource
	shard *index.Shard
	attempt
	total, left int // commits that wait, before and after
}

var errNotReady = errors.New("the index of messages is not there")

// plan takes a batch of the commits that wait.
func (r *pendingCommits) plan(ctx context.Context, marks map[string]index.Mark, st index.State) (index.Update, error) {
	if st != index.Current {
		return index.Update{}, errNotReady
	}
	r.left = 0
	if _, pending := marks[BareKey]; !pending {
		return index.Update{}, nil
	}
	ids, err := r.ids()
	if err != nil {
		return index.Update{}, err
	}
	r.total = len(ids)
	batch := ids[:min(len(ids), r.size(r.m.Budget.Batch))]
	r.left = len(ids) - len(batch)
	var u index.Update
	if r.left == 0 {
		u.Forget = []string{BareKey}
	}
	if len(batch) > 0 {
		var missing []string
		u.Docs = func(yield func(index.Doc, error) bool) { missing = r.read(ctx, batch, yield) }
		u.Remove = &missing
	}
	return u, nil
}

// ids are those of the commits that wait, newest first.
func (r *pendingCommits) ids() ([]string, error) {
	snap, err := r.shard.Snapshot()
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	return slice.Map(bareRows(snap), func(row int32) string { return snap.ID(int(row)) }), nil
}

// read hands out commits and returns the ids of those that are to be dropped.
func (r *pendingCommits) read(ctx context.Context, ids []string, yield func(index.Doc, error) bool) []string {
	src := git.NewSource(r.repo)
	if !r.givesUp() {
		src = src.WithDiffTerms(r.m.ws.Redactor.Lines)
	}
	var forgotten []string
	missing, err := src.Items(ctx, ids, func(it providers.Item) error {
		if r.m.Forgotten().HasUnit(it.ID, "") {
			forgotten = append(forgotten, it.ID)
			return nil
		}
		return r.give(it, false, yield)
	})
	if err != nil && !errors.Is(err, errStopped) {
		yield(index.Doc{}, err)
	}
	return append(missing, forgotten...)
}

// readRest reads the diff terms of all commits that wait for it, some at a time, so
// that what was read stays and questions see it. It brings the index up to date in
// between. An attempt that fails is noted before it begins, so that a commit which
// ends the process is found and left alone.
func (src *Sources) readRest(ctx context.Context, s Shard) error {
	if s.Name != "history" || s.History == nil {
		return nil
	}
	done := 0
	for {
		before := readAttempt(s.Index.Dir())
		r := &pendingCommits{historySource: s.History, attempt: before}
		r.shard = index.Open(s.Index.Dir(), src.indexOptions(func(n int) workspace.Progress {
			return workspace.Progress{Shard: "what changes do", Done: done + n, Total: done + r.total}
		}))
		if more, err := src.readBatch(ctx, r, before); err != nil || !more {
			return err
		}
		done += r.total - r.left
		if _, err := s.Index.Refresh(ctx, s.Plan); err != nil {
			return err
		}
	}
}

// readBatch reads one batch and reports whether there is another one.
func (src *Sources) readBatch(ctx context.Context, r *pendingCommits, before attempt) (more bool, err error) {
	dir := r.shard.Dir()
	snap, err := r.shard.Snapshot()
	if err != nil {
		return false, nil // nothing was indexed: the next refresh reports why
	}
	_, pending := snap.Mark(BareKey)
	if err := snap.Close(); err != nil || !pending {
		return false, errors.Join(err, osfile.Remove(filepath.Join(dir, restFile)))
	}
	if err := (attempt{before.Failures + 1, before.Lost + 1}).write(dir); err != nil {
		return false, err
	}
	res, err := r.shard.Refresh(ctx, src.inTurn(func(marks map[string]index.Mark, st index.State) (index.Update, error) { return r.plan(ctx, marks, st) }))
	switch {
	case ctx.Err() != nil, err == nil && res.Busy: // neither says anything about the commits
		return false, errors.Join(ctx.Err(), before.write(dir))
	case err != nil:
		return false, fmt.Errorf("what changes do: %w", err)
	}
	before.Failures = 0
	return true, before.write(dir)
}
