package main

import (
	"context"
	"os/exec"
	"time"

	"github.com/spf13/cobra"
)

// addOfflineFlag adds the flag that disables forges.
func (a *app) addOfflineFlag(c *cobra.Command) {
	c.Flags().BoolVar(&a.offline, "offline", false,
		"ask no forge: what was fetched before has to do (also GITMEM_OFFLINE=1)")
}

// runProgram runs a program and returns its output.
func runProgram(ctx context.Context, program string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, program, args...)
	c.WaitDelay = 100 * time.Millisecond // for children that keep its output open
	return c.Output()
}
