package archiving_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/archiving"
	"github.com/gitmem/gitmem/gitmem/internal/session"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
)

// archived returns a memory with archived and committed sections of one session and of others.
func archived(t *testing.T) (m *memory, day string) {
	t.Helper()
	m = newMemory(t)
	m.Now = time.Now().Add(time.Hour)
	m.transcript(m.dir, sessionA, relayTurns()...)
	m.oldSessions(3) // the last one is on the previous day
	if b := m.backfill(archiving.BackfillOptions{}); len(b.Sections) != 4 {
		t.Fatalf("%+v", b)
	}
	return m, m.dayFile("2025-03-09")
}

// dayFile returns the archive's file of a day.
func (m *memory) dayFile(date string) string {
	m.t.Helper()
	files, err := filepath.Glob(m.InRoot("gitmem/projects/*/*/sessions/*/" + date + ".md"))
	if err != nil || len(files) != 1 {
		m.t.Fatalf("the file of %s: %q, %v", date, files, err)
	}
	return files[0]
}

// tombstones returns the number of tombstones of content that was deleted by hand.
func (m *memory) tombstones() int {
	b, _ := os.ReadFile(m.InRoot(tombstone.File)) // it may not exist
	return strings.Count(string(b), " deleted ")
}

// loseIndex deletes the index.
func (m *memory) loseIndex() {
	m.t.Helper()
	if err := os.RemoveAll(m.InRoot("gitmem/.index")); err != nil {
		m.t.Fatal(err)
	}
}

// cutSection cuts a section out of a file by the text of its heading.
func cutSection(text, heading string) (rest, section string) {
	from := strings.Index(text, "\n## "+heading)
	to := strings.Index(text[from+1:], "\n## ")
	if to < 0 {
		return text[:from], text[from:]
	}
	return text[:from] + text[from+1+to:], text[from : from+1+to]
}

func TestDeletedByHand(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name       string
		edit       func(m *memory, day string)
		tombstones int // of blocks, sections, and positions up to which a session was archived
		sections   int // of the session, after a backfill without the index
		deleted    int // sessions that the backfill skips as deleted
	}{
		{"a section", func(m *memory, day string) {
			rest, _ := cutSection(m.Read(day), "Choose")
			m.Write(day, rest)
		}, 3, 0, 1},
		{"an idea", func(m *memory, day string) {
			lines := strings.SplitAfter(m.Read(day), "\n")
			for i, line := range lines {
				if strings.Contains(line, "optocoupler") {
					lines[i] = ""
				}
			}
			m.Write(day, strings.Join(lines, ""))
		}, 1, 1, 0},
		{"a heading, and its ideas stay", func(m *memory, day string) {
			text := m.Read(day)
			from := strings.Index(text, "## Choose")
			m.Write(day, text[:from]+text[from+strings.Index(text[from:], "\n"):])
		}, 2, 0, 1},
		{"a file", func(_ *memory, day string) { os.Remove(day) }, 3, 0, 1},
		{"a file that moved with its project", func(_ *memory, day string) {
			project := filepath.Dir(filepath.Dir(filepath.Dir(day)))
			if err := os.Rename(project, project+"-moved"); err != nil {
				t.Error(err)
			}
		}, 0, 1, 0},
		{"a project's folder that is gone", func(_ *memory, day string) {
			if err := os.RemoveAll(filepath.Dir(filepath.Dir(filepath.Dir(day)))); err != nil {
				t.Error(err)
			}
		}, 0, 1, 0},
		{"a section that moved", func(m *memory, day string) {
			rest, section := cutSection(m.Read(day), "Choose")
			m.Write(day, rest)
			m.appendTo(m.dayFile("2025-03-08"), section)
		}, 0, 1, 0},
		{"an idea that moved", func(m *memory, day string) {
			text := m.Read(day)
			at := strings.Index(text, "- [decision] We decided to use the ten")
			end := at + strings.Index(text[at:], "\n") + 1
			m.Write(day, text[:at]+text[end:])
			m.appendTo(m.dayFile("2025-03-08"), "\n## Mine\n\n"+text[at:end])
		}, 0, 1, 0},
		{"an edit", func(m *memory, day string) {
			m.Write(day, strings.ReplaceAll(m.Read(day), "ampere", "A"))
		}, 0, 1, 0},
	} {
		m, day := archived(t)
		m.appendTo(day, "\n## Mine\n\nA line of mine.\n")
		m.backfill(archiving.BackfillOptions{})
		tt.edit(m, day)
		m.backfill(archiving.BackfillOptions{})
		equal(t, tt.name+": tombstones", tt.tombstones, m.tombstones())
		if !strings.Contains(tt.name, "project") { // nothing commits the move of a project folder
			m.committed()
		}
		edited := m.archives()
		m.loseIndex()
		b := m.backfill(archiving.BackfillOptions{})
		equal(t, tt.name+": deleted", tt.deleted, b.Deleted)
		if tt.name != "a project's folder that is gone" {
			equal(t, tt.name, edited, m.archives())
		}
		equal(t, tt.name+": sections", tt.sections, strings.Count(m.archives(), "\n## Choose"))
	}
}

// TestDeletedAndResumed: if a session continues after its section was deleted by hand, only the new part is archived.
func TestDeletedAndResumed(t *testing.T) {
	t.Parallel()
	m, day := archived(t)
	rest, _ := cutSection(m.Read(day), "Choose")
	m.Write(day, rest)
	m.backfill(archiving.BackfillOptions{})
	file := m.transcript(m.dir, sessionA, append(relayTurns(),
		turn{"user", "2025-03-09T16:00:00Z", "Now look at the door of the box, it sticks"},
		turn{"assistant", "2025-03-09T16:01:00Z",
			"We decided to oil the hinge of the box because the door sticks in the cold."})...)
	for _, lost := range []bool{false, true} {
		if lost {
			m.loseIndex()
		}
		m.end(m.dir, sessionA, file)
		m.backfill(archiving.BackfillOptions{})
		now := archive.Find([]byte(m.Read(day)), sessionA)
		equal(t, "sections", 1, now.Sections)
		if text := m.Read(day); strings.Contains(text, "ampere") || strings.Count(text, "hinge") == 0 ||
			!strings.Contains(text, " ^s-3f2a91c4-2\n") {
			t.Errorf("the archive:\n%s", text)
		}
	}

	// The new section may be deleted, too.
	rest, _ = cutSection(m.Read(day), "Now look")
	m.Write(day, rest)
	m.loseIndex()
	b := m.backfill(archiving.BackfillOptions{})
	equal(t, "deleted", []int{1, 0}, []int{b.Deleted, len(b.Sections)})
	equal(t, "the rest", rest, m.Read(day))

	// For a rewritten transcript the deleted part is unknown.
	m.Write(file, strings.ReplaceAll(m.Read(file), `"uuid":"`, `"uuid":"x`))
	b = m.backfill(archiving.BackfillOptions{})
	equal(t, "written anew", []int{1, 0}, []int{b.Deleted, len(b.Sections)})
}

// TestDroppedIdea: a section that a merge lost is archived again, without the content that a person had deleted from
// it.
func TestDroppedIdea(t *testing.T) {
	t.Parallel()
	m, day := archived(t)
	whole := m.Read(day)
	at := strings.Index(whole, "- [decision] We decided to use the ten")
	m.Write(day, whole[:at]+whole[at+strings.Index(whole[at:], "\n")+1:])
	m.backfill(archiving.BackfillOptions{})
	equal(t, "tombstones", 1, m.tombstones())
	rest, _ := cutSection(m.Read(day), "Choose")
	m.Write(day, rest)
	m.in(m.dir, func(c call) { // committed as by git
		if _, err := c.ws.Store.Commit(t.Context(), store.Change{Subject: "a bad merge", Time: m.Now}); err != nil {
			t.Error(err)
		}
	})
	b := m.backfill(archiving.BackfillOptions{})
	equal(t, "archived again", 1, len(b.Sections))
	text := m.Read(day)
	if !strings.Contains(text, "## Choose") || strings.Contains(text, "We decided to use the ten") {
		t.Errorf("the archive:\n%s", text)
	}
}

// TestIndexDecidesNothing: with an index of another time or machine, nothing is archived twice, and nothing that is
// missing in the archive is hidden.
func TestIndexDecidesNothing(t *testing.T) {
	t.Parallel()
	m, day := archived(t)
	index := m.InRoot("gitmem/.index/archived.json")
	full := m.Read(index)
	before := m.archives()
	for _, text := range []string{"", "{", `{"` + m.dir + `":{"Key":"x"}}`,
		strings.ReplaceAll(full, "2025-03-09.md", "2025-03-07.md")} {
		m.Write(index, text)
		m.backfill(archiving.BackfillOptions{})
		equal(t, "with the index "+text, before, m.archives())
	}
	m.Write(index, full)
	rest, _ := cutSection(m.Read(day), "Choose")
	m.Write(day, rest)
	m.in(m.dir, func(c call) {
		if _, err := c.ws.Store.Commit(t.Context(), store.Change{Subject: "a bad merge", Time: m.Now}); err != nil {
			t.Error(err)
		}
		if n, err := c.Backfillable(t.Context()); n != 1 || err != nil {
			t.Errorf("%d transcripts to archive, %v", n, err)
		}
	})
	b := m.backfill(archiving.BackfillOptions{})
	equal(t, "what the index knows and the archive lacks", []int{1, 3}, []int{len(b.Sections), b.Known})
}

// TestDeletedWhileMerging: content that an unfinished merge removed from a file does not count as deleted by a person.
func TestDeletedWhileMerging(t *testing.T) {
	t.Parallel()
	m, day := archived(t)
	rest, _ := cutSection(m.Read(day), "Choose")
	m.Write(day, rest)
	m.in(m.dir, func(c call) {
		head, err := c.ws.Store.Look(t.Context(), "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		m.Write(filepath.Join(c.ws.Store.GitDir(), "MERGE_HEAD"), head.Hash+"\n")
	})
	m.backfill(archiving.BackfillOptions{})
	equal(t, "tombstones", 0, m.tombstones())
}

// TestDeletedIsNotCompacted: the log of a session whose section was deleted by hand is not changed.
func TestDeletedIsNotCompacted(t *testing.T) {
	t.Parallel()
	m := withStore(t)
	m.Now = time.Date(2025, 3, 9, 16, 0, 0, 0, time.UTC)
	log := m.observe(sessionA, session.Observation{Tool: "Bash", OK: true, Input: "make flash"})
	file := m.transcript(m.dir, sessionA, relayTurns()...)
	m.end(m.dir, sessionA, file)
	day := m.dayFile("2025-03-09")
	rest, _ := cutSection(m.Read(day), "Choose")
	m.Write(day, rest)
	m.end(m.dir, sessionA, file)
	equal(t, "tombstones of a session's end", 3, m.tombstones())
	m.Now = m.Now.AddDate(0, 3, 0)
	out, err := m.compact(archiving.CompactOptions{OlderThan: "30d"})
	if err != nil || len(out.Logs) != 0 || len(out.Failed) != 1 ||
		!strings.Contains(out.Failed[0].Reason, "deleted by hand") {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := os.Stat(m.InRoot(log)); err != nil || m.Read(day) != rest {
		t.Errorf("%v, the archive:\n%s", err, m.Read(day))
	}
}
