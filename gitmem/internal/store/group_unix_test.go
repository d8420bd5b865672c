//go:build unix

package store_test

import (
	"os/exec"
	"syscall"
)

// inGroup starts a process in its own group, so that killGroup ends its children, too: otherwise a git that is still
// packing would disturb the following checks.
func inGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
