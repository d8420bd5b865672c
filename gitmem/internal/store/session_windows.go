package store

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// ownSession gives a child no console and its own process group.
func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{HideWindow: true,
		CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}

// endWithChildren gives a child no console on which it could prompt.
func endWithChildren(cmd *exec.Cmd) { cmd.SysProcAttr = ownSession() }
