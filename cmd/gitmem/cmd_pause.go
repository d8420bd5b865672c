package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newPauseCmd() *cobra.Command {
	var o gitmem.PauseOptions
	c := resultCommand(a, "pause", "Stop the hooks for a while", rejectDuration,
		func(ctx context.Context, m *gitmem.Memory, _ []string) (gitmem.Capture, error) {
			return m.Pause(ctx, o)
		}, a.printCapture)
	c.Flags().StringVar(&o.For, "for", "", "how long: 90m, 2h, 3d, 1w")
	c.Flags().StringVar(&o.Until, "until", "", "until when: 17:30, 2026-11-21, 2026-11-21T17:30:00Z")
	c.Flags().BoolVar(&o.Here, "here", false, "only in this project")
	return c
}

func (a *app) newResumeCmd() *cobra.Command {
	var here bool
	c := resultCommand(a, "resume", "End a pause: hooks capture again", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) (gitmem.Capture, error) {
			return m.Resume(ctx, here)
		}, a.printCapture)
	c.Flags().BoolVar(&here, "here", false, "end only the pause of this project")
	return c
}

// printCapture prints whether hooks capture from now on.
func (a *app) printCapture(c gitmem.Capture) {
	fmt.Fprintf(a.out, "capture: %s\n", printable(c.Detail))
}

// rejectDuration rejects an argument that looks like a duration without its flag.
func rejectDuration(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%q stands alone: say how long or until when, as in --for 2h or --until 17:30", args[0])
	}
	return nil
}
