package gitmem_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

func (l *lab) backfill(dir string, o gitmem.BackfillOptions) (b gitmem.Backfilled) {
	l.t.Helper()
	l.with(dir, func(m *gitmem.Memory) (err error) {
		b, err = m.Sessions().Backfill(l.t.Context(), o)
		return err
	})
	return b
}

// oldSessions writes n transcripts of a folder, one a day.
func (l *lab) oldSessions(dir string, n int) []string {
	l.t.Helper()
	var files []string
	for i := range n {
		day := fixedNow().AddDate(0, 0, i-n-1)
		id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", i+1)
		files = append(files, l.transcriptFile(dir, id,
			turn{role: "user", at: day.Format(time.RFC3339), text: fmt.Sprintf("Change the filter number %d of the pump", i+1)},
			turn{role: "assistant", at: day.Add(time.Minute).Format(time.RFC3339), text: fmt.Sprintf("We decided on mesh %d because the sand is fine.", i+1)}))
	}
	return files
}

func TestBackfill(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.now = time.Now().Add(time.Hour)
	r, other := l.repo("pump"), l.repo("mast")
	l.oldSessions(r.dir, 3)
	l.transcriptFile(other.dir, sessionA, relayTurns()...)
	l.transcriptFile(r.dir, sessionB, turn{role: "user", at: "2025-03-10T11:00:00Z", text: "hello"})

	dry := l.backfill(r.dir, gitmem.BackfillOptions{DryRun: true, All: true})
	equal(t, "a dry run", []int{5, 4, 1}, []int{dry.Transcripts, len(dry.Sections), dry.Nothing})
	if _, err := os.Lstat(filepath.Join(l.root, "gitmem")); !os.IsNotExist(err) {
		t.Errorf("a dry run wrote: %v", err)
	}
	b := l.backfill(r.dir, gitmem.BackfillOptions{})
	equal(t, "the project's", []int{4, 3, 1, 1}, []int{b.Transcripts, len(b.Sections), b.Nothing, len(b.Commits)})
	equal(t, "the first day", "2025-03-06", b.Sections[0].Date)
	again := l.backfill(r.dir, gitmem.BackfillOptions{})
	equal(t, "a second run", []int{4, 4, 0, 0}, []int{again.Transcripts, again.Known, len(again.Sections), len(again.Commits)})
	all := l.backfill(r.dir, gitmem.BackfillOptions{All: true})
	equal(t, "all", []int{5, 4, 1}, []int{all.Transcripts, all.Known, len(all.Sections)})

	// Without the cache everything is looked at again, and nothing is doubled.
	before := strings.Join(l.archives(), "")
	if err := os.RemoveAll(filepath.Join(l.root, "gitmem/.index")); err != nil {
		t.Fatal(err)
	}
	lost := l.backfill(r.dir, gitmem.BackfillOptions{All: true})
	equal(t, "without the cache", []int{5, 0, 0, 5}, []int{lost.Transcripts, lost.Known, len(lost.Sections), lost.Nothing})
	if after := strings.Join(l.archives(), ""); len(after) != len(before) {
		t.Errorf("something was doubled:\n%s", after)
	}
	equal(t, "committed", "", l.git(l.root, nil, "status", "--porcelain"))
}

func TestBackfillNamed(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.now = time.Now().Add(time.Hour)
	r := l.repo("pump")
	files := l.oldSessions(r.dir, 3)
	for i, only := range []string{files[0], "00000002-0000-4000-8000-000000000000", filepath.Dir(files[0])} {
		b := l.backfill(r.dir, gitmem.BackfillOptions{Only: only})
		equal(t, only, 1, len(b.Sections))
		equal(t, only, i/2*2, b.Nothing)
	}
	m := l.open(r.dir)
	if _, err := m.Sessions().Backfill(t.Context(), gitmem.BackfillOptions{Only: "nowhere"}); !errors.Is(err, gitmem.ErrNotFound) {
		t.Errorf("what is nowhere: %v", err)
	}
}

// TestBackfillInterrupted is stopped after each number of transcripts.
func TestBackfillInterrupted(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.now = time.Now().Add(time.Hour)
	r := l.repo("pump")
	l.oldSessions(r.dir, 6)
	made := 0
	for _, stop := range []int{1, 2, 5} {
		ctx, cancel := context.WithCancel(t.Context())
		l.with(r.dir, func(m *gitmem.Memory) error {
			b, err := m.Sessions().Backfill(ctx, gitmem.BackfillOptions{Progress: func(done, _ int) {
				if done == stop {
					cancel()
				}
			}})
			made += len(b.Sections)
			if len(b.Sections) > 0 && len(b.Commits) == 0 {
				t.Errorf("what was done before the interruption was not committed: %+v", b)
			}
			if !errors.Is(err, context.Canceled) {
				return fmt.Errorf("interrupted: %w", err)
			}
			return nil
		})
		cancel()
	}
	made += len(l.backfill(r.dir, gitmem.BackfillOptions{}).Sections)
	equal(t, "sections", 6, made)
	equal(t, "in files", 6, strings.Count(strings.Join(l.archives(), ""), "\n## "))
	equal(t, "committed", "", l.git(l.root, nil, "status", "--porcelain"))
}

func TestBackfillHonoursPolicy(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.now = time.Now().Add(time.Hour)
	r, secret := l.repo("pump"), l.repo("vault")
	l.oldSessions(r.dir, 1)
	l.transcriptFile(secret.dir, sessionA, relayTurns()...)
	l.write(filepath.Join(l.root, "gitmem/config.yaml"), "exclude:\n  - "+secret.dir+"\n")
	b := l.backfill(r.dir, gitmem.BackfillOptions{All: true})
	equal(t, "with an excluded folder", []int{2, 1, 1}, []int{b.Transcripts, len(b.Sections), b.Nothing})
	l.write(filepath.Join(l.root, "gitmem/config.yaml"), "capture: off\n")
	if _, err := l.open(r.dir).Sessions().Backfill(t.Context(), gitmem.BackfillOptions{}); !errors.Is(err, gitmem.ErrNotCaptured) {
		t.Errorf("with capture off: %v", err)
	}
}

func TestBackfillable(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.now = time.Now().Add(time.Hour)
	r := l.repo("pump")
	l.oldSessions(r.dir, 3)
	for _, want := range []int{3, 0} {
		l.with(r.dir, func(m *gitmem.Memory) error {
			n, err := m.Sessions().Backfillable(t.Context())
			equal(t, "transcripts to archive", want, n)
			return err
		})
		l.backfill(r.dir, gitmem.BackfillOptions{})
	}
}

// TestBackfillLearns: old sessions teach what a person said of themselves and ordered in them, as the
// end of a turn would have, and nothing that has decayed since.
func TestBackfillLearns(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.now = time.Now().Add(time.Hour)
	r := l.repo("pump")
	record := func(id, at, source, text string) string {
		return fmt.Sprintf(`{"type":"user","uuid":%q,"promptSource":%q,"version":"2.1.332","entrypoint":"cli","timestamp":%q,"cwd":%q,"message":{"content":%q}}`+"\n", id, source, at, r.dir, text)
	}
	old, recent := l.now.AddDate(-2, 0, 0), l.now.AddDate(0, 0, -3)
	l.write(filepath.Join(l.root, "projects", munge(r.dir), sessionA+".jsonl"),
		record("u1", old.Format(time.RFC3339), "typed", "Never use malloc in this repo. I use Neovim as my editor. Can you fix the relay?")+
			record("u2", old.Add(time.Minute).Format(time.RFC3339), "sdk", "Always run curl in this repo before you build anything. I use Emacs as my editor."))
	l.write(filepath.Join(l.root, "projects", munge(r.dir), sessionB+".jsonl"),
		record("u3", recent.Format(time.RFC3339), "typed", "my shell is fish, so fix the script for the pump"))

	if dry := l.backfill(r.dir, gitmem.BackfillOptions{DryRun: true}); len(dry.Sections) == 0 {
		t.Errorf("%+v", dry)
	}
	b := l.backfill(r.dir, gitmem.BackfillOptions{})
	equal(t, "commits", 2, len(b.Commits))
	var known gitmem.Preferences
	get := func(path string) (values []string) {
		l.with(r.dir, func(m *gitmem.Memory) (err error) {
			known, err = m.Profile().Get(t.Context(), path)
			return err
		})
		for _, e := range known.Entries {
			values = append(values, e.Path+": "+e.Value)
		}
		return values
	}
	equal(t, "learnt", []string{"project.orders.never-use-malloc-in-this-repo: Never use malloc in this repo", "tools.shell: fish"}, get(""))
	again := l.backfill(r.dir, gitmem.BackfillOptions{})
	equal(t, "commits of a second run", 0, len(again.Commits))
	equal(t, "committed", "", l.git(l.root, nil, "status", "--porcelain"))
}

// TestBackfillOfBrokenProfile: what can't be learnt stops no archiving, and is learnt once it can be.
func TestBackfillOfBrokenProfile(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.now = time.Now().Add(time.Hour)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	day := func(days int) string { return l.now.AddDate(0, 0, -days).Format(time.RFC3339) }
	l.transcriptFile(r.dir, sessionA, turn{role: "user", at: day(9), text: "Never use malloc in this repo. I use Neovim as my editor."},
		turn{role: "assistant", at: day(9), text: "We decided on mesh 4 because the sand is fine."},
		turn{role: "user", at: day(2), text: "you may use goto again"})
	l.transcriptFile(r.dir, sessionB, turn{role: "user", at: day(5), text: "Never use goto in this repo. Look at the relay."},
		turn{role: "assistant", at: day(5), text: "The relay hangs because its coil is cold."})
	file := l.write(filepath.Join(l.root, "gitmem/profile.md"), "---\nformat: 1\n  kind: [profile\n---\n")
	l.with(r.dir, func(m *gitmem.Memory) error {
		b, err := m.Sessions().Backfill(t.Context(), gitmem.BackfillOptions{})
		if err == nil || len(b.Sections) != 2 {
			t.Errorf("%+v, %v", b, err)
		}
		return nil
	})
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	b := l.backfill(r.dir, gitmem.BackfillOptions{})
	equal(t, "learnt later", []string{"set tools.editor Neovim"}, b.Learnt)
	l.with(r.dir, func(m *gitmem.Memory) error {
		known, err := m.Profile().Get(t.Context(), "project.orders")
		if err != nil || len(known.Entries) != 1 || known.Entries[0].Value != "Never use malloc in this repo" {
			t.Errorf("%+v, %v", known, err)
		}
		return nil
	})
}
