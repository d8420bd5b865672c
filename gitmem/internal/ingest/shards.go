package ingest

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/providers/git"
)

// Shard is one index of this workspace with the source that refreshes it.
type Shard struct {
	Name    string // rules, memory, transcripts or history
	Index   *index.Shard
	Plan    func(map[string]index.Mark, index.State) (index.Update, error)
	bare    Planner        // plan without embedding
	History *historySource // of the present history
	Frozen  bool           // it contains an immutable state and is named by it
}

// whole returns a plan for all documents, including those that are left for later.
func (s Shard) whole(ctx context.Context) Planner {
	if s.History == nil {
		return s.bare
	}
	all := *s.History
	all.whole = true
	return all.m.inTurn(all.plan(ctx))
}

// Documents reads all documents of the shard's source, without an index. It ends at an error.
func (s Shard) Documents(ctx context.Context) iter.Seq[index.Doc] {
	return func(yield func(index.Doc) bool) {
		u, err := s.whole(ctx)(nil, index.Missing)
		if err != nil || u.Docs == nil {
			return
		}
		for d, err := range u.Docs {
			if err != nil || !yield(d) {
				return
			}
		}
	}
}

// MemoryWait is how long a question waits for the memory shard, which must include recent notes; other shards use their
// last state when busy.
const MemoryWait = 5 * time.Second

// Shards lists the indexes for a question in this workspace. Rules have a separate index, so that they are available
// while a long history is being indexed.
func (src *Sources) Shards(ctx context.Context, p *workspace.Place) ([]Shard, error) {
	out := append([]Shard{src.rulesShard(p)}, src.memoryShards(ctx)...)
	repo, err := src.ws.Repository(p)
	if err != nil {
		return nil, err
	}
	if repo != nil {
		out = append(out, src.historyShard(ctx, p, repo))
	}
	return append(out, src.teamShards(ctx, p)...), nil
}

// rulesShard returns the index of the user's rules and those of a workspace.
func (src *Sources) rulesShard(p *workspace.Place) Shard {
	source := markdownSource{m: src, trees: src.ruleTrees(p)}
	switch {
	case !src.ws.AtHead():
		past := &frozenSource{source}
		return src.frozenShard("rules", past.state(), past.plan)
	case p.InRepo:
		return src.shard("rules", "rules-"+store.ShortHash(p.Loc.CommonDir+"\x00"+p.Loc.WorkTree), MemoryWait, source.plan)
	}
	return src.shard("rules", "rules-user", MemoryWait, source.plan)
}

// memoryShards returns the indexes of memory and of transcripts, at present or at the reference time.
func (src *Sources) memoryShards(ctx context.Context) []Shard {
	if !src.ws.Present() {
		return src.pastMemoryShards(ctx)
	}
	listed := src.takeListing()
	memory := &markdownSource{m: src, trees: src.memoryTrees(), memory: true, listed: listed}
	return []Shard{
		src.shard("memory", "memory", MemoryWait, src.whenPolicyIsKnown(memory.plan)),
		src.shard("transcripts", "transcripts", 0, src.whenPolicyIsKnown((&TranscriptSource{M: src, listed: listed}).Plan)),
	}
}

// historyShard returns the index of a workspace's history.
func (src *Sources) historyShard(ctx context.Context, p *workspace.Place, repo *git.Repository) Shard {
	source := &historySource{m: src, repo: repo, whole: src.ws.Frozen != nil}
	if f := src.ws.Frozen; f != nil {
		tips, _ := source.tips() // an empty state has none
		return src.frozenShard("history", store.ShortHash(p.Loc.CommonDir+"\x00"+f.Head+"\x00"+strings.Join(tips, " ")),
			source.plan(ctx))
	}
	s := src.shard("history", "history-"+store.ShortHash(p.Loc.CommonDir), 0, source.plan(ctx))
	s.History = source
	return s
}

func (src *Sources) shard(name, dir string, wait time.Duration,
	plan func(map[string]index.Mark, index.State) (index.Update, error)) Shard {
	return src.shardIn(filepath.Join(src.ws.IndexDir(), "shards", dir), name, wait, plan)
}

// shardIn returns the shard in a folder.
func (src *Sources) shardIn(dir, name string, wait time.Duration,
	plan func(map[string]index.Mark, index.State) (index.Update, error)) Shard {
	if src.waits {
		wait = MemoryWait
	}
	o := src.indexOptions(func(done int) workspace.Progress { return workspace.Progress{Shard: name, Done: done} })
	o.LockWait = wait
	s := Shard{Name: name, Index: index.Open(dir, o), bare: src.inTurn(plan)}
	s.Plan = src.embedding(s)
	return s
}

// indexOptions returns the options of every index, with MemoryWait as lock wait.
func (src *Sources) indexOptions(progress func(done int) workspace.Progress) index.Options {
	o := index.Options{Fingerprint: src.Fingerprint(), Now: src.ws.Options.Now, LockWait: MemoryWait,
		WaitForLock: src.waits, ReadOnly: src.ws.ReadOnly}
	if src.ws.Options.Progress != nil {
		o.Progress = func(done int) {
			src.ws.Shared.Report.Lock()
			defer src.ws.Shared.Report.Unlock()
			src.ws.Options.Progress(progress(done))
		}
	}
	return o
}

// inTurn serialises the document streams of the indexes.
func (src *Sources) inTurn(plan Planner) Planner {
	return func(marks map[string]index.Mark, st index.State) (index.Update, error) {
		u, err := plan(marks, st)
		if docs := u.Docs; docs != nil {
			u.Docs = func(yield func(index.Doc, error) bool) {
				src.ws.Shared.Build.Lock()
				defer src.ws.Shared.Build.Unlock()
				docs(yield)
			}
		}
		return u, err
	}
}

// Opened contains the opened shards of a question.
type Opened struct {
	Shards     []Shard
	Snaps      []*index.Snapshot // by shard, nil for one that could not be opened
	Unsearched []string          // names of the shards that could not be opened
	unwritable []Shard           // those among them without an index and without a writable place for one
}

// snapshots refreshes and opens the shards. A shard that cannot be opened only lacks its own results, and a caveat
// reports it. If none can be opened, it returns an error, since an empty result would be misleading. The caller closes
// them.
func (src *Sources) snapshots(ctx context.Context, shards []Shard) (Opened, error) {
	out := Opened{Shards: shards, Snaps: make([]*index.Snapshot, len(shards))}
	errs := make([]error, len(shards))
	known := len(src.ws.Caveats)
	src.Forgotten() // read once, before concurrent use
	src.Each(shards, func(i int) {
		errs[i] = index.Guard(func() (err error) {
			out.Snaps[i], err = src.snapshot(ctx, shards[i])
			return err
		})
		if errs[i] == nil {
			if shards[i].Name == "history" {
				src.reportHistory(shards[i], out.Snaps[i])
			}
			if skipped := skips(shards[i].Name, out.Snaps[i]); skipped != "" {
				src.ws.Caveat("%s", skipped)
			}
		}
	})
	if ctx.Err() != nil {
		CloseAll(out.Snaps)
		return out, ctx.Err()
	}
	slices.Sort(src.ws.Caveats[known:]) // their order depends on timing
	for i, s := range shards {
		if errs[i] != nil {
			out.Unsearched = append(out.Unsearched, s.Name)
			src.ws.MarkIncomplete("")
			if osfile.Unwritable(errs[i]) {
				out.unwritable = append(out.unwritable, s)
			}
		}
	}
	if len(out.Unsearched) == len(shards) {
		return out, fmt.Errorf("nothing could be searched: %w", cmp.Or(errs...))
	}
	return out, nil
}

// Each calls do for every shard: in parallel, except for another state of the repository, which is read through one
// reader.
func (src *Sources) Each(shards []Shard, do func(i int)) {
	var group sync.WaitGroup
	for i := range shards {
		if !src.ws.AtHead() {
			do(i)
			continue
		}
		group.Go(func() { do(i) })
	}
	group.Wait()
}

// snapshot opens one shard, refreshed if possible. It retries once if the index disappeared meanwhile, since it may be
// deleted at any time.
func (src *Sources) snapshot(ctx context.Context, s Shard) (*index.Snapshot, error) {
	snap, res, err := s.Index.Fresh(ctx, s.Plan)
	if snap == nil && !res.Busy && ctx.Err() == nil {
		snap, res, err = s.Index.Fresh(ctx, s.Plan)
	}
	if snap == nil && res.Busy { // there is no earlier state to use meanwhile
		src.ws.Progress(workspace.Progress{Shard: s.Name, Waiting: "the " + s.Name + " index, which another process builds"})
		snap, res, err = src.waitingFor(s).Fresh(ctx, s.Plan)
	}
	src.reportRebuilt(s.Name, res)
	switch {
	case snap == nil && res.Busy:
		src.ws.Caveat("The %s index is being built by another process for the first time, so it was not searched.", s.Name)
		return nil, fmt.Errorf("%s index: %w", s.Name, store.ErrLocked)
	case snap == nil:
		src.ws.Caveat("%s, so it was not searched: %v", notOpened(s.Name), err)
		return nil, fmt.Errorf("%s index: %w", s.Name, err)
	case err != nil:
		src.ws.Caveat("The %s index could not be brought up to date: %v", s.Name, err)
	case res.Busy:
		src.ws.Caveat("The %s index is being brought up to date by another process; its previous state was searched.", s.Name)
	}
	return snap, nil
}

// notOpened returns the start of the caveat about a shard that cannot be opened.
func notOpened(name string) string { return "The " + name + " index could not be opened" }

// firstBuildWait is how long a question waits for another process to build an index for the first time: building it
// itself would take as long.
const firstBuildWait = 30 * time.Second

// waitingFor returns the index of a shard with the wait for its first build.
func (src *Sources) waitingFor(s Shard) *index.Shard {
	o := src.indexOptions(func(done int) workspace.Progress { return workspace.Progress{Shard: s.Name, Done: done} })
	o.LockWait = cmp.Or(src.FirstBuildWait, firstBuildWait)
	return index.Open(s.Index.Dir(), o)
}

// skips describes, from the marks, how much of a shard's sources could not be parsed, so that each question reports it.
func skips(name string, snap *index.Snapshot) string {
	if name == "history" {
		return ""
	}
	n, files := 0, 0
	for mark := range snap.EachMark() {
		k := int(mark.Lines)
		if name == "transcripts" {
			k = skippedBefore(mark.Data)
		}
		if k > 0 {
			n, files = n+k, files+1
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s in %s (%s) were not understood and are not searched.", messages.Plural(n, "line"),
		messages.Plural(files, "file"), name)
}

// CloseAll closes the opened snapshots.
func CloseAll(snaps []*index.Snapshot) {
	for _, s := range snaps {
		if s != nil {
			_ = s.Close() // read-only, so errors do not matter
		}
	}
}
