// Package osfile adds file operations to the standard library's: locks that end with their
// process, complete replacement of a file that survives a crash, and reading mapped files
// that another process may truncate. It knows the systems' calls and no path, format or policy: who waits, for how long
// and for what belongs to its callers.
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

// WriteFile makes a file, or makes one that is there anew, of what write gives, and
// syncs it. Its name lasts when its folder is synced. Only its owner may read it.
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

// Bytes writes b.
func Bytes(b []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(b); return err }
}

// Replace is WriteFile for a file that others may read meanwhile: it is written as temp, in
// the same folder, and moved into its place, so that nobody, also after a crash, sees half of
// it. Whoever gives temp is the only writer, and what a killed one left is written over; ""
// takes a name of its own.
func Replace(path, temp string, write func(io.Writer) error) error {
	if temp == "" {
		f, err := os.CreateTemp(filepath.Dir(path), ".gitmem-*.tmp") // ignored if it stays
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
		_ = os.Remove(temp) // the first error matters
	}
	return err
}

const onWindows = runtime.GOOS == "windows"

// sharingViolation is the error of Windows where another process has the file open.
const sharingViolation = syscall.Errno(32)

// RetryBusy repeats f for up to a second while another process (an editor, a virus scanner)
// has the file open. Only on Windows that is in the way.
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

// Unwritable reports whether an error says that a file or folder can't be written: it is another user's, or
// on a read-only disk, as all is in a sandbox.
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

// Lock takes the lock of a file, which it creates with its folder, if it is free. The system
// frees it when the process ends, so a killed one leaves none.
func Lock(path string) (unlock func(), ok bool, err error) {
	f, ok, err := OpenLocked(path)
	if !ok {
		return nil, false, err
	}
	return func() { _ = Release(f) }, true, nil
}

// OpenLocked is Lock, and returns the file that holds the lock, which [Release] frees.
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

// Release frees a lock of [OpenLocked].
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

// OpenLog opens a file to append to it, one that is larger than most anew. A link would
// lead to somebody else's file, and a pipe may block its reader for ever.
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

// Remove removes a file that may be gone already.
func Remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
