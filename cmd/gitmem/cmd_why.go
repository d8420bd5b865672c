package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newWhyCmd() *cobra.Command {
	var q gitmem.WhyQuestion
	c := resultCommand(a, "why <path[:line[-line]]>", "Show who last changed a file or lines of it, when and why",
		cobra.ExactArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.Why, error) {
			q.What = args[0]
			w, err := m.Team().Why(ctx, q)
			return w, orNothing(err, !w.Recorded)
		}, a.printWhy)
	a.addOfflineFlag(c)
	c.Flags().StringVar(&q.Rev, "rev", "", "the file at this branch, tag or commit, instead of the one on disk")
	c.Flags().IntVar(&q.Limit, "limit", 5, "maximum number of reasons")
	return a.jsonFlag(c, "print the answer as JSON")
}

// whyLines is how many lines of a range are printed; JSON has all.
const whyLines = 6

func (a *app) printWhy(w gitmem.Why) {
	lines := 0
	for _, l := range w.Lines {
		a.printWhyLines(w.Path, l)
		lines += l.To - l.From + 1
	}
	for _, c := range w.Commits {
		a.printWhyCommit(c, lines)
	}
	fmt.Fprintln(a.out)
	if !w.Recorded {
		fmt.Fprintln(a.out, "The reason is not recorded.")
	} else {
		fmt.Fprintln(a.out, a.paint(bold, "Why:"))
	}
	for _, r := range w.Reasons {
		quoted := printable(r.Quoted())
		fmt.Fprintf(a.out, "- %s [%s]%s\n", quoted, a.paint(cyan, shorten(printable(r.ID))), a.citationStatus(r))
	}
	a.printCaveats(w.Caveats)
}

func (a *app) printWhyLines(path string, l gitmem.WhyLines) {
	place := fmt.Sprintf("%s:%d", path, l.From)
	if l.To > l.From {
		place += fmt.Sprintf("-%d", l.To)
	}
	from := "not committed"
	if l.Commit != "" {
		from = "git:commit:" + l.Commit[:12]
	}
	if l.Session != "" {
		from += ", by " + shorten(printable(l.Session))
	}
	fmt.Fprintf(a.out, "%s %s\n", a.paint(bold, printable(place)), a.paint(cyan, from))
	lines := strings.Split(strings.TrimRight(l.Text, "\r\n"), "\n")
	for _, line := range lines[:min(len(lines), whyLines)] {
		fmt.Fprintf(a.out, "    %s\n", printable(strings.TrimRight(line, "\r")))
	}
	if n := len(lines) - whyLines; n > 0 {
		fmt.Fprintf(a.out, "    … %d more\n", n)
	}
}

// printWhyCommit prints a commit's effect, author, date and subject. lines is the number of
// lines asked about, 0 for a whole file.
func (a *app) printWhyCommit(c gitmem.WhyCommit, lines int) {
	var about []string
	switch {
	case c.Lines > 0 && lines > 1:
		about = append(about, fmt.Sprintf("%d of the lines", c.Lines))
	case c.Lines == 0 && c.Added+c.Removed > 0:
		about = append(about, fmt.Sprintf("+%d -%d", c.Added, c.Removed))
	}
	by := shorten(printable(c.Via))
	if !regexp.MustCompile(regexp.QuoteMeta(c.PullRequest) + `\b`).MatchString(c.Title) {
		by = strings.TrimSpace(printable(c.PullRequest) + " " + by)
	}
	if by != "" {
		about = append(about, "by "+by)
	}
	if len(c.Closes) > 0 {
		about = append(about, "closes "+printable(strings.Join(c.Closes, ", ")))
	}
	if c.Release != "" {
		about = append(about, "first in "+printable(c.Release))
	}
	if c.RevertedBy != "" {
		about = append(about, a.paint(red, "taken back by "+shorten(c.RevertedBy)))
	}
	more := ""
	if len(about) > 0 {
		more = " (" + strings.Join(about, ", ") + ")"
	}
	fmt.Fprintf(a.out, "%s  %s  %s: %s%s [%s]\n", c.Time[:10], c.Part, printable(c.Author), printable(c.Title), more,
		a.paint(cyan, shorten(c.ID)))
}

// citationStatus describes anything unusual about a citation.
func (a *app) citationStatus(c gitmem.Citation) string {
	switch {
	case c.RevertedBy != "":
		return a.paint(red, " (taken back by "+shorten(c.RevertedBy)+")")
	case c.Since > 0:
		return a.paint(yellow, fmt.Sprintf(" (changed, %s since)", count(c.Since, "commit")))
	case c.Status != "holds":
		return a.paint(yellow, " ("+string(c.Status)+")")
	}
	return ""
}
