//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package store

import (
	"errors"
	"os"
)

// syncFlag is how a file is opened to be synced.
const syncFlag = os.O_RDONLY

// syncDir makes the names in a folder durable.
func syncDir(root *os.Root, name string) error {
	d, err := root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// retryBusy calls f: here an open file can be replaced at any time.
func retryBusy(f func() error) error { return f() }
