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

// Run is one fetch: it reads the lists in turn, one page each, so that a small budget covers a part of each,
// and then the threads that need a request of their own, newest first.
type Run struct {
	Client *Client
	// Place identifies the repository or project in cursors.
	Place string
	// Lists each read a page of a list, see [Walk].
	Lists []func(context.Context, Position) (Page, error)
	// HonoursUntil and TokensExpire are passed to the walks.
	HonoursUntil, TokensExpire bool
	Yield                      func(providers.Item) error
	// Threads are the id prefixes of threads that may need a request of their own, in the order of these
	// requests; a number follows.
	Threads []string
	// Defer reports whether an item of a list needs that request. It is called once for every item; nil defers
	// none.
	Defer func(providers.Item) bool
	// Complete makes that request. held is the item of the list, or nil for one that is pending since an earlier
	// fetch. The returned items are yielded.
	Complete func(ctx context.Context, id string, held *providers.Item) ([]providers.Item, error)
	// Enrich adds data of the other lists to a held item; may be nil.
	Enrich func(*providers.Item)
	// Tally counts threads that could not be completed, with the reason LostReason.
	Tally      *Tally
	LostReason string

	walks     []*Walk
	pending   map[string]*providers.Item // threads that need the request; nil if an earlier fetch read the list
	errs      []error                    // the errors of the parts
	turnedOff []error                    // the errors of parts that are turned off
}

// yieldError marks an error of the caller's yield function.
type yieldError struct{ error }

func (e yieldError) Unwrap() error { return e.error }

// Fetch implements the contract of [providers.Source]. If a part cannot be read, Fetch reads the rest and
// returns a [*providers.Partial].
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

// isPartialFailure reports whether other parts may still be readable.
func isPartialFailure(err error) bool {
	return !errors.As(err, new(yieldError)) &&
		(errors.Is(err, providers.ErrUnauthorized) || errors.Is(err, providers.ErrNotFound) ||
			errors.Is(err, providers.ErrMalformed))
}

// note records the error of a part. A part that was turned off is recorded separately and is not a failure.
func (r *Run) note(err error) {
	if errors.Is(err, ErrGone) {
		r.turnedOff = append(r.turnedOff, err)
		return
	}
	r.errs = append(r.errs, err)
}

// receive yields an entry, or keeps it until its own request was made.
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

// completeAll completes the pending threads.
func (r *Run) completeAll(ctx context.Context) error {
	for _, id := range slices.SortedFunc(maps.Keys(r.pending), r.newer) {
		err := r.complete(ctx, id)
		if errors.Is(err, providers.ErrUnauthorized) {
			r.note(err)
			return nil // the other requests would fail too
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// complete yields one thread with its parts. One that cannot be read is counted and dropped, because it would
// otherwise block every later fetch.
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

// pendingItem returns the item of a pending thread, enriched from the lists.
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

// end builds the cursor and the final error of the fetch.
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
		r.errs = r.turnedOff[:1] // every part is turned off
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
