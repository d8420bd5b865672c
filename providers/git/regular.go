package git

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// What is read of files that hold little.
const (
	maxGitFile = 1 << 16 // paths and names
	maxConfig  = 16 << 20
)

var errNotRegular = errors.New("not a regular file")

// openRegular opens a file of a repository, which may be a stranger's: a pipe would
// hold its reader for ever, and to open a device may do anything. What is no regular
// file comes beside the error.
func openRegular(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, info, &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	f, err := os.Open(path)
	return f, info, err
}

// ReadFile reads a regular file of a repository. The error wraps [ErrTooLarge] where it
// has more than limit bytes.
func ReadFile(path string, limit int64) ([]byte, error) {
	f, _, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if int64(len(b)) > limit {
		return nil, fmt.Errorf("%s: %w: it has more than %d bytes", path, ErrTooLarge, limit)
	}
	return b, err
}
