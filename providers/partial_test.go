package providers_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/gitmem/gitmem/providers"
)

func TestProgress(t *testing.T) {
	t.Parallel()
	old, reached := providers.Cursor{Value: "old"}, providers.Cursor{Value: "reached"}
	partial := &providers.Partial{Cursor: reached, Err: context.Canceled}
	for _, c := range []struct {
		name string
		next providers.Cursor
		err  error
		want providers.Cursor
	}{
		{"no error", reached, nil, reached},
		{"plain error", old, errors.New("no"), old},
		{"partial", old, partial, reached},
		{"wrapped partial", old, fmt.Errorf("forge: %w", partial), reached},
	} {
		if got := providers.Progress(c.next, c.err); got != c.want {
			t.Errorf("%s: Progress = %q, want %q", c.name, got.Value, c.want.Value)
		}
	}
	if !errors.Is(partial, context.Canceled) {
		t.Error("a partial fetch hides why it stopped")
	}
}

func TestRateLimitError(t *testing.T) {
	t.Parallel()
	var err error = &providers.RateLimitError{Until: time.Date(2026, 1, 2, 4, 4, 5, 0, time.FixedZone("", 3600))}
	if !errors.Is(err, providers.ErrRateLimited) || errors.Is(err, providers.ErrBudget) {
		t.Errorf("%v is not known by its sentinel", err)
	}
	if got, want := err.Error(), "rate limit reached until 2026-01-02T03:04:05Z"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
	if got := (&providers.RateLimitError{}).Error(); got != "rate limit reached" {
		t.Errorf("without an end: Error() = %q", got)
	}
}
