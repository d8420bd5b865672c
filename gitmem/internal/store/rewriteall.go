package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
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
// already, unless somebody wrote to them meanwhile: then the error tells. What is
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
		old, err := s.readMaybe("", f.Path)
		if err == nil {
			_, _, err = f.Edit(bytes.Clone(old))
		}
		if err != nil {
			return fmt.Errorf("rewrite %s: %w", f.Path, err)
		}
	}
	var done []undoneEdit
	for _, f := range files {
		u, err := s.rewriteOrRemove(ctx, f)
		if err != nil {
			return errors.Join(fmt.Errorf("rewrite %s: %w", f.Path, err), s.putBack(done))
		}
		done = append(done, u)
	}
	return nil
}

// undoneEdit is what a file was before it was changed, and after; nil for none.
type undoneEdit struct {
	path       string
	was, wrote []byte
}

func (s *Store) rewriteOrRemove(ctx context.Context, f FileEdit) (undoneEdit, error) {
	u := undoneEdit{path: f.Path}
	for range rewriteTries {
		remove := false
		err := s.rewriteLocked(ctx, f.Path, func(old []byte) ([]Insertion, error) {
			edits, gone, err := f.Edit(bytes.Clone(old))
			if err != nil || gone {
				remove = gone
				return nil, err
			}
			u.was = old
			if u.wrote, err = applyEdits(old, edits); u.wrote == nil && (old != nil || len(edits) > 0) {
				u.wrote = []byte{}
			}
			return edits, err
		})
		if err != nil || !remove {
			return u, err
		}
		u.was, u.wrote, err = s.removeLocked(f)
		if !errors.Is(err, errChanged) {
			return u, err
		}
	}
	return u, fmt.Errorf("%w: it keeps changing", ErrConflict)
}

// removeLocked deletes a file if its edit still says so. What somebody wrote to
// it in the moment of the deletion brings it back.
func (s *Store) removeLocked(f FileEdit) (was, wrote []byte, err error) {
	open, err := s.disk.openPlain(f.Path, os.O_RDONLY)
	if isMissing(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer open.Close()
	current, _, err := readStable(open)
	if err != nil {
		return nil, nil, err
	}
	if _, remove, err := f.Edit(bytes.Clone(current)); err != nil || !remove {
		if err == nil {
			err = errChanged
		}
		return nil, nil, err
	}
	if err := s.unchanged(f.Path, open, current); err != nil {
		return nil, nil, err
	}
	if err := s.disk.remove(f.Path); err != nil {
		return nil, nil, err
	}
	late, _, err := readStable(open)
	if err == nil && !bytes.Equal(late, current) {
		if err = s.createWhole(f.Path, late); err == nil || errors.Is(err, fs.ErrExist) {
			err = errChanged
		}
		return nil, nil, err
	}
	return current, nil, err
}

// putBack undoes changes, the last one first.
func (s *Store) putBack(done []undoneEdit) error {
	var errs []error
	for i := len(done) - 1; i >= 0; i-- {
		u := done[i]
		if err := s.putBackOne(u); err != nil {
			errs = append(errs, fmt.Errorf("%s could not be put back as it was: %w", u.path, err))
		}
	}
	return errors.Join(errs...)
}

func (s *Store) putBackOne(u undoneEdit) error {
	if (u.was == nil) == (u.wrote == nil) && bytes.Equal(u.was, u.wrote) {
		return nil
	}
	f, err := s.disk.openPlain(u.path, os.O_RDONLY)
	switch {
	case u.wrote == nil && isMissing(err):
		return s.createWhole(u.path, u.was)
	case err != nil:
		return err
	}
	defer f.Close()
	current, info, err := readStable(f)
	if err != nil {
		return err
	}
	if u.wrote == nil || !bytes.Equal(current, u.wrote) {
		return fmt.Errorf("%w: somebody wrote to it meanwhile", ErrConflict)
	}
	if u.was == nil {
		return s.disk.remove(u.path)
	}
	_, err = s.replace(u.path, f, info, current, u.was)
	return err
}
