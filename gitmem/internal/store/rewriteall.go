package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gitmem/gitmem/markdown"
)

// FileEdit changes one file. Edit gets the current bytes, nil if the file does not exist, and returns insertions as for
// [Store.Rewrite], or that the file is to be removed. It may be called more than once, so it must not have side
// effects.
type FileEdit struct {
	Path string
	Edit func(old []byte) (edits []Insertion, remove bool, err error)
}

// RewriteAll changes several files under one lock. It first calls every Edit: an error of any leaves all files
// untouched. A later error, such as a full disk or a file that changed so that its Edit refuses, reverts the files
// already changed, except those that somebody wrote to meanwhile: the error names them. The changes are durable when
// RewriteAll returns; they are not committed. Bytes that others write meanwhile are kept, as in Rewrite.
func (s *Store) RewriteAll(ctx context.Context, files []FileEdit) error {
	for _, f := range files {
		if !s.allowed(f.Path) {
			return fmt.Errorf("rewrite %q: %w", f.Path, ErrNotAllowed)
		}
	}
	unlock, err := s.lockRepaired(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	for _, f := range files {
		if len(files) == 1 {
			break // no other file is changed before the error
		}
		old, err := s.ReadMaybe("", f.Path)
		if err == nil {
			_, err = f.result(old)
		}
		if err != nil {
			return fmt.Errorf("rewrite %s: %w", f.Path, err)
		}
	}
	var done []undoneEdit
	for _, f := range files {
		u, err := s.rewriteFile(ctx, f.Path, f.result)
		if err == nil {
			done = append(done, u)
			err = s.setAside(u)
		}
		if err != nil {
			return errors.Join(fmt.Errorf("rewrite %s: %w", f.Path, err), s.putBack(done))
		}
	}
	return nil
}

// insertions returns an edit that never removes the file.
func insertions(rel string, edit func([]byte) ([]Insertion, error)) FileEdit {
	return FileEdit{rel, func(old []byte) ([]Insertion, bool, error) {
		edits, err := edit(old)
		return edits, false, err
	}}
}

// result returns the new content of a file, nil if it is removed or not created.
func (f FileEdit) result(old []byte) ([]byte, error) {
	edits, remove, err := f.Edit(bytes.Clone(old))
	if err != nil {
		return nil, cmp.Or(CheckConflict(f.Path, old), err)
	}
	if remove {
		return nil, nil
	}
	now, err := applyEdits(old, edits)
	if now == nil && (old != nil || len(edits) > 0) {
		now = []byte{}
	}
	if err == nil && !bytes.HasPrefix(now, old) && CheckConflict(f.Path, now) != nil { // appending is safe
		err = CheckConflict(f.Path, old)
	}
	return now, err
}

// CheckConflict returns ErrConflict if a file contains git's conflict markers. Such a file can be appended to and
// deleted, and an edit may resolve the conflict.
func CheckConflict(rel string, text []byte) error {
	found := markdown.MarkedConflicts(text)
	if len(found) == 0 {
		return nil
	}
	line := 1 + bytes.Count(text[:found[0].Whole.Start], []byte("\n"))
	return fmt.Errorf("%w: git has marked one in %s line %d; gitmem doctor --fix settles it", ErrConflict, rel, line)
}

// undoneEdit is the content of a file before and after a change; nil for no file.
type undoneEdit struct {
	path       string
	was, wrote []byte
}

// putBack undoes changes, the last one first.
func (s *Store) putBack(done []undoneEdit) error {
	var errs []error
	for _, u := range slices.Backward(done) {
		// No caller's context: a cancelled call must not leave half of the files changed.
		_, err := s.rewriteFile(context.Background(), u.path, func(old []byte) ([]byte, error) {
			switch {
			case SameContent(u.was, u.wrote):
				return old, nil
			case !SameContent(old, u.wrote):
				return nil, fmt.Errorf("%w: somebody wrote to it meanwhile", ErrConflict)
			}
			return u.was, nil
		})
		if err != nil {
			errs = append(errs, fmt.Errorf("%s could not be put back as it was: %w", u.path, err))
		}
	}
	return errors.Join(errs...)
}
