//go:build !(linux && amd64)

package main

// injectors are commands that let a system call of another fail. Tests that use
// them skip here.
func injectors() map[string]func() { return nil }
