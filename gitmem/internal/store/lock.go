package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"
)

// Lock takes the lock that gitmem's processes share, waiting up to
// Options.LockWait. It is an flock: the system frees it when its holder dies.
// Hooks that append do not take it. The error is ErrLocked, with the holder's
// name, when the lock stays busy.
func (s *Store) Lock(ctx context.Context) (unlock func(), err error) {
	ctx, cancel := s.deadline(ctx)
	defer cancel()
	for wait := newBackoff(); ; {
		f, err := s.tryLockFile()
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", s.o.Root, err)
		}
		if f != nil {
			s.nameHolder(f)
			return func() { _, _ = unlockFile(f), f.Close() }, nil // closing frees the lock if the other did not
		}
		if err := wait.sleep(ctx); err != nil {
			return nil, s.busy(err, "another gitmem holds "+lockFile+s.holder())
		}
	}
}

// tryLockFile returns the locked file, or nil if it is busy.
func (s *Store) tryLockFile() (*os.File, error) {
	f, err := s.disk.open(lockFile, os.O_RDWR|os.O_CREATE, filePerm)
	if errors.Is(err, fs.ErrNotExist) {
		if err := s.disk.mkdir(indexDir); err != nil {
			return nil, err
		}
		f, err = s.disk.open(lockFile, os.O_RDWR|os.O_CREATE, filePerm)
	}
	if err != nil {
		return nil, err
	}
	ok, err := tryLock(f)
	if ok && s.stillThere(f) {
		return f, nil
	}
	f.Close()
	return nil, err
}

// stillThere says whether f is what its path names: the cache may have been
// deleted, and the lock with it, while we waited.
func (s *Store) stillThere(f *os.File) bool {
	now, err := s.disk.root.Lstat(lockFile)
	if err != nil {
		return false
	}
	mine, err := f.Stat()
	return err == nil && os.SameFile(now, mine)
}

// nameHolder leaves a name for those who wait. It is a courtesy: an error
// changes nothing.
func (s *Store) nameHolder(f *os.File) {
	text := fmt.Sprintf("process %d on %s\n", os.Getpid(), strings.ToValidUTF8(s.o.Machine, "?"))
	if f.Truncate(0) == nil {
		_, _ = f.WriteAt([]byte(text), 0)
	}
}

func (s *Store) holder() string {
	b, _ := s.disk.root.ReadFile(lockFile)
	if line, _, ok := strings.Cut(string(b), "\n"); ok {
		return " (" + line + ")"
	}
	return ""
}

// busy turns the end of a wait into ErrLocked, unless the caller cancelled.
func (s *Store) busy(err error, what string) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: %s", ErrLocked, what)
	}
	return fmt.Errorf("waiting for a lock: %w", err)
}

// backoff spaces the tries for a lock: 1 ms, doubling up to 20 ms.
type backoff struct{ next time.Duration }

func newBackoff() *backoff { return &backoff{time.Millisecond} }

// sleep waits for the next try, or returns the error of a context that ended.
func (b *backoff) sleep(ctx context.Context) error {
	t := time.NewTimer(b.next)
	defer t.Stop()
	b.next = min(b.next*2, 20*time.Millisecond)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
