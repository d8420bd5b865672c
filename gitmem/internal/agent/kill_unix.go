//go:build unix

package agent

import (
	"os/exec"
	"syscall"
)

// killsGroup makes the end of a command's context the end of all that it started.
func killsGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
