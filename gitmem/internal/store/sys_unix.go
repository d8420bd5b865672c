//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package store

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes the exclusive flock of a file, or reports that it is busy. The
// lock belongs to the open file: it ends when the file is closed, also by the
// death of the process.
func tryLock(f *os.File) (bool, error) {
	err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// waitLock waits for the lock in the system's queue.
func waitLock(f *os.File) error { return flock(f, syscall.LOCK_EX) }

func flock(f *os.File, how int) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var flockErr error
	err = raw.Control(func(fd uintptr) {
		for {
			flockErr = syscall.Flock(int(fd), how)
			if flockErr != syscall.EINTR {
				return
			}
		}
	})
	return errors.Join(err, flockErr)
}

// unlockFile frees the lock before the file is closed: a child process that is
// just being started holds the same open file for a moment.
func unlockFile(f *os.File) error { return flock(f, syscall.LOCK_UN) }

// syncFlag is how a file is opened to be synced.
const syncFlag = os.O_RDONLY

// syncDir makes the names in a folder durable.
func syncDir(root *os.Root, name string) error {
	d, err := root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// retryBusy calls f: here an open file can be replaced at any time.
func retryBusy(f func() error) error { return f() }
