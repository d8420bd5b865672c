package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newDecideCmd() *cobra.Command {
	var d gitmem.Decision
	c := resultCommand(a, "decide <decision>", "Write a decision of the project to a file and commit it",
		cobra.MinimumNArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.Decided, error) {
			d.Title = strings.Join(args, " ")
			done, err := m.Decide(ctx, d)
			if errors.Is(err, gitmem.ErrDuplicate) {
				err = hintError{err,
					"name it with --supersedes if it holds no longer, accept it with gitmem decision confirm if it was proposed, or " +
						"write it all the same with --force"}
			}
			return done, heldHint(err)
		}, func(d gitmem.Decided) {
			a.printDecided("decided", d)
		})
	f := c.Flags()
	f.StringVar(&d.Why, "why", "", "the reasons")
	f.StringVar(&d.Context, "context", "", "what made it necessary")
	f.StringVar(&d.Alternatives, "alternatives", "", "what was not chosen")
	f.StringVar(&d.Status, "status", "accepted", "proposed, accepted or rejected")
	f.StringArrayVar(&d.Supersedes, "supersedes", nil, "a decision that this one replaces; may be repeated")
	f.StringArrayVar(&d.Evidence, "evidence", nil, "a citation id; may be repeated")
	f.BoolVar(&d.Force, "force", false, "write it even if an equal one exists")
	return a.jsonFlag(c, "print what was written as JSON")
}

// printDecided prints a decision after a command changed it.
func (a *app) printDecided(did string, d gitmem.Decided) {
	if d.Status == "proposed" {
		did = "proposed"
	}
	fmt.Fprintf(a.out, "%s: %s\n  %s [%s]\n", did, printable(d.Title)+d.Trust.Mark(), d.File, a.paint(cyan, d.ID))
	if d.Status == "proposed" {
		fmt.Fprintf(a.out, "  gitmem decision confirm %s accepts it\n", strings.TrimPrefix(d.ID, "decision:"))
	}
}

func (a *app) newDecisionCmd() *cobra.Command {
	c := resultCommand(a, "confirm <id>", "Accept a proposed decision as your own", cobra.ExactArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.Decided, error) {
			d, err := m.ConfirmDecision(ctx, args[0])
			return d, heldHint(err)
		}, func(d gitmem.Decided) { a.printDecided("confirmed", d) })
	return group("decision", "Confirm a decision that a model proposed", a.jsonFlag(c, "print it as JSON"))
}

func (a *app) newContinueCmd() *cobra.Command {
	c := resultCommand(a, "continue", "Show where the project's last sessions left off, what is open and what was decided",
		cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) (gitmem.SessionContext, error) {
			s, err := m.Sessions().Continue(ctx)
			return s, orNothing(err, s.Text == "")
		}, a.printContext)
	return a.jsonFlag(c, "print it as JSON, with what was left out")
}
