//go:build !windows

package store

import "syscall"

// apart gives a child a session of its own, so that a signal to our process group
// does not reach it.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
