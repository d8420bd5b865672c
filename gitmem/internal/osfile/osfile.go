// Package osfile adds file operations to the standard library's: locks that end with their process, crash-safe
// replacement of a file, and reading mapped files that another process may truncate. It knows system calls and no path,
// format or policy: its callers decide who waits, for how long and for what.
package osfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// WriteFile creates or overwrites a file with the output of write, and syncs it. Its name is durable after its folder
// is synced. Only its owner may read it.
func WriteFile(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// Bytes returns a function that writes b.
func Bytes(b []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(b); return err }
}

// Replace is WriteFile for a file that others may read meanwhile: it writes to temp, in the same folder, and renames
// it, so that no reader ever sees a partial file, even after a crash. The caller that passes a temp must be the only
// writer, and a leftover of a killed process is overwritten; "" generates a name.
func Replace(path, temp string, write func(io.Writer) error) error {
	if temp == "" {
		f, err := os.CreateTemp(filepath.Dir(path), ".gitmem-*.tmp") // ignored if it remains
		if err != nil {
			return err
		}
		temp = f.Name()
		_ = f.Close() // nothing was written
	}
	err := WriteFile(temp, write)
	if err == nil {
		err = RetryBusy(func() error { return os.Rename(temp, path) })
	}
	if err != nil {
		_ = os.Remove(temp) // return the first error
	}
	return err
}

const onWindows = runtime.GOOS == "windows"

// sharingViolation is the Windows error for a file that another process has open.
const sharingViolation = syscall.Errno(32)

// RetryBusy repeats f for up to a second while another process (an editor, a virus scanner) has the file open. This
// only matters on Windows.
func RetryBusy(f func() error) error {
	for wait := time.Millisecond; ; wait *= 2 {
		err := f()
		busy := onWindows && (errors.Is(err, sharingViolation) || errors.Is(err, fs.ErrPermission))
		if !busy || wait > 512*time.Millisecond {
			return err
		}
		time.Sleep(wait)
	}
}

// Unwritable reports whether an error means that a file or folder can't be written: it belongs to another user, or is
// on a read-only disk, as everything in a sandbox.
func Unwritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// SyncDir makes the names in a folder durable. On Windows folders can't be flushed: NTFS
// journals names.
func SyncDir(dir string) error {
	if onWindows {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Lock takes the lock of a file if it is free; it creates the file and its folder. The system releases it when the
// process ends, so a killed process leaves none.
func Lock(path string) (unlock func(), ok bool, err error) {
	f, ok, err := OpenLocked(path)
	if !ok {
		return nil, false, err
	}
	return func() { _ = Release(f) }, true, nil
}

// OpenLocked is Lock, but returns the locked file, for [Release].
func OpenLocked(path string) (f *os.File, ok bool, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", path, err)
	}
	if f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", path, err)
	}
	if ok, err = TryLock(f); !ok || err != nil {
		return nil, false, errors.Join(err, f.Close())
	}
	return f, true, nil
}

// Release releases a lock of [OpenLocked].
func Release(f *os.File) error { return errors.Join(Unlock(f), f.Close()) }

// IsLocked reports whether a process holds the lock of a file. It takes a free one for a
// moment.
func IsLocked(path string) (bool, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	free, err := TryLock(f)
	if free {
		err = Unlock(f)
	}
	return err == nil && !free, err
}

// OpenLog opens a file for appending; it truncates a file larger than most. It refuses links, which could lead to
// somebody else's file, and pipes, which may block their reader for ever.
func OpenLog(path string, most int64) (*os.File, error) {
	mode := os.O_APPEND | os.O_CREATE | os.O_WRONLY
	if info, err := os.Lstat(path); err == nil {
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is no regular file: remove it", path)
		}
		if info.Size() > most {
			mode |= os.O_TRUNC
		}
	}
	return os.OpenFile(path, mode, 0o600)
}

// Remove removes a file that may not exist.
func Remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
