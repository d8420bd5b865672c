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
		Long:  "Ends the pause of everywhere and that of this project; pauses of other projects\ngo on. What was said during a pause stays out of memory.",
		Args:  usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return tell(a, false, func(m *gitmem.Memory) (gitmem.Capture, error) { return m.Resume(c.Context(), here) }, a.printCapture)
		},
	}
	c.Flags().BoolVar(&here, "here", false, "end the pause of this project only")
	return c
}
