package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/gitmem/gitmem/gitmem"
)

func (a *app) newTeamCmd() *cobra.Command {
	var f gitmem.Filter
	var ascii bool
	c := resultCommand(a, "team", "Show which areas are active, who knows them and what is at risk", cobra.NoArgs,
		func(ctx context.Context, m *gitmem.Memory, _ []string) (gitmem.TeamState, error) {
			defer a.continueIndexing(m)
			s, err := m.Team().State(ctx, f)
			return s, orNothing(err, s.Commits == 0)
		}, func(s gitmem.TeamState) { a.printTeam(s, drawing{ascii: ascii || !a.blocks()}) })
	a.addPeopleFlags(c, &f, &ascii, "maximum number of areas, files and people")
	c.Flags().Var(list(&f.Path), "path", "only a folder")
	return a.jsonFlag(c, "print the figures as JSON")
}

// addPeopleFlags adds the flags common to team and who.
func (a *app) addPeopleFlags(c *cobra.Command, f *gitmem.Filter, ascii *bool, limit string) {
	a.addOfflineFlag(c)
	c.Flags().StringVar(&f.Since, "since", "", "only changes since this time: 90d, last year, 2024-01-01")
	c.Flags().StringVar(&f.Until, "until", "", "only changes until this time")
	c.Flags().IntVar(&f.Limit, "limit", 10, limit)
	c.Flags().BoolVar(ascii, "ascii", false, "draw with ASCII only")
}

func (a *app) printTeam(s gitmem.TeamState, d drawing) {
	if s.Commits == 0 {
		fmt.Fprintln(a.out, "No commits are recorded.")
		a.printCaveats(s.Caveats)
		return
	}
	name := orWhole(printable(s.Path))
	work := fmt.Sprintf(": %s by %s, %s to %s;", count(s.Commits, "commit"), people(s.People), day(s.First), day(s.Last))
	fmt.Fprintln(a.out, a.paint(bold, name)+work+
		a.tail(name+work, " ", fmt.Sprintf("%d of them active within the last %d days", s.Active, s.ActiveDays)))
	if s.Bots > 0 {
		fmt.Fprintf(a.out, "left out: %s by bots, %s\n", count(s.Bots, "commit"), count(s.Merges, "merge"))
	}
	if s.Generated > 0 {
		fmt.Fprintf(a.out, "not below: %s that no one writes by hand (lock, generated, vendored)\n",
			count(s.Generated, "file"))
	}
	a.printActivity(s, d)
	a.printAreas(s, d)
	a.printRisks(s, d)
	a.printMembers("joined", s.Joined, d)
	a.printMembers("left", s.Left, d)
	a.printReviewers(s, d)
	a.printCaveats(s.Caveats)
}

func (a *app) printActivity(s gitmem.TeamState, d drawing) {
	if len(s.Activity) == 0 {
		return
	}
	var commits, heads []int
	most := 0
	for _, b := range s.Activity {
		commits, heads = append(commits, b.Commits), append(heads, b.People)
		most = max(most, b.Commits)
	}
	line := "commits  " + d.sparkline(commits)
	fmt.Fprintf(a.out, "\ncommits  %s%s\n", a.paint(green, d.sparkline(commits)),
		a.tail(line, "  ", fmt.Sprintf("%s to %s, at most %d", day(s.Activity[0].Start), day(s.Last), most)))
	fmt.Fprintf(a.out, "people   %s\n", a.paint(green, strings.TrimRight(d.sparkline(heads), " ")))
}

func (a *app) printAreas(s gitmem.TeamState, d drawing) {
	if len(s.Areas) == 0 {
		return
	}
	fmt.Fprintln(a.out)
	const figures, bars = 40, 8 // the width of the other columns and of the bar's heading
	free := a.columns() - figures
	room := min(max(free-46, bars), 20)
	owner := min(max((free-room)*2/5, 12), 20)
	area := min(max(free-room-owner, 12), 26)
	var rows [][]string
	top := s.Areas[0].Activity
	for _, r := range s.Areas {
		bar := d.hbar(r.Activity/max(top, 1e-9), room)
		rows = append(rows, []string{
			d.path(areaName(r.Path), area), bar, percent(r.Activity), strconv.Itoa(r.Commits), strconv.Itoa(r.People),
			d.cell(r.Owner, owner), percent(r.OwnerShare), strconv.Itoa(r.BusFactor),
		})
	}
	a.printTable([]column{
		{head: "area", style: cyan}, {head: "activity", style: green}, {head: "", right: true},
		{head: "commits", right: true}, {head: "people", right: true},
		{head: "owner", style: bold}, {head: "share", right: true}, {head: "bus", right: true},
	}, rows)
	if s.MoreAreas > 0 {
		fmt.Fprintf(a.out, "and %s\n", count(s.MoreAreas, "more area"))
	}
}

// areaName returns the printed name of an area; the files in the root folder are "./".
func areaName(p string) string {
	if p == "" {
		return "./"
	}
	return p
}

// people formats a number of people.
func people(n int) string {
	if n == 1 {
		return "1 person"
	}
	return fmt.Sprintf("%d people", n)
}

func percent(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }

func (a *app) printRisks(s gitmem.TeamState, d drawing) {
	if len(s.Risks) > 0 {
		fmt.Fprintln(a.out, "\nrisks")
	}
	for _, r := range s.Risks {
		const kind = len("knowledge lost")
		text := d.cell(r.Text, a.columns()-kind-18)
		path := d.path(areaName(r.Path), max(12, min(40, a.columns()-kind-6-utf8.RuneCountInString(text))))
		fmt.Fprintf(a.out, "  %s  %s: %s\n", a.paint(yellow, pad(r.Kind, kind)), path, text)
	}
	if len(s.HotSpots) > 0 {
		fmt.Fprintln(a.out, "\nhot spots, within a year")
	}
	for _, h := range s.HotSpots {
		work := fmt.Sprintf("%s by %s, %s", count(h.Commits, "commit"), people(h.People), count(h.Lines, "line"))
		fmt.Fprintf(a.out, "  %s  %s\n", d.path(h.Path, max(12, min(60, a.columns()-4-len(work)))), work)
	}
}

func (a *app) printReviewers(s gitmem.TeamState, d drawing) {
	if len(s.Reviewers) == 0 {
		return
	}
	fmt.Fprintf(a.out, "\nreviewers, of %s\n", count(s.Reviews, "review"))
	for _, r := range s.Reviewers {
		fmt.Fprintf(a.out, "  %s  %s, last seen %s\n", pad(d.cell(r.Name, 26), 26), count(r.Reviews, "review"), day(r.Last))
	}
}

func (a *app) printMembers(head string, list []gitmem.TeamMember, d drawing) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(a.out, "\n%s\n", head)
	for _, m := range list {
		fmt.Fprintf(a.out, "  %s  %s, %s to %s\n", pad(d.cell(m.Name, 26), 26), count(m.Commits, "commit"),
			day(m.First), day(m.Last))
	}
}
