package store

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"syscall"
	"time"
)

const (
	onWindows = runtime.GOOS == "windows"

	// Errors of Windows: another process has the file open, and a file is where a path needs
	// a folder.
	sharingViolation = syscall.Errno(32)
	noDirectory      = syscall.Errno(267)
)

// isMissing also covers "refs/heads/a/b" where refs/heads/a is a file.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || onWindows && errors.Is(err, noDirectory)
}

// fileMode returns the mode by which git tracks a file. On Windows files have no execute
// bit, so what HEAD says stays.
func fileMode(fi fs.FileInfo, old uint32) uint32 {
	if fi.Mode()&0o100 != 0 || onWindows && old == modeExec {
		return modeExec
	}
	return modeFile
}

// syncFlag is how a file is opened to be synced: on Windows flushing needs a writer.
func syncFlag() int {
	if onWindows {
		return os.O_RDWR
	}
	return os.O_RDONLY
}

// syncDir makes the names in a folder durable. On Windows folders can't be flushed: NTFS
// journals names.
func syncDir(root *os.Root, name string) error {
	if onWindows {
		return nil
	}
	d, err := root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// retryBusy repeats f for up to a second while another process (an editor, a virus scanner)
// has the file open. Only on Windows that is in the way.
func retryBusy(f func() error) error {
	for wait := time.Millisecond; ; wait *= 2 {
		err := f()
		busy := onWindows && (errors.Is(err, sharingViolation) || errors.Is(err, fs.ErrPermission))
		if !busy || wait > 512*time.Millisecond {
			return err
		}
		time.Sleep(wait)
	}
}
