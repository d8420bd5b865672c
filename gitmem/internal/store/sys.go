package store

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

const (
	onWindows = runtime.GOOS == "windows"

	// noDirectory is the Windows error for a path with a file in place of a folder.
	noDirectory = syscall.Errno(267)
)

// isMissing also covers "refs/heads/a/b" if refs/heads/a is a file.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || onWindows && errors.Is(err, noDirectory)
}

// fileMode returns the mode with which git tracks a file. On Windows files have no execute bit, so the mode in HEAD
// stays.
func fileMode(fi fs.FileInfo, old uint32) uint32 {
	if fi.Mode()&0o100 != 0 || onWindows && old == modeExec {
		return modeExec
	}
	return modeFile
}

// syncFlag returns the flag to open a file with for a sync: on Windows flushing needs write access.
func syncFlag() int {
	if onWindows {
		return os.O_RDWR
	}
	return os.O_RDONLY
}
