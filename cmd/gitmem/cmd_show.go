package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newShowCmd() *cobra.Command {
	var asJSON bool
	var asOf string
	c := &cobra.Command{
		Use:   "show <citation>",
		Short: "Print the source behind a citation id",
		Args:  usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return a.with(func(m *gitmem.Memory) error {
				src, err := m.ShowAsOf(c.Context(), args[0], asOf)
				if refused := (*gitmem.Refusal)(nil); errors.As(err, &refused) {
					return err // with its own way out
				}
				if errors.Is(err, gitmem.ErrNotFound) && asOf != "" {
					return hinted{err, "leave --as-of out to see what is there now"}
				}
				if errors.Is(err, gitmem.ErrNotFound) {
					return hinted{err, "the source may have been deleted or rewritten, or belong to another repository"}
				}
				if err != nil {
					return err
				}
				if asJSON {
					return a.printJSON(newShown(src))
				}
				a.printSource(src)
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the source as JSON")
	c.Flags().Var(text(&asOf), "as-of", asOfUsage)
	return c
}

// shown is the JSON form of a source: a citation's fields and its whole text.
type shown struct {
	gitmem.Citation
	Text  string      `json:"text"`
	Paths []string    `json:"paths"`
	State string      `json:"state"` // of a pull request, an issue or a ticket, "" for what has none
	Also  []string    `json:"also"`  // who else had a part in it
	Links []shownLink `json:"links"`
}

type shownLink struct {
	Rel string `json:"rel"`
	ID  string `json:"id"`
}

func newShown(src gitmem.Source) shown {
	s := shown{Citation: gitmem.CitationOf(src), Text: src.Text, Paths: nonNil(src.Paths), State: src.State, Also: nonNil(src.Also), Links: []shownLink{}}
	for _, l := range src.Links {
		s.Links = append(s.Links, shownLink{string(l.Rel), l.ID})
	}
	return s
}

func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func (a *app) printSource(src gitmem.Source) {
	fmt.Fprintln(a.out, a.paint(cyan, src.ID))
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(a.out, "%s: %s\n", name, printable(value))
		}
	}
	field("author", src.Author)
	if !src.Time.IsZero() {
		field("date", src.Time.Format(time.RFC3339))
	}
	field("state", src.State)
	field("with", strings.Join(src.Also, ", "))
	field("url", src.URL)
	field("project", src.Project)
	field("session", src.Session)
	if src.Line > 0 {
		field("file", fmt.Sprintf("%s:%d", src.Path, src.Line))
	}
	fmt.Fprintf(a.out, "\n%s\n", strings.TrimRight(printable(src.Text), "\n"))
	if len(src.Links) > 0 {
		fmt.Fprintf(a.out, "\nlinks:\n")
		for _, l := range src.Links {
			fmt.Fprintf(a.out, "  %s %s\n", printable(string(l.Rel)), a.paint(cyan, printable(l.ID)))
		}
	}
	if len(src.Paths) > 0 {
		fmt.Fprintf(a.out, "\nfiles:\n")
		for _, p := range src.Paths {
			fmt.Fprintf(a.out, "  %s\n", printable(p))
		}
	}
}
