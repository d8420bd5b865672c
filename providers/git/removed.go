package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/providers"
)

// RemovedItems returns the ids of the items that a cursor covers and that are no longer part of the history:
// after a rebase, or on another branch. It costs about the number of commits by which the two histories
// differ.
//
// [providers.ErrDiverged] means that this is unknown, because a tip of the cursor no longer exists or a
// shallow clone was deepened. If a clock went back by more than a month, followed by a thousand commits, the
// result may include an item that is part of the history.
func (s *Source) RemovedItems(ctx context.Context, from providers.Cursor) ([]string, error) {
	old, now, err := s.between(from)
	if err != nil || len(old.Tips) == 0 || slices.Equal(old.Tips, now.Tips) {
		return nil, err
	}
	was, err := s.repo.resolveAll(old.Tips)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", providers.ErrDiverged, err)
	}
	for _, id := range was {
		if _, err := s.repo.readCommit(id); err != nil {
			if isDamage(err) {
				err = fmt.Errorf("%w: %w", providers.ErrDiverged, err)
			}
			return nil, err
		}
	}
	is, err := s.repo.resolveAll(now.Tips)
	if err != nil {
		return nil, err
	}
	lost, err := newWalker(s.repo).between(ctx, was, is, careful())
	if err != nil {
		return nil, fmt.Errorf("look for commits that are gone: %w", err)
	}
	return slice.Map(lost, func(n *node) string { return commitID + n.id.String() }), nil
}

// between returns the old cursor, parsed, and the current one.
func (s *Source) between(from providers.Cursor) (old, now cursor, err error) {
	if old, err = parseCursor(from); err != nil {
		return old, now, err
	}
	if now, err = s.position(); err != nil {
		return old, now, err
	}
	if len(old.Tips) > 0 && old.Shallow != now.Shallow {
		return old, now, fmt.Errorf("the clone was made deeper or shallower: %w", providers.ErrDiverged)
	}
	return old, now, nil
}

// Items yields the items with these ids in the order of the ids, without their releases. It returns the ids
// that do not exist here.
func (s *Source) Items(ctx context.Context, ids []string,
	yield func(providers.Item) error) (missing []string, err error) {
	mm := s.repo.Mailmap()
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return missing, err
		}
		sha, ok := strings.CutPrefix(id, commitID)
		if !ok || len(sha) != 40 || !isHex(sha) {
			missing = append(missing, id)
			continue
		}
		c, err := s.repo.commit(ctx, sha, s.diffTerms, mm)
		if errors.Is(err, ErrNotFound) || isDamage(err) {
			missing = append(missing, id)
			continue
		}
		if err != nil {
			return missing, fmt.Errorf("%s: %w", id, err)
		}
		if err := yield(s.item(c)); err != nil {
			return missing, err
		}
	}
	return missing, nil
}
