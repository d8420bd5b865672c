package remote

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/gitmem/gitmem/providers"
)

// Run is one fetch: a walk through each list in turn, so that a small budget gets
// something of everything, and then the threads that need a request of their own,
// newest first.
type Run struct {
	Client *Client
	// Place names what is read, in cursors.
	Place string
	// Lists read a page each, see [Walk].
	Lists []func(context.Context, Position) (Page, error)
	// HonoursUntil and TokensExpire are those of the walks.
	HonoursUntil, TokensExpire bool
	Yield                      func(providers.Item) error
	// Threads begin the ids of threads that may need a request of their own, the kind to
	// ask for first at the front; a number follows.
	Threads []string
	// Defer says whether an item of a list needs that request. It is called once for every
	// item; nil holds none.
	Defer func(providers.Item) bool
	// Complete makes that request. held is the item of the list, or nil for one
	// that is pending since an earlier fetch. What it returns is yielded.
	Complete func(ctx context.Context, id string, held *providers.Item) ([]providers.Item, error)
	// Enrich adds to a held item what was read from the lists; may be nil.
	Enrich func(*providers.Item)
	// Tally counts threads that could not be completed, with the reason Lost.
	Tally      *Tally
	LostReason string

	walks     []*Walk
	pending   map[string]*providers.Item // threads that need the request, nil where an earlier fetch read the list
	errs      []error                    // what parts failed with, each by itself
	turnedOff []error                    // what parts are turned off
}

// yieldError marks an error of the caller's own function.
type yieldError struct{ error }

func (e yieldError) Unwrap() error { return e.error }

// Fetch does what [providers.Source] promises. Part of a place that cannot be read costs
// only itself: the rest is read before the fetch ends with a [*providers.Partial].
func (r *Run) Fetch(ctx context.Context, from providers.Cursor) (providers.Cursor, error) {
	if err := ctx.Err(); err != nil {
		return from, err
	}
	old, err := r.cursorOf(from)
	if err != nil {
		return from, fmt.Errorf("%s: %w", r.Client.o.Name, err)
	}
	r.Client.Begin()
	r.pending = map[string]*providers.Item{}
	for thread, numbers := range old.Owed {
		for _, n := range numbers {
			r.pending[thread+strconv.Itoa(n)] = nil
		}
	}
	for i, list := range r.Lists {
		w := NewWalk(old.Lists[i])
		w.List, w.HonoursUntil, w.TokensExpire, w.Now, w.Yield = list, r.HonoursUntil, r.TokensExpire,
			r.Client.o.Now(), r.receive
		r.walks = append(r.walks, w)
	}
	err = r.readAll(ctx)
	if stop := (yieldError{}); errors.As(err, &stop) {
		return from, stop.error
	}
	if err := r.flush(); err != nil {
		return from, err
	}
	return r.end(from, old, err)
}

// readAll reads the lists, a page of each in turn, and then the threads.
func (r *Run) readAll(ctx context.Context) error {
	for walks := r.walks; len(walks) > 0; {
		var rest []*Walk
		for _, w := range walks {
			if w.Done() {
				continue
			}
			if err := w.Step(ctx); err == nil {
				rest = append(rest, w)
			} else if isPartialFailure(err) {
				r.note(err)
			} else {
				return err
			}
		}
		walks = rest
	}
	return r.completeAll(ctx)
}

// isPartialFailure reports whether other parts of the place may still be readable.
func isPartialFailure(err error) bool {
	return !errors.As(err, new(yieldError)) &&
		(errors.Is(err, providers.ErrUnauthorized) || errors.Is(err, providers.ErrNotFound) ||
			errors.Is(err, providers.ErrMalformed))
}

// note keeps the error of a part. One that the place has turned off is none.
func (r *Run) note(err error) {
	if errors.Is(err, ErrGone) {
		r.turnedOff = append(r.turnedOff, err)
		return
	}
	r.errs = append(r.errs, err)
}

// receive yields an entry, or keeps it until its request was made.
func (r *Run) receive(e Entry) error {
	if r.Defer != nil && r.Defer(e.Item) {
		r.pending[e.Item.ID] = &e.Item
		return nil
	}
	delete(r.pending, e.Item.ID)
	return r.handOut(e.Item)
}

// handOut yields an item to the caller.
func (r *Run) handOut(it providers.Item) error {
	if err := r.Yield(it); err != nil {
		return yieldError{err}
	}
	return nil
}

// completeAll completes the threads that wait.
func (r *Run) completeAll(ctx context.Context) error {
	for _, id := range slices.SortedFunc(maps.Keys(r.pending), r.newer) {
		err := r.complete(ctx, id)
		if errors.Is(err, providers.ErrUnauthorized) {
			r.note(err)
			return nil // the others would fail alike
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// complete yields one thread with what belongs to it. One that cannot be read
// is counted, as it would otherwise be in the way for ever.
func (r *Run) complete(ctx context.Context, id string) error {
	held := r.pendingItem(id)
	items, err := r.Complete(ctx, id, held)
	switch {
	case errors.Is(err, providers.ErrNotFound), errors.Is(err, providers.ErrMalformed):
		r.Tally.Add(r.LostReason)
		if items = nil; held != nil {
			items = []providers.Item{*held}
		}
	case err != nil:
		return err
	}
	delete(r.pending, id)
	for _, it := range items {
		if err := r.handOut(it); err != nil {
			return err
		}
	}
	return nil
}

// pendingItem is the item of a thread that waits, with what the lists say of it.
func (r *Run) pendingItem(id string) *providers.Item {
	if r.pending[id] == nil {
		return nil
	}
	it := *r.pending[id]
	if r.Enrich != nil {
		r.Enrich(&it)
	}
	return &it
}

// flush yields the pending items.
func (r *Run) flush() error {
	for _, id := range slices.SortedFunc(maps.Keys(r.pending), r.newer) {
		if it := r.pendingItem(id); it != nil {
			if err := r.Yield(*it); err != nil {
				return err
			}
		}
	}
	return nil
}

// end builds the cursor and says how the fetch ended.
func (r *Run) end(from providers.Cursor, old cursor, err error) (providers.Cursor, error) {
	now := cursor{Version: cursorVersion, Place: r.Place, Owed: map[string][]int{}}
	for _, id := range slices.SortedFunc(maps.Keys(r.pending), r.newer) {
		thread, n := SplitID(id)
		now.Owed[thread] = append(now.Owed[thread], n)
	}
	for _, w := range r.walks {
		now.Lists = append(now.Lists, w.State())
	}
	next, failed := now.encode()
	if failed != nil {
		return from, failed
	}
	if err != nil {
		r.errs = append(r.errs, err)
	}
	if len(r.errs) == 0 && len(r.turnedOff) == len(r.walks) && len(r.turnedOff) > 0 {
		r.errs = r.turnedOff[:1] // there is nothing at all
	}
	if len(r.errs) == 0 {
		return next, nil
	}
	err = errors.Join(r.errs...)
	before, failed := old.encode()
	if failed != nil || next == before {
		return from, err
	}
	return from, &providers.Partial{Cursor: next, Err: err}
}
