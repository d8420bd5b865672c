//go:build !linux

package main

// wrappers are commands for scripts that run another command with a fault. Scripts that use them are skipped
// on this system.
func wrappers() map[string]func() { return nil }
