package team_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/team"
)

// grown returns a small repository: the parser is by Ada, who left; the rest is shared.
func grown() *team.History { return grownWith("src/net/net.go") }

// grownWith is grown with another file in place of one that many change.
func grownWith(changed string) *team.History {
	h := &team.History{}
	row := int64(0)
	add := func(who string, day time.Time, lines uint32, paths ...string) {
		h.Add(work(row, who, day.Format(time.DateOnly), lines, paths...))
		row++
	}
	start := time.Date(2020, 1, 15, 0, 0, 0, 0, time.UTC)
	for i := range 12 {
		add(ada, start.AddDate(0, i, 0), 100, "src/parser/parser.go", fmt.Sprintf("src/parser/p%d.go", i%3))
	}
	for i := range 60 {
		who := []string{bob, cy, "Dee Fox <dee@example.org>"}[i%3]
		add(who, start.AddDate(2, 0, 7*i), 30, changed, "docs/guide.md")
	}
	add(bot, start.AddDate(3, 0, 0), 1, "go.mod")
	h.Add(team.Entry{Row: row, Who: bob, Unix: start.Unix(), Merge: true, Paths: []string{"go.mod"}})
	return h
}

func TestOverview(t *testing.T) {
	t.Parallel()
	o := grown().Overview(team.OverviewOptions{})
	if o.Commits != 72 || o.Merges != 1 || o.Bots != 1 || o.People != 4 || o.Active != 3 {
		t.Errorf("overview %+v", o)
	}
	var areas []string
	for _, a := range o.Areas {
		areas = append(areas, fmt.Sprintf("%s %s %d %d", a.Path, a.Owner, a.BusFactor, a.People))
		if a.Path == "src/parser/" && (a.Lost != 1 || a.OwnerActive) {
			t.Errorf("parser %+v", a)
		}
		sum := 0
		for _, n := range a.OverTime {
			sum += n
		}
		if sum != a.Commits || len(a.OverTime) != len(o.Activity) || len(a.Holders) != a.People ||
			a.Holders[0].Name != a.Owner {
			t.Errorf("%s: %d of %d commits in %d stretches, held by %+v", a.Path, sum, a.Commits, len(a.OverTime), a.Holders)
		}
	}
	want := []string{"docs/ Dee Fox 2 3", "src/net/ Dee Fox 2 3", "src/parser/ Ada Lovelace 1 1"}
	if diff := cmp.Diff(want, areas); diff != "" {
		t.Errorf("areas (-want +got):\n%s", diff)
	}
	if len(o.HotSpots) != 2 || o.HotSpots[0].People != 3 {
		t.Errorf("hot spots %+v", o.HotSpots)
	}
	sum := 0
	for i, b := range o.Activity {
		sum += b.Commits
		if i > 0 && !b.Start.After(o.Activity[i-1].Start) {
			t.Errorf("buckets out of order: %v", o.Activity)
		}
	}
	if sum != o.Commits || len(o.Activity) != 39 {
		t.Errorf("%d commits in %d stretches", sum, len(o.Activity))
	}
}

func TestOverviewOfAFolder(t *testing.T) {
	t.Parallel()
	o := grown().Overview(team.OverviewOptions{Root: "src", Limit: 1, Exists: func(p string) bool {
		return p != "src/net/net.go"
	}})
	if o.Commits != 72 || len(o.Areas) != 1 || o.Areas[0].Path != "src/parser/" {
		t.Errorf("overview %+v", o)
	}
	if o := grown().Overview(team.OverviewOptions{Root: "nowhere"}); o.Commits != 0 || o.Areas != nil ||
		o.Activity != nil {
		t.Errorf("nowhere %+v", o)
	}
	if o := new(team.History).Overview(team.OverviewOptions{}); o.Commits != 0 || o.People != 0 {
		t.Errorf("nothing %+v", o)
	}
}

// TestOverviewLeavesOutWhatNoOneWrites checks that work on generated files counts, but the files are not an area or a
// hot spot.
func TestOverviewLeavesOutWhatNoOneWrites(t *testing.T) {
	t.Parallel()
	all, made := grown().Overview(team.OverviewOptions{}), grownWith("src/net/net.pb.go").Overview(team.OverviewOptions{})
	if made.Generated != 1 || made.Commits != all.Commits || made.People != all.People {
		t.Errorf("%d left out, %d commits by %d", made.Generated, made.Commits, made.People)
	}
	if len(made.HotSpots) != 1 || made.HotSpots[0].Path != "docs/guide.md" {
		t.Errorf("hot spots %+v", made.HotSpots)
	}
	for _, a := range made.Areas {
		if a.Path == "src/net/" {
			t.Errorf("area %+v", a)
		}
	}
}

// TestOverviewBearsAnyTime has commits with arbitrary times.
func TestOverviewBearsAnyTime(t *testing.T) {
	t.Parallel()
	for _, unix := range []int64{-1 << 40, -1, 0, 1, 1 << 40, 253402300800} {
		h := &team.History{}
		h.Add(team.Entry{Who: ada, Unix: unix, Paths: []string{"a"}})
		h.Add(team.Entry{Who: bob, Unix: at("2024-01-01"), Paths: []string{"a"}})
		sum := 0
		for _, b := range h.Overview(team.OverviewOptions{}).Activity {
			sum += b.Commits
		}
		if want := 2; unix != 0 && sum != want {
			t.Errorf("%d: %d commits", unix, sum)
		}
	}
}
