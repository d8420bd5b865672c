package gitmem_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// swapKeepingTimes replaces text by other text of the same length and restores the old modification time, as some
// editors and sync programs do.
func (l *lab) swapKeepingTimes(name, before, after string) {
	l.t.Helper()
	if len(before) != len(after) {
		l.t.Fatalf("%q and %q differ in length", before, after)
	}
	info, err := os.Stat(name)
	if err != nil {
		l.t.Fatal(err)
	}
	changed := strings.ReplaceAll(l.read(name), before, after)
	if err := os.WriteFile(name, []byte(changed), 0o600); err != nil {
		l.t.Fatal(err)
	}
	if err := os.Chtimes(name, info.ModTime(), info.ModTime()); err != nil {
		l.t.Fatal(err)
	}
}

// awaitTick returns once the file system's clock, which ticks coarsely, has moved on.
func (l *lab) awaitTick() {
	l.t.Helper()
	began, deadline := l.touch(), time.Now().Add(time.Minute)
	for !l.touch().After(began) {
		if time.Now().After(deadline) {
			l.t.Skip("SKIPPED: the file system's clock does not tick within a minute")
		}
	}
}

func (l *lab) touch() time.Time {
	l.t.Helper()
	info, err := os.Stat(l.write("tick", "x"))
	if err != nil {
		l.t.Fatal(err)
	}
	return info.ModTime()
}

// TestEditsOfTheSameSize runs with a clock far behind the file system's, so that bytes decide, and with one far ahead
// of it, so that only the change time shows the edit.
func TestEditsOfTheSameSize(t *testing.T) {
	t.Parallel()
	for name, now := range map[string]time.Time{"bytes": fixedNow(), "change time": time.Now().AddDate(1, 0, 0)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.now = now
			r := l.repo("pump")
			r.commit("2024-01-01", "Ada Example", "a.txt", "Begin")
			rules := l.write("pump/.claude/rules/wiring.md", "# Wiring\n\nThe color of the ground wire is green.\n")
			memory := l.note(r.dir, "The spare fuses lie in the attic").File
			session := l.transcriptFile(r.dir, sessionA, turn{role: "user", at: "2025-03-09T14:00:00Z",
				text: "Paint the housing yellow today"})
			found := func(word string, want bool) {
				t.Helper()
				if a := l.ask(r.dir, word, gitmem.Filter{}); want != strings.Contains(a.Answer, word) {
					t.Errorf("%s: %s", word, describe(a))
				}
			}
			words := map[string]string{"green": "black", "attic": "shelf", "yellow": "purple"}
			for before, after := range words {
				found(before, true)
				found(after, false)
			}
			l.awaitTick()
			l.swapKeepingTimes(rules, "green", "black")
			l.swapKeepingTimes(memory, "attic", "shelf")
			l.swapKeepingTimes(session, "yellow", "purple")
			for before, after := range words {
				found(before, false)
				found(after, true)
			}
		})
	}
}

func TestTranscriptGrowsLineByLine(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	f := l.transcriptFile(r.dir, sessionA, turn{role: "user", at: "2025-03-09T14:00:00Z",
		text: "Solder the thermistor to the board"})
	l.holds(l.ask(r.dir, "solder the thermistor", gitmem.Filter{}), "thermistor")

	whole := transcriptText(t, r.dir, sessionA, turn{role: "assistant", at: "2025-03-09T14:05:00Z",
		text: "The varistor was burnt because the mains voltage peaked."})
	cut := strings.Index(whole, "burnt")
	l.appendTo(f, whole[:cut])
	a := l.ask(r.dir, "why was the varistor burnt?", gitmem.Filter{})
	if a.Confidence != gitmem.None {
		t.Errorf("half a line answers: %s", describe(a))
	}
	l.appendTo(f, whole[cut:])
	l.holds(l.ask(r.dir, "why was the varistor burnt?", gitmem.Filter{}), "because the mains voltage peaked")
	l.holds(l.ask(r.dir, "solder the thermistor", gitmem.Filter{}), "thermistor")

	l.write(f, transcriptText(t, r.dir, sessionA, turn{role: "user", at: "2025-03-09T14:00:00Z",
		text: "Weld the bracket to the frame"}))
	l.holds(l.ask(r.dir, "weld the bracket", gitmem.Filter{}), "bracket")
	if a := l.ask(r.dir, "solder the thermistor", gitmem.Filter{}); a.Confidence != gitmem.None {
		t.Errorf("a transcript that was rewritten still answers: %s", describe(a))
	}
	if err := os.Remove(f); err != nil {
		t.Fatal(err)
	}
	if a := l.ask(r.dir, "weld the bracket", gitmem.Filter{}); a.Confidence != gitmem.None {
		t.Errorf("a transcript that was deleted still answers: %s", describe(a))
	}
}

func TestDeletedMarkdownIsForgotten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	topic := w.write(filepath.Join(w.root, "projects", munge(w.repo.dir), "memory", "antenna.md"),
		"# Antenna\n\nThe antenna stands on the roof ridge.\n")
	rules := filepath.Join(w.repo.dir, "CLAUDE.md")
	for file, q := range map[string]string{topic: "where does the antenna stand?", rules: "how do we wrap errors?"} {
		a := w.ask(w.repo.dir, q, gitmem.Filter{})
		if a.Confidence == gitmem.None {
			t.Fatal(describe(a))
		}
		before := w.status(w.repo.dir)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		a = w.ask(w.repo.dir, q, gitmem.Filter{})
		cited := slices.ContainsFunc(a.Citations, func(c gitmem.Citation) bool {
			return filepath.Base(c.Path) == filepath.Base(file)
		})
		if a.Verdict == gitmem.Answered || cited || slices.ContainsFunc(a.Caveats, func(c string) bool {
			return strings.Contains(c, filepath.Base(file))
		}) {
			t.Errorf("%s was deleted: %s", file, describe(a))
		}
		docs := func(s gitmem.Status) (n int) {
			for _, shard := range s.Shards {
				n += shard.Docs
			}
			return n
		}
		if after := w.status(w.repo.dir); docs(after) >= docs(before) {
			t.Errorf("%s was deleted, and the index still has %d of %d documents", file, docs(after), docs(before))
		}
	}
}

func TestHistoryMoves(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2024-01-01", "Ada Example", "a.txt", "Begin with the frame")
	ask := func(q string) gitmem.Answer { t.Helper(); return l.ask(r.dir, q, gitmem.Filter{}) }
	none := func(q string) {
		t.Helper()
		titled := func(c gitmem.Citation) bool { return strings.EqualFold(c.Title, q) }
		if a := ask(q); a.Verdict == gitmem.Answered || slices.ContainsFunc(a.Citations, titled) {
			t.Errorf("%s: %s", q, describe(a))
		}
	}
	none("add the gasket seal")
	r.commit("2024-01-02", "Ada Example", "b.txt", "Add the gasket seal")
	l.holds(ask("add the gasket seal"), "gasket")
	r.git("commit", "--quiet", "--amend", "--message", "Add the rubber membrane")
	l.holds(ask("add the rubber membrane"), "membrane")
	none("add the gasket seal")
	r.git("checkout", "--quiet", "-b", "side", "HEAD~1")
	r.commit("2024-01-03", "Bo Example", "c.txt", "Try the ceramic bearing")
	l.holds(ask("try the ceramic bearing"), "ceramic")
	r.git("checkout", "--quiet", "main")
	l.holds(ask("add the rubber membrane"), "membrane")
	r.git("checkout", "--quiet", "--detach", "side")
	l.holds(ask("try the ceramic bearing"), "ceramic")
	r.git("checkout", "--quiet", "main")
	r.git("branch", "--quiet", "-D", "side")
	r.git("reflog", "expire", "--expire=now", "--all")
	r.git("gc", "--quiet", "--prune=now")
	none("try the ceramic bearing")
	l.holds(ask("add the rubber membrane"), "membrane")
}

func TestKindsOfRepository(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2024-01-01", "Ada Example", "a.txt", "Begin with the frame")
	r.commit("2024-01-02", "Ada Example", "docs/b.txt", "Add the gasket seal")
	l.git(l.base, nil, "clone", "--quiet", "--bare", r.dir, "bare.git")
	l.git(l.base, nil, "clone", "--quiet", "--depth=1", "file://"+r.dir, "shallow")
	r.git("worktree", "add", "--quiet", "-b", "side", filepath.Join(l.base, "linked"))
	for _, dir := range []string{"pump", "pump/docs", "bare.git", "shallow", "linked"} {
		l.holds(l.ask(filepath.Join(l.base, dir), "add the gasket seal", gitmem.Filter{}), "gasket")
	}
	l.repo("empty")
	for _, dir := range []string{"empty", "cache"} {
		a := l.ask(filepath.Join(l.base, dir), "add the gasket seal", gitmem.Filter{})
		if a.Confidence != gitmem.None || !strings.Contains(a.Answer, "There was nothing to search") {
			t.Errorf("%s: %s", dir, describe(a))
		}
	}
	if _, err := os.Lstat(l.root); !os.IsNotExist(err) {
		t.Errorf("questions made the root: %v", err)
	}
}

// TestLinkedWorkTreesShareMemory asks on both sides for notes of the other.
func TestLinkedWorkTreesShareMemory(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2024-01-01", "Ada Example", "a.txt", "Begin with the frame")
	linked := filepath.Join(l.base, "linked")
	r.git("worktree", "add", "--quiet", "-b", "side", linked)
	l.note(r.dir, "The spare fuses lie in the attic")
	l.note(linked, "The ladder stands behind the barn")
	l.transcriptFile(r.dir, sessionA, turn{role: "user", at: "2025-03-09T14:00:00Z",
		text: "Paint the housing yellow today"})
	for _, dir := range []string{r.dir, linked} {
		l.holds(l.ask(dir, "where do the spare fuses lie?", gitmem.Filter{}), "attic")
		l.holds(l.ask(dir, "where does the ladder stand?", gitmem.Filter{}), "barn")
		l.holds(l.ask(dir, "paint the housing", gitmem.Filter{}), "yellow")
		equal(t, "project of "+dir, l.status(r.dir).Project, l.status(dir).Project)
	}
}

func TestSessionOfALinkedWorkTree(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	r.commit("2024-01-01", "Ada Example", "a.txt", "Begin with the frame")
	linked := filepath.Join(l.base, "linked")
	r.git("worktree", "add", "--quiet", "-b", "side", linked)
	l.note(linked, "The ladder stands behind the barn")
	l.transcriptFile(linked, sessionA, turn{role: "user", at: "2025-03-09T14:00:00Z",
		text: "Paint the housing yellow today"})
	l.holds(l.ask(linked, "paint the housing", gitmem.Filter{}), "yellow")
	l.holds(l.ask(r.dir, "paint the housing", gitmem.Filter{}), "yellow")
}

func TestOutsideAnyRepositoryEverythingAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, dir := range []string{w.base, w.home} {
		w.holds(w.ask(dir, "inrush current before choosing a fuse", gitmem.Filter{}), "Measure the inrush")
		w.holds(w.ask(dir, "why does telemetry go over LoRa?", gitmem.Filter{}), "Telemetry goes over LoRa")
		w.holds(w.ask(dir, "optocoupler too slow for the zero-cross detector", gitmem.Filter{}), "optocoupler")
		w.holds(w.ask(dir, "where did I leave off?", gitmem.Filter{}), "Calibrate the oscillator")
	}
	n := w.note(w.base, "The dentist is closed on Mondays")
	if !strings.Contains(n.File, munge(w.base)) {
		t.Errorf("a personal note went to %s", n.File)
	}
	w.holds(w.ask(w.base, "when is the dentist closed?", gitmem.Filter{}), "Mondays")
}
