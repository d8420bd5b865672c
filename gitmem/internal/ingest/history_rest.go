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

// restFile stores what is being read in a history shard's folder. If it exists while nobody reads, the reading process
// did not finish.
const restFile = "substance"

// attempt is the content of restFile.
type attempt struct {
	Failures int `json:"failures"` // consecutive failures
	Lost     int `json:"lost"`     // total number of failed attempts
}

// maxLost is the number of failed attempts after which no new one is started automatically.
const maxLost = 20

// size returns the number of commits to read at once: fewer after each failure, to isolate a commit that cannot be
// read.
func (a attempt) size(batch int) int {
	for range a.Failures {
		batch /= 16
	}
	return max(batch, 1)
}

// givesUp reports whether the first commit is skipped.
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

// bareRows counts the commits in a history's index of which only messages and files are indexed.
func bareRows(snap *index.Snapshot) (n int) {
	ref, known := snap.StringRef(BareKey)
	if !known {
		return 0
	}
	for i := range snap.Rows() {
		if snap.SourceOf(i) == ref && !snap.Dead(i) {
			n++
		}
	}
	return n
}

// waiting returns the commits that are not indexed yet, or only by their messages and files, newest first.
func (f *historySource) waiting(ctx context.Context, snap *index.Snapshot) ([]string, error) {
	if _, pending := snap.Mark(BareKey); !pending {
		return nil, nil
	}
	type commit struct {
		id      string
		seconds int64
	}
	var list []commit
	bare, known := snap.StringRef(BareKey)
	err := git.NewSource(f.repo).Messages(ctx, func(id string, seconds int64, _ string) {
		row, indexed := snap.Find(id)
		if (!indexed || known && snap.SourceOf(row) == bare) && !f.m.Forgotten().HasUnit(id, "") {
			list = append(list, commit{id, seconds})
		}
	})
	slices.SortStableFunc(list, func(a, b commit) int { return cmp.Compare(b.seconds, a.seconds) })
	return slice.Map(list, func(c commit) string { return c.id }), err
}

// reportHistory adds caveats about what a history's index lacks: history missing in the clone, unreadable objects, and
// commits that an indexer would add.
func (src *Sources) reportHistory(s Shard, snap *index.Snapshot) {
	mark, _ := snap.Mark(historyKey)
	var lacks git.Lacks
	if s.History != nil {
		lacks = s.History.repo.Lacks()
		lacks.Partial = lacks.Partial && mark.Lines > 0 // otherwise the filtered objects were fetched since
	}
	src.reportLacks(lacks)
	if !lacks.Partial {
		src.reportSkippedObjects(mark.Lines)
	}
	if _, pending := snap.Mark(BareKey); !pending {
		return
	}
	if s.History == nil {
		src.ws.Caveat("What the changes of %s do is not indexed, only their messages and files.",
			messages.Plural(bareRows(snap), "commit"))
		return
	}
	src.ws.Caveat("%s are indexed so far, the newest ones; older ones are not indexed yet.",
		messages.Plural(snap.Live(), "commit"))
	src.ws.MarkIncomplete("")
	if readAttempt(s.Index.Dir()).Lost < maxLost {
		src.ws.Shared.MarkUnfinished()
	}
}

// reportLacks adds caveats about what a clone lacks, and how to fetch it.
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

// pendingCommits indexes some of the waiting commits.
type pendingCommits struct {
	*historySource
	shard *index.Shard
	attempt
	waits       []string // waiting commits
	tips        string   // tips of the history when they were listed
	total, left int      // number of waiting commits, before and after
}

var errNotReady = errors.New("no commit is indexed")

// plan indexes a batch of the waiting commits. They are listed once, and again if there are new ones, since listing
// reads the whole history.
func (r *pendingCommits) plan(ctx context.Context, marks map[string]index.Mark, st index.State) (index.Update, error) {
	if st != index.Current {
		return index.Update{}, errNotReady
	}
	r.left = 0
	if _, pending := marks[BareKey]; !pending {
		return index.Update{}, nil
	}
	if len(r.waits) == 0 {
		if err := r.list(ctx); err != nil {
			return index.Update{}, err
		}
		r.tips = marks[historyKey].Hash
	}
	r.total = len(r.waits)
	batch := r.waits[:min(len(r.waits), r.size(r.m.Budget.Batch))]
	r.left = len(r.waits) - len(batch)
	var u index.Update
	if r.left == 0 && r.tips == marks[historyKey].Hash {
		u.Forget = []string{BareKey}
	}
	if len(batch) > 0 {
		var missing []string
		u.Docs = func(yield func(index.Doc, error) bool) { missing = r.read(ctx, batch, yield) }
		u.Remove = &missing
	}
	return u, nil
}

func (r *pendingCommits) list(ctx context.Context) error {
	snap, err := r.shard.Snapshot()
	if err != nil {
		return err
	}
	defer snap.Close()
	r.waits, err = r.waiting(ctx, snap)
	return err
}

// read passes on commits and returns the ids of those to drop.
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

// readRest indexes all waiting commits in batches, so that progress is kept and visible to questions. It refreshes the
// index in between. Each attempt is recorded before it begins, so that a commit that crashes the process is found and
// skipped.
func (src *Sources) readRest(ctx context.Context, s Shard) error {
	if s.Name != "history" || s.History == nil {
		return nil
	}
	done, r := 0, &pendingCommits{historySource: s.History}
	r.shard = index.Open(s.Index.Dir(), src.indexOptions(func(n int) workspace.Progress {
		return workspace.Progress{Shard: "what changes do", Done: done + n, Total: done + r.total}
	}))
	for {
		r.attempt = readAttempt(s.Index.Dir())
		if more, err := src.readBatch(ctx, r, r.attempt); err != nil || !more {
			return err
		}
		done += r.total - r.left
		r.waits = r.waits[len(r.waits)-r.left:]
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
	res, err := r.shard.Refresh(ctx, src.inTurn(func(marks map[string]index.Mark, st index.State) (index.Update, error) {
		return r.plan(ctx, marks, st)
	}))
	switch {
	case ctx.Err() != nil, err == nil && res.Busy: // not caused by the commits
		return false, errors.Join(ctx.Err(), before.write(dir))
	case err != nil:
		return false, fmt.Errorf("what changes do: %w", err)
	}
	before.Failures = 0
	return true, before.write(dir)
}
