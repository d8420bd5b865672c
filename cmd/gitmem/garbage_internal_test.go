package main

import (
	"runtime/debug"
	"testing"
)

// A server collects garbage at least as often as usual, and not at all if collection is off.
func TestBoundGarbage(t *testing.T) {
	was := debug.SetGCPercent(100)
	defer debug.SetGCPercent(was)
	for allowed, want := range map[int]int{400: 100, 101: 100, 100: 100, 50: 50, -1: -1} {
		debug.SetGCPercent(allowed)
		boundGarbage()
		if got := debug.SetGCPercent(100); got != want {
			t.Errorf("GOGC=%d leaves %d, want %d", allowed, got, want)
		}
	}
}
