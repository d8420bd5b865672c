package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

type forgetOptions struct {
	history, yes bool
}

func (a *app) newForgetCmd() *cobra.Command {
	var o forgetOptions
	c := a.command("forget [<citation>… | <file>:<line>… | <words>]", "Remove something from memory, and from its history",
		cobra.ArbitraryArgs, func(ctx context.Context, m *gitmem.Memory, args []string) error {
			return a.runForget(ctx, m, o, args)
		})
	c.Flags().BoolVar(&o.history, "history", false, "also remove it from every earlier commit of memory's own repository")
	c.Flags().BoolVar(&o.yes, "yes", false, "do it without asking")
	return a.jsonFlag(c, "print what goes or went as JSON")
}

func (a *app) runForget(ctx context.Context, m *gitmem.Memory, o forgetOptions, args []string) error {
	plan, err := m.PlanForget(ctx, args, o.history)
	a.bar.clear()
	if plan != nil {
		for _, s := range plan.Missing {
			fmt.Fprintf(a.err, "gitmem: not found: %s\n", printable(s))
		}
	}
	if err != nil {
		return forgetHint(err, o)
	}
	if o.history && !o.yes {
		return emit(a, plan, a.printPlan)
	}
	if plan.Ask && !o.yes {
		if err := a.confirmForget(plan); err != nil {
			return err
		}
	}
	done, err := m.Forget(ctx, plan)
	if err != nil {
		a.bar.clear()
		return forgetHint(err, o)
	}
	return emit(a, done, a.printForgotten)
}

func forgetHint(err error, o forgetOptions) error {
	switch {
	case errors.Is(err, gitmem.ErrNotFound) && !o.history:
		return hintError{err, "if it is gone from the files, --history looks for it in earlier commits"}
	case errors.Is(err, gitmem.ErrConflict):
		return hintError{err, "finish or abort that first; nothing of the history was changed"}
	case errors.Is(err, gitmem.ErrNoGit):
		return hintError{err, "install it; nothing was changed. Without --history the text goes from the files"}
	}
	return err
}

// confirmForget shows what will be deleted and asks for confirmation. It fails if nobody can answer.
func (a *app) confirmForget(plan *gitmem.Forgetting) error {
	if err := emit(a, plan, a.printPlan); err != nil {
		return err
	}
	return a.agreed("Forget this?", "remove")
}

// agreed asks a person who has seen what will be deleted. It fails if nobody can answer.
func (a *app) agreed(question, verb string) error {
	if a.json || !a.errTTY || !a.inTTY() {
		return hintError{&usageError{fmt.Errorf("this was not done, since it would %s what is listed", verb)},
			"look at the list, then add --yes"}
	}
	fmt.Fprint(a.err, question+" [y/N] ")
	if !a.readYes() {
		return &usageError{fmt.Errorf("nothing was %sd", verb)}
	}
	return nil
}

// printPlan prints what would be done.
func (a *app) printPlan(plan *gitmem.Forgetting) {
	a.printLines(plan)
	if plan.History != nil {
		a.printHistory(plan.History, "would be rewritten")
		fmt.Fprintf(a.out, "%s nothing was changed; --yes carries it out\n", a.paint(cyan, "hint:"))
	}
}

func (a *app) printLines(plan *gitmem.Forgetting) {
	for _, l := range plan.Lines {
		id := ""
		if l.ID != "" {
			id = " [" + a.paint(cyan, printable(l.ID)) + "]"
		}
		fmt.Fprintf(a.out, "- %s%s\n  %s\n", printable(l.Text), id, a.paint(dim, printable(l.File)))
	}
	for _, h := range plan.Hidden {
		fmt.Fprintf(a.out, "- hidden: [%s]\n  %s\n", a.paint(cyan, printable(h.ID)), printable(h.Where))
	}
}

// maxListedLines limits the printed list of a history's lines.
const maxListedLines = 20

func (a *app) printHistory(h *gitmem.ForgottenHistory, did string) {
	fmt.Fprintf(a.out, "history: %d of %s %s, %s of git (%d KiB) go\n", h.Commits, count(h.Of, "commit"), did,
		count(h.Objects, "object"), (h.Bytes+1023)/1024)
	for _, f := range h.Files {
		fmt.Fprintf(a.out, "  %s: %s\n", printable(f.Path), count(f.Versions, "version"))
	}
	for i, l := range h.Lines {
		if i == maxListedLines {
			fmt.Fprintf(a.out, "  … and %d more lines\n", len(h.Lines)-i)
			break
		}
		fmt.Fprintf(a.out, "  - %s (%s)\n", printable(l.Text), printable(l.File))
	}
	for _, r := range h.Refs {
		what := "moves"
		if r.New == "" {
			what = "is dropped"
		}
		fmt.Fprintf(a.out, "  %s %s\n", printable(r.Name), what)
	}
	tell := func(n int, what string) {
		if n > 0 {
			fmt.Fprintf(a.out, "  %d %s\n", n, what)
		}
	}
	tell(h.Stashed, "entries of git stash are dropped")
	tell(h.Unsigned, "commits or tags lose their signature")
	var caveats []string
	if len(h.Names) > 0 {
		caveats = append(caveats, "it stays in the names of files, branches or tags, which keep them: "+
			strings.Join(h.Names, ", "))
	}
	if len(h.Remotes) > 0 {
		caveats = append(caveats, "out of reach: "+strings.Join(h.Remotes, ", ")+
			" still has what was pushed there, until gitmem sync --purge")
	}
	a.printCaveats(append(caveats, "other clones and backups of memory keep the old history"))
}

func (a *app) printForgotten(done gitmem.Forgotten) {
	a.printLines(&done.Forgetting)
	fmt.Fprintf(a.out, "forgotten: %s, %d hidden\n", count(len(done.Lines), "line"), len(done.Hidden))
	switch {
	case done.History != nil:
		a.printHistory(done.History, "rewritten")
	case len(done.Lines) > 0:
		fmt.Fprintf(a.out, "%s earlier commits still hold it; gitmem forget --history shows what removing it there means\n",
			a.paint(cyan, "hint:"))
	}
	for _, e := range done.Elsewhere {
		fmt.Fprintf(a.out, "%s the same still stands in [%s] %s\n", a.paint(yellow, "caveat:"),
			a.paint(cyan, printable(e.ID)), printable(e.Layer))
	}
	a.printCaveats(done.Caveats)
}
