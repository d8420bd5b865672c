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

	// noDirectory is the error of Windows where a file is where a path needs a folder.
	noDirectory = syscall.Errno(267)
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
