package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// shelf is a list that changes: entries by key with the time of their change.
type shelf struct {
	now     time.Time
	changed map[int]time.Time
	size    int  // entries per page
	lasting bool // tokens remain valid after a walk
}

func newShelf(n int) *shelf {
	s := &shelf{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), changed: map[int]time.Time{}, size: 3}
	for k := range n {
		s.touch(k, time.Hour)
	}
	return s
}

// touch changes an entry, some time after the last change.
func (s *shelf) touch(key int, after time.Duration) {
	s.now = s.now.Add(after)
	s.changed[key] = s.now
}

// list answers like a server that respects both bounds.
func (s *shelf) list(_ context.Context, at remote.Position) (remote.Page, error) {
	var keys []int
	for k, t := range s.changed {
		if !t.Before(at.Since) && (at.Until.IsZero() || !t.After(at.Until)) {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b int) int {
		if c := s.changed[b].Compare(s.changed[a]); c != 0 {
			return c
		}
		return a - b
	})
	page, _ := strconv.Atoi(at.Token)
	from := min(page*s.size, len(keys))
	to := min(from+s.size, len(keys))
	var p remote.Page
	for _, k := range keys[from:to] {
		it := providers.Item{ID: strconv.Itoa(k), Title: s.changed[k].String()}
		p.Entries = append(p.Entries, remote.Entry{Key: it.ID, Updated: s.changed[k], Item: it})
	}
	if to < len(keys) {
		p.Next = strconv.Itoa(page + 1)
	}
	return p, nil
}

// walk reads at most this many pages from a state, which is encoded and decoded as a cursor.
func walk(t *testing.T, s *shelf, from remote.State, between bool, pages int,
	seen map[string]string) (remote.State, bool) {
	t.Helper()
	w := remote.NewWalk(from)
	w.HonoursUntil, w.TokensExpire, w.List = between, between && !s.lasting, s.list
	w.Yield = func(e remote.Entry) error {
		seen[e.Key] = e.Item.Title
		return nil
	}
	for range pages {
		if err := w.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	b, err := json.Marshal(w.State())
	if err != nil {
		t.Fatal(err)
	}
	var state remote.State
	if err := json.Unmarshal(b, &state); err != nil || !state.Valid() {
		t.Fatalf("state %s is not valid (%v)", b, err)
	}
	return state, w.Done()
}

// TestWalksMissNothing stops walks at any page while the list changes: in the end every entry was yielded in
// its current state.
func TestWalksMissNothing(t *testing.T) {
	t.Parallel()
	for seed := range int64(1000) {
		random := rand.New(rand.NewSource(seed))
		s := newShelf(random.Intn(30))
		seen := map[string]string{}
		var state remote.State
		for range 8 {
			state, _ = walk(t, s, state, seed%2 == 0, random.Intn(4), seen)
			// Many entries change at the same time.
			for i := range random.Intn(4) {
				after := time.Duration(random.Intn(2)*random.Intn(400)) * time.Second
				if i == 0 {
					after += time.Second
				}
				s.touch(random.Intn(34), after)
			}
		}
		done := false
		for range 100 {
			if state, done = walk(t, s, state, seed%2 == 0, 12, seen); done {
				break
			}
		}
		if !done {
			t.Fatalf("seed %d: no end, state %+v, hole %+v", seed, state, state.Gap)
		}
		for k, at := range s.changed {
			if seen[strconv.Itoa(k)] != at.String() {
				t.Errorf("seed %d: entry %d is known as of %q, changed %v", seed, k, seen[strconv.Itoa(k)], at)
			}
		}
		again := map[string]string{}
		if walk(t, s, state, seed%2 == 0, 30, again); len(again) > 0 {
			t.Errorf("seed %d: %v was handed out although nothing is new", seed, again)
		}
	}
}

// TestWalkGetsPastOneMoment changes more entries at the same time than a walk reads.
func TestWalkGetsPastOneMoment(t *testing.T) {
	t.Parallel()
	for _, between := range []bool{false, true} {
		s := newShelf(4)
		s.lasting = true
		s.touch(3, time.Hour)
		for k := range 20 {
			s.touch(k+4, 0)
		}
		seen := map[string]string{}
		var state remote.State
		for range 15 {
			state, _ = walk(t, s, state, between, 2, seen)
		}
		if len(seen) != 24 || state.Gap != nil {
			t.Errorf("between %v: saw %d of 24, hole %+v", between, len(seen), state.Gap)
		}
	}
}

// TestWalkFindsWhatComesLate lists a change after a newer one was read.
func TestWalkFindsWhatComesLate(t *testing.T) {
	t.Parallel()
	s := newShelf(5)
	state, _ := walk(t, s, remote.State{}, false, 9, map[string]string{})
	s.changed[7] = s.now.Add(-time.Minute)
	seen := map[string]string{}
	if state, _ = walk(t, s, state, false, 9, seen); len(seen) != 1 || seen["7"] == "" {
		t.Errorf("saw %v, want what came late alone", seen)
	}
	again := map[string]string{}
	if walk(t, s, state, false, 9, again); len(again) > 0 {
		t.Errorf("saw %v again", again)
	}
}

// TestWalkGivesOnce moves entries down while a walk reads, so that they are listed twice.
func TestWalkGivesOnce(t *testing.T) {
	t.Parallel()
	s := newShelf(9)
	w := remote.NewWalk(remote.State{})
	w.List = s.list
	var got []string
	w.Yield = func(e remote.Entry) error {
		got = append(got, e.Key)
		return nil
	}
	for i := 0; !w.Done(); i++ {
		if err := w.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.touch(100+i, time.Hour)
		if i > 20 {
			t.Fatal("no end")
		}
	}
	if want := []string{"8", "7", "6", "5", "4", "3", "2", "1", "0"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestWalkEndsLoops walks lists that never end.
func TestWalkEndsLoops(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	entry := func(key string) []remote.Entry {
		return []remote.Entry{{Key: key, Updated: at, Item: providers.Item{ID: key}}}
	}
	n := 0
	for name, list := range map[string]func(string) remote.Page{
		"same page": func(token string) remote.Page { return remote.Page{Entries: entry("a"), Next: token + "x"} },
		"pages in a circle": func(token string) remote.Page {
			next := map[string]string{"": "1", "1": "2", "2": "3", "3": "1"}[token]
			return remote.Page{Entries: entry(token), Next: next}
		},
		"empty pages": func(string) remote.Page { n++; return remote.Page{Next: fmt.Sprint(n)} },
	} {
		w := remote.NewWalk(remote.State{})
		w.List = func(_ context.Context, at remote.Position) (remote.Page, error) { return list(at.Token), nil }
		w.Yield = func(remote.Entry) error { return nil }
		var err error
		for range 10 {
			if err = w.Step(t.Context()); err != nil {
				break
			}
		}
		if !errors.Is(err, providers.ErrMalformed) || !w.State().Valid() {
			t.Errorf("%s: %v, state %+v; want ErrMalformed and a good state", name, err, w.State())
		}
	}
}

// TestWalkPassesKnownPages changes many old entries while a list is read, so that whole pages only contain
// known entries.
func TestWalkPassesKnownPages(t *testing.T) {
	t.Parallel()
	s := newShelf(30)
	w := remote.NewWalk(remote.State{})
	n, seen := 0, map[string]bool{}
	w.List = func(ctx context.Context, at remote.Position) (remote.Page, error) {
		if n++; n == 4 {
			for k := range 7 {
				s.touch(k, time.Second)
			}
		}
		return s.list(ctx, at)
	}
	w.Yield = func(e remote.Entry) error { seen[e.Key] = true; return nil }
	for !w.Done() {
		if err := w.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) < 23 {
		t.Errorf("saw %d entries, want those that did not change meanwhile", len(seen))
	}
}

// TestWalkUnsorted reads on if the server ignores the order.
func TestWalkUnsorted(t *testing.T) {
	t.Parallel()
	base := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	entry := func(key int, hours int) remote.Entry {
		return remote.Entry{Key: strconv.Itoa(key), Updated: base.Add(time.Duration(hours) * time.Hour),
			Item: providers.Item{ID: strconv.Itoa(key)}}
	}
	pages := map[string]remote.Page{
		"":  {Entries: []remote.Entry{entry(1, 1), entry(2, 5)}, Next: "2"},
		"2": {Entries: []remote.Entry{entry(3, 2), entry(4, 20)}},
	}
	w := remote.NewWalk(remote.State{High: base.Add(10 * time.Hour).UnixMilli()})
	w.List = func(_ context.Context, at remote.Position) (remote.Page, error) { return pages[at.Token], nil }
	var got []string
	w.Yield = func(e remote.Entry) error { got = append(got, e.Key); return nil }
	for range 2 {
		if err := w.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(got, []string{"4"}) || !w.Done() {
		t.Errorf("got %v, done %v; want the entry on the second page", got, w.Done())
	}
}
