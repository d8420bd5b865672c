//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// cpuTime returns the CPU time of this process so far; false if unknown.
func cpuTime() (time.Duration, bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}

// peakOf returns the largest resident memory that a process had, in bytes. A process inherits its parent's
// peak when it starts, so the parent has to stay small.
func peakOf(ps *os.ProcessState) (int64, bool) {
	u, ok := ps.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(u.Maxrss), true
	}
	return int64(u.Maxrss) << 10, true
}
