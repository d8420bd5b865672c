package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
)

// Leg is one strategy of a search, run in parallel with others by [RunLegs].
type Leg struct {
	Name string
	// Weight is the weight of the leg's ranks relative to the other legs.
	Weight float64
	// Find returns hits best first. It must return soon after its context is done, since all legs are waited for.
	Find func(ctx context.Context, q Query) (Result, error)
	// Guess means that its hits need not contain a word of the query, as in a vector search: none ranks above a hit that
	// the query names.
	Guess bool
	// Sessions means that a hit counts for all hits of its session.
	Sessions bool
	// Meaning means that its scores are cosines, by which its hits are fused, instead of ranks.
	Meaning bool
}

// Outcome is the result of a leg.
type Outcome struct {
	Name string
	OK   bool
	Err  error // reason if OK is false
	Took time.Duration
	Hits int
}

// ErrLate is wrapped by the error of a leg that exceeded its time limit.
var ErrLate = errors.New("not done in time")

// fusionRank is the k of reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009),
// which limits the weight of the first ranks.
const fusionRank = 60

// fusionDepth is the minimum number of hits of each leg that are fused.
const fusionDepth = 100

// RunLegs runs all legs in parallel, each with a time limit, and fuses their hits by weighted reciprocal ranks, equal
// ones by citation id. A leg that fails or is late only costs its own hits; the error is that of all legs if none
// succeeded, or the context's. Hits keep the scores of the first leg that found them, so the leg whose scores matter
// must come first. A single leg determines the order and scores.
func RunLegs(ctx context.Context, q Query, legs []Leg, each time.Duration,
	now func() time.Time) (Result, []Outcome, error) {
	q = q.prepared()
	deep := q
	if len(legs) > 1 {
		deep.Limit = max(q.Limit, fusionDepth)
	}
	results, outcomes := make([]Result, len(legs)), make([]Outcome, len(legs))
	var wait sync.WaitGroup
	for i, leg := range legs {
		wait.Go(func() { results[i], outcomes[i] = leg.run(ctx, deep, each, now) })
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return Result{}, outcomes, err
	}
	return fuse(legs, results, q.Limit, deep.Limit, q.Docs), outcomes, allFailed(outcomes)
}

func (l Leg) run(ctx context.Context, q Query, each time.Duration, now func() time.Time) (Result, Outcome) {
	start := now()
	ctx, cancel := context.WithTimeout(ctx, each)
	defer cancel()
	res, err := l.Find(ctx, q)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%w (%v)", ErrLate, each)
	}
	if err != nil {
		res = Result{}
	}
	return res, Outcome{Name: l.Name, OK: err == nil, Err: err, Took: now().Sub(start), Hits: len(res.Hits)}
}

// allFailed returns the error of all legs if none succeeded.
func allFailed(outcomes []Outcome) error {
	var errs []error
	for _, o := range outcomes {
		if o.OK {
			return nil
		}
		errs = append(errs, o.Err)
	}
	return errors.Join(errs...)
}

// hitKey identifies a hit.
type hitKey struct{ shard, row int }

// fuse orders the hits of all legs by the sum of their weighted reciprocal ranks, as a
// share of the sum of a hit that is first in every leg.
func fuse(legs []Leg, results []Result, limit, deep, docs int) Result {
	var out Result
	for _, r := range results {
		if out.Terms == nil {
			out.Terms = r.Terms
		}
	}
	if len(legs) == 1 {
		out.Hits = results[0].Hits
		for i := range out.Hits {
			out.Hits[i].Fused = cmp.Or(out.Hits[i].Fused, out.Hits[i].Score)
			if legs[0].Meaning {
				out.Hits[i].Cosine = out.Hits[i].Score
			}
			out.Hits[i].Found = []Found{{Leg: legs[0].Name, Rank: i + 1}}
		}
		return out
	}
	best := out.sum(legs, results, docs)
	for i, r := range results {
		if legs[i].Sessions {
			out.addSessionRanks(r, legs[i])
		}
	}
	for i := range out.Hits {
		out.Hits[i].Fused = math.Round(out.Hits[i].Fused/best*1e9) / 1e9
	}
	slices.SortFunc(out.Hits, byFused)
	for i, r := range results {
		if legs[i].Meaning {
			out.blend(r, legs[i], deep)
		}
	}
	keepExact(out.Hits, func(h Hit) Hit { return h })
	out.Hits = out.Hits[:min(len(out.Hits), limit)]
	return out
}

// sum adds the hits of all legs, each with the sum of its weighted reciprocal ranks, and returns the sum of a hit that
// is first in every leg.
func (res *Result) sum(legs []Leg, results []Result, docs int) (best float64) {
	at := map[hitKey]int{}
	for i, r := range results {
		if legs[i].Meaning {
			continue
		}
		weight := legs[i].Weight
		if legs[i].Guess {
			weight *= trust(results[0], r, docs)
		}
		if len(r.Hits) > 0 {
			best += weight / (fusionRank + 1)
		}
		for rank, h := range r.Hits {
			if h.lead {
				continue
			}
			k, known := at[hitKey{h.Shard, h.Row}]
			if !known {
				k = len(res.Hits)
				at[hitKey{h.Shard, h.Row}] = k
				h.Fused, h.guess, h.ranked = 0, legs[i].Guess, true
				res.Hits = append(res.Hits, h)
			}
			hit := &res.Hits[k]
			hit.guess, hit.Exact = hit.guess && legs[i].Guess, hit.Exact || h.Exact
			hit.Fused += weight / float64(fusionRank+1+rank)
			hit.Found = append(hit.Found, Found{Leg: legs[i].Name, Rank: rank + 1})
		}
	}
	return best
}

// addSessionRanks gives the hits of a session the rank of the best hit of a leg for sessions, if they have none of
// their own in that leg.
func (res Result) addSessionRanks(led Result, leg Leg) {
	first := map[string]int{}
	for rank, h := range led.Hits {
		if _, known := first[h.Doc.Session]; !known && h.Doc.Session != "" {
			first[h.Doc.Session] = rank
		}
	}
	for i := range res.Hits {
		h := &res.Hits[i]
		session, _, _ := strings.Cut(h.Doc.Session, "/")
		rank, ok := first[session]
		if ok && !slices.ContainsFunc(h.Found, func(f Found) bool { return f.Leg == leg.Name }) {
			h.Fused += leg.Weight / float64(fusionRank+1+rank)
			h.Found = append(h.Found, Found{Leg: leg.Name + " of its session", Rank: rank + 1})
		}
	}
}

// The trust in a guessing leg.
const (
	leastTrust = 0.1  // without any agreement
	fewTerms   = 0.25 // share of the query below which a hit with its words means little
	compared   = 30   // number of its best hits that are searched in the first leg's
)

// trust returns the weight of a guessing leg: the share of its best hits that are also among those of the first leg,
// beyond chance. A leg that partly agrees with the words is probably right in the rest, and one with meaningless ranks
// agrees by chance only. If hardly any word of the query is found, nothing can agree, and the leg counts in full.
func trust(first, leg Result, docs int) float64 {
	held := 0.0
	in := map[hitKey]bool{}
	for _, h := range first.Hits {
		held = max(held, h.Coverage)
		in[hitKey{h.Shard, h.Row}] = true
	}
	if held < fewTerms {
		return 1
	}
	chance := float64(len(in)) / float64(max(docs, 1))
	best := leg.Hits[:min(len(leg.Hits), compared)]
	if chance >= 0.5 || len(best) == 0 {
		return leastTrust
	}
	shared := 0.0
	for _, h := range best {
		if in[hitKey{h.Shard, h.Row}] {
			shared += 1 / float64(len(best))
		}
	}
	luck := 2 * math.Sqrt(chance*(1-chance)/float64(len(best))) // two standard deviations
	return min(1, max(leastTrust, 2*(shared-chance-luck)/(1-chance)))
}

// keepExact moves hits of guessing legs after the last hit that the query names, and otherwise keeps the order.
func keepExact[T any](hits []T, of func(T) Hit) {
	last := -1
	for i := range hits {
		if of(hits[i]).Exact {
			last = i
		}
	}
	slices.SortStableFunc(hits[:last+1], func(x, y T) int {
		switch a, b := of(x).guess, of(y).guess; {
		case a == b:
			return 0
		case a:
			return 1
		}
		return -1
	})
}
