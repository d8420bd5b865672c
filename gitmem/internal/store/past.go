package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gitmem/gitmem/providers/git"
)

// Look returns one commit of the memory's history: HEAD, a branch, a tag or an id of at least 4 digits, each with an
// optional ~n or ^n suffix. Like Log it lists no paths for a merge. It returns ErrNotFound if there is none.
func (s *Store) Look(ctx context.Context, rev string) (CommitInfo, error) {
	all, err := s.LookAll(ctx, []string{rev})
	return all[rev], err
}

// LookAll returns several commits by their ids, each read once.
func (s *Store) LookAll(ctx context.Context, ids []string) (map[string]CommitInfo, error) {
	repo, err := s.openHistory()
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	out := map[string]CommitInfo{}
	for _, id := range ids {
		if _, ok := out[id]; ok {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if out[id], err = look(repo, id); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func look(repo *git.Repository, rev string) (CommitInfo, error) {
	c, err := repo.Commit(rev)
	if err != nil {
		return CommitInfo{}, orAbsent(rev, err)
	}
	return commitInfo(c), nil
}

// At returns the commit of the branch at a time, "" if its history begins later.
func (s *Store) At(t time.Time) (string, error) {
	repo, err := s.openHistory()
	if err != nil {
		return "", err
	}
	defer repo.Close()
	id, err := repo.At(t)
	if errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrEmpty) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("history at %s: %w", t.Format(time.RFC3339), err)
	}
	return id, nil
}

// Began returns the time of the first commit, or the zero time if there is none or the history is cut off.
func (s *Store) Began() (time.Time, error) {
	repo, err := s.openHistory()
	if err != nil {
		return time.Time{}, err
	}
	defer repo.Close()
	id, err := repo.Root()
	if errors.Is(err, git.ErrEmpty) || errors.Is(err, git.ErrShallow) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("the beginning of the history: %w", err)
	}
	c, err := repo.Commit(id)
	return c.Committer.When, err
}
