//go:build !unix

package agent

import "os/exec"

// killsGroup does nothing here: the context ends only the command itself.
func killsGroup(*exec.Cmd) {}
