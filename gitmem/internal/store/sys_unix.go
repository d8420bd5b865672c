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
	raw, err := f.SyscallConn()
	if err != nil {
		return false, err
	}
	var flockErr error
	err = raw.Control(func(fd uintptr) {
		for {
			flockErr = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB)
			if flockErr != syscall.EINTR {
				return
			}
		}
	})
	if err != nil {
		return false, err
	}
	if errors.Is(flockErr, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return flockErr == nil, flockErr
}

// unlockFile frees the lock before the file is closed: a child process that is
// just being started holds the same open file for a moment.
func unlockFile(f *os.File) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var flockErr error
	err = raw.Control(func(fd uintptr) { flockErr = syscall.Flock(int(fd), syscall.LOCK_UN) })
	return errors.Join(err, flockErr)
}

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
