package github

import (
	"context"
	"fmt"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/internal/remote"
)

// getPull reads a pull request.
func (s *Source) getPull(ctx context.Context, n int) (providers.Item, error) {
	return remote.One(ctx, s.get, fmt.Sprintf("pulls/%d", n), s.pull)
}

// ByCommit returns the pull requests that contain a commit. It implements
// [providers.CommitFinder] and costs one request.
func (s *Source) ByCommit(ctx context.Context, sha string) ([]providers.Item, error) {
	return remote.ByCommit(ctx, s.wire, s.get, "commits/%s/pulls", sha, s.pull)
}

var (
	_ providers.Source       = (*Source)(nil)
	_ providers.CommitFinder = (*Source)(nil)
	_ providers.Skipper      = (*Source)(nil)
)
