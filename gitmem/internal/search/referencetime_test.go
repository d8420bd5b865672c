package search_test

import (
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// releases resolves four releases.
func releases(name, _ string) (search.ReferenceTime, bool) {
	at := map[string]search.ReferenceTime{
		"v1.2": {At: day("2024-02-01")}, "1.3": {At: day("2024-03-01"), Before: day("2024-02-01")},
		"cmd/v2": {At: day("2024-04-01"), Before: day("2024-03-01")}, "7": {At: day("2024-05-01")},
		"2024-03-15": {At: day("2025-01-01")},
	}
	m, ok := at[name]
	return m, ok
}

func TestFindNamed(t *testing.T) {
	t.Parallel()
	second := func(s string) string { return day(s).Add(time.Second).Format(time.DateTime) }
	whole := func(s string) string { return day(s).Format(time.DateTime) }
	for _, tt := range []struct {
		in, since, until, rest string
		within                 bool
	}{
		{"what changed since v1.2?", second("2024-02-01"), "", "what changed ?", false},
		{"what changed since V1.2", second("2024-02-01"), "", "what changed", false},
		{"what changed after release 1.3.", second("2024-03-01"), "", "what changed .", false},
		{"before 1.3 who wrote it", "", whole("2024-03-01"), "who wrote it", false},
		{"fixes until cmd/v2, please", "", second("2024-04-01"), "fixes , please", false},
		{"what is new in 1.3", second("2024-02-01"), second("2024-03-01"), "what is new", true},
		{"what is new in v1.2", "", second("2024-02-01"), "what is new", true},
		{"fixes between v1.2 and 1.3", second("2024-02-01"), second("2024-03-01"), "fixes", false},
		{"fixes from v1.2 to cmd/v2", second("2024-02-01"), second("2024-04-01"), "fixes", false},
		{"since version 7", second("2024-05-01"), "", "", false},
		{"since 7 days", "", "", "since 7 days", false},
		{"since 2024-03-15", "", "", "since 2024-03-15", false},
		{"since v9", "", "", "since v9", false},
		{"support for v1.2", "", "", "support for v1.2", false},
		{"in utf8, before v1.2", "", whole("2024-02-01"), "in utf8,", false},
		{"no number", "", "", "no number", false},
	} {
		r, rest, within := search.FindNamed(tt.in, releases)
		text := func(t time.Time) string {
			if t.IsZero() {
				return ""
			}
			return t.Format(time.DateTime)
		}
		if text(r.Since) != tt.since || text(r.Until) != tt.until || rest != tt.rest || within != tt.within {
			t.Errorf("%q: %q to %q, rest %q, within %v", tt.in, text(r.Since), text(r.Until), rest, within)
		}
	}
	if r, rest, _ := search.FindNamed("since v1.2", nil); !r.IsZero() || rest != "since v1.2" {
		t.Errorf("without names: %v %q", r, rest)
	}
}

func TestFindRelease(t *testing.T) {
	t.Parallel()
	named := func(name, _ string) (search.ReferenceTime, bool) {
		at := map[string]search.ReferenceTime{
			"v1.2": {At: day("2024-02-01"), Commit: "b", Previous: "a"}, "cli 1.3": {At: day("2024-03-01"), Commit: "c",
				Package: "cli"},
			"latest": {At: day("2024-04-01"), Commit: "d"},
		}
		m, ok := at[name]
		return m, ok
	}
	for _, tt := range []struct{ in, from, to, of, rest string }{
		{"what is in v1.2?", "a", "b", "", "what is ?"},
		{"was it in cli 1.3.", "", "c", "cli", "was it ."},
		{"does cli 1.3 have a lid?", "", "c", "cli", "does have a lid?"},
		{"when was v1.2 made", "a", "b", "", "when was made"},
		{"what is the latest release of cli?", "", "d", "", "what is the ?"},
		{"what changed since v1.2", "", "", "", "what changed since v1.2"},
		{"python 3.8 support", "", "", "", "python 3.8 support"},
	} {
		r, rest := search.FindRelease(tt.in, named)
		if r.From != tt.from || r.To != tt.to || r.Package != tt.of || rest != tt.rest {
			t.Errorf("%q: %q to %q of %q, rest %q", tt.in, r.From, r.To, r.Package, rest)
		}
	}
}

func TestParseNamed(t *testing.T) {
	t.Parallel()
	now := day("2024-11-20")
	if r, err := search.ParseNamed(" v1.2 ", now, releases); err != nil || r.Since != day("2024-02-01").Add(time.Second) ||
		r.Until != r.Since {
		t.Errorf("%v %v", r, err)
	}
	if r, err := search.ParseNamed("2024-03-15", now, releases); err != nil || r.Since != day("2024-03-15") {
		t.Errorf("a date is a date: %v %v", r, err)
	}
	if r, err := search.ParseSpan(" 1.3 ", now, releases); err != nil || r.Since != day("2024-02-01").Add(time.Second) ||
		r.Until != day("2024-03-01").Add(time.Second) {
		t.Errorf("in a release: %v %v", r, err)
	}
	if r, err := search.ParseSpan("3d", now, releases); err != nil || r.Since.IsZero() || r.Since.Equal(r.Until) {
		t.Errorf("in three days: %v %v", r, err)
	}
	for _, s := range []string{"v9", "soon", ""} {
		if r, err := search.ParseNamed(s, now, releases); err == nil {
			t.Errorf("%q is %v", s, r)
		}
	}
}

func FuzzFindNamed(f *testing.F) {
	f.Add("between v1.2 and v1.3", "v1.2")
	f.Add("since the release 7.", "7")
	f.Fuzz(func(t *testing.T, text, name string) {
		r, rest, _ := search.FindNamed(text, func(s, _ string) (search.ReferenceTime, bool) {
			return search.ReferenceTime{At: day("2024-02-01")}, s == name
		})
		if r.IsZero() && (rest != text || r.Words != "") || len(rest) > len(text) {
			t.Errorf("%q: %v, %q", text, r, rest)
		}
	})
}
