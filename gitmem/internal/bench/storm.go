package bench

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

const (
	readers  = 10
	indexers = 2
)

// storm is ten readers that search while two processes index what comes in.
type storm struct {
	*runner
	end time.Time

	mu       sync.Mutex
	searches []float64 // milliseconds
	indexed  []float64
	cpu      []float64 // of searches
	busy     int       // times that one indexer met the other
}

func (r *runner) crowd(ctx context.Context) error {
	if r.Storm <= 0 {
		return nil
	}
	if err := r.index(ctx, r.large); err != nil {
		return err
	}
	s := &storm{runner: r, end: r.Now().Add(r.Storm)}
	errs := make([]error, readers+indexers)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			if i < readers {
				errs[i] = s.paced(ctx, i, readers, r.Pace, s.read)
			} else {
				errs[i] = s.paced(ctx, i-readers, indexers, 2*r.Pace, s.index)
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	r.set("storm", number(percentile(s.searches, 95)), nil, fmt.Sprintf(
		"%d searches, each reader one in %v, p50 %.0f ms, longest %.0f ms, CPU p50 %.0f ms; %d times 20 new messages, p50 %.0f ms, and %d times the other was at it",
		len(s.searches), r.Pace, percentile(s.searches, 50), percentile(s.searches, 100), percentile(s.cpu, 50), len(s.indexed), percentile(s.indexed, 50), s.busy))
	return nil
}

// paced does things of the numbers i, i+step and so on until the end, one in each
// span of time at most. The first ones of several are spread over a span.
func (s *storm) paced(ctx context.Context, i, step int, span time.Duration, do func(ctx context.Context, n int) error) error {
	next := s.Now().Add(span / time.Duration(step) * time.Duration(i))
	for n := i; s.Now().Before(s.end); n += step {
		if wait := next.Sub(s.Now()); wait > 0 {
			select {
			case <-ctx.Done():
			case <-time.After(wait):
			}
		}
		if err := errors.Join(ctx.Err(), do(ctx, n)); err != nil {
			return err
		}
		if next = next.Add(span); next.Before(s.Now()) {
			next = s.Now()
		}
	}
	return nil
}

func (s *storm) read(ctx context.Context, n int) error {
	took, err := s.large.run(ctx, s.Self, search(s.queries[n%len(s.queries)].Typed)...)
	s.note(&s.searches, took)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cpu = append(s.cpu, milliseconds(took.cpu))
	return err
}

// index appends twenty messages and has them indexed.
func (s *storm) index(ctx context.Context, n int) error {
	h, err := s.appendix(ctx, 100+n, 20)
	if err != nil {
		return err
	}
	s.mu.Lock()
	err = s.grow(h, 100+n)
	s.mu.Unlock()
	if err != nil {
		return err
	}
	took, err := s.large.run(ctx, s.Self, "index")
	if errors.Is(err, errLocked) { // the other one takes these messages in, or the next turn does
		s.mu.Lock()
		defer s.mu.Unlock()
		s.busy++
		return nil
	}
	s.note(&s.indexed, took)
	return err
}

func (s *storm) note(in *[]float64, took spent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*in = append(*in, milliseconds(took.wall))
}
