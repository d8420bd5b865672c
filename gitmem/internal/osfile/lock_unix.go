//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package osfile

import (
	"errors"
	"os"
	"syscall"
)

// TryLock takes the exclusive flock of a file, or returns false if it is busy. The lock belongs to the open file: it
// ends when the file is closed or the process dies.
func TryLock(f *os.File) (bool, error) {
	err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// WaitLock waits for the lock in the system's queue.
func WaitLock(f *os.File) error { return flock(f, syscall.LOCK_EX) }

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

// Unlock releases the lock before the file is closed: a child process that is just being started has the same open file
// for a moment.
func Unlock(f *os.File) error { return flock(f, syscall.LOCK_UN) }
