package gitmem_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// wells is a repository with three commits, one a month, without a store.
func (l *lab) wells() *repo {
	l.t.Helper()
	r := l.repo("wells")
	r.commit("2024-03-01", "Ada Example", "well.c",
		"Dig the well by hand\n\nThe drill is too loud because the cows are asleep.")
	r.commit("2024-04-01", "Bo Example", "pump.c", "Put a pump into the well")
	r.commit("2024-05-01", "Cy Example", "CLAUDE.md", "Measure the depth of the well in metres.")
	return r
}

func TestAsOfReadsMoments(t *testing.T) {
	t.Parallel()
	l := newLab(t) // its clock is at 2025-03-10 12:00
	r := l.wells()
	r.git("tag", "dug", "HEAD~2")
	l.now = time.Date(2024, 4, 15, 9, 30, 0, 0, time.UTC)
	l.note(r.dir, "The bucket hangs on a chain")
	memory := strings.TrimSpace(l.git(l.root, nil, "rev-parse", "HEAD"))
	l.now = fixedNow()
	head := strings.TrimSpace(r.git("rev-parse", "HEAD"))
	for when, want := range map[string]string{
		"2024-04-15":                "2024-04-15T23:59:59Z",
		"2024-04":                   "2024-04-30T23:59:59Z",
		"2024-Q2":                   "2024-06-30T23:59:59Z",
		"March 2024":                "2024-03-31T23:59:59Z",
		"2024":                      "2024-12-31T23:59:59Z",
		"yesterday":                 "2025-03-09T23:59:59Z",
		"last month":                "2025-02-28T23:59:59Z",
		"3d":                        "2025-03-07T00:00:00Z",
		"6h":                        "2025-03-10T06:00:00Z",
		"2024-04-15T12:00:00+02:00": "2024-04-15T10:00:00Z",
		"HEAD":                      "2024-05-01T10:00:00Z",
		"dug":                       "2024-03-01T10:00:00Z",
		"main~1":                    "2024-04-01T10:00:00Z",
		head[:10]:                   "2024-05-01T10:00:00Z",
		memory:                      "2024-04-15T09:30:00Z",
		"today":                     "2025-03-10T12:00:00Z", // it has not ended: the present
		"2031":                      "2025-03-10T12:00:00Z",
		"2025-03-10T12:00:00Z":      "2025-03-10T12:00:00Z",
	} {
		a := l.ask(r.dir, "well", gitmem.Filter{AsOf: when})
		if a.AsOf != want {
			t.Errorf("--as-of %s is %s, want %s", when, a.AsOf, want)
		}
		present := slices.ContainsFunc(a.Caveats, func(c string) bool { return strings.Contains(c, "has not passed yet") })
		if present != (want == "2025-03-10T12:00:00Z") {
			t.Errorf("--as-of %s: caveats %q", when, a.Caveats)
		}
	}
	for when, want := range map[string]bool{"main": true, "HEAD": false, "HEAD~1": false} { // every repository has a HEAD
		both := l.ask(r.dir, "well", gitmem.Filter{AsOf: when})
		if told := slices.ContainsFunc(both.Caveats, func(c string) bool {
			return strings.Contains(c, "that of this repository was taken")
		}); told != want {
			t.Errorf("%s is a commit of both repositories, and it is %t that a caveat says so: %q", when, told, both.Caveats)
		}
	}
	for _, when := range []string{"nosuch", "2024-02-31", "HEAD~9", "-1d", ".."} {
		m := l.open(r.dir)
		_, err := m.Ask(t.Context(), "well", gitmem.Filter{AsOf: when})
		if !errors.Is(err, gitmem.ErrUsage) {
			t.Errorf("--as-of %s: %v, want a usage error", when, err)
		} else if text := err.Error(); !strings.Contains(text, r.dir) || !strings.Contains(text, l.root) ||
			!strings.Contains(text, "2024-03-15") {
			t.Errorf("--as-of %s: %v names neither both repositories nor the forms", when, err)
		}
	}
}

func TestAsOfBeforeTheFirstCommit(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.wells()
	a := l.ask(r.dir, "why dig the well by hand?", gitmem.Filter{AsOf: "2024-02-29"})
	if a.Confidence != gitmem.None || len(a.Citations)+len(a.Searched) > 0 {
		t.Errorf("before the first commit: %s", describe(a))
	}
	if !slices.ContainsFunc(a.Caveats, func(c string) bool { return strings.Contains(c, "begins after 2024-02-29") }) {
		t.Errorf("no caveat says that the history begins later: %q", a.Caveats)
	}
	l.holds(l.ask(r.dir, "why dig the well by hand?", gitmem.Filter{AsOf: "2024-03-01"}), "cows are asleep")
}

// TestAsOfWithoutAStore needs history and rules only, and creates only a cache.
func TestAsOfWithoutAStore(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.wells()
	before := filesBelow(t, r.dir)
	a := l.ask(r.dir, "pump in the well", gitmem.Filter{AsOf: "2024-03-15"})
	l.lacks(a, "Put a pump")
	l.lacks(a, "metres")
	l.holds(l.ask(r.dir, "depth of the well", gitmem.Filter{AsOf: "HEAD", Layer: "rules"}), "metres")
	equal(t, "files of the repository", before, filesBelow(t, r.dir))
	if entries, err := os.ReadDir(l.home); err != nil || len(entries) > 0 {
		t.Errorf("the home holds %v, %v; want nothing", entries, err)
	}
	// The past of files without any history is unknown.
	l.write(filepath.Join(l.root, "projects", munge(r.dir), "memory/MEMORY.md"),
		"# Notes\n\n- The bucket hangs on a chain\n")
	a = l.ask(r.dir, "which bucket hangs on a chain?", gitmem.Filter{AsOf: "2024-05-02"})
	l.lacks(a, "[memory:")
	if a.Confidence != gitmem.None || !strings.Contains(a.Answer, "Memory could not be searched") {
		t.Errorf("memory without history: %s", describe(a))
	}
}

func TestAsOfOutsideARepository(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	dir := filepath.Join(l.base, "attic")
	l.mkdir(dir)
	l.note(dir, "The ladder is in the attic")
	l.now = l.now.AddDate(0, 0, 7)
	l.note(dir, "The ladder is lent to the neighbour")
	l.now = l.now.AddDate(0, 0, 7)
	a := l.ask(dir, "where is the ladder?", gitmem.Filter{AsOf: "7d"})
	l.holds(a, "in the attic")
	l.lacks(a, "neighbour")
	l.holds(l.ask(dir, "where is the ladder?", gitmem.Filter{AsOf: "yesterday"}), "neighbour")
	m := l.open(dir)
	if _, err := m.Ask(t.Context(), "ladder", gitmem.Filter{AsOf: "nosuch"}); !errors.Is(err, gitmem.ErrUsage) {
		t.Errorf("unknown revision: %v", err)
	}
}

// TestAsOfTakesWhatWasCommitted: the time of an uncommitted change is unknown.
func TestAsOfTakesWhatWasCommitted(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.wells()
	n := l.note(r.dir, "The bucket hangs on a chain")
	l.write(n.File, strings.ReplaceAll(l.read(n.File), "chain", "rope"))
	l.now = l.now.AddDate(0, 0, 2)
	a := l.ask(r.dir, "bucket hangs", gitmem.Filter{AsOf: "yesterday", Layer: "memory"})
	l.holds(a, "chain")
	l.lacks(a, "rope")
	if !slices.ContainsFunc(a.Caveats, func(c string) bool { return strings.Contains(c, "1 file of memory differ") }) {
		t.Errorf("no caveat tells of the uncommitted change: %q", a.Caveats)
	}
	l.write(filepath.Join(l.root, "CLAUDE.md"), "# Mine\n\nCarry the bucket with both hands.\n")
	l.write(filepath.Join(r.dir, "CLAUDE.local.md"), "# Local\n\nThe bucket is blue.\n")
	a = l.ask(r.dir, "bucket", gitmem.Filter{AsOf: "yesterday"})
	l.lacks(a, "hands")
	l.lacks(a, "blue")
	for _, want := range []string{"Your own rules", "CLAUDE.local.md"} {
		if !slices.ContainsFunc(a.Caveats, func(c string) bool { return strings.Contains(c, want) }) {
			t.Errorf("no caveat tells of %s: %q", want, a.Caveats)
		}
	}
}

func TestShowAsOf(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.wells()
	shas := strings.Fields(r.git("rev-list", "HEAD")) // newest first
	l.note(r.dir, "The bucket hangs on a chain")
	l.transcriptFile(r.dir, sessionA, relayTurns()...)
	show := func(id, asOf string) (gitmem.Shown, error) {
		m := l.open(r.dir)
		return m.Shown(t.Context(), id, gitmem.ShowOptions{AsOf: asOf})
	}
	for _, tt := range []struct {
		id, asOf, holds string // "" if missing
	}{
		{"git:commit:" + shas[1], "2024-04-01", "Put a pump"},
		{"git:commit:" + shas[1][:12], "2024-04-01", "Put a pump"},
		{"git:commit:" + shas[1], "2024-03-31", ""},
		{"git:commit:" + shas[1][:12], shas[2], ""},
		{shas[2], shas[2], "Dig the well"},
		{"rules:CLAUDE.md", "HEAD", "in metres"},
		{"rules:CLAUDE.md", "HEAD~1", ""},
		{"transcript:" + sessionA + ":1", "2025-03-09T14:02:00Z", "Choose a relay"},
		{"transcript:" + sessionA + ":2", "2025-03-09T14:21:59Z", ""},
		{"transcript:" + sessionA + ":2", "2025-03-09T14:22:00Z", "ten ampere"},
		{"memory:local/" + shas[2] + "#notes", "2025-03-09", ""},
	} {
		src, err := show(tt.id, tt.asOf)
		if tt.holds == "" && !errors.Is(err, gitmem.ErrNotFound) {
			t.Errorf("show %s --as-of %s: %q, %v; want not found", tt.id, tt.asOf, src.Text, err)
		}
		if tt.holds != "" && (err != nil || !strings.Contains(src.Text, tt.holds)) {
			t.Errorf("show %s --as-of %s: %q, %v; want %q", tt.id, tt.asOf, src.Text, err, tt.holds)
		}
	}
	if _, err := show("nonsense", "2024-04-01"); !errors.Is(err, gitmem.ErrUsage) {
		t.Errorf("a malformed id: %v", err)
	}
	if !slices.ContainsFunc(l.warned, func(s string) bool { return strings.Contains(s, "still on disk") }) {
		t.Errorf("what can't be known was not told: %q", l.warned)
	}
}

// TestShowAsOfPrefersTheProjectOfThen: before its first commit a repository was another project, and ids are only
// unique within a project.
func TestShowAsOfPrefersTheProjectOfThen(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("wells")
	l.now = time.Date(2024, 2, 1, 9, 0, 0, 0, time.UTC)
	tasks := func(dir, text string) {
		l.write(filepath.Join(l.root, dir, "tasks.md"), "---\nformat: 1\nkind: tasks\n---\n\n- [ ] feat-a: "+text+
			" ^task-feat-a\n")
	}
	log := l.observe(r.dir, gitmem.Observation{Session: sessionA, Tool: "Edit"})
	rel, err := filepath.Rel(l.root, log)
	if err != nil {
		t.Fatal(err)
	}
	own, _, _ := strings.Cut(filepath.ToSlash(rel), "/observations")
	tasks("gitmem/projects/github.com/acme/mill", "Grind the corn")
	tasks(own, "Dig the well")
	l.with(r.dir, func(m *gitmem.Memory) error {
		_, err := m.Init(t.Context())
		return err
	})
	r.commit("2024-03-01", "Ada Example", "well.c", "Dig the well by hand")
	l.now = fixedNow()
	src, err := l.open(r.dir).Shown(t.Context(), "task:feat-a", gitmem.ShowOptions{AsOf: "2024-02-15"})
	if err != nil || !strings.Contains(src.Text, "Dig the well") {
		t.Errorf("%q of %s, %v; want the task of the repository", src.Text, src.Project, err)
	}
}
