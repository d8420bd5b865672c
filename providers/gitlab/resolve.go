package gitlab

import (
	"context"
	"fmt"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

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

// ByCommit returns the merge requests that contain a commit. It implements
// [providers.CommitFinder] and costs one request.
func (s *Source) ByCommit(ctx context.Context, sha string) ([]providers.Item, error) {
	return remote.ByCommit(ctx, s.wire, s.get, "repository/commits/%s/merge_requests", sha, s.mergeRequest)
}

var (
	_ providers.Source       = (*Source)(nil)
	_ providers.CommitFinder = (*Source)(nil)
	_ providers.Skipper      = (*Source)(nil)
)
