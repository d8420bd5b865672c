package main

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/internal/clip"
)

func (a *app) newBlameCmd() *cobra.Command {
	c := resultCommand(a, "blame <citation | path[:line]>",
		"Show when, in which session and why each line of memory was written", cobra.ExactArgs(1),
		func(ctx context.Context, m *gitmem.Memory, args []string) (gitmem.Blamed, error) {
			b, err := m.History().Blame(ctx, args[0])
			return b, unknownSource(err)
		}, a.printBlame)
	return a.jsonFlag(c, "print the lines as JSON")
}

// printBlame prints one row per line: commit, date, session and turn, why, line number and text.
func (a *app) printBlame(b gitmem.Blamed) {
	rows := make([][4]string, len(b.Lines))
	var width [4]int
	for i, l := range b.Lines {
		rows[i] = blameRow(l)
		for j, cell := range rows[i] {
			width[j] = max(width[j], utf8.RuneCountInString(cell))
		}
	}
	styles := [4]style{yellow, "", cyan, dim}
	for i, l := range b.Lines {
		for j, cell := range rows[i] {
			if width[j] > 0 {
				fmt.Fprint(a.out, a.paint(styles[j], cell), strings.Repeat(" ", width[j]-utf8.RuneCountInString(cell)+1))
			}
		}
		fmt.Fprintf(a.out, "%4d) %s\n", l.Line, printable(l.Text))
	}
}

const whyRunes = 32 // maximum width of the reason; JSON has it in full

func blameRow(l gitmem.BlameLine) [4]string {
	if l.Commit == "" {
		return [4]string{"uncommitted", "", session(l), ""}
	}
	return [4]string{l.Commit[:12], l.Time[:10], session(l), clip.Within(printable(l.Why), whyRunes)}
}

// session returns the beginning of a session's id with the turn.
func session(l gitmem.BlameLine) string {
	id := []rune(printable(l.Session))
	return strings.TrimSpace(string(id[:min(len(id), 8)]) + " " + printable(l.Turn))
}
