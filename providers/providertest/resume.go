package providertest

import (
	"errors"
	"slices"
	"testing"

	"github.com/gitmem/gitmem/providers"
)

// maxFetches is how often a source may stop on the way before the suite takes it
// for one that does not get on.
const maxFetches = 200

// cutShort lets a source send a few requests a fetch only: it must get to the
// end nevertheless, with the items of one long fetch.
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

// leastRequests is how many requests a fetch needs in order to get on.
const leastRequests = 6

// fetchOn fetches from every cursor that a stopped fetch leaves behind until
// one comes to its end, and returns how many stopped.
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
