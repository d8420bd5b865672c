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

// FileEdit changes one file. Edit is given the current bytes, nil if the file
// does not exist, and returns what to do, as for [Store.Rewrite], or that the
// file shall go. It may be called more than once, so it must not keep what it did.
type FileEdit struct {
	Path string
	Edit func(old []byte) (edits []Insertion, remove bool, err error)
}

// RewriteAll changes several files under one lock. First every Edit is asked: an
// error of any leaves all files untouched. An error later, such as a full disk or
// a file that changed so that its Edit refuses, puts back those that were changed
// already, unless somebody wrote to them meanwhile: then the error names them. What is
// changed is durable when RewriteAll returns; it is not committed. Bytes that
// others write meanwhile are kept, as in Rewrite.
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
			break // no other file is changed before it refuses
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

// insertions is an edit that never removes the file.
func insertions(rel string, edit func([]byte) ([]Insertion, error)) FileEdit {
	return FileEdit{rel, func(old []byte) ([]Insertion, bool, error) {
		edits, err := edit(old)
		return edits, false, err
	}}
}

// result returns what a file becomes, nil where it goes or does not come to be.
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
	if err == nil && !bytes.HasPrefix(now, old) && CheckConflict(f.Path, now) != nil { // added to the end it is safe
		err = CheckConflict(f.Path, old)
	}
	return now, err
}

// CheckConflict is an error, ErrConflict, where git has marked a conflict in a file. It can be
// appended to and deleted, and an edit may settle it.
func CheckConflict(rel string, text []byte) error {
	found := markdown.MarkedConflicts(text)
	if len(found) == 0 {
		return nil
	}
	line := 1 + bytes.Count(text[:found[0].Whole.Start], []byte("\n"))
	return fmt.Errorf("%w: git has marked one in %s line %d; gitmem doctor --fix settles it", ErrConflict, rel, line)
}

// undoneEdit is what a file was before it was changed, and after; nil for none.
type undoneEdit struct {
	path       string
	was, wrote []byte
}

// putBack undoes changes, the last one first.
func (s *Store) putBack(done []undoneEdit) error {
	var errs []error
	for _, u := range slices.Backward(done) {
		// Without a context: half of the files must not stay changed since a call was called off.
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
