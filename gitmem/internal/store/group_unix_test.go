//go:build unix

package store_test

import (
	"os/exec"
	"syscall"
)

// inGroup starts a process in a group of its own, so that killGroup ends what it
// started, too: a git that goes on packing would be met by the checks that follow.
func inGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
