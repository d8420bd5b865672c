package github

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"

	gh "github.com/google/go-github/v62/github"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// maxReviewPages is 2,000 reviews of one pull request.
const maxReviewPages = 20

// readReviews reads the reviews of the pull requests that wait for them, newest
// first.
func (r *run) readReviews(ctx context.Context) error {
	waiting := keys(r.held)
	for n, is := range r.owed {
		if _, held := r.held[n]; is && !held {
			waiting = append(waiting, n)
		}
	}
	for _, n := range sortNumbers(waiting) {
		err := r.readReviewed(ctx, n)
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

// readReviewed hands out a pull request with its reviewers, and its reviews. One
// that cannot be read is counted, as it would otherwise be in the way for ever.
func (r *run) readReviewed(ctx context.Context, n int) error {
	it, held := r.held[n]
	if held && remote.IsBot(it.Author.Name) {
		r.tally.Add("pull requests of bots, without their reviews", 1)
		return r.settle(n, it, nil)
	}
	reviewed := reviewed{}
	var err error
	if !held {
		it, err = r.getPull(ctx, n)
	}
	if err == nil {
		reviewed, err = r.reviews(ctx, n)
	}
	switch {
	case errors.Is(err, providers.ErrNotFound), errors.Is(err, providers.ErrMalformed):
		r.tally.Add("pull requests whose reviews could not be read", 1)
		if it.ID == "" {
			delete(r.owed, n)
			return nil
		}
	case err != nil:
		return err
	}
	it.Also = remote.Others(it.Also, it.Author, r.spoke[n]...)
	it.Also = remote.Others(it.Also, it.Author, reviewed.people...)
	return r.settle(n, it, reviewed.items)
}

// settle hands out what is complete.
func (r *run) settle(n int, it providers.Item, reviews []providers.Item) error {
	delete(r.held, n)
	delete(r.owed, n)
	for _, it := range append([]providers.Item{it}, reviews...) {
		if err := r.give(it); err != nil {
			return err
		}
	}
	return nil
}

// reviewed is what the reviews of a pull request give.
type reviewed struct {
	items  []providers.Item
	people []providers.Person
}

// reviews reads all reviews of a pull request.
func (s *Source) reviews(ctx context.Context, n int) (reviewed, error) {
	var out reviewed
	seen := map[string]bool{}
	query := url.Values{"per_page": {strconv.Itoa(pageSize)}}
	for range maxReviewPages {
		elements, p, err := s.page(ctx, fmt.Sprintf("pulls/%d/reviews", n), query, "")
		if err != nil {
			return out, err
		}
		fresh := len(elements) == 0
		for _, raw := range elements {
			if it, who, ok := s.readReview(n, raw); !seen[it.ID] {
				seen[it.ID], fresh = true, true
				out.people = append(out.people, who...)
				if ok {
					out.items = append(out.items, it)
				}
			}
		}
		if !fresh {
			return out, fmt.Errorf("github: reviews of #%d repeat themselves: %w", n, providers.ErrMalformed)
		}
		if p.Next == "" {
			return out, nil
		}
		query, err = url.ParseQuery(p.Next)
		if err != nil {
			return out, fmt.Errorf("github: %w: %w", providers.ErrMalformed, err)
		}
		query.Set("per_page", strconv.Itoa(pageSize))
	}
	s.tally.Add("pull requests with more reviews than are read", 1)
	return out, nil
}

// readReview reads one review; ok is false for what is left out and counted.
func (s *Source) readReview(n int, raw json.RawMessage) (it providers.Item, who []providers.Person, ok bool) {
	var rv gh.PullRequestReview
	if json.Unmarshal(raw, &rv) != nil || rv.GetID() <= 0 {
		s.tally.Add("reviews that make no sense", 1)
		return it, nil, false
	}
	it, ok = s.review(n, &rv)
	switch {
	case isBot(rv.GetUser()):
		s.tally.Add("reviews of bots", 1)
		return it, nil, false
	case rv.GetSubmittedAt().IsZero():
		return it, nil, false // not handed in: its author alone can see it
	case !ok:
		s.tally.Add("reviews without words", 1)
	}
	return it, []providers.Person{it.Author}, ok
}
