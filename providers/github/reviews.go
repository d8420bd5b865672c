package github

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"

	gh "github.com/google/go-github/v62/github"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// maxReviewPages is 2,000 reviews of one pull request.
const maxReviewPages = 20

// complete reads the reviews of a pull request, and the pull request itself where
// it is not at hand, and adds who reviewed it.
func (s *Source) complete(ctx context.Context, id string, held *providers.Item) ([]providers.Item, error) {
	n := numberIn(id)
	var it providers.Item
	var err error
	if held != nil {
		it = *held
	} else if it, err = s.getPull(ctx, n); err != nil {
		return nil, err
	}
	r, err := s.reviews(ctx, n)
	if err != nil {
		return nil, err
	}
	it.Also = remote.Others(it.Also, it.Author, r.people...)
	return append([]providers.Item{it}, r.items...), nil
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
