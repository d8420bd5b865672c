package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// Insertion puts Text at the byte offset At of a file, in the place of the Cut
// bytes there. The bytes that no insertion names stay as they are.
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
// over. ErrConflict: the file kept changing. ErrLocked, ErrNotAllowed: as
// for Commit. An error of edit is returned as it is, wrapped.
func (s *Store) Rewrite(ctx context.Context, rel string, edit func(old []byte) ([]Insertion, error)) error {
	return s.RewriteAll(ctx, []FileEdit{insertions(rel, edit)})
}

// lockRepaired takes the flock and puts right what a dead process left. A rewrite
// needs no lock of git's, so what fails there is left to the next commit.
func (s *Store) lockRepaired(ctx context.Context) (unlock func(), err error) {
	wait, cancel := s.deadline(ctx)
	defer cancel()
	if unlock, err = s.Lock(wait); err != nil {
		return nil, err
	}
	if err := s.repairLocked(wait); err != nil {
		s.o.Warn("repair: " + err.Error())
	}
	return unlock, nil
}

// rewriteTries bounds how often a file that keeps changing is tried again.
const rewriteTries = 10

// rewriteLocked is Rewrite while the flock is held.
func (s *Store) rewriteLocked(ctx context.Context, rel string, edit func([]byte) ([]Insertion, error)) error {
	u, err := s.rewriteFile(ctx, rel, insertions(rel, edit).result)
	if err != nil {
		return err
	}
	return s.setAside(u)
}

// rewriteFile lets a file hold what become makes of its bytes, nil for no file at all.
func (s *Store) rewriteFile(ctx context.Context, rel string,
	become func(old []byte) ([]byte, error)) (u undoneEdit, err error) {
	var done *replacement
	// Once a file was replaced to which others had just added, giving up would lose that.
	for try := 0; try < rewriteTries || done != nil; try++ {
		if err := ctx.Err(); err != nil && done == nil {
			return u, err
		}
		f, err := s.disk.openPlain(rel, os.O_RDONLY)
		if err != nil && !isMissing(err) {
			return u, err
		}
		u, now, err := s.rewriteOnce(rel, f, done, become)
		if err := errors.Join(err, closeIf(f)); !errors.Is(err, errChanged) {
			return u, err
		}
		if now != nil {
			done = now
		}
	}
	return u, fmt.Errorf("%w: it keeps changing", ErrConflict)
}

// errChanged asks for another try.
var errChanged = errors.New("the file changed")

// replacement is what another try starts from once a file was replaced to which
// somebody was still writing.
type replacement struct {
	base  []byte // what the replaced file holds in the end, without our edit
	wrote []byte // what is in its place, nil for nothing
}

// start returns the bytes to edit, where the file holds current now: what was added to
// the replaced file and what was added to the one in its place. A file that changed in
// another way is taken as it is.
func (r *replacement) start(current []byte) []byte {
	if r == nil {
		return current
	}
	added, ok := bytes.CutPrefix(current, r.wrote)
	if !ok {
		return current
	}
	return slices.Concat(r.base, added)
}

// rewriteOnce makes one try on the open file f, nil if there is none. done is what
// tries before it replaced, if any. If it finds after its own replacement that f had
// been written to, it returns that.
func (s *Store) rewriteOnce(rel string, f *os.File, done *replacement,
	become func([]byte) ([]byte, error)) (undoneEdit, *replacement, error) {
	u := undoneEdit{path: rel}
	current, info, err := readMaybe(f)
	if err != nil {
		return u, nil, err
	}
	u.was = done.start(current)
	if u.wrote, err = become(u.was); err != nil || SameContent(u.wrote, current) {
		return u, nil, err
	}
	late, err := s.replace(rel, f, info, current, u.wrote)
	if late == nil {
		return u, nil, err
	}
	if added, ok := bytes.CutPrefix(late, current); ok {
		late = slices.Concat(u.was, added)
	}
	return u, &replacement{late, u.wrote}, err
}

// SameContent compares two contents of a file; an empty one differs from none, which is nil.
func SameContent(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

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
			return nil, fmt.Errorf("insertion at byte %d, cutting %d of %d, after one that ends at %d", e.At,
				e.Cut, len(old), at)
		}
		b = append(append(b, old[at:e.At]...), e.Text.String()...)
		at = e.At + e.Cut
	}
	return append(b, old[at:]...), nil
}

// replace puts content in the place of a file that holds current, creates it if f is
// nil, or removes it if content is. errChanged: somebody was faster, or wrote to the
// old file, whose bytes are then returned.
func (s *Store) replace(rel string, f *os.File, info fs.FileInfo, current, content []byte) ([]byte, error) {
	dir := path.Dir(rel)
	err := s.disk.plainParents(rel)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
	case f == nil:
		if err = s.createWhole(rel, content, true); errors.Is(err, fs.ErrExist) {
			err = errChanged
		}
	case content == nil:
		if err = s.unchanged(rel, f, current); err == nil {
			err = s.disk.remove(rel)
		}
	default:
		var temp string
		if temp, err = s.disk.temp(dir, content, info.Mode().Perm(), true); err != nil {
			break
		}
		if err = s.unchanged(rel, f, current); err == nil {
			err = s.disk.rename(temp, rel)
		}
		if err != nil {
			_ = s.disk.remove(temp) // hidden and ignored if it stays
		}
	}
	if err == nil {
		err = s.disk.syncDir(dir)
	}
	if err != nil || f == nil {
		return nil, err
	}
	late, _, err := readStable(f)
	if err == nil && !bytes.Equal(late, current) {
		return late, errChanged
	}
	return nil, err
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
