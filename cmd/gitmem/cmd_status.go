package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newStatusCmd() *cobra.Command {
	return a.jsonFlag(resultCommand(a, "status", "Show what is captured, where it is and what is waiting", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) (gitmem.Status, error) {
			return m.Status(ctx)
		}, a.printStatus), "print the status as JSON")
}

func (a *app) printStatus(st gitmem.Status) {
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(a.out, "%-12s %s\n", name+":", printable(value))
		}
	}
	field("root", st.Root)
	switch {
	case st.Repository != "":
		field("store", st.Repository)
	case st.Store:
		field("store", "files without a repository (gitmem init makes one)")
	default:
		field("store", "none (gitmem init makes one; questions work without)")
	}
	field("project", st.Project)
	field("folder", st.Folder)
	field("capture", st.Capture.Detail)
	for _, e := range st.Excluded {
		field("excluded", fmt.Sprintf("%s by rule %s", count(e.Sessions, "session"), e.Rule))
	}
	if h := st.LastHook; h.Time != "" {
		field("last hook", fmt.Sprintf("%s %s %s", h.Time, h.Hook, h.Result))
	}
	if st.Traced != "" {
		field("traces", fmt.Sprintf("of hooks since %s, %s, kept for 30 days", st.Traced, size(st.TraceBytes)))
	}
	if st.Store {
		a.printMemory(st, field)
	}
	for _, agent := range st.Agents {
		note := "searched in place"
		if agent.Archived {
			note = "archived"
		}
		field("agent", fmt.Sprintf("%s: %s, %s", agent.Title, count(agent.Sessions, "session"), note))
	}
	if st.KeptTranscripts > 0 {
		field("kept", fmt.Sprintf("%s, %s", count(st.KeptTranscripts, "transcript"), size(st.KeptBytes)))
	}
	field("index", fmt.Sprintf("%s, %s", st.IndexDir, size(st.IndexBytes)))
	for _, s := range st.Shards {
		field("  "+s.Name, fmt.Sprintf("%s, %d documents%s", s.State, s.Docs, busy(s)))
	}
	field("meaning", st.Meaning)
	for _, f := range st.Forges {
		field("forge", f.String())
	}
	for _, c := range st.Caveats {
		field("caveat", c)
	}
}

// printMemory prints the state of the store: its size, its repository and pending changes.
func (a *app) printMemory(st gitmem.Status, field func(name, value string)) {
	field("memory", fmt.Sprintf("%s, %d bytes", count(st.Files, "file"), st.Bytes))
	if st.Repository != "" {
		field("git", fmt.Sprintf("%s, %s not packed", size(st.RepositoryBytes), count(st.LooseObjects, "object")))
	}
	for _, g := range st.Growth {
		field(fmt.Sprintf("%d days", g.Days), fmt.Sprintf("%s, %s", count(g.Commits, "commit"), signed(g.Bytes)))
	}
	field("last commit", st.LastCommit)
	field("waiting", count(len(st.Pending), "file")+" not committed")
	for _, h := range st.Held {
		field("held", h)
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// size formats a number of bytes.
func size(n int64) string {
	switch {
	case n < 10<<10:
		return fmt.Sprintf("%d bytes", n)
	case n < 10<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

func signed(n int64) string {
	if n < 0 {
		return "-" + size(-n)
	}
	return "+" + size(n)
}
