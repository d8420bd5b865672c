package gitmem

import (
	"bytes"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// keepEdits commits what somebody changed in files without committing it, so that
// the next commit holds one change only, and can be undone without losing theirs. A
// file with a secret waits, and the next commit tells.
func keepEdits(ctx context.Context, m *Memory, paths []string) error {
	paths, err := m.store.Differing(ctx, paths) // it mostly spares a wait for git's lock
	if err != nil || len(paths) == 0 {
		return err
	}
	_, err = m.store.Commit(ctx, store.Change{
		Paths: paths, Subject: "edited by hand", Time: m.o.Now(), Trailers: []string{"Gitmem-Op: keep"},
	})
	if errors.Is(err, store.ErrHeld) {
		return nil
	}
	return err
}

// keepRewritten is keepEdits for a file that only grows when nobody edits it: what
// was appended to it and not committed yet is no edit.
func keepRewritten(ctx context.Context, m *Memory, rel string) error {
	if differing, err := m.store.Differing(ctx, []string{rel}); err != nil || len(differing) == 0 {
		return err
	}
	head, err := m.store.Read("HEAD", rel)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	now, nowErr := m.store.Read("", rel)
	if err := errors.Join(err, nowErr); err != nil || bytes.HasPrefix(now, head) {
		return err
	}
	return keepEdits(ctx, m, []string{rel})
}

// writtenByHand takes the files away that hooks and the archive write.
func writtenByHand(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(rel string) bool {
		_, ours := store.ProjectOf(rel)
		return ours && (path.Base(rel) == "project.md" || strings.Contains(rel, "/sessions/") || strings.Contains(rel, "/observations/"))
	})
}
