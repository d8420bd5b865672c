package gitmem

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
)

// shard is one index of this place with the feed that brings it up to date.
type shard struct {
	name  string // rules, memory, transcripts or history
	index *index.Shard
	plan  func(map[string]index.Mark, index.State) (index.Update, error)
	bare  planner      // plan, which embeds nothing
	feed  *historyFeed // of a history
	// present is what was opened before the shard is brought up to date, if anything.
	present *index.Present
}

// memoryWait is how long a question waits for the memory shard, which must show a
// note written a moment ago; other shards serve their last state when busy.
const memoryWait = 5 * time.Second

// shards lists the indexes that a question from here is answered from. Rules have
// one of their own, so that they answer while a long history is being indexed.
func (m *Memory) shards(ctx context.Context, p *place) ([]shard, error) {
	if m.past != nil {
		return m.pastShards(ctx, p)
	}
	rules := []cite.Tree{m.userRules()}
	key := "user"
	if p.inRepo {
		key = shortHash(p.loc.CommonDir + "\x00" + p.loc.WorkTree)
	}
	if t, ok := m.repositoryRules(p); ok {
		rules = append(rules, t)
	}
	listed := m.takeListing()
	out := []shard{
		m.shard("rules", "rules-"+key, memoryWait, (&markdownFeed{m: m, trees: rules}).plan),
		m.shard("memory", "memory", memoryWait, m.knowing((&markdownFeed{m: m, trees: []cite.Tree{m.memoryTree(), m.plans()}, excluded: m.excludedTreeFile, listed: listed}).plan)),
		m.shard("transcripts", "transcripts", 0, m.knowing((&transcriptFeed{m: m, listed: listed}).plan)),
	}
	repo, err := m.repository(p)
	if err != nil {
		return nil, err
	}
	if repo != nil {
		feed := &historyFeed{ctx: ctx, m: m, repo: repo}
		s := m.shard("history", "history-"+shortHash(p.loc.CommonDir), 0, feed.plan)
		s.feed = feed
		out = append(out, s)
	}
	return append(out, m.teamShards(ctx, p)...), nil
}

func (m *Memory) shard(name, dir string, wait time.Duration, plan func(map[string]index.Mark, index.State) (index.Update, error)) shard {
	return m.shardIn(filepath.Join(m.indexDir(), "shards", dir), name, wait, plan)
}

// shardIn is the shard in a folder.
func (m *Memory) shardIn(dir, name string, wait time.Duration, plan func(map[string]index.Mark, index.State) (index.Update, error)) shard {
	if m.patient {
		wait = memoryWait
	}
	o := m.indexOptions(func(done int) Progress { return Progress{Shard: name, Done: done} })
	o.LockWait = wait
	s := shard{name: name, index: index.Open(dir, o), bare: m.inTurn(plan)}
	s.plan = m.embedding(s)
	return s
}

// indexOptions are those of every index; wait as long as memoryWait.
func (m *Memory) indexOptions(progress func(done int) Progress) index.Options {
	o := index.Options{Fingerprint: m.feedPrint(), Now: m.o.Now, LockWait: memoryWait, Patient: m.patient, LookOnly: m.looking}
	if m.o.Progress != nil {
		o.Progress = func(done int) {
			m.turns.telling.Lock()
			defer m.turns.telling.Unlock()
			m.o.Progress(progress(done))
		}
	}
	return o
}

// inTurn lets the documents of one index come at a time.
func (m *Memory) inTurn(plan planner) planner {
	return func(marks map[string]index.Mark, st index.State) (index.Update, error) {
		u, err := plan(marks, st)
		if docs := u.Docs; docs != nil {
			u.Docs = func(yield func(index.Doc, error) bool) {
				m.turns.building.Lock()
				defer m.turns.building.Unlock()
				docs(yield)
			}
		}
		return u, err
	}
}

// opened are the shards of a question that could be opened.
type opened struct {
	shards     []shard
	snaps      []*index.Snapshot // by shard, nil for one that could not be opened
	unsearched []string          // names of those
}

// snapshots brings the shards up to date and opens them; one that can't be opened
// costs only its own results, and a caveat tells. Without any it is an error:
// nothing found would be no finding. The caller closes them.
func (m *Memory) snapshots(ctx context.Context, shards []shard) (opened, error) {
	out := opened{shards: shards, snaps: make([]*index.Snapshot, len(shards))}
	errs := make([]error, len(shards))
	told := len(m.notices)
	m.forgotten() // read once, before several ask
	m.each(shards, func(i int) {
		errs[i] = guarded(func() (err error) {
			out.snaps[i], err = m.snapshot(ctx, shards[i])
			return err
		})
		if errs[i] == nil {
			if shards[i].name == "history" {
				m.tellHistory(shards[i], out.snaps[i])
			}
			if skipped := skips(shards[i].name, out.snaps[i]); skipped != "" {
				m.notice("%s", skipped)
			}
		}
	})
	if ctx.Err() != nil {
		closeAll(out.snaps)
		return out, ctx.Err()
	}
	slices.Sort(m.notices[told:]) // they came in any order
	for i, s := range shards {
		if errs[i] != nil {
			out.unsearched = append(out.unsearched, s.name)
		}
	}
	if len(out.unsearched) == len(shards) {
		return out, fmt.Errorf("nothing could be searched: %w", cmp.Or(errs...))
	}
	return out, nil
}

// each does something with every shard, at once in the present. The shards of the
// past read one repository.
func (m *Memory) each(shards []shard, do func(i int)) {
	var group sync.WaitGroup
	for i := range shards {
		if m.past != nil {
			do(i)
			continue
		}
		group.Go(func() { do(i) })
	}
	group.Wait()
}

// snapshot opens one shard, brought up to date where that can be done now. It tries
// once more when the index vanished in between: it may be deleted at any time.
func (m *Memory) snapshot(ctx context.Context, s shard) (*index.Snapshot, error) {
	snap, res, err := s.open(ctx)
	if snap == nil && !res.Busy && ctx.Err() == nil {
		s.present = nil
		snap, res, err = s.open(ctx)
	}
	if snap == nil && res.Busy { // there is nothing yet to answer from meanwhile
		m.progress(Progress{Shard: s.name, Waiting: "the " + s.name + " index, which another process builds"})
		snap, res, err = m.waitingFor(s).open(ctx)
	}
	m.mended(s.name, res)
	switch {
	case snap == nil && res.Busy:
		m.notice("The %s index is being built by another process for the first time, so it was not searched.", s.name)
		return nil, fmt.Errorf("%s index: %w", s.name, ErrLocked)
	case snap == nil:
		m.notice("The %s index could not be opened, so it was not searched: %v", s.name, err)
		return nil, fmt.Errorf("%s index: %w", s.name, err)
	case err != nil:
		m.notice("The %s index could not be brought up to date: %v", s.name, err)
	case res.Busy:
		m.notice("The %s index is being brought up to date by another process; its previous state was searched.", s.name)
	}
	return snap, nil
}

// firstBuildWait is how long a question waits for an index that another process builds
// and of which there is none before: alone it would take that long itself.
const firstBuildWait = 30 * time.Second

// waitingFor is a shard whose writer is waited for.
func (m *Memory) waitingFor(s shard) shard {
	o := m.indexOptions(func(done int) Progress { return Progress{Shard: s.name, Done: done} })
	o.LockWait = cmp.Or(m.firstBuildWait, firstBuildWait)
	s.index, s.present = index.Open(s.index.Dir(), o), nil
	return s
}

// open refreshes the shard and opens what there is then. The error is why it could
// not be refreshed, or opened.
func (s shard) open(ctx context.Context) (*index.Snapshot, index.Result, error) {
	if s.present != nil {
		return s.present.Fresh(ctx, s.plan)
	}
	return s.index.Fresh(ctx, s.plan)
}

// skips tells how much of a shard's sources was not understood, from the marks, so
// that it is told at each question and not only when it was read.
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
	return fmt.Sprintf("%s in %s (%s) were not understood and are not searched.", plural(n, "line"), plural(files, "file"), name)
}

func closeAll(snaps []*index.Snapshot) {
	for _, s := range snaps {
		if s != nil {
			_ = s.Close() // read-only: nothing can be lost
		}
	}
}

// notice keeps a caveat for the answer; the same one is kept once.
func (m *Memory) notice(format string, args ...any) {
	for i, a := range args {
		if err, ok := a.(error); ok {
			args[i] = plain.Text(err)
		}
	}
	text := fmt.Sprintf(format, args...)
	m.turns.telling.Lock()
	defer m.turns.telling.Unlock()
	if !slices.Contains(m.notices, text) {
		m.notices = append(m.notices, text)
	}
}

// searched counts what the shards hold within the scope, by layer.
func searched(snaps []*index.Snapshot, inScope func(string) bool) []ask.Searched {
	layers := map[layerName]*held{}
	for _, s := range snaps {
		if s != nil {
			countHeld(s, inScope, layers)
		}
	}
	var out []ask.Searched
	for _, l := range layerNames() {
		key := layerName{layer: l.layer}
		if l.layer == cite.LayerTeam {
			key = l
		}
		if t := layers[key]; t != nil && t.items > 0 {
			s := ask.Searched{Layer: l.layer, Source: l.items, Items: t.items}
			if t.newest > 0 {
				s.Newest = time.Unix(t.newest, 0).UTC().Format(time.DateOnly)
			}
			out = append(out, s)
		}
	}
	return out
}

// held is what is there of a layer.
type held struct {
	items  int
	newest int64 // in seconds, 0 when no item has a time
}

// countHeld adds the live rows of a snapshot. Neighbouring rows mostly have the same
// layer and project, so those are looked up where they change.
func countHeld(s *index.Snapshot, inScope func(string) bool, layers map[layerName]*held) {
	none := &held{}
	found := map[[3]uint32]*held{}
	var last [3]uint32
	var t *held
	team, _ := s.StringRef(cite.LayerTeam)
	for i := range s.Rows() {
		if s.Dead(i) {
			continue
		}
		key := [3]uint32{s.LayerOf(i), s.ProjectOf(i)}
		if key[0] == team { // of which there are several kinds
			key[2] = s.RoleOf(i)
		}
		if t == nil || key != last {
			last = key
			if t = found[key]; t == nil {
				row := s.Row(i)
				if t = none; inScope == nil || inScope(row.Project) {
					name := layerName{row.Layer, ""}
					if row.Layer == cite.LayerTeam {
						name.items = teamItems(row.Role)
					}
					if t = layers[name]; t == nil {
						t = &held{}
						layers[name] = t
					}
				}
				found[key] = t
			}
		}
		t.items++
		t.newest = max(t.newest, s.Unix(i))
	}
}

type layerName struct{ layer, items string }

// layerNames lists the layers in the order they are told, with what their items are called.
func layerNames() []layerName {
	return []layerName{
		{cite.LayerRules, "sections"}, {cite.LayerMemory, "notes"}, {cite.LayerSummaries, "session records"},
		{cite.LayerTranscripts, "messages"}, {cite.LayerTeam, teamItems("commit")}, {cite.LayerTeam, teamItems("pr")}, {cite.LayerTeam, teamItems("mr")},
		{cite.LayerTeam, teamItems("issue")}, {cite.LayerTeam, teamItems("review")}, {cite.LayerTeam, teamItems("doc")},
	}
}

// teamItems is what items of a role in the team's layer are called.
func teamItems(role string) string {
	switch role {
	case "pr":
		return "pull requests"
	case "mr":
		return "merge requests"
	case "issue", "ticket":
		return "issues"
	case "review", "comment", "note":
		return "reviews and comments"
	case "doc", "adr", "page":
		return "documents"
	}
	return "commits"
}
