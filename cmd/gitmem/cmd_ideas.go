package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/cmd/internal/browse"
	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newIdeasCmd() *cobra.Command {
	var f gitmem.IdeaFilter
	c := a.ideasCommand("ideas [words]", "List what sessions settled, found, asked and left to do", &f, a.printIdeas)
	c.Flags().StringVar(&f.Intent, "intent", "",
		"decision, conclusion, question, problem, solution, todo or context; several with commas")
	c.Flags().BoolVar(&f.Open, "open", false, "only open questions and todos")
	c.Flags().IntVar(&f.Limit, "limit", 1000, "maximum number of ideas, newest first")
	return a.jsonFlag(c, "print the ideas as JSON")
}

// ideasCommand returns a command that prints the ideas that match a filter.
func (a *app) ideasCommand(use, short string, f *gitmem.IdeaFilter, show func([]gitmem.Idea)) *cobra.Command {
	c := resultCommand(a, use, short, cobra.ArbitraryArgs,
		func(ctx context.Context, m *gitmem.Memory, args []string) ([]gitmem.Idea, error) {
			f.Words = strings.Join(args, " ")
			list, err := m.Data().Ideas(ctx, *f)
			return list, orNothing(err, len(list) == 0)
		}, show)
	c.Flags().StringVar(&f.Session, "session", "", "only this session (id or its beginning)")
	c.Flags().StringVar(&f.Project, "project", "", "another project, or all")
	return c
}

func (a *app) printIdeas(list []gitmem.Idea) {
	for _, i := range list {
		day := i.Time.UTC().Format(time.DateOnly)
		if i.Time.IsZero() {
			day = "task list "
		}
		fmt.Fprintf(a.out, "%s  %s\n", day, a.ideaLine(i))
		for _, r := range i.Relations {
			fmt.Fprintf(a.out, "            %s %s\n", r.Kind, a.paint(cyan, printable(r.ID)))
		}
	}
	if len(list) == 0 {
		fmt.Fprintln(a.out, "No idea is recorded that fits.")
	}
}

// ideaLine formats an idea with its state and citation.
func (a *app) ideaLine(i gitmem.Idea) string {
	return fmt.Sprintf("%s %s%s  [%s]", a.paint(bold, i.Intent), printable(i.Text), ideaState(i), a.paint(cyan, i.ID))
}

// ideaState returns the state of an idea in brackets.
func ideaState(i gitmem.Idea) string {
	var words []string
	if i.State != "" {
		words = append(words, i.State)
	}
	if len(i.By) > 0 {
		words[0] += " by " + strings.Join(i.By, ", ")
	}
	if i.Confidence < 0.8 {
		words = append(words, "tentative")
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + printable(strings.Join(words, ", ")) + ")"
}

func (a *app) newTopicsCmd() *cobra.Command {
	var project string
	c := resultCommand(a, "topics [session]", "List what sessions were about", cobra.MaximumNArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) ([]gitmem.SessionTopics, error) {
			list, err := m.Data().Topics(ctx, project, strings.Join(args, ""))
			return list, orNothing(err, len(list) == 0)
		}, a.printTopics)
	c.Flags().StringVar(&project, "project", "", "another project, or all")
	return a.jsonFlag(c, "print the topics as JSON")
}

func (a *app) printTopics(list []gitmem.SessionTopics) {
	for _, s := range list {
		fmt.Fprintf(a.out, "%s  %s  [%s]\n", s.Time.UTC().Format(time.DateOnly), a.paint(bold, printable(s.Title)),
			a.paint(cyan, s.ID))
		for _, t := range s.Topics {
			var counts []string
			for _, intent := range slices.Sorted(maps.Keys(t.Ideas)) {
				counts = append(counts, fmt.Sprintf("%d %s", t.Ideas[intent], intent))
			}
			if t.Open > 0 {
				counts = append(counts, fmt.Sprintf("%d open", t.Open))
			}
			title, indent := printable(t.Title), strings.Repeat(" ", 12)
			if t.ID == s.ID {
				title = "the whole session"
			}
			if t.Parent != "" {
				indent += "  "
			}
			fmt.Fprintf(a.out, "%s%s\n", indent, strings.TrimSuffix(title+": "+strings.Join(counts, ", "), ": "))
			for _, i := range t.Lines {
				fmt.Fprintf(a.out, "%s  %s\n", indent, a.ideaLine(i))
			}
		}
	}
	if len(list) == 0 {
		fmt.Fprintln(a.out, "No session is archived that fits.")
	}
}

func (a *app) newGraphCmd() *cobra.Command {
	var picture bool
	show := func(list []gitmem.Idea) {
		if !picture {
			fmt.Fprint(a.out, mermaid(list))
			return
		}
		text, more := browse.GraphSVG(list)
		if fmt.Fprint(a.out, text); more > 0 {
			a.warn(fmt.Sprintf("%d more chains, ideas and names are not drawn: give words to choose some", more))
		}
	}
	c := a.ideasCommand("graph [words]", "Draw how ideas of sessions are related, as Mermaid or SVG",
		&gitmem.IdeaFilter{Decisions: true}, show)
	c.Flags().BoolVar(&picture, "svg", false, "print an SVG file, as on the page of gitmem browse")
	return a.jsonFlag(c, "print the ideas and their relations as JSON")
}

// mermaid returns a flowchart of the listed ideas that have relations among each other.
func mermaid(list []gitmem.Idea) string {
	var nodes, edges strings.Builder
	listed, linked := map[string]bool{}, map[string]bool{}
	for _, i := range list {
		listed[i.ID] = true
	}
	name := func(id string) string { return strings.NewReplacer(":", "_", "-", "_").Replace(id) }
	for _, i := range list {
		for _, r := range i.Relations {
			if listed[r.ID] {
				linked[i.ID], linked[r.ID] = true, true
				fmt.Fprintf(&edges, "  %s -->|%s| %s\n", name(i.ID), r.Kind, name(r.ID))
			}
		}
	}
	escape := strings.NewReplacer("#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;")
	for _, i := range list {
		if linked[i.ID] {
			fmt.Fprintf(&nodes, "  %s[\"%s: %s\"]\n", name(i.ID), i.Intent, escape.Replace(printable(i.Text)))
		}
	}
	return "flowchart LR\n" + nodes.String() + edges.String()
}
