package github

import (
	"context"
	"encoding/json"
	"fmt"

	gh "github.com/google/go-github/v62/github"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// complete reads the reviews of a pull request, and the pull request itself if held is nil, and adds the
// reviewers.
func (s *Source) complete(ctx context.Context, id string, held *providers.Item) ([]providers.Item, error) {
	_, n := remote.SplitID(id)
	var it providers.Item
	var err error
	if held != nil {
		it = *held
	} else if it, err = s.getPull(ctx, n); err != nil {
		return nil, err
	}
	read := func(raw json.RawMessage) (providers.Item, []providers.Person, bool) { return s.readReview(n, raw) }
	return remote.Parts(ctx, s.get, it, fmt.Sprintf("pulls/%d/reviews", n), func(token string) any {
		return pageQuery(token)
	}, &s.tally, "pull requests with more reviews than are read", read)
}

// readReview converts one review; ok is false for one that is left out and counted.
func (s *Source) readReview(n int, raw json.RawMessage) (it providers.Item, who []providers.Person, ok bool) {
	var rv gh.PullRequestReview
	if json.Unmarshal(raw, &rv) != nil || rv.GetID() <= 0 {
		s.tally.Add("reviews that make no sense")
		return it, nil, false
	}
	it, ok = s.review(n, &rv)
	switch {
	case isBot(rv.GetUser()):
		s.tally.Add("reviews of bots")
		return it, nil, false
	case rv.GetSubmittedAt().IsZero():
		return it, nil, false // not submitted: only its author can see it
	case !ok:
		s.tally.Add("reviews without words")
	}
	return it, []providers.Person{it.Author}, ok
}
