package gitmem_test

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// update creates the sample store if it is missing. It never changes one.
var update = flag.Bool("update", false, "make testdata/format1/root where it is missing")

// samplePlace is the checkout in the sample store. A test replaces it by its own, in texts and in the name of the
// client's folder.
const samplePlace = "/home/dev/pump"

const (
	sampleRoot    = "testdata/format1/root"
	sampleAnswers = "testdata/format1/answers.txt"
	sessionGone   = "c0ffee00-0000-4000-8000-000000000003"
)

// TestFormat1 repeats the questions to a store of format 1 from when it was created. Every later version must pass it,
// without changing a file of the store.
func TestFormat1(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: the sample's folder names are those of a system with slashes")
	}
	if *update {
		makeSample(t)
	}
	l := newLab(t)
	r := l.repo("pump")
	r.git("remote", "add", "origin", "git@github.com:acme/pump.git")
	l.copySample(sampleRoot, l.root, samplePlace, r.dir)
	sample := filesBelow(t, l.root)
	if len(sample) < 10 {
		t.Fatalf("the sample has %d files only; make it with -update", len(sample))
	}
	l.with(r.dir, func(m *gitmem.Memory) error {
		created, err := m.Init(t.Context())
		equal(t, "a repository was made", true, created)
		return err
	})
	questions := 0
	for line := range strings.Lines(l.read(sampleAnswers)) {
		if line = strings.TrimRight(line, "\n"); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		part := strings.SplitN(line, " | ", 4)
		l.sampleAnswer(r, part[0], part[1], strings.Fields(part[2]), part[3])
		questions++
	}
	if questions < 15 {
		t.Errorf("%s has %d questions only", sampleAnswers, questions)
	}
	for _, session := range []string{sessionA, sessionB} {
		e := l.endSession(r.dir, session, filepath.Join(l.root, "projects", munge(r.dir), session+".jsonl"))
		if (e.File == "") != (session == sessionA) {
			t.Errorf("session %s, of which the first one is archived: %+v", session, e)
		}
	}
	after := filesBelow(t, l.root)
	for name, text := range sample {
		if after[name] != text && !strings.HasSuffix(name, "/project.md") {
			t.Errorf("%s changed:\n%s", name, after[name])
		}
	}
}

// sampleAnswer asks one question: later versions may cite more, but not less.
func (l *lab) sampleAnswer(r *repo, question, layer string, ids []string, words string) {
	l.t.Helper()
	cited := map[string]bool{}
	var a gitmem.Answer
	if question != "-" {
		a = l.ask(r.dir, question, gitmem.Filter{Layer: strings.Trim(layer, "-"), Limit: 10})
		l.holds(a, words)
	}
	for _, id := range citations(a) {
		cited[id] = true
	}
	for _, id := range ids {
		if question != "-" && !cited[id] {
			l.t.Errorf("%q does not cite %s: %s", question, id, describe(a))
		}
		l.with(r.dir, func(m *gitmem.Memory) error {
			s, err := m.Shown(l.t.Context(), id, gitmem.ShowOptions{})
			equal(l.t, "id of what is shown", id, s.ID)
			return err
		})
	}
}

// copySample copies a root, with one checkout's path replaced by another's.
func (l *lab) copySample(from, to, place, instead string) {
	l.t.Helper()
	for name, text := range filesBelow(l.t, from) {
		rel, err := filepath.Rel(from, name)
		if err != nil {
			l.t.Fatal(err)
		}
		rel = strings.ReplaceAll(rel, munge(place), munge(instead))
		l.write(filepath.Join(to, rel), strings.ReplaceAll(text, place, instead))
	}
}

// makeSample creates the store through the library, together with files of people and the client, and keeps its files
// without repositories and caches.
func makeSample(t *testing.T) {
	t.Helper()
	target, err := filepath.Abs(sampleRoot)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(target); err == nil {
		t.Fatalf("%s is there: a sample is never made again", target)
	}
	l := newLab(t)
	r := l.repo("pump")
	r.git("remote", "add", "origin", "git@github.com:acme/pump.git")
	for _, text := range []string{
		"The spare fuses lie in the attic", "Always write a pressure in pascal", "Never flash the board while the pump runs",
		"The cold solder joint was solved by a hotter iron\nand by more flux",
	} {
		l.note(r.dir, text)
	}
	ours, client := filepath.Join(l.root, "gitmem/projects/github.com/acme/pump"),
		filepath.Join(l.root, "projects", munge(r.dir))
	l.write(filepath.Join(l.root, "CLAUDE.md"),
		"# Mine\n\n## Answers\n\nAnswer in short sentences and give the unit of every figure.\n")
	l.write(filepath.Join(client, "memory/antenna.md"),
		"---\nname: antenna\ndescription: How the antenna is mounted\n---\n\nThe antenna stands on the roof ridge.\n\n"+
			"## Cable\n\nThe coaxial cable is twelve metres long.\n")
	l.write(filepath.Join(ours, "decisions/2025-01-15-use-lora.md"), decisionLora)
	l.write(filepath.Join(ours, "tasks.md"),
		"---\nformat: 1\nkind: tasks\nproject: github.com/acme/pump\n---\n\n# Tasks\n\n"+
			"- [ ] feat-range: Repeat the range test outdoors (in_progress; blocked by feat-mast) ^task-feat-range\n"+
			"- [x] feat-relay: Relay driver (completed) ^task-feat-relay\n- [ ] Buy a mast of steel\n")
	l.endSession(r.dir, sessionA, l.transcriptFile(r.dir, sessionA, relayTurns()...))
	l.now = l.now.AddDate(0, 0, -1)
	gone := l.transcriptFile(r.dir, sessionGone, turn{role: "user", at: "2025-03-09T18:00:00Z",
		text: "Flash the firmware of the level sensor"},
		turn{role: "assistant", at: "2025-03-09T18:10:00Z",
			text: "It turned out that the level sensor needs a pull-up resistor. Next step: solder the resistor.\n\n" +
				"The level sensor answers."})
	l.observe(r.dir, gitmem.Observation{Session: sessionGone, Tool: "Bash", Input: "make flash",
		Output: "avrdude: programmer is not responding"})
	l.observe(r.dir, gitmem.Observation{Session: sessionGone, Tool: "Edit", OK: true, Read: []string{"docs/sensor.md"},
		Wrote: []string{"firmware/sensor.c"}})
	l.endSession(r.dir, sessionGone, gone)
	l.appendTo(gone, transcriptText(t, r.dir, sessionGone, turn{role: "user", at: "2025-03-09T20:00:00Z",
		text: "Measure the noise of the level sensor"},
		turn{role: "assistant", at: "2025-03-09T20:10:00Z",
			text: "We chose a median filter because the water surface ripples."}))
	l.endSession(r.dir, sessionGone, gone)
	l.transcriptFile(r.dir, sessionB, turn{role: "user", at: "2025-03-10T09:00:00Z",
		text: "Calibrate the oscillator at boot"},
		turn{role: "assistant", at: "2025-03-10T09:05:00Z",
			text: "The oscillator drifts below minus ten degrees because its crystal has no compensation."})
	for _, name := range []string{".git", ".gitignore", "gitmem/.index",
		filepath.Join("projects", munge(r.dir), sessionGone+".jsonl")} {
		if err := os.RemoveAll(filepath.Join(l.root, name)); err != nil {
			t.Fatal(err)
		}
	}
	l.copySample(l.root, target, r.dir, samplePlace)
}
