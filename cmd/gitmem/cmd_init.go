package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newInitCmd() *cobra.Command {
	c := &cobra.Command{
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
	c.Flags().BoolVar(&a.adopts, "adopt", false, "go on with the clone of a memory repository that lies there")
	return c
}

// mayAdopt asks a person, where there is one, whether a clone of memory shall be
// committed to.
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
	fmt.Fprintf(a.out, "%s is a clone of memory%s. Commit to it on this machine from now on? [y/N] ", printable(dir), printable(gitmem.Redacted(from)))
	return a.saysYes()
}

// saysYes reads the answer to a question.
func (a *app) saysYes() bool {
	answer, _ := bufio.NewReader(a.in).ReadString('\n')
	word := strings.ToLower(strings.TrimSpace(answer))
	return word == "y" || word == "yes"
}
