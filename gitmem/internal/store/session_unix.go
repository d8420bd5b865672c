//go:build !windows

package store

import (
	"os/exec"
	"syscall"
)

// ownSession gives a child a session of its own, so that a signal to our process group
// does not reach it.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// endWithChildren gives a child a session of its own, in which nothing can ask on our terminal,
// and ends what it has started with it.
func endWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = ownSession()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
