package remote

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gitmem/gitmem/providers"
)

// overlap is how far below the newest change a walk reads again. Servers list changes late and not always in
// the order of their times.
const overlap = 2 * time.Minute

// Position identifies a page of a list. Lists are sorted by the time of the last change, newest first.
type Position struct {
	// Token is [Page.Next] of the page before, or empty for the first page.
	Token string
	// ETag makes the request conditional if it is not empty.
	ETag string
	// Since and Until bound the times of change, both inclusive; zero is no bound. Entries outside are allowed,
	// and Until is only set with [Walk.HonoursUntil].
	Since, Until time.Time
}

// Page is a part of a list.
type Page struct {
	Entries []Entry
	// Next is the token of the next page, empty on the last one.
	Next string
	// ETag is the ETag of this page, if the server sends one.
	ETag string
	// NotModified is set if the list has not changed since the ETag of the request.
	NotModified bool
}

// Entry is an element of a list.
type Entry struct {
	// Key is unique in the list, Updated is the last change.
	Key     string
	Updated time.Time
	// Item is yielded, unless Skip is set.
	Item providers.Item
	Skip bool
}

// Walk reads a list from its newest change down to where an earlier walk began, and then what earlier walks
// left unread. It first reads one page of that unread part, so that every walk makes progress on it. A walk
// can stop after any page: its [Walk.State] then contains the remaining gap.
//
// A change during the walk moves an entry to the top, which shifts the rest down: at worst an entry is seen
// twice, and the next walk finds the moved one.
type Walk struct {
	// List reads a page.
	List func(context.Context, Position) (Page, error)
	// Yield receives new entries.
	Yield func(Entry) error
	// HonoursUntil is set if List respects Until. Otherwise the walk finds a gap again by the token of a page.
	// Deletions between two walks can then hide as many entries, until these change again.
	HonoursUntil bool
	// TokensExpire is set if tokens are only valid during one walk. Otherwise a walk that stopped within many
	// changes of the same time continues among them.
	TokensExpire bool
	// Now is when the walk began. Changes dated long after it have a wrong time, which must not hide correct
	// ones; with the zero time every date is trusted.
	Now time.Time

	old     State
	since   int64 // where the new part ends
	top     int64 // newest change seen
	etag    string
	marks   map[string]Mark
	yielded map[string]bool
	// fresh is the interval from the newest change to the start of the last walk; gap is the interval from where
	// a walk stopped to the start of the one before.
	fresh, gap part
	unsorted   bool
	foundNew   bool // the fresh part contained something new
}

// part is an interval of a list that is read page by page.
type part struct {
	begun, done bool
	token       string          // the next page
	oldest      int64           // last change seen
	keys        []string        // keys of the entries of the last page
	tokens      map[string]bool // tokens that led to a page
	empty       int             // empty pages in a row
}

// NewWalk continues from a state.
func NewWalk(from State) *Walk {
	w := &Walk{old: from, marks: map[string]Mark{}, yielded: map[string]bool{}, top: from.High, etag: from.ETag}
	maps.Copy(w.marks, from.Seen)
	if from.High > 0 {
		w.since = max(from.High-overlap.Milliseconds(), 1)
	}
	w.fresh.tokens, w.gap.tokens = map[string]bool{}, map[string]bool{}
	w.gap.done = from.Gap == nil
	if h := from.Gap; h != nil {
		w.gap.token, w.gap.oldest = h.Token, h.Oldest
	}
	return w
}

// Done reports whether nothing is left to read.
func (w *Walk) Done() bool { return w.fresh.done && w.gap.done }

// Step reads one page. After an error the walk is unchanged and its state is valid.
func (w *Walk) Step(ctx context.Context) error {
	part := &w.fresh
	if !w.gap.done && (!w.gap.begun || w.fresh.done) {
		part = &w.gap
	}
	if part.done {
		return nil
	}
	p, err := w.List(ctx, w.position(part))
	if err != nil {
		return err
	}
	if p.NotModified {
		part.done = true
		return nil
	}
	if err := part.repeats(p); err != nil {
		return err
	}
	if part == &w.fresh && !part.begun {
		w.etag = p.ETag
	}
	reached, err := w.read(part, p.Entries)
	if err != nil {
		return err
	}
	part.begun, part.token = true, p.Next
	part.done = p.Next == "" || reached && !w.unsorted
	return nil
}

// position returns where the next page of a part begins.
func (w *Walk) position(part *part) Position {
	if part == &w.gap {
		at := Position{Token: part.token, Since: timeAt(w.old.Gap.Floor)}
		if w.HonoursUntil {
			at.Until = timeAt(w.old.Gap.Oldest)
		}
		return at
	}
	at := Position{Token: part.token, Since: timeAt(w.since)}
	if !part.begun {
		at.ETag = w.old.ETag
	}
	return at
}

// read yields the new entries of a page and reports whether it contains an entry from below the end of the
// part.
func (w *Walk) read(part *part, entries []Entry) (bool, error) {
	end := w.since
	if part == &w.gap {
		end = w.old.Gap.Floor
	}
	reached := false
	for _, e := range entries {
		at, believed := w.plausibleTime(e.Updated)
		if part == &w.fresh && believed {
			if part.oldest > 0 && at > part.oldest+overlap.Milliseconds() {
				w.unsorted = true // the server ignores the requested order
			}
			w.top = max(w.top, at)
		}
		if believed {
			part.oldest = at
		}
		if at < end {
			reached = true
			continue
		}
		isNew, err := w.yieldNew(e, at, believed)
		if err != nil {
			return false, err
		}
		w.foundNew = w.foundNew || isNew && part == &w.fresh
	}
	return reached, nil
}

// clockError is how far the clock of a server may be ahead of ours.
const clockError = time.Hour

// plausibleTime returns the time of a change in milliseconds. A time further ahead than clockError is
// replaced with the current time and not believed, so that it does not count as progress.
func (w *Walk) plausibleTime(t time.Time) (at int64, believed bool) {
	if !w.Now.IsZero() && t.After(w.Now.Add(clockError)) {
		return millis(w.Now), false
	}
	return max(millis(t), 0), true
}

// yieldNew yields an entry unless it is already known in this form, and reports whether it did. An entry with
// a later, believed time of change is always yielded, because it may have new parts.
func (w *Walk) yieldNew(e Entry, at int64, believed bool) (bool, error) {
	if e.Skip || w.yielded[e.Key] {
		return false, nil
	}
	w.yielded[e.Key] = true
	hash := hashOf(e.Item)
	if m, ok := w.old.Seen[e.Key]; ok && m.Hash == hash && (at <= m.At || !believed) {
		return false, nil
	}
	w.marks[e.Key] = Mark{At: at, Hash: hash}
	return true, w.Yield(e)
}

// repeats returns an error if the server sends the same page again and again. A page of known entries is not
// a repetition: changes during the walk shift entries to later pages.
func (p *part) repeats(page Page) error {
	var keys []string
	for _, e := range page.Entries {
		keys = append(keys, e.Key)
	}
	again := len(keys) > 0 && slices.Equal(keys, p.keys)
	if p.empty++; len(keys) > 0 {
		p.empty = 0
	}
	if page.Next != "" {
		again = again || p.tokens[page.Next] || p.empty > maxEmpty
		p.tokens[page.Next] = true
	}
	p.keys = keys
	if again {
		return fmt.Errorf("page %.40q gives the entries of another page again: %w", p.token, providers.ErrMalformed)
	}
	return nil
}

// maxEmpty is how many pages in a row may be empty, for instance because all their entries are hidden from
// the token.
const maxEmpty = 3

// State returns the state of the walk if it ends now.
func (w *Walk) State() State {
	s := State{High: w.top, ETag: w.etag, Gap: w.rest()}
	if w.top > 0 { // the next walk sees these again
		s.Seen = maps.Clone(w.marks)
		maps.DeleteFunc(s.Seen, func(_ string, m Mark) bool { return m.At < w.top-overlap.Milliseconds() })
	}
	if !w.fresh.begun || w.fresh.done || w.top == 0 || w.top == w.old.High && !w.foundNew {
		// If a part of the new interval is unread, it is what had been read before, and the next walk reads it
		// again.
		return s
	}
	h := &Gap{Oldest: w.fresh.oldest, Floor: w.since}
	if s.Gap != nil {
		h.Floor = s.Gap.Floor
	}
	h.Floor = min(h.Floor, h.Oldest)
	if !w.HonoursUntil {
		h.Token = w.fresh.token
	}
	s.Gap = h
	return s
}

// rest returns the remaining gap.
func (w *Walk) rest() *Gap {
	if w.gap.done {
		return nil
	}
	h := Gap{Oldest: min(w.gap.oldest, w.old.Gap.Oldest), Floor: w.old.Gap.Floor, Token: w.gap.token}
	if w.HonoursUntil && (w.TokensExpire || h.Oldest < w.old.Gap.Oldest) {
		h.Token = "" // it belongs to another list
	}
	h.Floor = min(h.Floor, h.Oldest)
	return &h
}
