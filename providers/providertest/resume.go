package providertest

import (
	"errors"
	"slices"
	"testing"

	"github.com/gitmem/gitmem/providers"
)

// maxFetches is how often a source may stop before the suite considers it stuck.
const maxFetches = 200

// cutShort limits a source to a few requests per fetch: it must still reach the end, with the same items as
// one uninterrupted fetch.
func cutShort(t *testing.T, w Fixture) {
	if w.Limited == nil {
		t.Skip("the source sends no requests that could be counted")
	}
	all, _ := fetch(t, w.Source, providers.Cursor{})
	for _, requests := range []int{leastRequests, leastRequests + 3} {
		items, end, stops := fetchOn(t, w.Limited(requests), providers.Cursor{})
		if got := idsOf(items); !slices.Equal(slices.Compact(got), idsOf(all)) {
			t.Errorf("with %d requests a fetch: %v, want %v", requests, got, idsOf(all))
		}
		if stops == 0 {
			t.Errorf("%d requests were enough for the whole place: it is too small for this test", requests)
		}
		if again, _ := fetch(t, w.Source, end); len(again) != 0 {
			t.Errorf("with %d requests a fetch: %v were handed out again after the end", requests, idsOf(again))
		}
	}
}

// leastRequests is how many requests a fetch needs to make progress.
const leastRequests = 6

// fetchOn continues from the cursor of each fetch that stopped until one completes, and returns how many
// stopped.
func fetchOn(t *testing.T, s providers.Source, from providers.Cursor) ([]providers.Item, providers.Cursor, int) {
	t.Helper()
	var items []providers.Item
	for stops := range maxFetches {
		got, next, err := collect(t.Context(), s, from)
		items = append(items, got...)
		if err == nil {
			return items, next, stops
		}
		if next != from {
			t.Fatalf("Fetch = %q, %v; want the old cursor beside an error", next.Value, err)
		}
		if !errors.Is(err, providers.ErrBudget) {
			t.Fatalf("Fetch: %v, want ErrBudget", err)
		}
		reached := providers.Progress(next, err)
		if reached == from {
			t.Fatalf("a fetch stopped where it began: %v", err)
		}
		from = reached
	}
	t.Fatalf("the source does not come to an end in %d fetches", maxFetches)
	return nil, providers.Cursor{}, 0
}
