package git

import (
	"context"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
)

// MergedBy returns the commit on HEAD's line of first parents that contains a commit, 40 hex digits, for the
// first time: the merge of its branch, or the commit itself. It returns [ErrNotFound] if the commit is not
// reachable from HEAD. It only visits commits that are not older than this one, with a tolerance of one day
// for wrong clocks.
func (r *Repository) MergedBy(ctx context.Context, commit string) (string, error) {
	target := plumbing.NewHash(commit)
	c, err := r.metadataOf(target)
	if err != nil {
		return "", err
	}
	head, err := r.Head()
	if err != nil {
		return "", err
	}
	oldest := c.seconds - slack
	not := map[plumbing.Hash]bool{}
	found := plumbing.ZeroHash
	var line []plumbing.Hash
	for id := plumbing.NewHash(head.Hash); ; {
		line = append(line, id)
		c, err := r.metadataOf(id)
		if err != nil && !isDamage(err) {
			return "", err
		}
		if err != nil || len(c.parents) == 0 || c.seconds < oldest || id == target {
			break
		}
		id = c.parents[0]
	}
	// Search from the oldest: commits that did not lead there need not be visited again.
	for i := len(line) - 1; i >= 0 && found.IsZero(); i-- {
		ok, err := r.leadsTo(ctx, line[i], target, oldest, not)
		if err != nil {
			return "", err
		}
		if ok {
			found = line[i]
		}
	}
	if found.IsZero() {
		return "", fmt.Errorf("commit %s: %w behind HEAD", commit, ErrNotFound)
	}
	return found.String(), nil
}

// Removed returns the newest commit reachable from a revision that removed a path, against its first parent,
// or [ErrNotFound].
func (r *Repository) Removed(ctx context.Context, rev, path string) (string, error) {
	id, err := r.resolve(rev)
	if err != nil {
		return "", err
	}
	gone, _, err := r.removal(ctx, id, nil, path)
	switch {
	case err != nil:
		return "", err
	case gone == nil:
		return "", fmt.Errorf("%s: %w in the history of %s", path, ErrNotFound, rev)
	}
	return gone.id.String(), nil
}
