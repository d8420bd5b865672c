package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// Insertion puts Text at the byte offset At of a file, in the place of the Cut
// bytes that stand there. The bytes that no insertion names stay as they are.
type Insertion struct {
	At   int
	Cut  int // old bytes that go; 0 only inserts
	Text redact.Clean
}

// Rewrite changes a file by insertions, in order and without overlap. edit is
// given the current bytes, nil if the file does not exist (it is then
// created); it is called again when somebody wrote to the file meanwhile, so
// it must not keep what it did. No insertions leave the file untouched. The new
// content is durable when Rewrite returns; it is not committed.
//
// Clients and editors write without our lock. The file is compared just before
// it is replaced, and what went to the replaced file in that moment is taken
// over. ErrConflict: the file never stood still. ErrLocked, ErrNotAllowed: as
// for Commit. An error of edit is returned as it is, wrapped.
func (s *Store) Rewrite(ctx context.Context, rel string, edit func(old []byte) ([]Insertion, error)) error {
	if !s.allowed(rel) {
		return fmt.Errorf("rewrite %q: %w", rel, ErrNotAllowed)
	}
	wait, cancel := s.deadline(ctx)
	defer cancel()
	unlock, err := s.Lock(wait)
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := s.repairLocked(wait); err != nil {
		// A rewrite needs no git lock; the next commit tries again.
		s.o.Warn("repair: " + err.Error())
	}
	if err := s.rewriteLocked(ctx, rel, edit); err != nil {
		return fmt.Errorf("rewrite %s: %w", rel, err)
	}
	return nil
}

// rewriteTries bounds how often a file that keeps changing is tried again.
const rewriteTries = 10

func (s *Store) rewriteLocked(ctx context.Context, rel string, edit func([]byte) ([]Insertion, error)) error {
	var theirs []byte // written to a file that we had replaced
	for range rewriteTries {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := s.disk.openPlain(rel, os.O_RDONLY)
		if err != nil && !isMissing(err) {
			return err
		}
		late, err := s.rewriteOnce(rel, f, theirs, edit)
		if err := errors.Join(err, closeIf(f)); !errors.Is(err, errChanged) {
			return err
		}
		theirs = late
	}
	return fmt.Errorf("%w: it keeps changing", ErrConflict)
}

// errChanged asks for another try.
var errChanged = errors.New("the file changed")

// rewriteOnce makes one try on the open file f, nil if there is none. theirs,
// if not nil, are the bytes to start from instead of those of f. If it finds
// after the replacement that f had been written to, it returns those bytes.
func (s *Store) rewriteOnce(rel string, f *os.File, theirs []byte, edit func([]byte) ([]Insertion, error)) ([]byte, error) {
	current, info, err := readMaybe(f)
	if err != nil {
		return nil, err
	}
	old := current
	if theirs != nil {
		old = theirs
	}
	edits, err := edit(bytes.Clone(old))
	if err != nil {
		return nil, err
	}
	content, err := applyEdits(old, edits)
	if err != nil {
		return nil, err
	}
	if len(edits) == 0 && theirs == nil || f != nil && bytes.Equal(content, current) {
		return nil, nil
	}
	return s.replace(rel, f, info, current, content)
}

func readMaybe(f *os.File) ([]byte, fs.FileInfo, error) {
	if f == nil {
		return nil, nil, nil
	}
	return readStable(f)
}

// applyEdits checks insertions and applies them.
func applyEdits(old []byte, edits []Insertion) ([]byte, error) {
	var b []byte
	at := 0
	for _, e := range edits {
		if e.At < at || e.Cut < 0 || e.Cut > len(old)-e.At {
			return nil, fmt.Errorf("insertion at byte %d, cutting %d of %d, after one that ends at %d", e.At, e.Cut, len(old), at)
		}
		b = append(append(b, old[at:e.At]...), e.Text.String()...)
		at = e.At + e.Cut
	}
	return append(b, old[at:]...), nil
}

// replace puts content in the place of a file that holds current, or creates
// it if f is nil. errChanged: somebody was faster, or wrote to the old file.
func (s *Store) replace(rel string, f *os.File, info fs.FileInfo, current, content []byte) ([]byte, error) {
	if err := s.disk.plainParents(rel); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	perm := filePerm
	if info != nil {
		perm = info.Mode().Perm()
	}
	dir := path.Dir(rel)
	temp, err := s.disk.temp(dir, content, perm, true)
	if err != nil {
		return nil, err
	}
	placed := false
	defer func() {
		if !placed {
			_ = s.disk.remove(temp) // hidden and ignored if it stays
		}
	}()
	if f == nil {
		placed, err = s.placeNew(temp, rel)
	} else if err = s.unchanged(rel, f, current); err == nil {
		err = s.disk.rename(temp, rel)
		placed = err == nil
	}
	if err != nil {
		return nil, err
	}
	if err := s.disk.syncDir(dir); err != nil {
		return nil, err
	}
	if f == nil {
		return nil, nil
	}
	late, _, err := readStable(f)
	if err == nil && !bytes.Equal(late, current) {
		return late, errChanged
	}
	return nil, err
}

// placeNew moves a temporary file to a name that must be free.
func (s *Store) placeNew(temp, rel string) (moved bool, err error) {
	err = s.disk.link(temp, rel)
	if err == nil {
		return false, nil // the temporary name still has to go
	}
	if errors.Is(err, fs.ErrExist) {
		return false, errChanged
	}
	if _, statErr := s.disk.root.Lstat(rel); statErr == nil {
		return false, errChanged
	}
	err = s.disk.rename(temp, rel) // no hard links here
	return err == nil, err
}

// unchanged returns errChanged unless the path still names f and f still holds
// the bytes.
func (s *Store) unchanged(rel string, f *os.File, want []byte) error {
	if !s.sameAt(rel, f) {
		return errChanged
	}
	now, _, err := readStable(f)
	if err == nil && !bytes.Equal(now, want) {
		err = errChanged
	}
	return err
}

// Remove deletes a file of memory. Its history stays. It takes the lock, and
// returns ErrNotFound if there is no such file.
func (s *Store) Remove(ctx context.Context, rel string) error {
	if !s.allowed(rel) {
		return fmt.Errorf("remove %q: %w", rel, ErrNotAllowed)
	}
	unlock, err := s.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := s.disk.plain(rel); isMissing(err) {
		return fmt.Errorf("remove %s: %w", rel, ErrNotFound)
	} else if err != nil {
		return fmt.Errorf("remove %s: %w", rel, err)
	}
	if err := s.disk.remove(rel); err != nil {
		return fmt.Errorf("remove %s: %w", rel, err)
	}
	return nil
}
