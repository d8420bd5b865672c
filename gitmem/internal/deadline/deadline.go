// Package deadline limits the time of work by a clock that its caller gives; [context.WithTimeout]
// uses the machine's.
package deadline

import (
	"context"
	"errors"
	"time"
)

// After limits work to so much time. The clock says when it is over: with one that stands
// still a result does not depend on how busy the machine is. The clock is not read any
// more once the returned function is back.
func After(ctx context.Context, now func() time.Time, most time.Duration) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	until := now().Add(most)
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
				if !now().Before(until) {
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
