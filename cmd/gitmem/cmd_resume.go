package main

import (
	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newResumeCmd() *cobra.Command {
	var here bool
	c := &cobra.Command{
		Use:   "resume",
		Short: "End a pause: hooks capture again",
		Args:  usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return emitFrom(a, false, func(m *gitmem.Memory) (gitmem.Capture, error) { return m.Resume(c.Context(), here) }, a.printCapture)
		},
	}
	c.Flags().BoolVar(&here, "here", false, "end the pause of this project only")
	return c
}
