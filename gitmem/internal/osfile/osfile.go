// Package osfile does with files what the standard library does not: locks that end
// with their process, new files that last, and reading mapped files that may be cut.
// It knows the systems' calls and no path, format or policy: who waits, for how long
// and for what belongs to its callers.
package osfile

import (
	"errors"
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

// Remove removes a file that may be gone already.
func Remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
