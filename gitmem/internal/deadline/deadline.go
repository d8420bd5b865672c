// Package deadline limits the duration of work by a clock of the caller; [context.WithTimeout] uses the machine's.
package deadline

import (
	"context"
	"errors"
	"time"
)

// After returns a context that ends after a duration on the caller's clock. With a stopped clock, results do not depend
// on the load of the machine. The clock is not read after the returned function returns.
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

// timed reports the end of its time like a context with a deadline.
type timed struct{ context.Context }

func (t timed) Err() error {
	err := t.Context.Err()
	if err != nil && errors.Is(context.Cause(t.Context), context.DeadlineExceeded) {
		return context.DeadlineExceeded
	}
	return err
}
