package deadline_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/deadline"
)

// Time expires by the clock: never while the clock does not advance.
func TestGoesByTheClock(t *testing.T) {
	t.Parallel()
	start := time.Date(2025, 3, 10, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		now  func() time.Time
		ends time.Duration // 0 means no end
	}{
		"goes":   {time.Now, time.Second},
		"stands": {func() time.Time { return start }, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			ctx, stop := deadline.After(t.Context(), c.now, time.Second)
			select {
			case <-ctx.Done():
				if took := time.Since(began); took != c.ends || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
					t.Errorf("%s: it ended after %v with %v", name, took, ctx.Err())
				}
			case <-time.After(time.Hour):
				if c.ends > 0 || ctx.Err() != nil {
					t.Errorf("%s: it does not end, error %v", name, ctx.Err())
				}
			}
			stop()
			if name == "stands" && !errors.Is(ctx.Err(), context.Canceled) {
				t.Errorf("%s: stopped with %v", name, ctx.Err())
			}
		})
	}
}
