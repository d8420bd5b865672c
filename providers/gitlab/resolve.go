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

// parseID takes an id apart.
func parseID(id string) (remote.Key, error) {
	return remote.ParseKey(id, []string{mrID, issueID}, []string{noteID})
}

// numberIn is the number of the thread in an id, 0 where there is none.
func numberIn(id string) int {
	k, _ := parseID(id)
	return k.Number
}

// Resolve returns the item with an id. It implements [providers.Resolver]. A
// merge request comes with more than a fetch gives, for three more requests: its
// commits, its files, and the issues that GitLab will close with it.
func (s *Source) Resolve(ctx context.Context, id string) (providers.Item, error) {
	return s.wire.Resolve(ctx, id, []string{mrID, issueID}, []string{noteID}, func(k remote.Key) (it providers.Item, err error) {
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
	var m gl.BasicMergeRequest
	if _, _, err := s.get(ctx, fmt.Sprintf("merge_requests/%d", n), nil, "", &m); err != nil {
		return providers.Item{}, err
	}
	it, ok := s.mergeRequest(&m)
	if !ok {
		return providers.Item{}, fmt.Errorf("gitlab: merge request %d: %w", n, providers.ErrMalformed)
	}
	return it, nil
}

func (s *Source) getIssue(ctx context.Context, n int) (providers.Item, error) {
	var i issue
	if _, _, err := s.get(ctx, fmt.Sprintf("issues/%d", n), nil, "", &i); err != nil {
		return providers.Item{}, err
	}
	it, ok := s.issue(&i)
	if !ok {
		return providers.Item{}, fmt.Errorf("gitlab: issue %d: %w", n, providers.ErrMalformed)
	}
	if i.Confidential {
		return providers.Item{}, fmt.Errorf("issue %d is confidential: %w", n, providers.ErrNotFound)
	}
	return it, nil
}

// getNote looks among the notes of the merge request with the number first, then
// among those of the issue: an id does not tell them apart.
func (s *Source) getNote(ctx context.Context, k remote.Key) (providers.Item, error) {
	for _, thread := range [...]string{fmt.Sprint(mrID, k.Number), fmt.Sprint(issueID, k.Number)} {
		var n gl.Note
		_, _, err := s.get(ctx, fmt.Sprintf("%s/%d", notesPath(thread), k.ID), nil, "", &n)
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

// first is the first page of a list below a thread.
func first() *gl.ListOptions { return &gl.ListOptions{PerPage: pageSize} }

// addCommits links the commits of a merge request, up to 100.
func (s *Source) addCommits(ctx context.Context, n int, it *providers.Item) {
	var commits []*gl.Commit
	if _, _, err := s.get(ctx, fmt.Sprintf("merge_requests/%d/commits", n), first(), "", &commits); err != nil {
		s.tally.Add("merge requests without the list of their commits", 1)
		return
	}
	for _, c := range commits {
		if c != nil {
			it.Links = remote.LinkCommit(it.Links, c.ID)
		}
	}
}

// addFiles tells the files of a merge request, up to 100. GitLab does not count
// their lines.
func (s *Source) addFiles(ctx context.Context, n int, it *providers.Item) {
	var files []*gl.MergeRequestDiff
	if _, _, err := s.get(ctx, fmt.Sprintf("merge_requests/%d/diffs", n), first(), "", &files); err != nil {
		s.tally.Add("merge requests without the list of their files", 1)
		return
	}
	for _, f := range files {
		if f != nil && f.NewPath != "" {
			it.Paths = append(it.Paths, strings.ToValidUTF8(f.NewPath, "\uFFFD"))
		}
	}
}

// addClosed links the issues that a merge request closes.
func (s *Source) addClosed(ctx context.Context, n int, it *providers.Item) {
	var issues []*issue
	if _, _, err := s.get(ctx, fmt.Sprintf("merge_requests/%d/closes_issues", n), first(), "", &issues); err != nil {
		s.tally.Add("merge requests without the issues that they close", 1)
		return
	}
	for _, i := range issues {
		if i != nil && i.IID > 0 && i.WebURL == fmt.Sprintf("%s/-/issues/%d", s.site, i.IID) {
			it.Links = remote.AddLink(it.Links, providers.Link{Rel: providers.Closes, ID: issueID + strconv.FormatInt(i.IID, 10)})
		}
	}
}

// addClosers links the merge requests that closed an issue.
func (s *Source) addClosers(ctx context.Context, n int, it *providers.Item) {
	var requests []*gl.BasicMergeRequest
	if _, _, err := s.get(ctx, fmt.Sprintf("issues/%d/closed_by", n), first(), "", &requests); err != nil {
		s.tally.Add("issues without what closed them", 1)
		return
	}
	for _, m := range requests {
		if m != nil && m.IID > 0 && m.State == "merged" {
			it.Links = remote.AddLink(it.Links, providers.Link{Rel: providers.ClosedBy, ID: mrID + strconv.FormatInt(m.IID, 10)})
		}
	}
}

// ByCommit returns the merge requests that hold a commit. It implements
// [providers.CommitFinder] and costs one request.
func (s *Source) ByCommit(ctx context.Context, sha string) ([]providers.Item, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(remote.LinkCommit(nil, sha)) == 0 {
		return nil, fmt.Errorf("%.80q is not the full id of a commit: %w", sha, providers.ErrNotFound)
	}
	s.wire.Begin()
	var found []*gl.BasicMergeRequest
	_, _, err := s.get(ctx, "repository/commits/"+strings.ToLower(sha)+"/merge_requests", nil, "", &found)
	if err != nil {
		return nil, err
	}
	var out []providers.Item
	for _, m := range found {
		if m == nil {
			continue
		}
		if it, ok := s.mergeRequest(m); ok {
			it.Links = remote.LinkCommit(it.Links, sha)
			out = append(out, it)
		}
	}
	return out, nil
}

var (
	_ providers.Source       = (*Source)(nil)
	_ providers.Resolver     = (*Source)(nil)
	_ providers.CommitFinder = (*Source)(nil)
	_ providers.Skipper      = (*Source)(nil)
)
