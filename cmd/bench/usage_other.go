//go:build !unix

package main

import (
	"os"
	"time"
)

// cpuTime is not known here.
func cpuTime() (time.Duration, bool) { return 0, false }

// peakOf is not known here.
func peakOf(*os.ProcessState) (int64, bool) { return 0, false }
