package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newSyncCmd() *cobra.Command {
	var o gitmem.SyncOptions
	var to string
	c := a.command("sync [remote]", "Exchange memory with other machines through a git remote", cobra.MaximumNArgs(1), func(ctx context.Context, m *gitmem.Memory, args []string) error {
		if len(args) > 0 {
			o.Remote = args[0]
		}
		run := func() (gitmem.SyncReport, error) { return m.Sync().Run(ctx, o) }
		if to != "" {
			run = func() (gitmem.SyncReport, error) { return m.Sync().To(ctx, to) }
		}
		r, err := run()
		if err != nil {
			return err
		}
		return emit(a, r, a.printSync)
	})
	c.Flags().StringVar(&to, "to", "", "make a git `URL` or a folder the remote of this memory, and synchronise with it")
	return a.jsonFlag(c, "print what was done as JSON")
}

func (a *app) printSync(r gitmem.SyncReport) {
	received, pushed := "nothing new", "nothing to push"
	if n := len(r.Received); n > 0 {
		received = count(n, "file") + " changed here"
	}
	if r.Pushed {
		pushed = "pushed"
	}
	fmt.Fprintf(a.out, "synchronised with %s (%s): %s, %s\n", printable(r.Remote), printable(r.URL), received, pushed)
	for _, f := range r.Conflicts {
		fmt.Fprintf(a.out, "  %s was changed differently in two places: both versions are there, the second marked [conflict]\n", printable(f))
	}
}
