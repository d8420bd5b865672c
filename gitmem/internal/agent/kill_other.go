//go:build !unix

package agent

import "os/exec"

// killsGroup does nothing more: the context ends the command alone.
func killsGroup(*exec.Cmd) {}
