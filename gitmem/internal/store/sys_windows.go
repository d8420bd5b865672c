package store

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// tryLock takes an exclusive lock, or reports that it is busy. The locked
// range lies far behind the end of the file, because locks are mandatory here
// and the holder's name at the start has to stay readable.
func tryLock(f *os.File) (bool, error) {
	at := &windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()),
		windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}

// waitLock waits for the lock in the system's queue.
func waitLock(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
}

// unlockFile frees the lock before the file is closed.
func unlockFile(f *os.File) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
}

// syncFlag is how a file is opened to be synced: flushing needs a writer here.
const syncFlag = os.O_RDWR

// syncDir does nothing: folders can't be flushed here, NTFS journals names.
func syncDir(*os.Root, string) error { return nil }

// retryBusy repeats f for up to a second while another process (an editor, a
// virus scanner) has the file open.
func retryBusy(f func() error) error {
	for wait := time.Millisecond; ; wait *= 2 {
		err := f()
		busy := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
		if !busy || wait > 512*time.Millisecond {
			return err
		}
		time.Sleep(wait)
	}
}

// isNotDir says that a file stands where a path needs a folder.
func isNotDir(err error) bool { return errors.Is(err, windows.ERROR_DIRECTORY) }
