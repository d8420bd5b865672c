package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

// showOptions are the flags of show.
type showOptions struct {
	asOf, diff string
	files      bool
}

func (a *app) newShowCmd() *cobra.Command {
	var o showOptions
	c := a.command("show <citation>…", "Print the sources behind citation ids", cobra.MinimumNArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) error {
			if o.diff != "" && o.diff != "stat" && o.diff != "full" {
				return &usageError{fmt.Errorf("--diff %q: expected stat or full", o.diff)}
			}
			return a.runShow(ctx, m, o, args)
		})
	c.Flags().BoolVar(&o.files, "files", false, "count the lines that a commit added to each file and removed")
	c.Flags().StringVar(&o.diff, "diff", "",
		"print a commit's change: stat (lines of each file) or full (at most 2,000 lines)")
	c.Flags().Var(text(&o.asOf), "as-of", asOfUsage)
	return a.jsonFlag(c, "print the source as JSON, a list where several are asked for")
}

// runShow prints the sources that exist, and reports those that do not.
func (a *app) runShow(ctx context.Context, m *gitmem.Memory, o showOptions, ids []string) error {
	all, missing := []gitmem.Shown{}, error(nil)
	for _, id := range ids {
		s, err := a.source(ctx, m, o, id)
		switch {
		case err != nil && (len(ids) == 1 || !errors.Is(err, gitmem.ErrNotFound)):
			return err
		case err != nil:
			a.report(ctx, err)
			missing = errNothing
		default:
			all = append(all, s)
		}
	}
	switch {
	case a.json && len(ids) == 1:
		return a.printJSON(all[0])
	case a.json:
		return errors.Join(a.printJSON(all), missing)
	}
	a.findPages(ctx, m)
	for i, s := range all {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		a.printSource(s, o)
	}
	return missing
}

// source looks up one citation.
func (a *app) source(ctx context.Context, m *gitmem.Memory, o showOptions, id string) (gitmem.Shown, error) {
	s, err := m.Shown(ctx, id, gitmem.ShowOptions{AsOf: o.asOf, Files: o.files, Diff: o.diff != "",
		Lines: map[string]int{"full": 2000}[o.diff]})
	// a refusal has its own hint
	if refused := (*gitmem.Refusal)(nil); errors.Is(err, gitmem.ErrNotFound) && !errors.As(err, &refused) {
		hint := "the source may have been deleted or rewritten, or belong to another repository"
		if o.asOf != "" {
			hint = "leave --as-of out to see what is there now"
		}
		err = hintError{err, hint}
	}
	return s, err
}

func (a *app) printSource(src gitmem.Shown, o showOptions) {
	fmt.Fprintln(a.out, a.paint(cyan, src.ID))
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(a.out, "%s: %s\n", name, printable(value))
		}
	}
	field("author", src.Author)
	if !src.Date.IsZero() {
		field("date", src.Date.Format(time.RFC3339))
	}
	field("state", src.State)
	field("with", strings.Join(src.Also, ", "))
	field("url", src.URL)
	field("page", a.pageAddress(src.BrowseURL))
	field("project", src.Project)
	field("session", src.Session)
	if src.Line > 0 {
		field("file", fmt.Sprintf("%s:%d", src.Path, src.Line))
	}
	fmt.Fprintf(a.out, "\n%s\n", strings.TrimRight(printable(src.Text), "\n"))
	if len(src.Links) > 0 {
		fmt.Fprintf(a.out, "\nlinks:\n")
		for _, l := range src.Links {
			fmt.Fprintf(a.out, "  %s %s\n", printable(l.Rel), a.paint(cyan, printable(l.ID)))
		}
	}
	switch {
	case src.Changes != nil:
		fmt.Fprintln(a.out)
		if o.files || o.diff == "stat" {
			a.printStat(src.Changes)
		}
		if o.diff == "full" {
			a.printFiles(slices.DeleteFunc(src.Changes, func(f gitmem.FileChange) bool {
				return src.LeftOut > 0 && f.Patch == ""
			}))
		}
	case len(src.Paths) > 0:
		fmt.Fprintf(a.out, "\nfiles:\n")
		for _, p := range src.Paths {
			fmt.Fprintf(a.out, "  %s\n", printable(p))
		}
	}
	if src.LeftOut > 0 {
		a.printTrail(count(src.LeftOut, "more line") + " of the change left out")
	}
}
