package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// Lock takes the lock that all gitmem processes share, waiting up to Options.LockWait. It is an flock: the system
// releases it when its holder dies. Waiting processes are in the system's queue and get the lock in turn. With polling,
// newcomers overtake: with eight busy writers one process waited for seconds. Hooks that append do not take the lock.
// The error is ErrLocked, with the holder's name, if the lock stays busy.
func (s *Store) Lock(ctx context.Context) (unlock func(), err error) {
	unlock, _, err = s.lockRestoring(ctx)
	return unlock, err
}

// lockRestoring is Lock and also returns the late commits that it made, by file.
func (s *Store) lockRestoring(ctx context.Context) (unlock func(), made map[string]string, err error) {
	if ctx.Value(holding{s}) != nil {
		return func() {}, nil, nil
	}
	ctx, cancel := s.deadline(ctx)
	defer cancel()
	for {
		f, err := s.openLockFile()
		if err != nil {
			return nil, nil, fmt.Errorf("lock %s: %w", s.o.Root, err)
		}
		if err := queue(ctx, f); err != nil {
			if ctx.Err() != nil {
				return nil, nil, s.busy(ctx.Err(), "another gitmem holds "+lockFile+s.holder())
			}
			return nil, nil, fmt.Errorf("lock %s: %w", s.o.Root, errors.Join(err, f.Close()))
		}
		if s.sameAt(lockFile, f) { // otherwise the cache and its lock were deleted while we waited
			// for the error message of a waiting process
			_, _ = f.WriteAt(fmt.Appendf(nil, "process %d on %s\n", os.Getpid(), strings.ToValidUTF8(s.o.Machine, "?")), 0)
			made, err := s.restoreLocked(ctx)
			if err != nil && !errors.Is(err, context.Canceled) {
				s.o.Warn("what waits in " + pendingDir + " is not committed yet: " + err.Error())
			}
			return func() { _, _ = osfile.Unlock(f), f.Close() }, made, nil // closing releases the lock if Unlock failed
		}
		f.Close()
	}
}

// holding is the context key that marks a store's lock as held.
type holding struct{ s *Store }

// Hold takes the lock for steps that belong together, such as writing a file and committing it: otherwise another
// process could commit the change in between. Calls with the returned context use the held lock; release frees it. The
// error is that of Lock.
func (s *Store) Hold(ctx context.Context) (held context.Context, release func(), err error) {
	release, err = s.Lock(ctx)
	if err != nil {
		return ctx, nil, err
	}
	return context.WithValue(ctx, holding{s}, true), release, nil
}

func (s *Store) openLockFile() (*os.File, error) {
	if err := s.regular(lockFile); err != nil {
		return nil, err
	}
	return s.disk.openMaking(lockFile, os.O_RDWR|os.O_CREATE, filePerm)
}

// queue waits for the lock of a file. The system call can't be cancelled: if the context ends first, a lock that
// arrives late is released by closing the file.
func queue(ctx context.Context, f *os.File) error {
	if ok, err := osfile.TryLock(f); ok || err != nil {
		return err
	}
	got := make(chan error, 1)
	go func() { got <- osfile.WaitLock(f) }()
	select {
	case err := <-got:
		return err
	case <-ctx.Done():
		go func() {
			if <-got == nil {
				_ = osfile.Unlock(f)
			}
			f.Close()
		}()
		return ctx.Err()
	}
}

func (s *Store) holder() string {
	b, _ := s.disk.readFile(lockFile)
	if line, _, ok := strings.Cut(string(b), "\n"); ok {
		return " (" + line + ")"
	}
	return ""
}

// busy turns a timeout into ErrLocked, unless the caller cancelled.
func (s *Store) busy(err error, what string) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: %s", ErrLocked, what)
	}
	return fmt.Errorf("waiting for a lock: %w", err)
}
