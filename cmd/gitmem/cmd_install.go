package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/cmd/internal/install"
	"github.com/gitmem/gitmem/cmd/internal/settings"
	"github.com/gitmem/gitmem/gitmem"
)

type installOptions struct {
	project, hooksOnly, dryRun bool
}

func (a *app) newInstallCmd() *cobra.Command {
	var o installOptions
	c := a.command("install", "Let Claude Code record its sessions and recall what they left", cobra.NoArgs, func(ctx context.Context, m *gitmem.Memory, _ []string) error {
		return a.runInstall(ctx, m, o)
	})
	c.Flags().BoolVar(&o.project, "project", false, "for this checkout only")
	c.Flags().BoolVar(&o.hooksOnly, "hooks-only", false, "neither a skill nor permission rules")
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "show what would change, and change nothing")
	return a.jsonFlag(c, "print what was done as JSON")
}

func (a *app) runInstall(ctx context.Context, m *gitmem.Memory, o installOptions) error {
	program, err := a.stableProgram()
	if err != nil {
		return err
	}
	path, err := settingsFile(m, o.project)
	if err != nil {
		return err
	}
	if err := a.checkNotRegistered(m, path, o); err != nil {
		return err
	}
	r := &installed{Settings: path, Program: program, Root: m.Root(), DryRun: o.dryRun, Skills: []settings.Change{}, Notes: []string{}}
	edit := func() error {
		dir, err := m.InstallDir()
		if err != nil {
			return err
		}
		recs := install.Records{Dir: dir}
		if err := editSettings(recs, path, wanted(program, !o.hooksOnly), r); err != nil || o.project || o.hooksOnly {
			return err
		}
		return putSkill(filepath.Dir(path), r)
	}
	if err := apply(ctx, m, r, edit); err != nil {
		return err
	}
	if r.Sessions, err = m.Sessions().Backfillable(ctx); err != nil {
		r.Notes = append(r.Notes, "not all of the client's transcripts could be listed: "+gitmem.ErrorText(err))
	}
	r.Notes = append(r.Notes, a.installNotes(m, r, o)...)
	if a.json {
		r.Diff = gitmem.Redacted(r.Diff)
		return a.printJSON(r)
	}
	a.printInstalled(r)
	if !o.dryRun {
		if err := a.offerAgent(ctx, m); err != nil {
			return err
		}
	}
	return a.offerBackfill(ctx, r)
}

// apply makes an edit. It is tried first, so that nothing is changed if a part of it is
// refused.
func apply(ctx context.Context, m *gitmem.Memory, r *installed, edit func() error) error {
	dry := r.DryRun
	r.DryRun = true
	if err := edit(); err != nil || dry {
		return err
	}
	r.DryRun, r.Diff = false, ""
	if _, err := m.Init(ctx); err != nil {
		return err
	}
	return m.Installing(ctx, edit)
}

// unifiedDiff is the difference of a file as diff -u prints it, "" for none.
func unifiedDiff(path string, old, now []byte) string {
	return string(diff.Diff(path, old, path, now))
}

func (a *app) printInstalled(r *installed) {
	if r.DryRun {
		a.printDry(r)
	} else {
		a.printChanges(r)
		fmt.Fprintf(a.out, `
recorded: each tool call in one line, and of each session its outcome, decisions, failures and open ends
recalled: at a session's start what the last ones left; at a prompt what memory holds about it
where: Markdown in a git repository below %s, on this machine only, with secrets taken out before anything is written
pause: gitmem pause --for 2h; for good or for some folders: capture and exclude in gitmem/config.yaml there
undo: gitmem uninstall; check: gitmem doctor; see: gitmem status
`, r.Root)
	}
	a.printNotes(r)
}

// printDry prints what would change.
func (a *app) printDry(r *installed) {
	fmt.Fprint(a.out, printable(gitmem.Redacted(r.Diff)))
	if r.Diff == "" {
		fmt.Fprintln(a.out, "nothing would change")
	}
}

func (a *app) printNotes(r *installed) {
	for _, n := range r.Notes {
		fmt.Fprintf(a.out, "%s %s\n", a.paint(yellow, "note:"), printable(n))
	}
}

// printChanges summarises what was changed; single events do not matter to the user.
func (a *app) printChanges(r *installed) {
	hooks, rules := map[string]int{}, 0
	for _, c := range r.Changes {
		if strings.HasPrefix(c.What, "hooks.") {
			hooks[c.Did]++
		} else {
			rules++
		}
	}
	var done []string
	for _, did := range []string{"added", "moved", "kept", "removed"} {
		if hooks[did] > 0 {
			done = append(done, fmt.Sprintf("%d %s", hooks[did], did))
		}
	}
	fmt.Fprintf(a.out, "hooks: %s in %s\n", strings.Join(append(done, []string{"none"}[min(len(done), 1):]...), ", "), printable(r.Settings))
	for _, c := range r.Changes {
		if c.Notes != "" {
			fmt.Fprintf(a.out, "  %s %s: %s\n", c.Did, c.What, printable(c.Notes))
		}
	}
	if rules > 0 {
		fmt.Fprintf(a.out, "permission rules: %d %s\n", rules, r.Changes[len(r.Changes)-1].Did)
	}
	for _, s := range r.Skills {
		fmt.Fprintf(a.out, "skill: %s %s\n", s.Did, printable(strings.TrimSuffix(s.What+", "+s.Notes, ", ")))
	}
	if r.Backup != "" {
		fmt.Fprintf(a.out, "backup: %s\n", printable(r.Backup))
	}
}

// offerBackfill offers to archive the transcripts that the client will delete.
func (a *app) offerBackfill(ctx context.Context, r *installed) error {
	if r.Sessions == 0 || r.DryRun {
		return nil
	}
	fmt.Fprintf(a.out, "%s from before can be found already; the client deletes transcripts one day: gitmem backfill --all archives them\n", count(r.Sessions, "session"))
	if !a.outTTY || !a.inTTY() {
		return nil
	}
	fmt.Fprint(a.out, "Archive them now? [y/N] ")
	if !a.readYes() {
		return nil
	}
	root := a.newRootCmd()
	root.SetArgs([]string{"backfill", "--all"})
	return root.ExecuteContext(ctx)
}
