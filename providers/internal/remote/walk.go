package remote

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gitmem/gitmem/providers"
)

// overlap is how far below the newest change a walk reads again. Places show
// changes late and in another order than their times say.
const overlap = 2 * time.Minute

// Position says which page of a list is wanted. Lists are sorted by the time of
// the last change, newest first.
type Position struct {
	// Token is [Page.Next] of the page before, or empty for the first page.
	Token string
	// ETag makes the request conditional, where it is not empty.
	ETag string
	// Since and Until bound the times of change, both included; zero is no bound.
	// Entries outside are allowed, and Until is set for [Walk.Between] only.
	Since, Until time.Time
}

// Page is a part of a list.
type Page struct {
	Entries []Entry
	// Next is the token of the next page, empty on the last one.
	Next string
	// ETag marks this page, where the place gives marks.
	ETag string
	// Same says that the list has not changed since the ETag that was asked with.
	Same bool
}

// Entry is an element of a list.
type Entry struct {
	// Key is unique in the list, Updated is the last change.
	Key     string
	Updated time.Time
	// Item is handed out, unless Skip is set.
	Item providers.Item
	Skip bool
}

// Walk reads a list from its newest change down to where an earlier walk began,
// and then what earlier walks left unread. Walks can stop after any page: their
// [Walk.State] then holds the hole that is left.
//
// A change during the walk moves an entry to the top, which shifts the rest
// down: the worst that happens is that an entry is seen twice, and the moved one
// is found by the next walk.
type Walk struct {
	// List reads a page.
	List func(context.Context, Position) (Page, error)
	// Yield takes what is new.
	Yield func(Entry) error
	// Between says that List honours Until. Otherwise holes are found again by
	// the token of a page. What is deleted between two walks can then shift as
	// many entries out of sight, until they change again.
	Between bool

	old       State
	since     int64 // where the first part of the walk ends
	phase     phase
	top       int64  // newest change seen
	oldest    int64  // last change seen in this phase
	token     string // the page that comes next
	until     int64  // upper end of the hole
	floor     int64  // lower end of the hole
	etag      string
	marks     map[string]Mark
	given     map[string]bool
	page      []string        // keys of the last page
	asked     map[string]bool // tokens that led to a page
	unsorted  bool
	emptyRuns int
}

// phase is a part of a walk.
type phase int

const (
	notBegun phase = iota
	fresh          // from the newest change to where the last walk began
	holeLeft       // from where a walk stopped to where the one before began
	finished
)

// NewWalk goes on from a state.
func NewWalk(from State) *Walk {
	w := &Walk{old: from, marks: map[string]Mark{}, given: map[string]bool{}, asked: map[string]bool{}, top: from.High}
	maps.Copy(w.marks, from.Seen)
	if from.High > 0 {
		w.since = max(from.High-overlap.Milliseconds(), 1)
	}
	return w
}

// Done reports whether nothing is left to read.
func (w *Walk) Done() bool { return w.phase == finished }

// Begun reports whether a page was read.
func (w *Walk) Begun() bool { return w.phase != notBegun }

// Step reads one page. After an error the walk is where it was, and its state
// is good.
func (w *Walk) Step(ctx context.Context) error {
	at := Position{Token: w.token, Since: timeAt(w.since)}
	switch w.phase {
	case finished:
		return nil
	case notBegun:
		at.ETag = w.old.ETag
	case holeLeft:
		at.Since = timeAt(w.floor)
		if w.Between {
			at.Until = timeAt(w.until)
		}
	}
	p, err := w.List(ctx, at)
	if err != nil {
		return err
	}
	if p.Same {
		w.etag = w.old.ETag
		w.endFresh()
		return nil
	}
	if err := w.repeats(p); err != nil {
		return err
	}
	if w.phase == notBegun {
		w.phase, w.etag = fresh, p.ETag
	}
	reached, err := w.read(p.Entries)
	if err != nil {
		return err
	}
	w.token = p.Next
	if reached || p.Next == "" {
		w.endPhase()
	}
	return nil
}

// read hands out the new entries of a page and reports whether it holds an entry
// from below the end of the phase.
func (w *Walk) read(entries []Entry) (bool, error) {
	end := w.since
	if w.phase == holeLeft {
		end = w.floor
	}
	reached := false
	for _, e := range entries {
		at := millis(e.Updated)
		if w.oldest > 0 && at > w.oldest+overlap.Milliseconds() && w.phase == fresh {
			w.unsorted = true // the place ignores the order that it was asked for
		}
		w.top = max(w.top, at)
		w.oldest = at
		if at < end {
			reached = true
			continue
		}
		if err := w.offer(e, at); err != nil {
			return false, err
		}
	}
	return reached && !w.unsorted, nil
}

// offer hands an entry out unless it is known.
func (w *Walk) offer(e Entry, at int64) error {
	if e.Skip || w.given[e.Key] {
		return nil
	}
	w.given[e.Key] = true
	hash := hashOf(e.Item)
	if m, ok := w.old.Seen[e.Key]; ok && m.Hash == hash {
		return nil
	}
	w.marks[e.Key] = Mark{At: at, Hash: hash}
	return w.Yield(e)
}

// repeats finds places that give the same page for ever.
func (w *Walk) repeats(p Page) error {
	var keys []string
	for _, e := range p.Entries {
		keys = append(keys, e.Key)
	}
	again := len(keys) > 0 && slices.Equal(keys, w.page)
	if p.Next != "" && w.asked[p.Next] {
		again = true
	}
	w.emptyRuns++
	if len(keys) > 0 {
		w.emptyRuns = 0
	}
	if again || w.emptyRuns > 3 && p.Next != "" {
		return fmt.Errorf("page %.40q gives the entries of another page again: %w", w.token, providers.ErrMalformed)
	}
	w.page = keys
	if p.Next != "" {
		w.asked[p.Next] = true
	}
	return nil
}

func (w *Walk) endPhase() {
	if w.phase == fresh {
		w.endFresh()
		return
	}
	w.phase = finished
}

// endFresh turns to the hole that an earlier walk left.
func (w *Walk) endFresh() {
	w.phase, w.token, w.page, w.asked = finished, "", nil, map[string]bool{}
	if h := w.old.Hole; h != nil {
		w.phase, w.oldest, w.until, w.floor = holeLeft, h.Oldest, h.Oldest, h.Floor
		if !w.Between {
			w.token = h.Token
		}
	}
}

// State is what the walk leaves behind when it ends now.
func (w *Walk) State() State {
	s := State{High: w.top, ETag: w.etag, Seen: seenSince(w.marks, w.top-overlap.Milliseconds())}
	switch w.phase {
	case notBegun:
		return w.old
	case fresh:
		if w.top == 0 {
			break // only empty pages: the next walk starts over
		}
		s.Hole = &Hole{Oldest: w.oldest, Floor: w.since, Token: w.token}
		if w.old.Hole != nil {
			s.Hole.Floor = w.old.Hole.Floor
		}
	case holeLeft:
		h := *w.old.Hole
		h.Oldest = min(h.Oldest, w.oldest)
		if w.token != "" {
			h.Token = w.token
		}
		s.Hole = &h
	}
	if s.Hole != nil && w.Between {
		s.Hole.Token = ""
	}
	if s.Hole != nil {
		s.Hole.Floor = min(s.Hole.Floor, s.Hole.Oldest)
	}
	return s
}
