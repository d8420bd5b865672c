//go:build !windows

package store

import "syscall"

// ownSession gives a child a session of its own, so that a signal to our process group
// does not reach it.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
