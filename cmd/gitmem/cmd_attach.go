package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newAttachCmd() *cobra.Command {
	c := a.command("attach <run>", "Follow a question that a model researches", cobra.ExactArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) error {
			var encodeErr error
			err := m.Research().Attach(ctx, args[0], func(e gitmem.ResearchEvent) {
				if a.json {
					encodeErr = errors.Join(encodeErr, a.printJSON(e))
				} else {
					fmt.Fprintf(a.out, "%s %s %s\n", e.Time.Format("15:04:05"), e.Kind, shorten(printable(e.Text)))
				}
			})
			return errors.Join(err, encodeErr)
		})
	return a.jsonFlag(c, "print the steps as JSON")
}
