package gitmem_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/gitmem/internal/embed/embedtest"
)

// newMeaningLab returns a lab with a built-in model that treats the words of each group as equal.
func newMeaningLab(t *testing.T) (l *lab, dir string) {
	t.Helper()
	l = newLab(t)
	var err error
	l.encoder, err = embedtest.Encoder([]string{"pump", "motor"}, []string{"spins", "turns"},
		[]string{"sideways", "left"}, []string{"login", "credentials"})
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(l.base, "work")
	l.mkdir(dir)
	return l, dir
}

func (l *lab) readForMeaning(dir string) (read, texts int) {
	l.t.Helper()
	l.with(dir, func(m *gitmem.Memory) error {
		all, err := m.Indexes().Read(l.t.Context())
		for _, e := range all {
			read, texts = read+e.Embedded, texts+e.Texts
		}
		return err
	})
	return read, texts
}

// Texts that the built-in model read are found by other words, and never claimed as an answer.
func TestMeaning(t *testing.T) {
	t.Parallel()
	l, dir := newMeaningLab(t)
	l.configure("capture: on\n")
	l.transcriptFile(dir, sessionA, turn{role: "user", at: "2025-03-08T14:02:00Z", text: "motor turns left"})
	r := l.search(dir, "pump spins sideways", gitmem.Filter{})
	if len(r.Hits) > 0 || !strings.Contains(strings.Join(r.Caveats, " "), "Read for meaning: 0 of 1 texts.") {
		t.Errorf("before anything was read: %+v", r)
	}
	if read, texts := l.readForMeaning(dir); read != 1 || texts != 1 {
		t.Fatalf("read %d of %d texts", read, texts)
	}
	r = l.search(dir, "pump spins sideways", gitmem.Filter{})
	s, hits := semantic(r)
	if !s.OK || len(r.Hits) == 0 || !strings.Contains(hits, "motor") || len(r.Caveats) > 0 {
		t.Errorf("found %+v", r)
	}
	a := l.ask(dir, "why pump spins sideways?", gitmem.Filter{})
	if a.Confidence != gitmem.Low || !strings.HasPrefix(a.Answer, "In other words, closest:") ||
		!strings.Contains(a.Answer, "motor") {
		t.Errorf("answered %+v", a)
	}
	told := func() bool { return len(l.recall(dir, "", "pump spins sideways").Items) > 0 }
	if !told() {
		t.Error("a prompt is not told of what its meaning is near")
	}
	for _, text := range []string{"embed: off\n", "embed: {model: missing}\n"} {
		l.configure(text)
		r := l.search(dir, "pump spins sideways", gitmem.Filter{})
		if s, hits := semantic(r); strings.Contains(hits, "motor") || s.OK || told() {
			t.Errorf("%s found %+v", text, r)
		}
	}
}

// An invalid configuration configures nothing: then nothing is searched by meaning.
func TestMeaningUnderBrokenConfiguration(t *testing.T) {
	t.Parallel()
	l, dir := newMeaningLab(t)
	l.configure("embed: off\ncapture: [\n")
	l.transcriptFile(dir, sessionA, turn{role: "user", at: "2025-03-08T14:02:00Z", text: "motor turns left"})
	if read, _ := l.readForMeaning(dir); read > 0 || vectorBytes(t, l) > 0 {
		t.Errorf("read %d texts", read)
	}
}

// Nothing is read while memory is paused, and somebody who waits for it reads everything.
func TestMeaningPaused(t *testing.T) {
	t.Parallel()
	l, dir := newMeaningLab(t)
	l.note(dir, "the pump")
	l.now = l.now.Add(time.Hour)
	l.with(dir, func(m *gitmem.Memory) error { _, err := m.Pause(t.Context(), gitmem.PauseOptions{}); return err })
	if read, texts := l.readForMeaning(dir); read != 0 || texts != 1 {
		t.Errorf("while paused: read %d of %d texts", read, texts)
	}
	l.with(dir, func(m *gitmem.Memory) error {
		all, err := m.Indexes().Embed(t.Context())
		for _, e := range all {
			if e.Embedded != e.Texts {
				t.Errorf("read %+v", e)
			}
		}
		return err
	})
}

// Excluded text leaves no vector, and text that was not read before is missing.
func TestMeaningOfExcluded(t *testing.T) {
	t.Parallel()
	l, dir := newMeaningLab(t)
	closed := filepath.Join(l.base, "closed")
	l.mkdir(closed)
	l.configure("capture: on\n")
	l.transcriptFile(closed, sessionB, turn{role: "user", at: "2025-03-08T14:02:00Z", text: "pump turns left"})
	l.transcriptFile(dir, sessionA,
		turn{role: "user", at: "2025-03-08T14:02:00Z", text: "login"},
		turn{role: "assistant", at: "2025-03-08T14:02:01Z", text: "motor turns left"})
	if read, texts := l.readForMeaning(dir); read != 2 || texts != 2 {
		t.Fatalf("read %d of %d texts: an answer is read with its prompt", read, texts)
	}
	before := vectorBytes(t, l)
	l.configure("exclude: ['" + closed + "']\n")
	l.search(dir, "pump", gitmem.Filter{})
	if after := vectorBytes(t, l); before == 0 || after > 0 {
		t.Errorf("%d bytes of vectors before, %d after one of two texts was excluded", before, after)
	}
	if read, texts := l.readForMeaning(dir); read != 1 || texts != 1 {
		t.Errorf("read %d of %d texts that stay", read, texts)
	}
	r := l.search(dir, "credentials", gitmem.Filter{})
	if _, hits := semantic(r); !strings.Contains(hits, "login") {
		t.Errorf("what stays is not found: %+v", r)
	}
}

func vectorBytes(t *testing.T, l *lab) (n int) {
	t.Helper()
	for _, b := range vectorsBelow(t, l) {
		n += len(b)
	}
	return n
}

// Prompts with equal words have different answers, and each is found by its own.
func TestMeaningOfEqualPrompts(t *testing.T) {
	t.Parallel()
	l, dir := newMeaningLab(t)
	l.configure("capture: on\n")
	for session, answer := range map[string]string{sessionA: "motor turns left", sessionB: "login"} {
		l.transcriptFile(dir, session,
			turn{role: "user", at: "2025-03-08T14:02:00Z", text: "left"},
			turn{role: "assistant", at: "2025-03-08T14:02:01Z", text: answer})
	}
	if read, texts := l.readForMeaning(dir); read != 2 || texts != 2 {
		t.Fatalf("read %d of %d texts", read, texts)
	}
	r := l.search(dir, "sideways credentials", gitmem.Filter{})
	if len(r.Hits) == 0 || r.Hits[0].Session != sessionB {
		t.Errorf("found %+v", r.Hits)
	}
}

// Each item of the notes is found by its own meaning, and recalled for a prompt.
func TestMeaningOfNotes(t *testing.T) {
	t.Parallel()
	l, dir := newMeaningLab(t)
	for _, text := range []string{"login", "motor turns left"} {
		l.note(dir, text)
	}
	l.readForMeaning(dir)
	_, hits := semantic(l.search(dir, "pump spins sideways", gitmem.Filter{}))
	if !strings.Contains(hits, "motor") {
		t.Errorf("found %s", hits)
	}
}
