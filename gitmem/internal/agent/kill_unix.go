//go:build unix

package agent

import (
	"os/exec"
	"syscall"
)

// killsGroup makes the end of the command's context kill the whole process group.
func killsGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
