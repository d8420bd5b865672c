package gitmem

import (
	"context"
	"errors"
	"time"
)

// within limits work to so much time. The clock that the library was given says when it
// is over: with one that stands still an answer does not depend on how busy the machine
// is. The clock is not read any more once the returned function is back.
func (m *Memory) within(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	until := m.o.Now().Add(most)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(most)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if !m.o.Now().Before(until) {
					end(context.DeadlineExceeded)
				}
			}
		}
	}()
	return timed{ctx}, func() { end(nil); <-ended }
}

// timed tells of the end of its time as a context with a deadline does.
type timed struct{ context.Context }

func (t timed) Err() error {
	err := t.Context.Err()
	if err != nil && errors.Is(context.Cause(t.Context), context.DeadlineExceeded) {
		return context.DeadlineExceeded
	}
	return err
}
