//go:build unix

package ingest

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// niceness leaves the processor to what works in the foreground.
const niceness = 10

// ownSession lets a process outlive its parent: no signal to the parent's group or
// terminal reaches it.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// lowerPriority lowers the priority of a process that has just begun. Failing is no harm.
func lowerPriority(pid int) { _ = unix.Setpriority(unix.PRIO_PGRP, pid, niceness) }
