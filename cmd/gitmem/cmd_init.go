package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newInitCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Make the memory repository",
		Args:  usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.with(func(m *gitmem.Memory) error {
				created, err := m.Init(c.Context())
				if err != nil {
					return err
				}
				if created {
					fmt.Fprintf(a.out, "made a memory repository in %s\n", m.Root())
				} else {
					fmt.Fprintf(a.out, "there is a memory repository in %s already\n", m.Root())
				}
				return nil
			})
		},
	}
}
