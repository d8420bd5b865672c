package report_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
)

func filter(path ...string) query.Filter { return query.Filter{Path: path} }

// TestTeam ranks the people of areas, and reports the state of the whole.
func TestTeam(t *testing.T) {
	t.Parallel()
	r := newRepository(t,
		commit{author: "Ada Example", day: "2025-01-01", message: "Add the pump",
			files: map[string]string{"src/pump.c": "a\nb\nc\nd\ne\n", "docs/a.md": "a\n", "CODEOWNERS": "/src/ @acme/c\n"}},
		commit{author: "Bob Example", day: "2025-01-02", message: "Add the valve",
			files: map[string]string{"src/valve.c": "a\n"}},
		commit{author: "Ada Example", day: "2025-02-01", message: "Change the pump",
			files: map[string]string{"src/pump.c": "a\nb\nc\nd\nE\n"}},
		commit{author: "dependabot[bot]", day: "2025-02-02", message: "Bump a", files: map[string]string{"docs/a.md": "b\n"}},
		commit{author: "Eve Example", day: "2025-02-03", message: "Describe the pump",
			files: map[string]string{"docs/b.md": "b\n"}},
	)
	for _, tt := range []struct {
		asked string
		f     query.Filter
		by    string
		first string // the best expert
		count int    // number of people
	}{
		{"", filter(), "all", "Ada Example", 3},
		{".", query.Filter{Limit: 1}, "all", "Ada Example", 1},
		{"src", filter(), "path", "Ada Example", 2},
		{"src/valve.c", filter(), "path", "Bob Example", 1},
		{"docs", query.Filter{Since: "2025-02-01"}, "path", "Eve Example", 1},
		{"xylophone", filter(), "", "", 0},
	} {
		e, err := r.open(r.dir).Who(t.Context(), tt.asked, tt.f)
		if err != nil {
			t.Fatal(err)
		}
		if len(e.People) != tt.count || e.By != tt.by || tt.count > 0 && e.People[0].Name != tt.first ||
			e.Others != 0 != (tt.f.Limit == 1) {
			t.Errorf("%q: %+v", tt.asked, e)
		}
		if tt.asked == "src" && strings.Join(e.Owners, " ") != "@acme/c" {
			t.Errorf("owners: %q", e.Owners)
		}
		if tt.asked == "" && (e.Bots != 1 || e.Commits != 4) {
			t.Errorf("%d commits by bots and %d by people", e.Bots, e.Commits)
		}
	}
	all, err := r.open(r.dir).State(t.Context(), filter())
	if err != nil || all.Commits != 4 || len(all.Areas) == 0 || all.Path != "" {
		t.Errorf("%+v, %v", all, err)
	}
	docs, err := r.open(r.dir).State(t.Context(), filter("docs/"))
	if err != nil || docs.Path != "docs" || docs.Commits == 0 || docs.Commits >= all.Commits {
		t.Errorf("%+v, %v", docs, err)
	}
	if _, err := r.open(r.dir).State(t.Context(), filter("none")); !errors.Is(err, messages.ErrNotFound) {
		t.Errorf("no such folder: %v", err)
	}
	if _, err := r.open(r.dir).State(t.Context(), filter("docs", "src")); !errors.Is(err, messages.ErrUsage) {
		t.Errorf("two folders: %v", err)
	}
}
