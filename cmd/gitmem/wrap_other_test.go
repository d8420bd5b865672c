//go:build !linux

package main

// wrappers are commands for scripts that run another one in a world with a fault.
// Scripts that use them skip here.
func wrappers() map[string]func() { return nil }
