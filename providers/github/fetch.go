package github

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	gh "github.com/google/go-github/v62/github"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// maxHeld is how many pull requests wait in memory for their reviews.
const maxHeld = 2000

// list is one of the lists that cover a repository.
type list struct {
	path  string
	query string
	// since says that the list can leave out what is older than a time.
	since bool
	// entry reads an element; ok is false where it makes no sense.
	entry func(*Source, json.RawMessage) (remote.Entry, bool)
}

// The places of the lists in a cursor.
const (
	pulls = iota
	issues
	comments
	lineComments
)

func lists() [4]list {
	return [4]list{
		pulls:        {"pulls", "state=all&sort=updated&direction=desc", false, (*Source).pullEntry},
		issues:       {"issues", "state=all&sort=updated&direction=desc", true, (*Source).issueEntry},
		comments:     {"issues/comments", "sort=updated&direction=desc", true, (*Source).commentEntry},
		lineComments: {"pulls/comments", "sort=updated&direction=desc", true, (*Source).lineCommentEntry},
	}
}

// run is one fetch.
type run struct {
	*Source
	old   cursor
	yield func(providers.Item) error
	walks [4]*remote.Walk
	// held are pull requests that wait for their reviews.
	held map[int]providers.Item
	// owed are those whose reviews are still to be read and which were handed
	// out without them.
	owed map[int]bool
	// spoke are the people who commented on lines, by pull request.
	spoke map[int][]providers.Person
	// errs are what parts failed with, each by itself.
	errs []error
}

// yieldError marks an error of the caller's own function.
type yieldError struct{ error }

func (e yieldError) Unwrap() error { return e.error }

// Fetch hands out what was opened or changed since the cursor, newest changes
// first. It implements [providers.Source]. A part of the repository that cannot
// be read, such as issues that the token does not cover, costs only itself: the
// rest is read, and then the fetch ends with a [*providers.Partial].
func (s *Source) Fetch(ctx context.Context, from providers.Cursor, yield func(providers.Item) error) (providers.Cursor, error) {
	if err := ctx.Err(); err != nil {
		return from, err
	}
	old, err := s.parseCursor(from)
	if err != nil {
		return from, err
	}
	s.wire.Begin()
	r := s.newRun(old, yield)
	err = r.readAll(ctx)
	var stop yieldError
	if errors.As(err, &stop) {
		return from, stop.error
	}
	if err := r.flush(); err != nil {
		return from, err
	}
	return r.end(from, err)
}

func (s *Source) newRun(old cursor, yield func(providers.Item) error) *run {
	r := &run{
		Source: s, old: old, yield: yield,
		held: map[int]providers.Item{}, owed: map[int]bool{}, spoke: map[int][]providers.Person{},
	}
	for _, n := range old.Reviews {
		r.owed[n] = true
	}
	for i, l := range lists() {
		w := remote.NewWalk(old.Lists[i])
		w.List = func(ctx context.Context, at remote.Position) (remote.Page, error) { return s.listPage(ctx, l, at) }
		w.Yield = r.take
		r.walks[i] = w
	}
	return r
}

// readAll reads the lists, a page of each in turn so that a small budget gets
// something of everything, and then reviews.
func (r *run) readAll(ctx context.Context) error {
	failed := map[int]bool{}
	for busy := true; busy; {
		busy = false
		for i, w := range r.walks {
			if w.Done() || failed[i] {
				continue
			}
			busy = true
			err := w.Step(ctx)
			if err != nil && !costsOnlyItself(err) {
				return err
			}
			if err != nil {
				failed[i] = true
				r.note(err)
			}
		}
	}
	return r.readReviews(ctx)
}

// costsOnlyItself reports whether other parts of the repository may still be
// readable.
func costsOnlyItself(err error) bool {
	return errors.Is(err, providers.ErrUnauthorized) || errors.Is(err, providers.ErrNotFound) || errors.Is(err, providers.ErrMalformed)
}

// note keeps the error of a part. Issues that are turned off are none.
func (r *run) note(err error) {
	if !errors.Is(err, remote.ErrGone) {
		r.errs = append(r.errs, err)
	}
}

// take hands an entry out, or holds a pull request until its reviews are known.
func (r *run) take(e remote.Entry) error {
	if e.Item.Kind != "pr" {
		if e.Item.Kind == "comment" && len(e.Item.Paths) > 0 {
			n := numberIn(e.Item.ID)
			r.spoke[n] = append(r.spoke[n], e.Item.Author)
		}
		return r.give(e.Item)
	}
	n := numberIn(e.Item.ID)
	if len(r.held) < maxHeld {
		r.held[n] = e.Item
		return nil
	}
	r.owed[n] = true
	return r.give(e.Item)
}

// give hands an item to the caller.
func (r *run) give(it providers.Item) error {
	if err := r.yield(it); err != nil {
		return yieldError{err}
	}
	return nil
}

// numberIn is the number of the thread in an id, 0 where there is none.
func numberIn(id string) int {
	k, err := parseID(id)
	if err != nil {
		return 0
	}
	return k.number
}

// flush hands out the pull requests that still wait, without their reviews.
func (r *run) flush() error {
	for _, n := range sortNumbers(keys(r.held)) {
		it := r.held[n]
		r.owed[n] = !remote.IsBot(it.Author.Name)
		it.Also = remote.Others(it.Also, it.Author, r.spoke[n]...)
		if err := r.yield(it); err != nil {
			return err
		}
	}
	return nil
}

func keys[V any](m map[int]V) []int {
	var out []int
	for n := range m {
		out = append(out, n)
	}
	return out
}

// end builds the cursor and says how the fetch ended.
func (r *run) end(from providers.Cursor, err error) (providers.Cursor, error) {
	now := cursor{Version: cursorVersion, Place: r.old.Place}
	for i, w := range r.walks {
		now.Lists[i] = w.State()
	}
	var owed []int
	for n, is := range r.owed {
		if is {
			owed = append(owed, n)
		}
	}
	now.Reviews = sortNumbers(owed)
	next, failed := now.encode()
	if failed != nil {
		return from, fmt.Errorf("github: cursor: %w", failed)
	}
	if err != nil {
		r.errs = append(r.errs, err)
	}
	if len(r.errs) == 0 {
		return next, nil
	}
	err = errors.Join(r.errs...)
	if len(r.errs) == 1 || r.allAlike() {
		err = r.errs[0]
	}
	before, failed := r.old.encode()
	if failed != nil || next == before {
		return from, err
	}
	return from, &providers.Partial{Cursor: next, Err: err}
}

// allAlike reports whether every list failed for the same reason, which is then
// said once.
func (r *run) allAlike() bool {
	for _, reason := range []error{providers.ErrUnauthorized, providers.ErrNotFound, providers.ErrMalformed} {
		if errors.Is(r.errs[0], reason) {
			return len(r.errs) == len(r.walks) && !slices.ContainsFunc(r.errs, func(e error) bool { return !errors.Is(e, reason) })
		}
	}
	return false
}

// listPage reads a page of a list for a walk.
func (s *Source) listPage(ctx context.Context, l list, at remote.Position) (remote.Page, error) {
	query, err := url.ParseQuery(l.query + "&" + at.Token)
	if err != nil {
		return remote.Page{}, fmt.Errorf("github: page %q: %w", at.Token, err)
	}
	query.Set("per_page", strconv.Itoa(pageSize))
	if l.since && !at.Since.IsZero() {
		query.Set("since", at.Since.UTC().Format("2006-01-02T15:04:05Z"))
	}
	elements, p, err := s.page(ctx, l.path, query, at.ETag)
	if err != nil {
		return p, err
	}
	for _, raw := range elements {
		e, ok := l.entry(s, raw)
		if !ok {
			s.tally.Add("entries of the list "+l.path+" that make no sense", 1)
			continue
		}
		p.Entries = append(p.Entries, e)
	}
	return p, nil
}

// entry puts an item into a list.
func entry(it providers.Item, ok bool, key string, updated, created gh.Timestamp) (remote.Entry, bool) {
	if updated.IsZero() {
		updated = created
	}
	return remote.Entry{Key: key, Updated: updated.Time, Item: it}, ok
}

func (s *Source) pullEntry(raw json.RawMessage) (remote.Entry, bool) {
	var p gh.PullRequest
	if json.Unmarshal(raw, &p) != nil {
		return remote.Entry{}, false
	}
	it, ok := s.pull(&p)
	return entry(it, ok, strconv.Itoa(p.GetNumber()), p.GetUpdatedAt(), p.GetCreatedAt())
}

func (s *Source) issueEntry(raw json.RawMessage) (remote.Entry, bool) {
	var i gh.Issue
	if json.Unmarshal(raw, &i) != nil {
		return remote.Entry{}, false
	}
	key := strconv.Itoa(i.GetNumber())
	if i.IsPullRequest() && !i.GetCreatedAt().IsZero() {
		e, ok := entry(providers.Item{}, true, key, i.GetUpdatedAt(), i.GetCreatedAt())
		e.Skip = true // the list of pull requests says more
		return e, ok
	}
	it, ok := s.issue(&i)
	return entry(it, ok, key, i.GetUpdatedAt(), i.GetCreatedAt())
}

func (s *Source) commentEntry(raw json.RawMessage) (remote.Entry, bool) {
	var c gh.IssueComment
	if json.Unmarshal(raw, &c) != nil {
		return remote.Entry{}, false
	}
	it, ok := s.issueComment(&c)
	e, ok := entry(it, ok, strconv.FormatInt(c.GetID(), 10), c.GetUpdatedAt(), c.GetCreatedAt())
	e.Skip = s.leftOut(c.GetUser(), it)
	return e, ok
}

func (s *Source) lineCommentEntry(raw json.RawMessage) (remote.Entry, bool) {
	var c gh.PullRequestComment
	if json.Unmarshal(raw, &c) != nil {
		return remote.Entry{}, false
	}
	it, ok := s.lineComment(&c)
	e, ok := entry(it, ok, strconv.FormatInt(c.GetID(), 10), c.GetUpdatedAt(), c.GetCreatedAt())
	e.Skip = s.leftOut(c.GetUser(), it)
	return e, ok
}

// leftOut counts and leaves out comments that nobody needs to read.
func (s *Source) leftOut(u *gh.User, it providers.Item) bool {
	switch {
	case isBot(u):
		s.tally.Add("comments of bots", 1)
	case it.Text == "":
		s.tally.Add("comments without words", 1)
	default:
		return false
	}
	return true
}
