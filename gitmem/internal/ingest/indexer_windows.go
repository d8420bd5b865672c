package ingest

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// ownSession lets a process outlive its parent and the console, and starts it with a lower priority.
func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP | windows.BELOW_NORMAL_PRIORITY_CLASS,
	}
}

func lowerPriority(int) {}
