package gitmem

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// view is everything one question needs, opened.
type view struct {
	opened
	cache *cite.Resolver // reads each file once: for fetching hits
	fresh *cite.Resolver // reads anew: for checking what is cited
	m     *Memory

	place   *place
	inScope func(string) bool
	// running are the strategies under way.
	running    sync.WaitGroup
	strategies []Strategy // how those that were run went
	text       string     // of the question
	expand     search.Expansion
	synonyms   *search.Thesaurus // nil until it is needed
	damaged    *bool             // set where a strategy found an index damaged
	caughtUp   bool              // texts of before there was a model were embedded, as far as time allowed
	early      *search.Result    // of the first search, where it was done ahead
	shortened  string            // what was left of a very long query, in words
}

// view opens what a question in scope is answered from, brought up to date.
func (m *Memory) view(ctx context.Context, inScope func(string) bool) (*view, error) {
	v, err := m.begin(ctx, inScope)
	if err == nil {
		err = v.settle(ctx)
	}
	return v, err
}

// begin opens what a question in scope is answered from as it lies there: nothing
// can be searched before it has been settled. The rules and the history of the
// current repository belong to its project.
func (m *Memory) begin(ctx context.Context, inScope func(string) bool) (*view, error) {
	p, err := m.here(ctx)
	if err != nil {
		return nil, err
	}
	m.rules = nil // read anew: a change of the configuration counts at once
	m.tellCapture(p)
	m.forgetPast(ctx)
	m.startFetches(ctx, p)
	v := &view{m: m, place: p, inScope: inScope}
	if v.cache, err = m.resolver(p, true); err != nil {
		return nil, err
	}
	if v.fresh, err = m.resolver(p, false); err != nil {
		return nil, err
	}
	v.shards, err = m.shardsFor(ctx, p, inScope)
	if m.past == nil && m.semantic() == nil {
		m.each(v.shards, func(i int) { v.shards[i].present = v.shards[i].index.Present() })
	}
	return v, err
}

// settle brings the shards up to date.
func (v *view) settle(ctx context.Context) error {
	m, told := v.m, slices.Clone(v.m.notices)
	var err error
	v.opened, err = m.upToDate(ctx, v.shards)
	m.forges(v.place).tellFetches()
	if err == nil || ctx.Err() != nil || errors.Is(err, ErrLocked) {
		return err
	}
	if m.store != nil && !m.aside { // a store on a read-only or a full disk can be read all the same
		m.aside = true
		m.notices = append(slices.Clone(told), fmt.Sprintf("The index can't be kept in the store, so one in the user's cache was used: %v", err))
		if err = v.reopen(ctx); err == nil || ctx.Err() != nil || errors.Is(err, ErrLocked) {
			return err
		}
	}
	return v.settleAway(ctx, told, err)
}

// settleAway brings shards up to date in a folder that is gone with the Memory, where
// neither the store nor the user's cache can keep any: it takes longer, but answers. why
// is what kept those from it, told what was told before.
func (v *view) settleAway(ctx context.Context, told []string, why error) (err error) {
	m := v.m
	if m.o.TempDir == "" || m.looking || m.passing != "" {
		return why
	}
	if m.passing, err = os.MkdirTemp(m.o.TempDir, "gitmem-index-"); err != nil {
		m.passing = ""
		return why
	}
	m.notices = append(told, fmt.Sprintf("No index can be kept in %s, so one was made for this question alone. A folder that can be written there makes questions faster.", m.clean(m.o.CacheDir)))
	err = v.reopen(ctx)
	m.turns.unfinished = false // nobody could go on with it
	return err
}

// reopen opens the same shards anew, at the place where indexes lie now.
func (v *view) reopen(ctx context.Context) error {
	shards, err := v.m.shardsFor(ctx, v.place, v.inScope)
	if err != nil {
		return err
	}
	shards = slices.DeleteFunc(shards, func(s shard) bool {
		return !slices.ContainsFunc(v.shards, func(wanted shard) bool { return wanted.name == s.name })
	})
	v.opened, err = v.m.upToDate(ctx, shards)
	return err
}

// openShards opens the shards of a place, brought up to date.
func (m *Memory) openShards(ctx context.Context, p *place, inScope func(string) bool) (opened, error) {
	shards, err := m.shardsFor(ctx, p, inScope)
	if err != nil {
		return opened{}, err
	}
	return m.upToDate(ctx, shards)
}

func (m *Memory) upToDate(ctx context.Context, shards []shard) (opened, error) {
	out, err := m.snapshots(ctx, shards)
	if m.past != nil {
		m.keepPast(ctx, shards)
		out.unsearched = append(out.unsearched, m.past.unknown...)
	}
	return out, err
}

// shardsFor are the shards of a place that may hold anything in scope.
func (m *Memory) shardsFor(ctx context.Context, p *place, inScope func(string) bool) ([]shard, error) {
	shards, err := m.shards(ctx, p)
	if inScope != nil && !inScope(p.project.ID) {
		shards = slices.DeleteFunc(shards, func(s shard) bool { return ofTeam(s.name) }) // the user's own rules stay
	}
	return shards, err
}

// ahead settles the view, and meanwhile does the first search on what is there:
// mostly nothing has changed, and then its result stays.
func (v *view) ahead(ctx context.Context, q search.Query) error {
	snaps := v.present()
	if snaps == nil || len(q.Phrases) > 0 { // phrases are looked for in sources
		return v.settle(ctx)
	}
	early := &view{m: v.m, opened: opened{snaps: snaps}, text: v.text, expand: v.expand, damaged: v.damaged}
	early.expansions() // which may have something to tell, as may those who settle
	searching, stop := context.WithCancel(ctx)
	defer stop()
	for i := range v.shards {
		v.shards[i].plan = stopping(v.shards[i].plan, stop)
	}
	settled := make(chan error, 1)
	go func() { settled <- v.settle(ctx) }()
	var res search.Result
	err := guarded(func() (err error) { // or those who settle would be left alone with m
		res, err = early.search(searching, q)
		return err
	})
	if e := <-settled; e != nil {
		return e
	}
	v.synonyms = early.synonyms
	if err == nil && slices.Equal(v.snaps, snaps) {
		v.early, v.strategies, v.shortened = &res, early.strategies, early.shortened
	}
	return nil
}

// present are the snapshots of all shards as they lie there, nil unless all have one.
func (v *view) present() []*index.Snapshot {
	var out []*index.Snapshot
	for _, s := range v.shards {
		if s.present == nil || s.present.Snapshot() == nil {
			return nil
		}
		out = append(out, s.present.Snapshot())
	}
	return out
}

// stopping is a plan that stops what is pointless where something has changed.
func stopping(plan planner, stop func()) planner {
	return func(marks map[string]index.Mark, st index.State) (index.Update, error) {
		u, err := plan(marks, st)
		if !u.Empty() {
			stop()
		}
		return u, err
	}
}
