package git

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Limits for small files.
const (
	maxGitFile = 1 << 16 // contains paths and names
	maxConfig  = 16 << 20
)

var errNotRegular = errors.New("not a regular file")

// openRegular opens a regular file of a repository that may belong to somebody else: reading a pipe would
// block for ever, and opening a device may have any effect. If path is not a regular file, it returns its
// info together with the error.
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

// ReadFile reads a regular file of a repository. The error wraps [ErrTooLarge] if it has more than limit
// bytes.
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
