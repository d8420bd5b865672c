package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/cmd/internal/browse"
	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newProfileCmd() *cobra.Command {
	chart := false
	c := resultCommand(a, "profile", "Show who you are and how you want to work", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) (gitmem.Preferences, error) {
			return m.Profile().Get(ctx, "")
		}, func(p gitmem.Preferences) {
			if chart {
				fmt.Fprint(a.out, browse.ProfileChart(p, a.now(), "today", true))
				return
			}
			a.printPreferences(p)
		})
	c.Flags().BoolVar(&chart, "chart", false, "print a chart of the confidence of each value over time, as SVG")
	c.PersistentFlags().BoolVar(&a.json, "json", false, "print the result as JSON")
	c.AddCommand(a.newProfileGetCmd(), a.newProfileSetCmd(), a.newProfileRmCmd(), a.newProfilePinCmd(),
		a.newProfileConfirmCmd(), a.newProfileLogCmd(), a.newProfileDecayCmd(), a.newProfileClearCmd(),
		a.newProfileImportCmd())
	return c
}

func (a *app) newProfileGetCmd() *cobra.Command {
	return resultCommand(a, "get <path>", "Print the value at a path, or the values below it", cobra.ExactArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.Preferences, error) {
			return m.Profile().Get(ctx, args[0])
		}, func(p gitmem.Preferences) {
			for _, e := range p.Entries {
				fmt.Fprintln(a.out, printable(e.Value))
			}
		})
}

func (a *app) newProfileSetCmd() *cobra.Command {
	return a.profileChange("set <path> <value>", "Set a value, or add one to a list", cobra.MinimumNArgs(2),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.ProfileChanged, error) {
			return m.Profile().Set(ctx, args[0], strings.Join(args[1:], " "))
		})
}

func (a *app) newProfileRmCmd() *cobra.Command {
	return a.profileChange("rm <path>", "Remove the values at a path and below it", cobra.ExactArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.ProfileChanged, error) {
			return m.Profile().Remove(ctx, args[0])
		})
}

func (a *app) newProfilePinCmd() *cobra.Command {
	var undo bool
	c := a.profileChange("pin <path>", "Keep the values at a path from decaying", cobra.ExactArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.ProfileChanged, error) {
			return m.Profile().Pin(ctx, args[0], !undo)
		})
	c.Flags().BoolVar(&undo, "undo", false, "allow the values to decay again")
	return c
}

func (a *app) newProfileConfirmCmd() *cobra.Command {
	return a.profileChange("confirm <path>", "Make what a model wrote at a path your own", cobra.ExactArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.ProfileChanged, error) {
			return m.Profile().Confirm(ctx, args[0])
		})
}

func (a *app) newProfileDecayCmd() *cobra.Command {
	return a.profileChange("decay", "Remove what was not mentioned for too long, as sessions do once a day", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) (gitmem.ProfileChanged, error) {
			return m.Profile().Decay(ctx)
		})
}

func (a *app) newProfileClearCmd() *cobra.Command {
	var yes bool
	c := a.profileChange("clear", "Remove all values, after asking", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) (gitmem.ProfileChanged, error) {
			p, err := m.Profile().Get(ctx, "")
			if err != nil || len(p.Entries) == 0 {
				return gitmem.ProfileChanged{Done: []string{}}, err
			}
			if !yes {
				p.Words = "" // they are not removed
				if err := cmp.Or(emit(a, p, a.printPreferences), a.agreed("Remove all of this from the profile?",
					"remove")); err != nil {
					return gitmem.ProfileChanged{}, err
				}
			}
			return m.Profile().Remove(ctx, "")
		})
	c.Flags().BoolVar(&yes, "yes", false, "don't ask")
	return c
}

func (a *app) newProfileLogCmd() *cobra.Command {
	limit := 20
	c := resultCommand(a, "log", "List the changes of the profile, newest first", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) ([]gitmem.ProfileChange, error) {
			return m.Profile().Log(ctx, limit)
		}, func(log []gitmem.ProfileChange) {
			for _, c := range log {
				fmt.Fprintf(a.out, "%s %s %s\n", a.paint(yellow, c.Commit[:12]), c.Time, printable(c.Done))
			}
		})
	c.Flags().IntVar(&limit, "limit", limit, "maximum number of changes")
	return c
}

func (a *app) newProfileImportCmd() *cobra.Command {
	var dry bool
	c := resultCommand(a, "import [folder]", "Import an older memory from ~/.claude/user-memory",
		cobra.MaximumNArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.Imported, error) {
			dir := ""
			if len(args) > 0 {
				dir = a.absolute(args[0])
			}
			return m.Profile().Import(ctx, dir, dry)
		}, func(i gitmem.Imported) { a.printImported(i, dry) })
	c.Flags().BoolVar(&dry, "dry-run", false, "show what would be imported, and write nothing")
	return c
}

// profileChange returns a command that changes the profile.
func (a *app) profileChange(use, short string, args cobra.PositionalArgs,
	do func(context.Context, *gitmem.Memory, []string) (gitmem.ProfileChanged, error)) *cobra.Command {
	return resultCommand(a, use, short, args,
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.ProfileChanged, error) {
			done, err := do(ctx, m, args)
			return done, heldHint(err)
		}, func(c gitmem.ProfileChanged) {
			for _, what := range c.Done {
				fmt.Fprintln(a.out, printable(what))
			}
			if len(c.Done) == 0 {
				fmt.Fprintln(a.out, "Nothing to change.")
			}
		})
}

func (a *app) printPreferences(p gitmem.Preferences) {
	for _, e := range p.Entries {
		what, _ := strings.CutPrefix(printable(e.Metadata()), printable(e.Path))
		fmt.Fprintln(a.out, a.paint(cyan, printable(e.Path))+what)
	}
	if p.Words != "" {
		fmt.Fprintf(a.out, "\n%s\n", printable(p.Words))
	}
	if len(p.Entries) == 0 && p.Words == "" {
		fmt.Fprintln(a.out, "Nothing is known yet: say what you prefer in a session, or use gitmem profile set.")
	}
}
