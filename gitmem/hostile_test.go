package gitmem_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

func TestHostileSessionIDs(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	f := l.transcriptFile(r.dir, sessionA, relayTurns()...)
	before := filesBelow(t, l.base)
	for _, id := range []string{"", ".", "..", "../x", "../../../../tmp/x", "/etc/passwd", "a/b", `a\b`, "a\x00b", "a b",
		"a\nb", "-\u202e", "CON.md", strings.Repeat("a", 10<<10)} {
		l.with(r.dir, func(m *gitmem.Memory) error {
			_, observe := m.Sessions().Observe(t.Context(), gitmem.Observation{Session: id, Tool: "Bash"})
			_, stop := m.Sessions().Stop(t.Context(), id)
			_, end := m.Sessions().End(t.Context(), id, f)
			for verb, err := range map[string]error{"observe": observe, "stop": stop, "end": end} {
				if !errors.Is(err, gitmem.ErrUsage) || len(err.Error()) > 300 {
					t.Errorf("%s with session %.40q: %v", verb, id, err)
				}
			}
			for _, kind := range []string{"transcript:", "observation:"} {
				if s, err := m.Shown(t.Context(), kind+id+":1", gitmem.ShowOptions{}); err == nil {
					t.Errorf("show %s%.40q: %+v", kind, id, s)
				}
			}
			return nil
		})
	}
	equal(t, "files", before, filesBelow(t, l.base))
}

func TestStrangePlaces(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	file := l.write("file", "text\n")
	for _, dir := range []string{filepath.Join(l.base, "not", "there"), file, filepath.Join(file, "below")} {
		l.now = l.now.AddDate(0, 0, 1)
		l.with(dir, func(m *gitmem.Memory) error {
			if a, err := m.Ask(t.Context(), "why the relay?", gitmem.Filter{}); err == nil && a.Confidence != gitmem.None {
				t.Errorf("%s: %s", dir, describe(a))
			}
			if _, err := m.Sessions().Observe(t.Context(), gitmem.Observation{Session: sessionA, Tool: "Bash"}); err != nil {
				t.Logf("observe in %s: %v", dir, err)
			}
			_, err := m.Status(t.Context())
			return err
		})
	}
	equal(t, "the file", "text\n", l.read(file))
	if _, err := gitmem.Open(gitmem.Options{Dir: l.base}); !errors.Is(err, gitmem.ErrUsage) {
		t.Errorf("without a clock: %v", err)
	}
}

func TestStrangeTranscripts(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	folder := filepath.Join(l.root, "projects", munge(r.dir), sessionB+".jsonl")
	l.mkdir(folder)
	garbage := l.write(filepath.Join(l.root, "projects", munge(r.dir), sessionA+".jsonl"),
		"{\"type\":\n\x00\xff\xfe\n[]\n"+strings.Repeat("{", 5000)+"\n")
	for name, wantErr := range map[string]bool{filepath.Join(l.base, "missing.jsonl"): false, folder: true,
		garbage: false, "": false} {
		l.with(r.dir, func(m *gitmem.Memory) error {
			e, err := m.Sessions().End(t.Context(), sessionA, name)
			if (err != nil) != wantErr || e.File != "" {
				t.Errorf("%q: %+v, %v", name, e, err)
			}
			return nil
		})
	}
	a := l.ask(r.dir, "the pump has a door", gitmem.Filter{})
	l.holds(a, "door")
	if !strings.Contains(strings.Join(a.Caveats, "\n"), "(transcripts) were not understood") {
		t.Errorf("garbage in a transcript is not told: %q", a.Caveats)
	}
}

func TestObservationStaysOneLine(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	texts := []string{
		"a\nb\r\nc\rd\u2028e\u2029f\vg\fh\u0085i", "x ^o-7", "^o-9", "# Heading", "---\nkind: evil\n---",
		"- [ ] task ^task-x", "```\ncode", "<!-- open", "\xff\xfebytes",
		strings.Repeat("Z", 5<<20), strings.Repeat("\xf0\x9f\x98\x80", 1000), "[[i-abc]] | table |",
		"· out: forged · read: forged", "",
	}
	var file string
	for _, text := range texts {
		file = l.observe(r.dir, gitmem.Observation{Session: sessionA, Tool: "Bash" + text, OK: true, Input: text,
			Output: text, Read: []string{text}, Wrote: []string{text, text}})
	}
	_, body, _ := strings.Cut(l.read(file), "\n# ")
	lines := strings.Split(strings.TrimRight(body, "\n"), "\n")[2:]
	equal(t, "lines of the log", len(texts), len(lines))
	for _, line := range lines {
		if !strings.HasPrefix(line, "- 12:00:00 Bash") || len([]rune(line)) > 2100 ||
			strings.ContainsAny(line, "\r\v\f\u2028\u2029\u0085") {
			t.Errorf("line %.200q", line)
		}
	}
	a := l.ask(r.dir, "Bash code forged", gitmem.Filter{Layer: "transcripts"})
	if len(a.Caveats) > 0 {
		t.Errorf("lines were not understood: %q", a.Caveats)
	}
}

// TestTwoObservationsOfOneNumber has equal lines that two hooks wrote at the same instant.
func TestTwoObservationsOfOneNumber(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	file := l.observe(r.dir, gitmem.Observation{Session: sessionA, Tool: "Bash", OK: true, Input: "tighten the flange"})
	l.appendTo(file,
		"- 12:00:01 Bash ok · in: loosen a gland ^o-1\n- 12:00:01 Bash ok · in: loosen the gland ^o-1\n"+
			"- 12:00:02 Bash ok · in: no number\n")
	a := l.ask(r.dir, "tighten the flange", gitmem.Filter{})
	l.holds(a, "tighten the flange")
	if !strings.Contains(strings.Join(a.Caveats, "\n"), "2 lines in 1 file (memory) were not understood") {
		t.Errorf("caveats: %q", a.Caveats)
	}
}

func TestControlCharactersAreNotKept(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	n := l.note(r.dir, "The pump\x00 has\x1b[31m a door")
	file := l.observe(r.dir, gitmem.Observation{Session: sessionA, Tool: "Bash", OK: true, Input: "a\x00b\x1b[31mc",
		Output: "d\x08e"})
	for _, name := range []string{n.File, file} {
		if text := l.read(name); strings.ContainsAny(text, "\x00\x08\x1b") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// TestIdeasBesideHostileWords finds ideas in the archive after quoted markup.
func TestIdeasBesideHostileWords(t *testing.T) {
	t.Parallel()
	const text = "``` we decided to wait. Then we slept.\n\n## Evil heading ^s-evil is what we decided."
	l := newLab(t)
	r := l.repo("pump")
	l.endSession(r.dir, sessionA,
		l.transcriptFile(r.dir, sessionA, turn{role: "user", at: "2025-03-09T10:00:00Z", text: text + " Please wire it."},
			turn{role: "assistant", at: "2025-03-09T10:01:00Z", text: text},
			turn{role: "assistant", at: "2025-03-09T10:02:00Z", text: "It turned out that the zebra cable was loose."},
			turn{role: "assistant", at: "2025-03-09T10:03:00Z", text: text}))
	e := l.endSession(r.dir, sessionB, l.transcriptFile(r.dir, sessionB, relayTurns()...))
	for _, q := range []string{"it turned out that the zebra cable was loose",
		"optocoupler too slow for the zero-cross detector"} {
		a := l.ask(r.dir, q, gitmem.Filter{Layer: "summaries"})
		if len(a.Citations) == 0 || !strings.HasPrefix(a.Citations[0].ID, "idea:") {
			t.Errorf("%q: cited %q of\n%s", q, citations(a), l.read(filepath.Join(l.root, e.File)))
		}
	}
}

func TestOpenFenceInANote(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "Flash it like this:\n```\nmake flash")
	l.note(r.dir, "The spare fuses lie in the attic")
	l.holds(l.ask(r.dir, "where do the spare fuses lie?", gitmem.Filter{}), "attic")
}
