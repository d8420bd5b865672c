//go:build !(linux && amd64)

package main

// injectors are commands that make a system call of another command fail. Tests that use them are skipped on
// this system.
func injectors() map[string]func() { return nil }
