package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newInitCmd() *cobra.Command {
	from := ""
	c := a.command("init", "Create the memory repository", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) error {
			if from != "" {
				r, err := m.History().Sync().From(ctx, from)
				if err == nil {
					a.printSync(r)
				}
				return err
			}
			created, err := m.Init(ctx)
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
	c.Flags().StringVar(&from, "from", "", "use the memory that another machine pushed to a git `URL` or folder")
	c.Flags().BoolVar(&a.adopts, "adopt", false, "use the clone of a memory repository that is already there")
	return c
}

// mayAdopt asks, if there is a person to ask, whether to commit to a clone of memory.
func (a *app) mayAdopt(dir, from string) bool {
	if a.adopts {
		return true
	}
	if !a.outTTY || !a.inTTY() {
		return false
	}
	if from != "" {
		from = " from " + from
	}
	fmt.Fprintf(a.out, "%s is a clone of memory%s. Commit to it on this machine from now on? [y/N] ", printable(dir),
		printable(gitmem.Redacted(from)))
	return a.readYes()
}

// readYes reads the answer to a question.
func (a *app) readYes() bool {
	answer, _ := bufio.NewReader(a.in).ReadString('\n')
	word := strings.ToLower(strings.TrimSpace(answer))
	return word == "y" || word == "yes"
}
