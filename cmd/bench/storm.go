package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// stormRun runs readers that search while other processes index new messages.
type stormRun struct {
	*sessions
	readers, indexers    int
	span, pace, patience time.Duration
	end                  time.Time

	mu       sync.Mutex
	searches []float64 // milliseconds
	indexed  []float64
	cpu      []float64 // of searches
	rep      stormReport
}

// stormReport has the results of the readers.
type stormReport struct {
	Messages int     `json:"messages"`
	Readers  int     `json:"readers"`
	Indexers int     `json:"indexers"`
	Seconds  float64 `json:"seconds"`
	Searches int     `json:"searches"`
	P50      float64 `json:"p50_ms"`
	P95      float64 `json:"p95_ms"`
	Longest  float64 `json:"longest_ms"`
	CPU      float64 `json:"cpu_ms"` // median
	Waits    int     `json:"waits"`  // searches longer than Patience
	Patience float64 `json:"patience_ms"`
	Previous int     `json:"previous"` // searches of the previous state, because another process was indexing
	Failed   int     `json:"failed"`
	First    string  `json:"first_failure"`
	Indexed  int     `json:"indexed"` // how often twenty new messages were indexed
	IndexP50 float64 `json:"indexed_p50_ms"`
	Busy     int     `json:"busy"` // how often one indexer met the other
}

func stormVerb(s *setup) func(context.Context) (report, error) {
	r := &stormRun{}
	s.corpusFlags()
	s.IntVar(&r.readers, "readers", 10, "number of readers")
	s.IntVar(&r.indexers, "indexers", 2, "number of indexers")
	s.DurationVar(&r.span, "for", time.Minute, "how long they run")
	s.DurationVar(&r.pace, "pace", 500*time.Millisecond,
		"how often each reader searches, and in twice this each indexer indexes; 0 is without a pause")
	s.DurationVar(&r.patience, "patience", time.Second, "a search that takes longer is counted as one that waited")
	return func(ctx context.Context) (report, error) {
		if err := errors.Join(s.checkCorpus(), s.enter(ctx)); err != nil {
			return nil, err
		}
		var err error
		if r.sessions, err = newSessions(ctx, s, "large", 60); err != nil {
			return nil, err
		}
		if _, err := r.index(ctx); err != nil {
			return nil, err
		}
		if err := errors.Join(r.run(ctx), r.takeBack()); err != nil {
			return nil, err
		}
		rep := &r.rep
		rep.Messages, rep.Readers, rep.Indexers, rep.Seconds, rep.Patience = s.corpus.Size, r.readers, r.indexers,
			r.span.Seconds(), milliseconds(r.patience)
		rep.Searches, rep.P50, rep.P95, rep.Longest = len(r.searches), percentile(r.searches, 50), percentile(r.searches, 95),
			percentile(r.searches, 100)
		rep.CPU, rep.Indexed, rep.IndexP50 = percentile(r.cpu, 50), len(r.indexed), percentile(r.indexed, 50)
		if rep.Failed > 0 {
			err = fmt.Errorf("%d of %d searches failed", rep.Failed, rep.Searches)
		}
		return rep, err
	}
}

func (r *stormRun) run(ctx context.Context) error {
	r.tell(fmt.Sprintf("%d readers beside %d indexers for %v", r.readers, r.indexers, r.span))
	r.end = time.Now().Add(r.span)
	errs := make([]error, r.readers+r.indexers)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			if i < r.readers {
				errs[i] = r.paced(ctx, i, r.readers, r.pace, r.read)
			} else {
				errs[i] = r.paced(ctx, i-r.readers, r.indexers, 2*r.pace, r.bring)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// paced calls do with the numbers i, i+step and so on until the end, at most once per span. The first calls
// of several runs are spread over a span.
func (r *stormRun) paced(ctx context.Context, i, step int, span time.Duration,
	do func(ctx context.Context, n int) error) error {
	next := time.Now().Add(span / time.Duration(step) * time.Duration(i))
	for n := i; time.Now().Before(r.end); n += step {
		if wait := time.Until(next); wait > 0 {
			select {
			case <-ctx.Done():
			case <-time.After(wait):
			}
		}
		if err := errors.Join(ctx.Err(), do(ctx, n)); err != nil {
			return err
		}
		if next = next.Add(span); next.Before(time.Now()) {
			next = time.Now()
		}
	}
	return nil
}

func (r *stormRun) read(ctx context.Context, n int) error {
	took, err := r.home.run(ctx, r.gitmem, search(r.typed[n%len(r.typed)])...)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.searches, r.cpu = append(r.searches, milliseconds(took.wall)), append(r.cpu, milliseconds(took.cpu))
	if took.wall > r.patience {
		r.rep.Waits++
	}
	if bytes.Contains(took.errs, []byte("by another process")) {
		r.rep.Previous++
	}
	if err != nil && ctx.Err() == nil {
		if r.rep.Failed++; r.rep.First == "" {
			r.rep.First = err.Error()
		}
		return nil
	}
	return err
}

// bring appends twenty messages and indexes them.
func (r *stormRun) bring(ctx context.Context, n int) error {
	h, err := r.more(ctx, 100+n, 20)
	if err != nil {
		return err
	}
	r.mu.Lock()
	err = r.grow(h, 100+n)
	r.mu.Unlock()
	if err != nil {
		return err
	}
	took, err := r.index(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	if errors.Is(err, errLocked) { // the other process indexes these messages, or the next turn does
		r.rep.Busy++
		return nil
	}
	r.indexed = append(r.indexed, milliseconds(took.wall))
	return err
}

func (rep *stormReport) print(out io.Writer) error {
	fmt.Fprintf(out, "%d readers beside %d indexers for %g s on %d messages\n", rep.Readers, rep.Indexers,
		rep.Seconds, rep.Messages)
	fmt.Fprintf(out, "%d searches: p50 %.0f ms, p95 %.0f ms, longest %.0f ms, CPU p50 %.0f ms\n", rep.Searches, rep.P50,
		rep.P95, rep.Longest, rep.CPU)
	fmt.Fprintf(out, "%d waited longer than %.0f ms, %d failed, %d were answered from the state before\n", rep.Waits,
		rep.Patience, rep.Failed, rep.Previous)
	_, err := fmt.Fprintf(out,
		"%d times 20 new messages were indexed, p50 %.0f ms; %d times the other indexer was at it\n", rep.Indexed,
		rep.IndexP50, rep.Busy)
	if rep.First != "" {
		_, err = fmt.Fprintf(out, "the first failure: %s\n", rep.First)
	}
	return err
}
