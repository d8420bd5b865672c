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

// Insertion replaces the Cut bytes at the byte offset At of a file by Text. All other bytes are unchanged.
type Insertion struct {
	At   int
	Cut  int // old bytes to remove; 0 only inserts
	Text redact.Clean
}

// Rewrite changes a file by insertions, in order and without overlap. edit gets the current bytes, nil if the file does
// not exist (it is then created). It is called again if the file changed meanwhile, so it must not have side effects.
// Without insertions the file is not touched. The new content is durable when Rewrite returns; it is not committed.
//
// Clients and editors write without our lock. The file is compared just before it is replaced, and text that was
// appended to the replaced file in that moment is kept. ErrConflict: the file kept changing. ErrLocked, ErrNotAllowed:
// as for Commit. An error of edit is returned wrapped.
func (s *Store) Rewrite(ctx context.Context, rel string, edit func(old []byte) ([]Insertion, error)) error {
	return s.RewriteAll(ctx, []FileEdit{insertions(rel, edit)})
}

// lockRepaired takes the flock and repairs what a dead process left. A rewrite needs no git lock, so a failed repair is
// left to the next commit.
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

// rewriteTries limits the retries for a file that keeps changing.
const rewriteTries = 10

// rewriteLocked is Rewrite for a caller that holds the flock.
func (s *Store) rewriteLocked(ctx context.Context, rel string, edit func([]byte) ([]Insertion, error)) error {
	u, err := s.rewriteFile(ctx, rel, insertions(rel, edit).result)
	if err != nil {
		return err
	}
	return s.setAside(u)
}

// rewriteFile replaces the bytes of a file by the result of become, where nil means no file.
func (s *Store) rewriteFile(ctx context.Context, rel string,
	become func(old []byte) ([]byte, error)) (u undoneEdit, err error) {
	var done *replacement
	// After a replaced file has turned out to have new text, giving up would lose that text.
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

// errChanged asks for another attempt.
var errChanged = errors.New("the file changed")

// replacement is the state for the next attempt after a file was replaced while somebody was still writing to it.
type replacement struct {
	base  []byte // final content of the replaced file, without our edit
	wrote []byte // content that replaced it, nil for no file
}

// start returns the bytes to edit for a file that now has content current: it combines the text appended to the
// replaced file and to its replacement. A file that changed in another way is used as it is.
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

// rewriteOnce makes one attempt on the open file f, nil if there is none. done is the replacement of the previous
// attempts, if any. If f turns out to have changed after its replacement, rewriteOnce returns the new replacement.
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

// SameContent compares two contents of a file; an empty file differs from a missing one, which is nil.
func SameContent(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

func readMaybe(f *os.File) ([]byte, fs.FileInfo, error) {
	if f == nil {
		return nil, nil, nil
	}
	return readStable(f)
}

// applyEdits validates insertions and applies them.
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

// replace replaces a file with content current by content, creates it if f is nil, or removes it if content is nil.
// errChanged: somebody was faster, or wrote to the old file, whose bytes are then returned.
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
			_ = s.disk.remove(temp) // hidden and ignored if it remains
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

// unchanged returns errChanged unless the path still refers to f and f still has the content.
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
