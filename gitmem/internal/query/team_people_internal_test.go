package query

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/team"
)

// TestReviewsOfAForge checks that comments on lines of a change count once for each reviewer, and those of its author
// never.
func TestReviewsOfAForge(t *testing.T) {
	t.Parallel()
	h := &team.History{}
	r := &reviewed{h: h, authors: map[string]string{}, index: map[[2]string]int{}}
	on := func(who string, paths ...string) team.Entry {
		return team.Entry{Who: who, Unix: 1_700_000_000, Paths: paths}
	}
	r.add("github:comment:7:1", "comment", on("Bob Stone <>", "a.go"))
	r.add("github:comment:7:2", "comment", on("Bob Stone <>", "a.go"))
	r.add("github:comment:7:3", "comment", on("Bob Stone <>", "b.go"))
	r.add("github:pr:7", "pr", on("Ada Lovelace <>"))
	r.add("github:comment:7:4", "comment", on("Ada Lovelace <>", "a.go"))
	r.add("github:comment:9:1", "comment", on("Cy Twain <>", "a.go")) // its change is unknown
	r.add("github:comment:7:5", "comment", on("Dee Fox <>"))
	r.add("docs:README.md#x", "section", on("Dee Fox <>", "a.go"))
	r.finish()
	var got []string
	for _, p := range h.Rank(nil, team.Options{}).People {
		got = append(got, p.Name)
		if p.Reviews != 1 || p.Commits != 0 || len(p.Paths) != 2 {
			t.Errorf("%+v", p)
		}
	}
	if diff := cmp.Diff([]string{"Bob Stone"}, got); diff != "" {
		t.Errorf("reviewers (-want +got):\n%s", diff)
	}
}
