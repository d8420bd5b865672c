//go:build !windows

package store

import (
	"errors"
	"syscall"
)

// isNotDir says that a file is where a path needs a folder.
func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
