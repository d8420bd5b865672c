//go:build !windows

package store

import (
	"os/exec"
	"syscall"
)

// ownSession gives a child its own session, so that a signal to our process group does not reach it.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// endWithChildren gives a child its own session, in which nothing can prompt on our terminal. Cancelling ends the child
// together with its descendants.
func endWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = ownSession()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
