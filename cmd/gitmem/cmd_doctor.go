package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

// errTroubles ends doctor when a check failed; the findings say which.
var errTroubles = errors.New("doctor found trouble")

func (a *app) newDoctorCmd() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check the store and the index, and say what to do about each trouble",
		Args:  usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.with(func(m *gitmem.Memory) error {
				findings, err := m.Doctor(c.Context())
				if err != nil {
					return err
				}
				if asJSON {
					err = a.printJSON(findings)
				} else {
					a.printFindings(findings)
				}
				for _, f := range findings {
					if !f.OK {
						return errors.Join(err, errTroubles)
					}
				}
				return err
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return c
}

func (a *app) printFindings(findings []gitmem.Finding) {
	for _, f := range findings {
		if f.OK {
			fmt.Fprintf(a.out, "%s %s: %s\n", a.paint(green, "ok"), f.Check, printable(f.Detail))
			continue
		}
		fmt.Fprintf(a.out, "%s %s: %s\n", a.paint(red, "!!"), f.Check, printable(f.Detail))
		fmt.Fprintf(a.out, "   %s\n", printable(f.Advice))
	}
}
