package team_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/team"
)

// at returns a day in seconds.
func at(day string) int64 {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return t.Unix()
}

// work returns one commit of lines in files.
func work(row int64, who, day string, lines uint32, paths ...string) team.Entry {
	e := team.Entry{Row: row, Who: who, Unix: at(day), Paths: paths}
	for range paths {
		e.Lines = append(e.Lines, lines)
	}
	return e
}

func historyOf(entries ...team.Entry) *team.History {
	h := &team.History{}
	for _, e := range entries {
		h.Add(e)
	}
	return h
}

func names(r team.Ranking) []string {
	var out []string
	for _, p := range r.People {
		out = append(out, p.Name)
	}
	return out
}

const (
	ada = "Ada Lovelace <ada@example.org>"
	bob = "Bob Stone <bob@example.org>"
	cy  = "Cy Twain <cy@example.org>"
	bot = "dependabot[bot] <support@example.org>"
)

func TestRank(t *testing.T) {
	t.Parallel()
	shared := work(1, ada, "2024-01-01", 100, "a.go")
	shared.Also = []string{bob, bob, bot, ada}
	review := team.Entry{Row: 3, Who: cy, Unix: at("2024-01-02"), Review: true, Paths: []string{"a.go"}}
	merge := work(4, cy, "2024-01-02", 0, "a.go")
	merge.Merge = true
	sweep := work(5, bob, "2024-01-01", 9, "a.go")
	for i := range 99 {
		sweep.Paths = append(sweep.Paths, fmt.Sprintf("x%d.go", i))
		sweep.Lines = append(sweep.Lines, 1)
	}
	var small []team.Entry
	for i := range 40 {
		small = append(small, work(int64(10+i), ada, "2024-01-01", 20, "a.go"))
	}
	tests := []struct {
		name    string
		entries []team.Entry
		want    []string
	}{
		{"more lines", []team.Entry{work(1, ada, "2024-01-01", 10, "a.go"), work(2, bob, "2024-01-01", 300, "a.go")},
			[]string{"Bob Stone", "Ada Lovelace"}},
		{"more commits", []team.Entry{work(1, ada, "2024-01-01", 10, "a.go"), work(2, ada, "2024-01-01", 10, "a.go"),
			work(3, bob, "2024-01-01", 15, "a.go")}, []string{"Ada Lovelace", "Bob Stone"}},
		{"newer of about equal work", []team.Entry{work(1, ada, "2020-01-01", 14, "a.go"),
			work(2, bob, "2024-01-01", 10, "a.go")}, []string{"Bob Stone", "Ada Lovelace"}},
		{"the author of most, long ago", []team.Entry{work(1, ada, "2014-01-01", 400, "a.go"),
			work(2, bob, "2024-01-01", 3, "a.go")}, []string{"Ada Lovelace", "Bob Stone"}},
		{"an import does not win", append([]team.Entry{work(1, bob, "2024-01-01", 100_000, "a.go")}, small...),
			[]string{"Ada Lovelace", "Bob Stone"}},
		{"a sweep counts little", []team.Entry{sweep, work(1, ada, "2024-01-01", 2, "a.go")},
			[]string{"Ada Lovelace", "Bob Stone"}},
		{"those who share, once, and no bots", []team.Entry{shared}, []string{"Ada Lovelace", "Bob Stone"}},
		{"a review, no merge", []team.Entry{review, merge, work(1, ada, "2024-01-01", 50, "a.go")},
			[]string{"Ada Lovelace", "Cy Twain"}},
		{"a bot", []team.Entry{work(1, bot, "2024-01-01", 50, "a.go")}, nil},
		{"another file", []team.Entry{work(1, ada, "2024-01-01", 50, "b.go")}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := historyOf(tt.entries...)
			if diff := cmp.Diff(tt.want, names(h.Rank(h.Under("a.go"), team.Options{}))); diff != "" {
				t.Errorf("people (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRankBySurvivingLines checks that the author of the present lines is ahead of the author of more lines, also if
// the file had another name then or the lines came with a merge; the others follow by their work.
func TestRankBySurvivingLines(t *testing.T) {
	t.Parallel()
	moved := work(1, ada, "2020-01-01", 90, "old.go")
	merge := work(2, cy, "2024-01-02", 0, "a.go")
	merge.Merge = true
	shared := work(6, bob, "2024-01-01", 20, "a.go")
	shared.Also = []string{cy}
	h := historyOf(moved, merge, work(3, bob, "2024-01-01", 900, "a.go"), work(4, cy, "2024-01-01", 9, "a.go"), shared,
		work(7, "Dee Fox <dee@example.org>", "2024-01-01", 9, "a.go"), work(8, bot, "2024-01-01", 9, "a.go"))
	r := h.Rank(h.Under("a.go"), team.Options{Surviving: map[int64]float64{1: 80, 2: 5, 6: 10, 3: 0, 8: 50}})
	if diff := cmp.Diff([]string{"Ada Lovelace", "Bob Stone", "Cy Twain", "Dee Fox"}, names(r)); diff != "" {
		t.Errorf("people (-want +got):\n%s", diff)
	}
	for i, want := range []int{80, 10, 10, 0} {
		if got := r.People[i].Surviving; got != want {
			t.Errorf("%s: %d lines, want %d", r.People[i].Name, got, want)
		}
	}
}

// TestReviewsOfMessages checks that a review named in a commit counts like one of a forge, once for each person, and
// not at all if the forge named it for the same change.
func TestReviewsOfMessages(t *testing.T) {
	t.Parallel()
	commit := work(1, ada, "2024-01-01", 50, "a.go")
	commit.Reviewers = []string{cy, "Cy Twain <twain@home.example>", bot, ada}
	commit.Change = "github:7"
	other := work(2, ada, "2024-01-03", 50, "a.go")
	other.Reviewers, other.Also = []string{bob, cy}, []string{bob}
	forge := team.Entry{Row: 3, Who: cy, Unix: at("2024-01-02"), Review: true, Paths: []string{"a.go"}}
	told := forge
	told.Change = "github:7"
	for _, tt := range []struct {
		name    string
		entries []team.Entry
		want    int // number of reviews by Cy
	}{
		{"a message", []team.Entry{commit}, 1},
		{"two messages", []team.Entry{commit, other}, 2},
		{"a forge and a message about one change", []team.Entry{commit, told}, 1},
		{"the same, the other way round", []team.Entry{told, commit}, 1},
		{"a forge about another change", []team.Entry{commit, forge}, 2},
	} {
		h := historyOf(tt.entries...)
		r := h.Rank(h.Under("a.go"), team.Options{})
		for _, p := range r.People {
			if want := map[string]int{"Cy Twain": tt.want}[p.Name]; p.Reviews != want || p.Name == "Cy Twain" && p.Commits != 0 {
				t.Errorf("%s: %s has %d reviews, want %d; %+v", tt.name, p.Name, p.Reviews, want, p)
			}
		}
		o := h.Overview(team.OverviewOptions{})
		if o.Reviews != tt.want || len(o.Reviewers) != 1 || o.Reviewers[0].Name != "Cy Twain" ||
			o.Reviewers[0].Reviews != tt.want {
			t.Errorf("%s: overview of %d reviews, by %+v", tt.name, o.Reviews, o.Reviewers)
		}
	}
	byMessage, byForge := historyOf(commit), historyOf(work(1, ada, "2024-01-01", 50, "a.go"),
		team.Entry{Row: 3, Who: cy, Unix: at("2024-01-01"), Review: true, Paths: []string{"a.go"}})
	if diff := cmp.Diff(byForge.Rank(nil, team.Options{}).People[1].Score,
		byMessage.Rank(nil, team.Options{}).People[1].Score); diff != "" {
		t.Errorf("what a review is worth (-forge +message):\n%s", diff)
	}
}

func TestRankTellsFigures(t *testing.T) {
	t.Parallel()
	shared := work(1, ada, "2024-01-01", 100, "src/a.go", "b.go")
	shared.Also = []string{bob}
	h := historyOf(shared, work(2, ada, "2024-03-01", 7, "src/b.go"), work(3, bot, "2024-03-02", 7, "src/b.go"),
		team.Entry{Row: 4, Who: cy, Unix: at("2021-03-01"), Paths: []string{"src/b.go"}})
	r := h.Rank(h.Under("src"), team.Options{})
	if r.Commits != 3 || r.Bots != 1 || r.Unknown != 1 || r.BusFactor != 1 {
		t.Errorf("ranking %+v", r)
	}
	a := r.People[0]
	if a.Commits != 2 || a.Lines != 107 || !a.Active || a.First.Unix() != at("2024-01-01") ||
		a.Last.Unix() != at("2024-03-01") || !cmp.Equal(a.Paths, []string{"src/a.go", "src/b.go"}) ||
		!cmp.Equal(a.Rows, []int64{1, 2}) {
		t.Errorf("ada %+v", a)
	}
	for _, p := range r.People {
		if p.Name == "Bob Stone" && (p.Lines != 50 || p.Commits != 1) {
			t.Errorf("bob %+v", p)
		}
	}
	since := h.Rank(h.Under("src"), team.Options{Since: time.Unix(at("2024-02-01"), 0)})
	if diff := cmp.Diff([]string{"Ada Lovelace"}, names(since)); diff != "" {
		t.Errorf("since (-want +got):\n%s", diff)
	}
	only := h.Rank(nil, team.Options{Relevance: func(row int64) float64 {
		if row == 4 {
			return 1
		}
		return 0
	}})
	if diff := cmp.Diff([]string{"Cy Twain"}, names(only)); diff != "" {
		t.Errorf("relevant (-want +got):\n%s", diff)
	}
	if r.Introduced != 4 || r.Introducer != "Cy Twain" {
		t.Errorf("introduced %+v by %s", r.Introduced, r.Introducer)
	}
}

// TestRankLaws checks that the ranking does not depend on the order of the contributions, that more lines never lower a
// rank, that no bot is ranked, and that no commit of a person is lost.
func TestRankLaws(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	people := []string{ada, "Ada Lovelace <ada@home.example>", bob, "bob <7+bobstone@users.noreply.github.com>",
		"bobstone <b@example.net>", cy, bot}
	for range 60 {
		var list []team.Entry
		commits := 0
		for i := range 30 {
			e := work(int64(i), people[rng.IntN(len(people))], fmt.Sprintf("20%02d-%02d-01", 10+rng.IntN(10), 1+rng.IntN(12)),
				uint32(rng.IntN(900)), fmt.Sprintf("d%d/f%d", rng.IntN(2), rng.IntN(3)), "x")
			if e.Who != bot {
				commits++
			}
			list = append(list, e)
		}
		h := historyOf(list...)
		area := func(h *team.History) team.Area { return h.Under("") }
		want := h.Rank(area(h), team.Options{})
		total := 0
		for _, p := range want.People {
			if p.Bot {
				t.Fatalf("a bot: %+v", p)
			}
			total += p.Commits
		}
		if total != commits || want.Commits != commits {
			t.Fatalf("%d commits of %d", total, commits)
		}
		shuffled := append([]team.Entry{}, list...)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		g := historyOf(shuffled...)
		if diff := cmp.Diff(want, g.Rank(area(g), team.Options{})); diff != "" {
			t.Fatalf("another order (-want +got):\n%s", diff)
		}
		who := list[rng.IntN(len(list))]
		more := append([]team.Entry{}, list...)
		more[who.Row].Lines = []uint32{who.Lines[0] + uint32(rng.IntN(5000)), who.Lines[1]}
		m := historyOf(more...)
		a, b := h.Under(who.Paths[0]), m.Under(who.Paths[0])
		if scoreOf(h.Rank(a, team.Options{}), who.Row) > scoreOf(m.Rank(b, team.Options{}), who.Row) {
			t.Fatalf("%s has less with more lines", who.Who)
		}
	}
}

// scoreOf returns the score of the author of a contribution.
func scoreOf(r team.Ranking, row int64) float64 {
	for _, p := range r.People {
		for _, have := range p.Rows {
			if have == row {
				return p.Score
			}
		}
	}
	return 0
}
