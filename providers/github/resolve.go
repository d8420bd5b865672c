package github

import (
	"context"
	"errors"
	"fmt"
	"strings"

	gh "github.com/google/go-github/v62/github"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// parseID parses an id.
func parseID(id string) (remote.Key, error) {
	return remote.ParseKey(id, []string{prID, issueID}, []string{reviewID, commentID})
}

// numberIn is the number of the thread in an id, 0 if it is invalid.
func numberIn(id string) int {
	k, _ := parseID(id)
	return k.Number
}

// Resolve returns the item with an id. It implements [providers.Resolver]. A pull request
// has more than in a fetch, for two more requests: its commits as links, and its files. A
// closed issue has the commit that closed it.
func (s *Source) Resolve(ctx context.Context, id string) (providers.Item, error) {
	k, err := parseID(id)
	return s.wire.Resolve(ctx, id, err, func() (it providers.Item, err error) {
		switch k.Kind {
		case prID:
			if it, err = s.getPull(ctx, k.Number); err == nil {
				s.addCommits(ctx, k.Number, &it)
				s.addFiles(ctx, k.Number, &it)
			}
		case issueID:
			if it, err = s.getIssue(ctx, k.Number); err == nil && it.State == "closed" {
				s.addCloser(ctx, k.Number, &it)
			}
		case reviewID:
			it, err = s.getReview(ctx, k)
		case commentID:
			it, err = s.getComment(ctx, k)
		}
		return it, err
	})
}

// getPull reads a pull request.
func (s *Source) getPull(ctx context.Context, n int) (providers.Item, error) {
	return remote.One(ctx, s.get, fmt.Sprintf("pulls/%d", n), s.pull)
}

func (s *Source) getIssue(ctx context.Context, n int) (providers.Item, error) {
	isPull := false
	it, err := remote.One(ctx, s.get, fmt.Sprintf("issues/%d", n), func(i *gh.Issue) (providers.Item, bool) {
		isPull = i.IsPullRequest()
		return s.issue(i)
	})
	if isPull {
		return providers.Item{}, fmt.Errorf("#%d is a pull request: %w", n, providers.ErrNotFound)
	}
	return it, err
}

func (s *Source) getReview(ctx context.Context, k remote.Key) (providers.Item, error) {
	var r gh.PullRequestReview
	if _, err := s.get(ctx, fmt.Sprintf("pulls/%d/reviews/%d", k.Number, k.ID), nil, "", &r); err != nil {
		return providers.Item{}, err
	}
	it, ok := s.review(k.Number, &r)
	if !ok {
		return providers.Item{}, fmt.Errorf("review %d has no words: %w", k.ID, providers.ErrNotFound)
	}
	return it, nil
}

// getComment looks among the comments of threads first, then among those on lines: the id
// is the same for both.
func (s *Source) getComment(ctx context.Context, k remote.Key) (providers.Item, error) {
	var c gh.IssueComment
	_, err := s.get(ctx, fmt.Sprintf("issues/comments/%d", k.ID), nil, "", &c)
	if err == nil {
		if it, ok := s.issueComment(&c); ok && numberIn(it.ID) == k.Number {
			return it, nil
		}
	} else if !errors.Is(err, providers.ErrNotFound) {
		return providers.Item{}, err
	}
	var l gh.PullRequestComment
	if _, err := s.get(ctx, fmt.Sprintf("pulls/comments/%d", k.ID), nil, "", &l); err != nil {
		return providers.Item{}, err
	}
	it, _ := s.lineComment(&l)
	return it, nil
}

// addCommits links the commits of a pull request, up to 100.
func (s *Source) addCommits(ctx context.Context, n int, it *providers.Item) {
	remote.Each(ctx, s.get, fmt.Sprintf("pulls/%d/commits", n), pageQuery(""), &s.tally, "pull requests without the list of their commits", func(c *gh.RepositoryCommit) {
		it.Links = remote.LinkCommit(it.Links, c.GetSHA())
	})
}

// addFiles adds the files of a pull request, up to 100.
func (s *Source) addFiles(ctx context.Context, n int, it *providers.Item) {
	remote.Each(ctx, s.get, fmt.Sprintf("pulls/%d/files", n), pageQuery(""), &s.tally, "pull requests without the list of their files", func(f *gh.CommitFile) {
		name := strings.ToValidUTF8(f.GetFilename(), "\uFFFD")
		if name == "" {
			return
		}
		it.Paths = append(it.Paths, name)
		it.Files = append(it.Files, providers.FileChange{
			Path: name, From: strings.ToValidUTF8(f.GetPreviousFilename(), "\uFFFD"), Added: f.GetAdditions(), Removed: f.GetDeletions(),
		})
	})
}

// addCloser links the commit that closed an issue, if one did.
func (s *Source) addCloser(ctx context.Context, n int, it *providers.Item) {
	remote.Each(ctx, s.get, fmt.Sprintf("issues/%d/events", n), pageQuery(""), &s.tally, "issues without what closed them", func(e *gh.IssueEvent) {
		if sha := strings.ToLower(e.GetCommitID()); e.GetEvent() == "closed" && len(sha) == 40 {
			it.Links = remote.AddLink(it.Links, providers.Link{Rel: providers.ClosedBy, ID: providers.CommitID + sha})
		}
	})
}

// ByCommit returns the pull requests that contain a commit. It implements
// [providers.CommitFinder] and costs one request.
func (s *Source) ByCommit(ctx context.Context, sha string) ([]providers.Item, error) {
	return remote.ByCommit(ctx, s.wire, s.get, "commits/%s/pulls", sha, s.pull)
}

var (
	_ providers.Source       = (*Source)(nil)
	_ providers.Resolver     = (*Source)(nil)
	_ providers.CommitFinder = (*Source)(nil)
	_ providers.Skipper      = (*Source)(nil)
)
