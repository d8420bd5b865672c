//go:build !unix

package main

import (
	"os"
	"time"
)

// cpuTime returns false: the CPU time is unknown on this system.
func cpuTime() (time.Duration, bool) { return 0, false }

// peakOf returns false: the peak memory is unknown on this system.
func peakOf(*os.ProcessState) (int64, bool) { return 0, false }
