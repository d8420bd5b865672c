package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/providers/git"
)

// strategyTime is the time limit of one search strategy.
const strategyTime = 5 * time.Second

// Close releases the snapshots.
func (v *View) Close() { ingest.CloseAll(v.Snaps) }

// search runs all strategies that have input, and records their outcomes.
func (v *View) search(ctx context.Context, q search.Query) (search.Result, error) {
	if q.Terms == nil {
		q.Terms = search.PlainTerms(index.QueryTerms(q.Text))
	}
	var err error
	if q.Terms, err = v.rarest(ctx, q.Terms); err != nil {
		return search.Result{}, err
	}
	for _, snap := range v.Snaps {
		if snap != nil {
			q.Docs += snap.Live()
		}
	}
	q.History = v.Reader.history(ctx, q.Range, q.Near)
	if of := q.Range.Package; of != "" {
		packages := git.Packages(v.Reader.src.ReleaseTags())
		ofIt := func(file string) bool { return git.PackageOf(file, packages) == of }
		q.Conditions = append(slices.Clip(q.Conditions), search.Condition{On: search.OnPath, Match: ofIt})
	}
	q.Features, q.Ranker = search.ReadFeatures(q.Text, v.Reader.ws.Now()), v.Reader.ranker
	q.Expanded = v.expansions().Expand(q.Terms, v.expand)
	legs := v.legs(ctx, q)
	for i := range legs {
		legs[i].Find = guarded(legs[i].Find)
	}
	res, outcomes, err := search.RunLegs(ctx, q, legs, strategyTime, v.Reader.ws.Options.Now)
	v.note(outcomes)
	if alone := len(legs) == 1 && (legs[0].Guess || legs[0].Meaning); alone && ctx.Err() == nil {
		err = nil // it is reported as a failed strategy
	}
	v.Reader.src.ReportSemantic()
	for i := range res.Hits {
		res.Hits[i].Doc.ID, _, _ = strings.Cut(res.Hits[i].Doc.ID, ingest.IdFile)
	}
	return res, err
}

// expansions returns the synonyms that the search uses.
func (v *View) expansions() search.Thesaurus {
	if v.expand == "" || v.expand == search.ExpandNone {
		return search.Thesaurus{}
	}
	return v.thesaurus()
}

// thesaurus returns the synonyms, read once.
func (v *View) thesaurus() search.Thesaurus {
	if v.synonyms == nil {
		all := v.Reader.thesaurus().For(v.text)
		v.synonyms = &all
	}
	return *v.synonyms
}

// legs returns the wanted strategies that have input, the direct one first.
func (v *View) legs(ctx context.Context, q search.Query) []search.Leg {
	unwanted := func(l search.Leg) bool { return len(v.only) > 0 && !slices.Contains(v.only, l.Name) }
	return slices.DeleteFunc(v.allLegs(ctx, q), unwanted)
}

// allLegs returns the strategies that have input, the direct one first.
func (v *View) allLegs(ctx context.Context, q search.Query) []search.Leg {
	legs := []search.Leg{search.Direct(v.Snaps)}
	if len(q.Terms) == 0 {
		return legs
	}
	for _, legOf := range []func([]*index.Snapshot, search.Query) (search.Leg, bool){search.Named, search.Expanded,
		search.During, search.Summaries} {
		if leg, ok := legOf(v.Snaps, q); ok {
			legs = append(legs, leg)
		}
	}
	if leg, ok := v.Reader.semanticLeg(ctx, v, q); ok && !(leg.Meaning && namesRecords(q)) {
		if !leg.Meaning {
			leg = search.Guessing(leg, q)
		}
		legs = append(legs, leg)
	}
	q.Text, q.Meaning, q.Terms = v.passage, v.passage, search.PlainTerms(index.QueryTerms(v.passage))
	semantic, _ := v.Reader.semanticLeg(ctx, v, q) // zero without a passage
	for _, leg := range []search.Leg{legs[0], semantic} {
		if v.passage != "" && leg.Find != nil {
			legs = append(legs,
				search.Guessing(search.Leg{Name: "hyde", Weight: weightProse,
					Find: func(ctx context.Context, deep search.Query) (search.Result, error) {
						deep.Text, deep.Meaning, deep.Terms = q.Text, q.Meaning, q.Terms
						return leg.Find(ctx, deep)
					}}, q))
		}
	}
	return legs
}

var code = lazy.Pattern(`^[A-Za-z_-]*\d[\w-]*$`)

// namesRecords reports whether a query names records, or is only a code such as E0382: then synonyms do not apply.
func namesRecords(q search.Query) bool {
	return q.Features.NamesRecords() || code().MatchString(strings.TrimSpace(cmp.Or(q.Meaning, q.Text)))
}

type finder = func(context.Context, search.Query) (search.Result, error)

// guarded treats an index that was truncated while a strategy reads it as damaged.
func guarded(find finder) finder {
	return func(ctx context.Context, q search.Query) (res search.Result, err error) {
		err = index.Guard(func() (err error) {
			res, err = find(ctx, q)
			return err
		})
		return res, err
	}
}

// note adds the outcomes of strategies to the report. One question may search several times.
func (v *View) note(outcomes []search.Outcome) {
	for _, o := range outcomes {
		if v.Damaged != nil && errors.Is(o.Err, index.ErrCorrupt) {
			*v.Damaged = true
		}
		i := slices.IndexFunc(v.strategies, func(s answer.Strategy) bool { return s.Name == o.Name })
		if i < 0 {
			i = len(v.strategies)
			v.strategies = append(v.strategies, answer.Strategy{Name: o.Name, OK: true})
		}
		s := &v.strategies[i]
		s.MS += o.Took.Milliseconds()
		s.Hits += o.Hits
		if !o.OK {
			s.OK, s.Error = false, v.Reader.ws.Clean(o.Err.Error())
		}
		if v.filter.Follow != nil {
			gave := cmp.Or(s.Error, messages.Plural(o.Hits, "hit"))
			v.filter.Tell(answer.Step{Level: 1, Lead: o.Name, By: "strategy", Gave: gave})
		}
	}
}

// Lost describes omitted words, and strategies that failed.
func (v *View) Lost() []string {
	out := []string{}
	if v.shortened != "" {
		out = append(out, v.shortened)
	}
	for _, s := range v.strategies {
		if !s.OK {
			out = append(out, fmt.Sprintf("The %s search added nothing: %s.", s.Name, s.Error))
		}
	}
	return out
}

// prefer is Find for a question, whose quotes name something that records may spell differently: hits with the quoted
// phrases come first, then the others.
func (v *View) prefer(ctx context.Context, q search.Query) (search.Result, error) {
	res, err := v.Find(ctx, q)
	refuses := slices.ContainsFunc(q.Phrases, func(p search.Phrase) bool { return p.Not })
	limit := cmp.Or(q.Limit, 20)
	if err != nil || len(q.Phrases) == 0 || refuses || len(res.Hits) >= limit {
		return res, err
	}
	q.Phrases = nil
	rest, err := v.Find(ctx, q)
	for _, h := range rest.Hits {
		known := slices.ContainsFunc(res.Hits, func(k search.Hit) bool { return k.Shard == h.Shard && k.Row == h.Row })
		if !known && len(res.Hits) < limit {
			h.Fused, h.Rules = h.Fused/2, append(h.Rules, "without the quoted phrase × 0.50")
			res.Hits = append(res.Hits, h)
		}
	}
	return res, err
}

// reread is the number of best hits that are read before the final ordering.
const reread = 20

// sourced is a hit with its source.
type sourced struct {
	hit search.Hit
	src cite.Source
}

// inParallel calls do for n independent items. The caller is one of the workers.
func inParallel(n, workers int, do func(i int)) {
	var next atomic.Int64
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(i)
		}
	}
	var wait sync.WaitGroup
	for range min(n, workers) - 1 {
		wait.Go(work)
	}
	work()
	wait.Wait()
}

// fetchAll reads the sources of hits, with the error of each.
func (v *View) fetchAll(hits []search.Hit) ([]cite.Source, []error) {
	srcs, errs := make([]cite.Source, len(hits)), make([]error, len(hits))
	inParallel(len(hits), 2, func(i int) {
		if isRecord(hits[i]) {
			srcs[i], errs[i] = v.Fetch(hits[i])
		}
	})
	for i, h := range hits {
		if !isRecord(h) {
			srcs[i], errs[i] = v.Fetch(h)
		}
	}
	return srcs, errs
}

// isRecord reports whether a hit is in a transcript.
func isRecord(h search.Hit) bool { return strings.HasPrefix(h.Doc.ID, string(cite.KindTranscript)+":") }

// sources reads the sources of hits and orders them by their content. It omits hits that repeat another one, unless a
// layer was requested by name. gone is the number of hits that are no longer in their source.
func (v *View) sources(hits []search.Hit, q search.Query) (found []sourced, gone int, err error) {
	srcs, errs := v.fetchAll(hits)
	var there []search.Read
	for i, h := range hits {
		err := errs[i]
		if errors.Is(err, cite.ErrNotFound) {
			gone++
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		text := search.SourceText{Title: srcs[i].Title, Text: srcs[i].Text, Confidence: srcs[i].Confidence,
			Turn: srcs[i].Turn}
		there = append(there, search.Read{Hit: h, Source: text, N: i})
	}
	search.ReadFeatures(q.Text, v.Reader.ws.Now()).Reread(there)
	onLayer := func(c search.Condition) bool { return c.On == search.OnLayer }
	if len(q.Layers) == 0 && !slices.ContainsFunc(q.Conditions, onLayer) {
		there = search.WithoutRepeats(there)
	}
	for _, r := range there {
		found = append(found, sourced{r.Hit, srcs[r.N]})
	}
	return found, gone, nil
}
