// Package osfile does with files what the standard library does not: locks that end
// with their process, new files that last, and reading mapped files that may be cut.
// It knows the systems' calls and no path, format or policy: who waits, for how long
// and for what belongs to its callers.
package osfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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
