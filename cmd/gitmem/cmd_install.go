package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/cmd/internal/install"
	"github.com/gitmem/gitmem/cmd/internal/settings"
	"github.com/gitmem/gitmem/gitmem"
)

type installOptions struct {
	project, hooksOnly, dryRun, shared bool
	client                             string
	offer                              bool // no client was named: offer the others too
}

// hooks reports whether the command is for Claude Code, and not for another client or a repository's shared
// files.
func (o *installOptions) hooks() bool { return o.client == "claude" && !o.shared }

func (o *installOptions) addFlags(c *cobra.Command) {
	c.Flags().StringVar(&o.client, "client", "claude",
		"for this client: claude, codex, copilot, crush, cursor, gemini, opencode, pi, qwen or vscode")
	c.Flags().BoolVar(&o.project, "project", false, "only for this checkout")
	c.Flags().BoolVar(&o.shared, "shared", false, "the plugin, in the settings that this repository shares")
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "show what would change, and change nothing")
	c.MarkFlagsMutuallyExclusive("client", "shared", "project")
}

func (a *app) newInstallCmd() *cobra.Command {
	var o installOptions
	var c *cobra.Command
	c = a.command("install", "Connect gitmem to coding agents", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) error {
			o.offer = !c.Flags().Changed("client") && !o.project && !o.shared && !o.hooksOnly
			return a.runInstall(ctx, m, o)
		})
	c.Flags().BoolVar(&o.hooksOnly, "hooks-only", false, "install no tools, skills or permission rules")
	o.addFlags(c)
	c.MarkFlagsMutuallyExclusive("client", "shared", "hooks-only")
	return a.jsonFlag(c, "print what was done as JSON")
}

func (a *app) runInstall(ctx context.Context, m *gitmem.Memory, o installOptions) error {
	program, err := a.stableProgram()
	if err != nil {
		return err
	}
	edits, proposed, r, err := a.edits(m, program, o)
	if err != nil {
		return err
	}
	if o.hooks() {
		if err := a.checkNotRegistered(m, r.Settings, o); err != nil {
			return err
		}
	}
	if err := apply(ctx, m, r, edits, false); err != nil {
		return err
	}
	if !o.hooks() {
		if err := a.archiveAgent(ctx, m, r, true); err != nil {
			return err
		}
		r.Notes = append(r.Notes, a.clientWants(r)...)
		return cmp.Or(a.propose(ctx, m, r, proposed, false), a.show(r, a.printInstalled))
	}
	others := a.otherClients(o)
	if r.Sessions, err = m.Sessions().Backfillable(ctx); err != nil {
		r.Notes = append(r.Notes, "not all of the client's transcripts could be listed: "+gitmem.ErrorText(err))
	}
	r.Notes = append(r.Notes, a.installNotes(m, r, o)...)
	if len(others) > 0 && !a.asks() {
		r.Notes = append(r.Notes, "also here: "+clientList(others, "install"))
	}
	if err := a.show(r, a.printInstalled); err != nil || a.json {
		return err
	}
	if !o.dryRun {
		if err := cmp.Or(a.offerClients(ctx, m, others), a.offerAgent(ctx, m)); err != nil {
			return err
		}
	}
	return a.offerBackfill(ctx, r)
}

// apply applies edits, or undoes them. It first tries all of them, so that nothing changes if one is refused.
func apply(ctx context.Context, m *gitmem.Memory, r *installed, edits []edit, undo bool) error {
	if len(edits) == 0 {
		return nil
	}
	dir, err := "", error(nil)
	all := func() error {
		dir, err = m.InstallDir() // it changes once memory is initialised
		for _, e := range edits {
			if err == nil {
				err = e.do(install.Records{Dir: dir}, undo, r)
			}
		}
		return err
	}
	for _, e := range edits {
		r.missing = append(r.missing, slices.DeleteFunc(slices.Clone(e.folders), isThere)...)
	}
	had := *r
	r.DryRun = true
	if err := all(); err != nil || had.DryRun {
		return err
	}
	if *r = had; undo {
		err := m.Installing(ctx, all)
		slices.SortFunc(r.left, func(a, b string) int { return len(b) - len(a) })
		for _, dir := range r.left {
			install.RemoveFolder(dir)
		}
		_ = os.Remove(filepath.Join(dir, "lock"))
		_ = os.Remove(dir) // fails if another file needs it
		return err
	}
	if _, err := m.Init(ctx); err != nil {
		return err
	}
	return m.Installing(ctx, all)
}

// unifiedDiff returns the difference between two versions of a file in the format of diff -u, or "".
func unifiedDiff(path string, old, now []byte) string {
	return string(diff.Diff(path, old, path, now))
}

func (a *app) printInstalled(r *installed) {
	if a.printDry(r); !r.DryRun && a.printChanges(r) {
		fmt.Fprintf(a.out, `
recorded: each tool call in one line, and of each session its outcome, decisions, failures and open ends
recalled: at a session's start what the last ones left; at a prompt what memory holds about it
where: Markdown in a git repository below %s, on this machine only, with secrets taken out before anything is written
pause: gitmem pause --for 2h; for good or for some folders: capture and exclude in gitmem/local.yaml there
undo: gitmem uninstall%s; check: gitmem doctor; see: gitmem status
`, r.Root, r.flag())
	}
	a.printNotes(r)
}

// printDry prints what would change.
func (a *app) printDry(r *installed) {
	fmt.Fprint(a.out, printable(r.Diff))
	if r.DryRun && r.Diff == "" {
		fmt.Fprintln(a.out, "nothing would change")
	}
}

func (a *app) printNotes(r *installed) {
	for _, n := range r.Notes {
		fmt.Fprintf(a.out, "%s %s\n", a.paint(yellow, "note:"), printable(n))
	}
}

// printChanges summarises the changes, and reports whether they include hooks; single events do not matter to
// the user.
func (a *app) printChanges(r *installed) (hooked bool) {
	hooks, rules := map[string]int{}, 0
	for _, c := range r.Changes {
		switch {
		case strings.HasPrefix(c.What, "hooks."):
			hooks[c.Did]++
		case strings.HasPrefix(c.What, "permissions."):
			rules++
		case c.Notes == "":
			fmt.Fprintf(a.out, "%s %s\n", c.Did, printable(c.What))
		}
	}
	var done []string
	for _, did := range []string{"added", "moved", "kept", "removed"} {
		if hooks[did] > 0 {
			done = append(done, fmt.Sprintf("%d %s", hooks[did], did))
		}
	}
	if len(done) > 0 {
		fmt.Fprintf(a.out, "hooks: %s in %s\n", strings.Join(done, ", "), printable(r.hooked))
	}
	for _, c := range r.Changes {
		if c.Notes != "" {
			fmt.Fprintf(a.out, "  %s %s: %s\n", c.Did, c.What, printable(c.Notes))
		}
	}
	if rules > 0 {
		fmt.Fprintf(a.out, "permission rules: %d added\n", rules)
	}
	for _, s := range r.Skills {
		what := strings.TrimSuffix(s.What+", "+s.Notes, ", ")
		fmt.Fprintf(a.out, "%s: %s %s\n", textKind(s.What), s.Did, printable(what))
	}
	if r.Backup != "" {
		fmt.Fprintf(a.out, "backup: %s\n", printable(r.Backup))
	}
	return len(done) > 0
}

// offerBackfill offers to archive the transcripts that the client will delete.
func (a *app) offerBackfill(ctx context.Context, r *installed) error {
	if r.Sessions == 0 || r.DryRun {
		return nil
	}
	fmt.Fprintf(a.out,
		"%s from before can be found already; the client deletes transcripts one day: gitmem backfill --all archives them\n",
		count(r.Sessions, "session"))
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

// propose applies edits of shared files, or undoes them, if somebody at a terminal has seen them and agrees.
func (a *app) propose(ctx context.Context, m *gitmem.Memory, r *installed, edits []edit, undo bool) error {
	try := *r
	try.DryRun = true
	err := apply(ctx, m, &try, edits, undo)
	switch same := try.Diff == r.Diff; {
	case err != nil, same && !undo:
		return err
	case same: // report that the file is kept
	case r.DryRun || a.json || !a.outTTY || !a.inTTY():
		r.Diff, r.Notes = try.Diff, append(r.Notes, edits[0].path+
			" was not changed, since others share it: on a terminal this asks whether to; by hand, change it as shown, commit "+
			"it and open a pull request")
		return nil
	default:
		try.Diff = gitmem.Redacted(try.Diff)
		a.printDry(&try)
		fmt.Fprint(a.out, "Write this, for you to commit and to propose in a pull request? [y/N] ")
		if !a.readYes() {
			r.Changes = append(r.Changes, settings.Change{Did: "kept", What: edits[0].path, Notes: "it was not agreed to"})
			return nil
		}
	}
	return apply(ctx, m, r, edits, undo)
}

// show prints the result, as JSON with --json.
func (a *app) show(r *installed, print func(*installed)) error {
	r.Diff = gitmem.Redacted(r.Diff)
	return emit(a, r, print)
}
