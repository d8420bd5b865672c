// Package providertest is the test suite that every team source must pass: the contract of
// [providers.Source].
//
// It knows the contract and nothing about any particular source.
package providertest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers"
)

// Fixture is a source with the data that it reads.
type Fixture struct {
	// Source reads at least three items.
	Source providers.Source
	// Grow adds one or more items and returns their ids.
	Grow func(t *testing.T) []string
	// Limited returns another source for the same data that sends at most this many requests per fetch and then
	// stops with [providers.ErrBudget]. It is nil for a source that sends no requests. Reading all data must
	// take more than ten.
	Limited func(requests int) providers.Source
}

// Run checks that a source fulfils its contract. newWorld is called once per test and returns a new fixture
// each time.
func Run(t *testing.T, newWorld func(t *testing.T) Fixture) {
	t.Helper()
	for _, test := range []struct {
		name string
		run  func(*testing.T, Fixture)
	}{
		{"items are whole", itemsAreWhole},
		{"two full fetches agree", fetchesAgree},
		{"nothing new yields nothing", nothingNew},
		{"growth yields exactly what is new", growth},
		{"ended context", endedContext},
		{"error of yield stops the fetch", yieldError},
		{"foreign cursors are refused", foreignCursors},
		{"fetches cut short get on", cutShort},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, newWorld(t))
		})
	}
}

// fetch returns the items since from.
func fetch(t *testing.T, s providers.Source, from providers.Cursor) ([]providers.Item, providers.Cursor) {
	t.Helper()
	items, next, err := collect(t.Context(), s, from)
	if err != nil {
		t.Fatalf("Fetch: %v", err)
	}
	return items, next
}

// collect fetches from a cursor.
func collect(ctx context.Context, s providers.Source,
	from providers.Cursor) (items []providers.Item, next providers.Cursor, err error) {
	next, err = s.Fetch(ctx, from, func(it providers.Item) error {
		items = append(items, it)
		return nil
	})
	return items, next, err
}

func idsOf(items []providers.Item) []string {
	ids := slice.Map(items, func(it providers.Item) string { return it.ID })
	slices.Sort(ids)
	return ids
}

func itemsAreWhole(t *testing.T, w Fixture) {
	items, next := fetch(t, w.Source, providers.Cursor{})
	if len(items) < 3 {
		t.Fatalf("the place has %d items, the suite needs 3", len(items))
	}
	if next == (providers.Cursor{}) {
		t.Error("the cursor after a full fetch is the zero cursor")
	}
	if ids := idsOf(items); len(slices.Compact(ids)) < len(items) {
		t.Errorf("ids were handed out twice: %v", idsOf(items))
	}
	types := []string{"decision", "discussion", "feature", "fix", "refactor", "docs", "test", "chore", "incident", "idea"}
	for _, it := range items {
		switch {
		case strings.Count(it.ID, ":") < 1 || strings.ContainsAny(it.ID, " \n"):
			t.Errorf("id %q is not of the form source:kind:key", it.ID)
		case it.Kind == "":
			t.Errorf("%s has no kind", it.ID)
		case !slices.Contains(types, it.Type):
			t.Errorf("%s has the type %q", it.ID, it.Type)
		case it.Title == "" || strings.Contains(it.Title, "\n"):
			t.Errorf("%s has the title %q, want one line", it.ID, it.Title)
		case it.Author == providers.Person{} && it.Release == "": // the notes of a release have many authors
			t.Errorf("%s has no author", it.ID)
		case it.Time.IsZero():
			t.Errorf("%s has no time", it.ID)
		case !utf8.ValidString(it.Title + it.Text + strings.Join(it.Paths, "")):
			t.Errorf("%s is not valid UTF-8", it.ID)
		}
	}
}

func fetchesAgree(t *testing.T, w Fixture) {
	one, c1 := fetch(t, w.Source, providers.Cursor{})
	two, c2 := fetch(t, w.Source, providers.Cursor{})
	if !slices.Equal(idsOf(one), idsOf(two)) {
		t.Errorf("two full fetches gave %v and %v", idsOf(one), idsOf(two))
	}
	if c1 != c2 {
		t.Errorf("two full fetches ended at %q and %q", c1.Value, c2.Value)
	}
}

func nothingNew(t *testing.T, w Fixture) {
	_, cursor := fetch(t, w.Source, providers.Cursor{})
	items, next := fetch(t, w.Source, cursor)
	if len(items) != 0 {
		t.Errorf("%v were handed out again", idsOf(items))
	}
	if again, _ := fetch(t, w.Source, next); len(again) != 0 {
		t.Errorf("%v were handed out again at the third fetch", idsOf(again))
	}
}

func growth(t *testing.T, w Fixture) {
	_, cursor := fetch(t, w.Source, providers.Cursor{})
	for range 2 {
		want := w.Grow(t)
		slices.Sort(want)
		items, next := fetch(t, w.Source, cursor)
		if !slices.Equal(idsOf(items), want) {
			t.Errorf("after growth by %v the fetch gave %v", want, idsOf(items))
		}
		cursor = next
	}
	if items, _ := fetch(t, w.Source, cursor); len(items) != 0 {
		t.Errorf("%v were handed out again after growth", idsOf(items))
	}
}

func endedContext(t *testing.T, w Fixture) {
	for _, before := range []bool{true, false} {
		ctx, cancel := context.WithCancel(t.Context())
		if before {
			cancel()
		}
		next, err := w.Source.Fetch(ctx, providers.Cursor{}, func(providers.Item) error {
			if before {
				t.Error("an item came although the context had ended")
			}
			cancel()
			return nil
		})
		cancel()
		if !errors.Is(err, context.Canceled) || next != (providers.Cursor{}) {
			t.Errorf("Fetch = %q, %v; want the old cursor and the context's error", next.Value, err)
		}
	}
}

func yieldError(t *testing.T, w Fixture) {
	_, cursor := fetch(t, w.Source, providers.Cursor{})
	w.Grow(t)
	stop := errors.New("stop here")
	for _, from := range []providers.Cursor{{}, cursor} {
		calls := 0
		next, err := w.Source.Fetch(t.Context(), from, func(providers.Item) error {
			calls++
			return stop
		})
		if !errors.Is(err, stop) || calls != 1 || next != from {
			t.Errorf("Fetch = %q, %v after %d calls of yield; want the old cursor, yield's error and one call",
				next.Value, err, calls)
		}
	}
}

func foreignCursors(t *testing.T, w Fixture) {
	for _, value := range []string{"garbage", "{", "{}", "[]", "null", `"x"`, "0", `{"tips":["x"]}`, "\x00\xff",
		strings.Repeat("[", 20000)} {
		from := providers.Cursor{Value: value}
		next, err := w.Source.Fetch(t.Context(), from, func(it providers.Item) error {
			t.Errorf("cursor %.20q: %s was handed out", value, it.ID)
			return errors.New("enough")
		})
		if !errors.Is(err, providers.ErrBadCursor) || next != from {
			t.Errorf("Fetch from cursor %.20q = %.20q, %v; want the same cursor and ErrBadCursor", value, next.Value, err)
		}
	}
}
