package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newLogCmd() *cobra.Command {
	var o gitmem.LogOptions
	c := resultCommand(a, "log [citation | path[:line] | words]", "List what was written to memory, newest first",
		cobra.ArbitraryArgs,
		func(ctx context.Context, m *gitmem.Memory, args []string) ([]gitmem.Commit, error) {
			what := strings.Join(args, " ")
			log, err := m.History().Log(ctx, what, o)
			return log, orNothing(unknownSource(err), len(log) == 0 && what != "")
		}, func(log []gitmem.Commit) { a.printLog(log, o.Files) })
	c.Flags().IntVar(&o.Limit, "limit", 20, "maximum number of changes")
	c.Flags().StringVar(&o.Since, "since", "", "only entries since this time: 3d, 1w, yesterday, 2026-11-01")
	c.Flags().StringVar(&o.Until, "until", "", "only entries before this time")
	c.Flags().BoolVarP(&o.Files, "patch", "p", false, "show what each change did to the files")
	return a.jsonFlag(c, "print the changes as JSON")
}

// unknownSource adds a hint to the error for a citation or file that does not exist.
func unknownSource(err error) error {
	var r *gitmem.Refusal
	if !errors.Is(err, gitmem.ErrNotFound) || errors.As(err, &r) {
		return err
	}
	return hintError{err,
		"gitmem search finds citations, gitmem log without a name lists all changes and their files with --patch"}
}

func (a *app) printLog(log []gitmem.Commit, patch bool) {
	if len(log) == 0 {
		fmt.Fprintln(a.out, "Nothing found.")
	}
	for _, e := range log {
		fmt.Fprintf(a.out, "%s %s %s\n", a.paint(yellow, e.Hash[:12]), e.Time.UTC().Format(time.DateTime),
			printable(e.Subject))
		if patch {
			a.printFiles(e.Files)
			fmt.Fprintln(a.out)
		}
	}
}

// printFiles prints differences like git, coloured on a terminal.
func (a *app) printFiles(files []gitmem.FileChange) {
	for _, f := range files {
		if f.Redacted {
			fmt.Fprintf(a.out, "%s: what differs is redacted\n", printable(f.Path))
		} else if f.Patch == "" {
			fmt.Fprintf(a.out, "%s: %s, empty\n", printable(f.Path), f.Status)
		}
		a.printPatch(f.Patch)
	}
}

func (a *app) printPatch(patch string) {
	inHunk := false
	for line := range strings.Lines(patch) {
		text := printable(strings.TrimSuffix(line, "\n"))
		inHunk = inHunk || strings.HasPrefix(line, "@@")
		fmt.Fprintln(a.out, a.paint(patchStyle(line, inHunk), text))
	}
}

func patchStyle(line string, inHunk bool) style {
	switch {
	case !inHunk:
		return bold
	case line[0] == '+':
		return green
	case line[0] == '-':
		return red
	case line[0] == '@':
		return cyan
	}
	return ""
}
