package store

import (
	"context"
	"os/exec"
)

// WithoutGit lets a store work as on a machine that has no git.
func WithoutGit(s *Store) {
	s.git = func(context.Context, []byte, ...string) error { return exec.ErrNotFound }
}
