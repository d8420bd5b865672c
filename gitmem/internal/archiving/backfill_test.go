package archiving_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/archiving"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

func (m *memory) backfill(o archiving.BackfillOptions) (b archiving.Backfilled) {
	m.t.Helper()
	m.in(m.dir, func(c call) {
		var err error
		if b, err = c.Backfill(m.t.Context(), o); err != nil {
			m.t.Fatal(err)
		}
	})
	return b
}

// oldSessions writes n transcripts, one per day.
func (m *memory) oldSessions(n int) []string {
	m.t.Helper()
	var files []string
	for i := range n {
		day := time.Date(2025, 3, 9+i-n, 12, 0, 0, 0, time.UTC)
		files = append(files, m.transcript(m.dir, fmt.Sprintf("%08d-0000-4000-8000-000000000000", i+1),
			turn{"user", day.Format(time.RFC3339), fmt.Sprintf("Change the filter number %d of the pump", i+1)},
			turn{"assistant", day.Add(time.Minute).Format(time.RFC3339),
				fmt.Sprintf("We decided on mesh %d because the sand is fine.", i+1)}))
	}
	return files
}

// learnt returns the standing orders of the project and the values of the profile.
func (m *memory) learnt() (values []string) {
	m.t.Helper()
	m.in(m.dir, func(c call) {
		p, err := c.ws.Place(m.t.Context())
		if err != nil {
			m.t.Fatal(err)
		}
		for _, rel := range []string{p.Project.Dir + "/" + profile.OrdersFile, profile.File} {
			known, err := c.ws.Profile(rel)
			if err != nil {
				m.t.Fatal(err)
			}
			for _, e := range known.Find("") {
				values = append(values, e.Path+": "+e.Value)
			}
		}
	})
	return values
}

func TestBackfill(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.Now = time.Now().Add(time.Hour)
	other := m.Repository("mast", "")
	m.oldSessions(3)
	m.transcript(other, sessionA, relayTurns()...)
	m.transcript(m.dir, sessionB, turn{"user", "2025-03-10T11:00:00Z", "hello"})

	dry := m.backfill(archiving.BackfillOptions{DryRun: true, All: true})
	equal(t, "a dry run", []int{5, 4, 1}, []int{dry.Transcripts, len(dry.Sections), dry.Nothing})
	if _, err := os.Lstat(m.InRoot("gitmem")); !os.IsNotExist(err) {
		t.Errorf("a dry run wrote: %v", err)
	}
	b := m.backfill(archiving.BackfillOptions{})
	equal(t, "the project's", []int{4, 3, 1, 1}, []int{b.Transcripts, len(b.Sections), b.Nothing, len(b.Commits)})
	equal(t, "the first day", "2025-03-06", b.Sections[0].Date)
	again := m.backfill(archiving.BackfillOptions{})
	equal(t, "a second run", []int{4, 4, 0, 0}, []int{again.Transcripts, again.Known, len(again.Sections),
		len(again.Commits)})
	all := m.backfill(archiving.BackfillOptions{All: true})
	equal(t, "all", []int{5, 4, 1}, []int{all.Transcripts, all.Known, len(all.Sections)})

	// Without the cache everything is read again, and nothing is duplicated.
	before := m.archives()
	if err := os.RemoveAll(m.InRoot("gitmem/.index")); err != nil {
		t.Fatal(err)
	}
	lost := m.backfill(archiving.BackfillOptions{All: true})
	equal(t, "without the cache", []int{5, 0, 0, 5}, []int{lost.Transcripts, lost.Known, len(lost.Sections), lost.Nothing})
	if after := m.archives(); len(after) != len(before) {
		t.Errorf("something was doubled:\n%s", after)
	}
	m.committed()
}

func TestBackfillNamed(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.Now = time.Now().Add(time.Hour)
	files := m.oldSessions(3)
	for i, only := range []string{files[0], "00000002-0000-4000-8000-000000000000", filepath.Dir(files[0])} {
		b := m.backfill(archiving.BackfillOptions{Only: only})
		equal(t, only, 1, len(b.Sections))
		equal(t, only, i/2*2, b.Nothing)
	}
	m.in(m.dir, func(c call) {
		if _, err := c.Backfill(t.Context(), archiving.BackfillOptions{Only: "nowhere"}); !errors.Is(err,
			messages.ErrNotFound) {
			t.Errorf("what is nowhere: %v", err)
		}
	})
}

// TestBackfillInterrupted stops the backfill after each number of transcripts.
func TestBackfillInterrupted(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.Now = time.Now().Add(time.Hour)
	m.oldSessions(6)
	made := 0
	for _, stop := range []int{1, 2, 5} {
		ctx, cancel := context.WithCancel(t.Context())
		m.in(m.dir, func(c call) {
			b, err := c.Backfill(ctx, archiving.BackfillOptions{Progress: func(done, _ int) {
				if done == stop {
					cancel()
				}
			}})
			made += len(b.Sections)
			if len(b.Sections) > 0 && len(b.Commits) == 0 {
				t.Errorf("what was done before the interruption was not committed: %+v", b)
			}
			if !errors.Is(err, context.Canceled) {
				t.Errorf("interrupted: %v", err)
			}
		})
		cancel()
	}
	made += len(m.backfill(archiving.BackfillOptions{}).Sections)
	equal(t, "sections", 6, made)
	equal(t, "in files", 6, strings.Count(m.archives(), "\n## "))
	m.committed()
}

func TestBackfillHonoursPolicy(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.Now = time.Now().Add(time.Hour)
	secret := m.Repository("vault", "")
	m.oldSessions(1)
	m.transcript(secret, sessionA, relayTurns()...)
	m.Write(m.InRoot("gitmem/local.yaml"), "exclude:\n  - "+secret+"\n")
	b := m.backfill(archiving.BackfillOptions{All: true})
	equal(t, "with an excluded folder", []int{2, 1, 1}, []int{b.Transcripts, len(b.Sections), b.Nothing})
	m.Write(m.InRoot("gitmem/local.yaml"), "capture: off\n")
	m.in(m.dir, func(c call) {
		if _, err := c.Backfill(t.Context(), archiving.BackfillOptions{}); !errors.Is(err, workspace.ErrNotCaptured) {
			t.Errorf("with capture off: %v", err)
		}
	})
}

func TestBackfillable(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.Now = time.Now().Add(time.Hour)
	m.oldSessions(3)
	for _, want := range []int{3, 0} {
		m.in(m.dir, func(c call) {
			if n, err := c.Backfillable(t.Context()); n != want || err != nil {
				t.Errorf("%d transcripts to archive, %v, want %d", n, err, want)
			}
		})
		m.backfill(archiving.BackfillOptions{})
	}
}

// TestBackfillLearns: statements of users about themselves and their orders are learned from old sessions as at the end
// of a turn, except those that have decayed since.
func TestBackfillLearns(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.Now = time.Now().Add(time.Hour)
	record := func(id, at, source, text string) string {
		return fmt.Sprintf(`{"type":"user","uuid":%q,"promptSource":%q,"version":"2.1.332","entrypoint":"cli",`+
			`"timestamp":%q,"cwd":%q,"message":{"content":%q}}`+"\n", id, source, at, m.dir, text)
	}
	old, recent := m.Now.AddDate(-2, 0, 0), m.Now.AddDate(0, 0, -3)
	m.Write(m.InRoot("projects/"+transcript.ProjectFolder(m.dir)+"/"+sessionA+".jsonl"),
		record("u1", old.Format(time.RFC3339), "typed",
			"Never use malloc in this repo. I use Neovim as my editor. Can you fix the relay?")+
			record("u2", old.Add(time.Minute).Format(time.RFC3339), "sdk",
				"Always run curl in this repo before you build anything. I use Emacs as my editor."))
	m.Write(m.InRoot("projects/"+transcript.ProjectFolder(m.dir)+"/"+sessionB+".jsonl"),
		record("u3", recent.Format(time.RFC3339), "typed", "my shell is fish, so fix the script for the pump"))

	if dry := m.backfill(archiving.BackfillOptions{DryRun: true}); len(dry.Sections) == 0 {
		t.Errorf("%+v", dry)
	}
	b := m.backfill(archiving.BackfillOptions{})
	equal(t, "commits", 2, len(b.Commits))
	equal(t, "learnt", []string{"orders.never-use-malloc-in-this-repo: Never use malloc in this repo",
		"tools.shell: fish"}, m.learnt())
	again := m.backfill(archiving.BackfillOptions{})
	equal(t, "commits of a second run", 0, len(again.Commits))
	m.committed()
}

// TestBackfillOfBrokenProfile: a profile that cannot be changed does not stop archiving, and is updated once it can be.
func TestBackfillOfBrokenProfile(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.Now = time.Now().Add(time.Hour)
	day := func(days int) string { return m.Now.AddDate(0, 0, -days).Format(time.RFC3339) }
	m.transcript(m.dir, sessionA, turn{"user", day(9), "Never use malloc in this repo. I use Neovim as my editor."},
		turn{"assistant", day(9), "We decided on mesh 4 because the sand is fine."},
		turn{"user", day(2), "you may use goto again"})
	m.transcript(m.dir, sessionB, turn{"user", day(5), "Never use goto in this repo. Look at the relay."},
		turn{"assistant", day(5), "The relay hangs because its coil is cold."})
	file := m.Write(m.InRoot("gitmem/profile.md"), "---\nformat: 1\n  kind: [profile\n---\n")
	m.in(m.dir, func(c call) {
		b, err := c.Backfill(t.Context(), archiving.BackfillOptions{})
		if err == nil || len(b.Sections) != 2 {
			t.Errorf("%+v, %v", b, err)
		}
	})
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	b := m.backfill(archiving.BackfillOptions{})
	equal(t, "learnt later", []string{"set tools.editor Neovim"}, b.Learnt)
	equal(t, "known", []string{"orders.never-use-malloc-in-this-repo: Never use malloc in this repo",
		"tools.editor: Neovim"}, m.learnt())
}
