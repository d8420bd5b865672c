package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newSyncCmd() *cobra.Command {
	var o gitmem.SyncOptions
	var to string
	var yes, status bool
	run := func(ctx context.Context, m *gitmem.Memory, args []string) error {
		s := m.History().Sync()
		if len(args) > 0 {
			o.Remote = args[0]
		}
		switch {
		case to != "" && len(args) > 0:
			return &usageError{errors.New("--to makes an address the remote origin: leave the name out")}
		case to != "":
			r, err := s.To(ctx, to)
			return emitDone(a, r, err, a.printSyncTo)
		case status:
			st, err := s.Status(ctx, o.Remote)
			return emitDone(a, st, err, a.printSyncStatus)
		case o.Purge && !yes:
			plan, err := s.PlanPurge(ctx, o)
			return emitDone(a, plan, err, a.printPurgePlan)
		}
		r, err := s.Run(ctx, o)
		return emitDone(a, r, err, a.printSync)
	}
	const short = "Exchange memory with other machines through a git remote"
	c := a.command("sync [remote]", short, cobra.MaximumNArgs(1), run)
	f := c.Flags()
	f.StringVar(&to, "to", "", "make a git `URL` or a folder the remote of this memory, and synchronise with it")
	f.BoolVar(&o.Purge, "purge", false,
		"show what replacing the remote's history would do, after gitmem forget --history")
	f.BoolVar(&yes, "yes", false, "with --purge, do it")
	f.BoolVar(&status, "status", false, "show the last synchronisation and what is pending, without contacting the remote")
	c.MarkFlagsMutuallyExclusive("to", "purge", "status")
	return a.jsonFlag(c, "print what was done as JSON")
}

func emitDone[T any](a *app, v T, err error, print func(T)) error {
	if err != nil {
		return err
	}
	return emit(a, v, print)
}

func (a *app) printSyncTo(r gitmem.SyncReport) {
	a.printSync(r)
	fmt.Fprintln(a.out, "memory is plain text there: gitmem help sync shows how to encrypt it")
}

func (a *app) printPurgePlan(p gitmem.SyncPurgePlan) {
	if p.Commits == 0 {
		fmt.Fprintf(a.out, "%s holds nothing that was forgotten: there is nothing to replace\n", printable(p.Remote))
		return
	}
	fmt.Fprintf(a.out, "%s of branch %s on %s would be replaced\n",
		count(p.Commits, "commit"), printable(p.Branch), printable(p.Remote))
	for _, f := range p.Files {
		fmt.Fprintf(a.out, "  merged before, since another machine changed it: %s\n", printable(f))
	}
	fmt.Fprintln(a.out, "every other machine moves its own commits onto the new history at its next gitmem sync")
	fmt.Fprintln(a.out, "do it with --yes")
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
	if r.Replaced {
		fmt.Fprintln(a.out, "  the history with what gitmem forget --history removed was replaced")
	}
	for _, f := range r.Conflicts {
		fmt.Fprintf(a.out, "  %s was changed differently in two places: "+
			"both versions are there, the second marked [conflict]\n", printable(f))
	}
}

func (a *app) printSyncStatus(st gitmem.SyncStatus) {
	fmt.Fprintf(a.out, "%-12s %s (%s), branch %s\n", "remote:", printable(st.Remote), printable(st.URL),
		printable(st.Branch))
	when := "never"
	if !st.Done.IsZero() {
		when = st.Done.Format(time.RFC3339)
	}
	fmt.Fprintf(a.out, "%-12s %s\n", "last:", when)
	if st.Error != "" {
		fmt.Fprintf(a.out, "%-12s %s: %s\n", "failed:", st.Tried.Format(time.RFC3339), printable(st.Error))
	}
	fmt.Fprintf(a.out, "%-12s %s to push, %s to merge, %s not committed\n", "waiting:",
		count(st.Ahead, "commit"), count(st.Behind, "commit"), count(len(st.Pending), "file"))
	auto := "off (sync: auto in gitmem/config.yaml)"
	if st.Auto {
		auto = "at the start and end of sessions"
	}
	fmt.Fprintf(a.out, "%-12s %s\n", "automatic:", auto)
}
