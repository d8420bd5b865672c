//go:build unix

package session

import (
	"errors"
	"syscall"
)

// processAlive reports whether a process of any user exists.
func processAlive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
