package gitmem

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// strategyTime is what one way of searching may take at most.
const strategyTime = 5 * time.Second

// close releases the snapshots once the strategies that were given up have ended.
func (v *view) close() {
	done := make(chan struct{})
	go func() {
		v.running.Wait()
		closeAll(v.snaps)
		close(done)
	}()
	timer := time.NewTimer(strategyTime)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C: // they end with the process
	}
}

// search looks by all strategies that have something to go by, and notes how each went.
func (v *view) search(ctx context.Context, q search.Query) (search.Result, error) {
	if q.Terms == nil {
		q.Terms = search.PlainTerms(index.QueryTerms(q.Text))
	}
	if v.expand != "" && v.expand != search.ExpandNone {
		if v.synonyms == nil {
			all := v.m.thesaurus()
			v.synonyms = &all
		}
		q.Expanded = v.synonyms.Expand(q.Terms, v.expand)
	}
	legs := v.legs(ctx, q)
	for i := range legs {
		legs[i].Find = v.held(legs[i].Find)
	}
	res, outcomes, err := search.Together(ctx, q, legs, strategyTime, v.m.o.Now)
	v.note(outcomes)
	v.m.tellMeaning()
	for i := range res.Hits {
		res.Hits[i].Doc.ID, _, _ = strings.Cut(res.Hits[i].Doc.ID, idFile)
	}
	return res, err
}

// legs are the strategies that have something to go by, the direct one first.
func (v *view) legs(ctx context.Context, q search.Query) []search.Leg {
	legs := []search.Leg{search.Direct(v.snaps)}
	if len(q.Terms) == 0 {
		return legs
	}
	if leg, ok := search.Expanded(v.snaps, q); ok {
		legs = append(legs, leg)
	}
	if leg, ok := search.During(v.snaps, q); ok {
		legs = append(legs, leg)
	}
	if leg, ok := v.m.semanticLeg(ctx, v, q); ok {
		legs = append(legs, leg)
	}
	return legs
}

type finder = func(context.Context, search.Query) (search.Result, error)

// held keeps the view open for as long as a strategy runs, which may outlive the
// question when it was given up.
func (v *view) held(find finder) finder {
	v.running.Add(1)
	return func(ctx context.Context, q search.Query) (search.Result, error) {
		defer v.running.Done()
		return find(ctx, q)
	}
}

// note adds how strategies went to what is told of the question. One question may
// search several times.
func (v *view) note(outcomes []search.Outcome) {
	for _, o := range outcomes {
		i := slices.IndexFunc(v.strategies, func(s Strategy) bool { return s.Name == o.Name })
		if i < 0 {
			i = len(v.strategies)
			v.strategies = append(v.strategies, Strategy{Name: o.Name, OK: true})
		}
		s := &v.strategies[i]
		s.MS += o.Took.Milliseconds()
		s.Hits += o.Hits
		if !o.OK {
			s.OK, s.Error = false, v.m.clean(o.Err.Error())
		}
	}
}

// lost tells in words which strategies added nothing since they failed.
func (v *view) lost() []string {
	out := []string{}
	for _, s := range v.strategies {
		if !s.OK {
			out = append(out, fmt.Sprintf("The %s search added nothing: %s.", s.Name, s.Error))
		}
	}
	return out
}
