package gitmem

import (
	"context"
	"strings"
	"time"

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
	select {
	case <-done:
	case <-time.After(strategyTime): // they end with the process
	}
}

func (v *view) search(ctx context.Context, q search.Query) (search.Result, error) {
	res, _, err := search.Together(ctx, q, v.legs(), strategyTime, v.m.o.Now)
	for i := range res.Hits {
		res.Hits[i].Doc.ID, _, _ = strings.Cut(res.Hits[i].Doc.ID, idFile)
	}
	return res, err
}

// legs are the ways of searching that have something to go by.
func (v *view) legs() []search.Leg {
	return []search.Leg{v.leg("direct", 1, func(ctx context.Context, q search.Query) (search.Result, error) {
		return search.Run(ctx, v.snaps, q)
	})}
}

// leg makes a leg that keeps the view open for as long as it runs.
func (v *view) leg(name string, weight float64, find func(context.Context, search.Query) (search.Result, error)) search.Leg {
	v.running.Add(1)
	return search.Leg{Name: name, Weight: weight, Find: func(ctx context.Context, q search.Query) (search.Result, error) {
		defer v.running.Done()
		return find(ctx, q)
	}}
}
