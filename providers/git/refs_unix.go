//go:build unix

package git

import (
	"errors"

	"golang.org/x/sys/unix"
)

// isNotDir says that a part of a path is a file.
func isNotDir(err error) bool { return errors.Is(err, unix.ENOTDIR) }
