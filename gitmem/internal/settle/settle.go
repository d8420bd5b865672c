// Package settle resolves the conflicts that git left in files of memory without a merge driver. It knows the
// repository of memory and how two versions of a file are merged; it does not know the meaning of a file.
package settle

import (
	"context"
	"errors"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/merge"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown"
)

// Find lists the conflicts that [All] resolves: files with git's conflict markers, and unmerged paths in git's index.
func Find(s *store.Store) ([]store.Trouble, error) {
	marked, err := s.Conflicted()
	if err != nil {
		return nil, err
	}
	var found []store.Trouble
	add := func(level store.Level, path, detail string) {
		found = append(found, store.Trouble{Level: level, Path: path, Fixable: true, Detail: detail})
	}
	for _, path := range marked {
		add(store.Warn, path, "holds a conflict that git marked, and what is in it is not read")
	}
	if !s.HasRepository() {
		return found, nil
	}
	unmerged, err := s.Unmerged()
	for _, u := range unmerged {
		switch {
		case slices.Contains(marked, u.Path):
		case store.Allowed(u.Path):
			add(store.Warn, u.Path, "is unmerged, and is not committed")
		default:
			add(store.Fail, u.Path,
				"is unmerged, and is not memory: git may have written a version of it that somebody pushed")
		}
	}
	return found, err
}

// All resolves all conflicts. A merge without remaining conflicts is committed; the files of other conflicts are
// committed separately. Paths that are not memory are removed from the merge and stay on disk. An error describes what
// remains to be done, or wraps store.ErrConflict while git has an unfinished operation that a person has to continue.
func All(ctx context.Context, s *store.Store) (settled []string, err error) {
	var errs []error
	settle := func(path string, become func(now []byte) []byte) {
		err := s.Settle(ctx, path, func(now []byte) ([]byte, error) { return become(now), nil })
		if errs = append(errs, err); err == nil {
			settled = append(settled, path)
		}
	}
	if s.HasRepository() {
		unmerged, err := s.Unmerged()
		if err != nil {
			return nil, err
		}
		for _, u := range unmerged {
			if !store.Allowed(u.Path) {
				errs = append(errs, s.DropUnmerged(ctx, u.Path), foreign(u))
				continue
			}
			settle(u.Path, func(now []byte) []byte { return merged(u, now) })
		}
	}
	marked, err := s.Conflicted()
	errs = append(errs, err)
	for _, path := range marked {
		settle(path, func(now []byte) []byte { return merge.Settle(path, now) })
	}
	if !s.HasRepository() {
		return settled, errors.Join(errs...)
	}
	ended, err := s.EndMerge(ctx)
	if errs = append(errs, err); !ended && err == nil && len(settled) > 0 {
		if err = s.Busy(); err == nil {
			_, err = s.Commit(ctx, store.Change{
				Paths: settled, Subject: "settle " + messages.Plural(len(settled), "conflict"),
				Trailers: []string{"Gitmem-Op: settle"}, Fsync: true,
			})
		}
		errs = append(errs, err)
	}
	return settled, errors.Join(errs...)
}

// foreign returns a warning that git may have overwritten a file that is not memory.
func foreign(u store.Unmerged) error {
	return errors.New(u.Path + " is not memory and has left the merge: look into that file before you use it, " +
		"since git may have written a version that somebody pushed")
}

// merged returns the merged content of an unmerged file; now is its content. A person may have resolved it, or changed
// text outside the markers.
func merged(u store.Unmerged, now []byte) []byte {
	switch {
	case len(markdown.MarkedConflicts(now)) > 0:
		ours := markdown.ReplaceConflicts(now, func(c markdown.MarkedConflict) []byte { return c.Ours.Of(now) })
		theirs := markdown.ReplaceConflicts(now, func(c markdown.MarkedConflict) []byte { return c.Theirs.Of(now) })
		return merge.File(u.Path, u.Base, ours, theirs)
	case now == nil, store.SameContent(now, u.Ours), store.SameContent(now, u.Theirs):
		return merge.File(u.Path, u.Base, u.Ours, u.Theirs)
	}
	return now
}
