package gitlab

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	gl "gitlab.com/gitlab-org/api/client-go"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// parseID parses an id.
func parseID(id string) (remote.Key, error) {
	return remote.ParseKey(id, []string{mrID, issueID}, []string{noteID})
}

// numberIn is the number of the thread in an id, 0 if it is invalid.
func numberIn(id string) int {
	k, _ := parseID(id)
	return k.Number
}

// Resolve returns the item with an id. It implements [providers.Resolver]. A merge request
// has more than in a fetch, for three more requests: its commits, its files, and the issues
// that it will close.
func (s *Source) Resolve(ctx context.Context, id string) (providers.Item, error) {
	k, err := parseID(id)
	return s.wire.Resolve(ctx, id, err, func() (it providers.Item, err error) {
		switch k.Kind {
		case mrID:
			if it, err = s.getMergeRequest(ctx, k.Number); err == nil {
				s.addCommits(ctx, k.Number, &it)
				s.addFiles(ctx, k.Number, &it)
				s.addClosed(ctx, k.Number, &it)
			}
		case issueID:
			if it, err = s.getIssue(ctx, k.Number); err == nil && it.State == "closed" {
				s.addClosers(ctx, k.Number, &it)
			}
		case noteID:
			it, err = s.getNote(ctx, k)
		}
		return it, err
	})
}

func (s *Source) getMergeRequest(ctx context.Context, n int) (providers.Item, error) {
	return remote.One(ctx, s.get, fmt.Sprintf("merge_requests/%d", n), s.mergeRequest)
}

func (s *Source) getIssue(ctx context.Context, n int) (providers.Item, error) {
	confidential := false
	it, err := remote.One(ctx, s.get, fmt.Sprintf("issues/%d", n), func(i *issue) (providers.Item, bool) {
		confidential = i.Confidential
		return s.issue(i)
	})
	if confidential {
		return providers.Item{}, fmt.Errorf("issue %d is confidential: %w", n, providers.ErrNotFound)
	}
	return it, err
}

// getNote looks among the notes of the merge request with the number first, then among
// those of the issue: the id is the same for both.
func (s *Source) getNote(ctx context.Context, k remote.Key) (providers.Item, error) {
	for _, thread := range [...]string{fmt.Sprint(mrID, k.Number), fmt.Sprint(issueID, k.Number)} {
		var n gl.Note
		_, err := s.get(ctx, fmt.Sprintf("%s/%d", notesPath(thread), k.ID), nil, "", &n)
		if errors.Is(err, providers.ErrNotFound) {
			continue
		}
		if err != nil {
			return providers.Item{}, err
		}
		if it, ok := s.note(thread, &n); ok && !n.System && !n.Internal {
			return it, nil
		}
	}
	return providers.Item{}, fmt.Errorf("note %d of %d: %w", k.ID, k.Number, providers.ErrNotFound)
}

// addCommits links the commits of a merge request, up to 100.
func (s *Source) addCommits(ctx context.Context, n int, it *providers.Item) {
	remote.Each(ctx, s.get, fmt.Sprintf("merge_requests/%d/commits", n), &gl.ListOptions{PerPage: pageSize}, &s.tally, "merge requests without the list of their commits", func(c *gl.Commit) {
		it.Links = remote.LinkCommit(it.Links, c.ID)
	})
}

// addFiles adds the files of a merge request, up to 100. GitLab does not count their lines.
func (s *Source) addFiles(ctx context.Context, n int, it *providers.Item) {
	remote.Each(ctx, s.get, fmt.Sprintf("merge_requests/%d/diffs", n), &gl.ListOptions{PerPage: pageSize}, &s.tally, "merge requests without the list of their files", func(f *gl.MergeRequestDiff) {
		if f.NewPath != "" {
			it.Paths = append(it.Paths, strings.ToValidUTF8(f.NewPath, "\uFFFD"))
		}
	})
}

// addClosed links the issues that a merge request closes.
func (s *Source) addClosed(ctx context.Context, n int, it *providers.Item) {
	remote.Each(ctx, s.get, fmt.Sprintf("merge_requests/%d/closes_issues", n), &gl.ListOptions{PerPage: pageSize}, &s.tally, "merge requests without the issues that they close", func(i *issue) {
		if i.IID > 0 && i.WebURL == fmt.Sprintf("%s/-/issues/%d", s.site, i.IID) {
			it.Links = remote.AddLink(it.Links, providers.Link{Rel: providers.Closes, ID: issueID + strconv.FormatInt(i.IID, 10)})
		}
	})
}

// addClosers links the merge requests that closed an issue.
func (s *Source) addClosers(ctx context.Context, n int, it *providers.Item) {
	remote.Each(ctx, s.get, fmt.Sprintf("issues/%d/closed_by", n), &gl.ListOptions{PerPage: pageSize}, &s.tally, "issues without what closed them", func(m *gl.BasicMergeRequest) {
		if m.IID > 0 && m.State == "merged" {
			it.Links = remote.AddLink(it.Links, providers.Link{Rel: providers.ClosedBy, ID: mrID + strconv.FormatInt(m.IID, 10)})
		}
	})
}

// ByCommit returns the merge requests that contain a commit. It implements
// [providers.CommitFinder] and costs one request.
func (s *Source) ByCommit(ctx context.Context, sha string) ([]providers.Item, error) {
	return remote.ByCommit(ctx, s.wire, s.get, "repository/commits/%s/merge_requests", sha, s.mergeRequest)
}

var (
	_ providers.Source       = (*Source)(nil)
	_ providers.Resolver     = (*Source)(nil)
	_ providers.CommitFinder = (*Source)(nil)
	_ providers.Skipper      = (*Source)(nil)
)
