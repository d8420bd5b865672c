//go:build unix

package ingest

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// niceness is the priority of background processes, below that of foreground ones.
const niceness = 10

// ownSession lets a process outlive its parent: it receives no signals to the parent's group or terminal.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// lowerPriority lowers the priority of a new process. Errors are ignored.
func lowerPriority(pid int) { _ = unix.Setpriority(unix.PRIO_PGRP, pid, niceness) }
