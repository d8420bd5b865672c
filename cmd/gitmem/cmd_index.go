package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newIndexCmd() *cobra.Command {
	c := &cobra.Command{
		Use:   "index",
		Short: "Look at the index or rebuild it; it is a cache and may be deleted",
		Args:  usage(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		a.newIndexVerb("status", "Tell the state of each index", (*gitmem.Memory).IndexStatus),
		a.newIndexVerb("rebuild", "Build each index of this place anew", (*gitmem.Memory).Rebuild),
	)
	return c
}

func (a *app) newIndexVerb(name, short string, do indexVerb) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: name, Short: short, Args: usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.with(func(m *gitmem.Memory) error {
				shards, err := do(m, c.Context())
				if err != nil {
					return err
				}
				a.bar.clear()
				if asJSON {
					return a.printJSON(shards)
				}
				a.printShards(shards)
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the states as JSON")
	return c
}

func (a *app) printShards(shards []gitmem.ShardStatus) {
	for _, s := range shards {
		fmt.Fprintf(a.out, "%-12s %-8s %d documents\n", s.Name, s.State, s.Docs)
	}
}
