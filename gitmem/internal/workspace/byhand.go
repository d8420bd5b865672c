package workspace

import (
	"bytes"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// KeepEdits commits what somebody changed in files without committing it, so that
// the next commit holds one change only, and can be undone without losing theirs. A
// file with a secret waits, and the next commit reports it. So does one that a commit of
// gitmem's waits for.
func KeepEdits(ctx context.Context, m *Workspace, paths []string) error {
	paths, err := m.Store.Differing(ctx, paths) // it mostly spares a wait for git's lock
	if err != nil || len(paths) == 0 {
		return err
	}
	late, err := m.Store.Waiting()
	if err != nil {
		return err
	}
	if paths = slices.DeleteFunc(paths, func(p string) bool { return slices.Contains(late, p) }); len(paths) == 0 {
		return nil
	}
	_, err = m.Store.Commit(ctx, store.HandEdits(paths, m.Options.Now()))
	if errors.Is(err, store.ErrHeld) {
		return nil
	}
	return err
}

// KeepRewritten is KeepEdits for files that only grow when nobody edits them: what
// was appended to one and not committed yet is no edit.
func KeepRewritten(ctx context.Context, m *Workspace, paths ...string) error {
	paths, err := m.Store.Differing(ctx, paths)
	var edited []string
	for _, rel := range paths {
		head, headErr := m.Store.Read("HEAD", rel)
		now, nowErr := m.Store.Read("", rel)
		switch {
		case errors.Is(headErr, store.ErrNotFound):
		case headErr != nil || nowErr != nil && !errors.Is(nowErr, store.ErrNotFound):
			err = errors.Join(err, headErr, nowErr)
		case !bytes.HasPrefix(now, head):
			edited = append(edited, rel)
		}
	}
	return errors.Join(err, KeepEdits(ctx, m, edited))
}

// WrittenByHand takes the files away that hooks and the archive write.
func WrittenByHand(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(rel string) bool {
		_, ours := store.ProjectOf(rel)
		return ours && (path.Base(rel) == "project.md" || strings.Contains(rel, "/sessions/") || strings.Contains(rel, "/observations/"))
	})
}
