package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newLogCmd() *cobra.Command {
	var limit int
	var asJSON bool
	c := &cobra.Command{
		Use:   "log",
		Short: "List what was written to memory, newest first",
		Args:  usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkLimit(limit); err != nil {
				return err
			}
			return a.with(func(m *gitmem.Memory) error {
				log, err := m.Log(c.Context(), limit)
				if err != nil {
					return err
				}
				if asJSON {
					return a.printJSON(log)
				}
				for _, e := range log {
					fmt.Fprintf(a.out, "%s %s %s\n", a.paint(yellow, e.Hash[:12]), e.Time.UTC().Format(time.DateTime), printable(e.Subject))
				}
				return nil
			})
		},
	}
	c.Flags().IntVar(&limit, "limit", 20, "changes at most")
	c.Flags().BoolVar(&asJSON, "json", false, "print the changes as JSON")
	return c
}
