package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/templates"
)

// newHelpCmd replaces cobra's help command, which has no topics.
func (a *app) newHelpCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "help [<command> | <topic>]",
		Short: "Explain a command or a topic",
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			found, _, _ := c.Root().Find(args)
			return helpNames(found), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if topic := templates.Topic(strings.Join(args, " ")); topic != "" {
				_, err := fmt.Fprint(a.out, a.page(topic))
				return err
			}
			found, rest, err := c.Root().Find(args)
			if err == nil && len(rest) == 0 {
				found.InitDefaultHelpFlag()
				found.InitDefaultVersionFlag()
				return found.Help()
			}
			return noHelp(found, args, rest[0])
		},
	}
}

// noHelp returns the error for an argument that is neither a command nor a topic.
func noHelp(c *cobra.Command, args []string, unknown string) error {
	names := &cobra.Command{}
	for _, name := range helpNames(c) {
		names.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	err := fmt.Errorf("there is no command or topic %q", strings.Join(args, " "))
	return suggested(err, names, unknown, func(name string) string {
		return strings.Replace(c.CommandPath(), "gitmem", "gitmem help", 1) + " " + name
	})
}

// helpNames returns the subcommands of a command, and for the root command also the topics.
func helpNames(c *cobra.Command) []string {
	var names []string
	if !c.HasParent() {
		names = templates.Topics()
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// topicList returns the list of topics in the root command's help.
func topicList() string {
	var b strings.Builder
	b.WriteString("\nTopics, as in gitmem help asking:\n")
	for _, name := range templates.Topics() {
		title, _, _ := strings.Cut(strings.TrimPrefix(templates.Topic(name), "# "), "\n")
		fmt.Fprintf(&b, "  %-16s %s\n", name, title)
	}
	return b.String()
}

// page lays out a topic's Markdown: paragraphs and list items are filled to the width, code
// is indented and otherwise unchanged, the columns of a table are aligned.
func (a *app) page(topic string) string {
	width := min(a.columns(), 100)
	var b strings.Builder
	var words []string  // of the paragraph or item being read
	var rows [][]string // of the table being read
	end := func() {
		if len(words) > 0 {
			b.WriteString(a.markCode(wrap(strings.Join(words, " ")+"\n", width)))
		}
		b.WriteString(a.table(rows, width))
		words, rows = nil, nil
	}
	code := false
	for line := range strings.Lines(topic) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "```"):
			end()
			code = !code
		case code && line != "":
			b.WriteString("    " + line + "\n")
		case strings.HasPrefix(line, "#"):
			b.WriteString(a.paint(bold, strings.TrimLeft(line, "# ")) + "\n")
		case strings.HasPrefix(line, "|---"): // below the head of a table
		case strings.HasPrefix(line, "|"):
			cells := strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
			rows = append(rows, slice.Map(strings.Split(cells, "|"), strings.TrimSpace))
		case line == "":
			end()
			b.WriteString("\n")
		case listMark().MatchString(line):
			end()
			fallthrough
		default:
			words = append(words, strings.TrimSpace(line))
		}
	}
	end()
	return b.String()
}

var codeSpan = lazy.Pattern("`([^`]+)`")

// markCode colours text between backticks, if colour is on.
func (a *app) markCode(text string) string {
	if !a.colour() {
		return text
	}
	return codeSpan().ReplaceAllString(text, string(cyan)+"$1"+reset)
}
