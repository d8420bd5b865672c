package gitmem_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// endTurn ends a turn and returns the session's log of a day, without its head.
func (l *lab) endTurn(dir, file, answer string) (did gitmem.Stopped) {
	l.t.Helper()
	l.with(dir, func(m *gitmem.Memory) (err error) {
		did, err = m.Sessions().EndTurn(l.t.Context(), gitmem.Turn{Session: sessionA, Transcript: file, Answer: answer})
		return err
	})
	return did
}

// said lists the texts in a session's logs, without times, marks and numbers.
func (l *lab) said(session string) []string {
	l.t.Helper()
	files, err := filepath.Glob(filepath.Join(l.root, "gitmem/projects/*/*/observations/*/*-"+session+".md"))
	if err != nil {
		l.t.Fatal(err)
	}
	out := []string{}
	for _, f := range files {
		line := regexp.MustCompile(`(?m)^- \d\d:\d\d:\d\d (.*?)(?: ·(?: line (\d+))? [0-9a-f]{8})? \^o-\w+$`)
		for _, found := range line.FindAllStringSubmatch(l.read(f), -1) {
			out = append(out, found[1])
		}
	}
	return out
}

func pumpTurns() []turn {
	return []turn{
		{role: "user", at: "2025-03-10T09:00:00Z", text: "Why does the pump hum?"},
		{role: "assistant", at: "2025-03-10T09:00:10Z", text: "Let me listen to it."},
		{role: "assistant", at: "2025-03-10T09:01:00Z", text: "The bearing is worn."},
		{role: "user", at: "2025-03-10T09:02:00Z", text: "Replace it\nand tell me"},
		{role: "assistant", at: "2025-03-10T09:05:00Z", text: "It is replaced."},
	}
}

func pumpSaid() []string {
	return []string{"prompt · said: Why does the pump hum?", "answer · said: The bearing is worn.",
		"prompt · said: Replace it and tell me", "answer · said: It is replaced."}
}

func TestEndTurnLogsTheCourse(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	f := l.transcriptFile(r.dir, sessionA, pumpTurns()[:3]...)
	if did := l.endTurn(r.dir, f, "The bearing is worn."); did.Lines != 2 || did.Commit == "" {
		t.Errorf("the first turn: %+v", did)
	}
	equal(t, "the same turn again", gitmem.Stopped{}, l.endTurn(r.dir, f, "The bearing is worn."))
	l.appendTo(f, transcriptText(t, r.dir, sessionA, pumpTurns()[3:]...))
	l.observe(r.dir, gitmem.Observation{Session: sessionA, Tool: "Bash", OK: true, Input: "make"})
	if did := l.endTurn(r.dir, f, "It is replaced."); did.Lines != 2 || did.Commit == "" {
		t.Errorf("the second turn: %+v", did)
	}
	want := pumpSaid()
	want = append(want[:2:2], append([]string{"Bash ok · in: make"}, want[2:]...)...)
	equal(t, "the log", want, l.said(sessionA))
	equal(t, "committed", "", l.git(l.root, nil, "status", "--porcelain"))

	// Losing the cache only costs a second reading.
	if err := os.RemoveAll(filepath.Join(l.root, "gitmem/.index/turns")); err != nil {
		t.Fatal(err)
	}
	equal(t, "without the cache", gitmem.Stopped{}, l.endTurn(r.dir, f, "It is replaced."))
	equal(t, "the log without the cache", want, l.said(sessionA))
}

// TestEndTurnWithALateTranscript gets the answer from the client first.
func TestEndTurnWithALateTranscript(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	f := l.transcriptFile(r.dir, sessionA, pumpTurns()[:1]...)
	l.endTurn(r.dir, f, "I looked.\n\nThe bearing is worn.")
	l.appendTo(f, transcriptText(t, r.dir, sessionA, pumpTurns()[1:]...))
	l.endTurn(r.dir, f, "It is replaced.")
	want := pumpSaid()
	want[1] = "answer · said: I looked. The bearing is worn."
	equal(t, "the log", want, l.said(sessionA))
	if did := l.endTurn(r.dir, filepath.Join(l.base, "missing.jsonl"), "It runs."); did.Lines != 1 {
		t.Errorf("without a transcript: %+v", did)
	}
}

// TestEndTurnAfterAnUpgrade continues a session whose log an older version began, under a name with only the prefix of
// the session's id.
func TestEndTurnAfterAnUpgrade(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	f := l.transcriptFile(r.dir, sessionA, pumpTurns()[:1]...)
	l.endTurn(r.dir, f, "I looked.\n\nThe bearing is worn.")
	logs, err := filepath.Glob(filepath.Join(l.root, "gitmem/projects/*/*/observations/*/*-"+sessionA+".md"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("logs %q, %v", logs, err)
	}
	former := strings.Replace(logs[0], sessionA, sessionA[:8], 1)
	if err := os.Rename(logs[0], former); err != nil {
		t.Fatal(err)
	}
	l.appendTo(f, transcriptText(t, r.dir, sessionA, pumpTurns()[1:]...))
	l.endTurn(r.dir, f, "It is replaced.")
	if text := l.read(logs[0]); strings.Contains(text, "bearing is worn") || !strings.Contains(text, "It is replaced.") {
		t.Errorf("behind\n%s\nthe log has\n%s", l.read(former), text)
	}
}

// TestEndTurnAtMidnight gets one answer dated on two days.
func TestEndTurnAtMidnight(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.now = time.Date(2025, 3, 11, 0, 0, 1, 0, time.UTC)
	f := l.transcriptFile(r.dir, sessionA, turn{role: "user", at: "2025-03-10T23:58:00Z", text: "Why does the pump hum?"},
		turn{role: "assistant", at: "2025-03-10T23:59:59Z", text: "The bearing is worn."})
	l.endTurn(r.dir, f, "The bearing is worn.")
	l.endTurn(r.dir, f, "The bearing is worn.")
	equal(t, "the log", pumpSaid()[:2], l.said(sessionA))
}

func TestEndTurnAfterARewrite(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	f := l.transcriptFile(r.dir, sessionA, pumpTurns()[:3]...)
	l.endTurn(r.dir, f, "")
	l.transcriptFile(r.dir, sessionA, append([]turn{{role: "user", at: "2025-03-10T08:59:00Z", text: "Look at the pump"}},
		pumpTurns()...)...)
	l.endTurn(r.dir, f, "")
	if all := strings.Join(l.said(sessionA), "\n"); !strings.Contains(all, "Look at the pump") ||
		!strings.Contains(all, "It is replaced.") {
		t.Errorf("the log of the rewritten session:\n%s", all)
	}
}

func TestEndTurnKeepsSecretsOut(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	secret := "ghp_" + strings.Repeat("aB3dE5", 6)
	f := l.transcriptFile(r.dir, sessionA,
		turn{role: "user", at: "2025-03-10T09:00:00Z", text: "Use " + secret + " and " + strings.Repeat("x ", 240) + secret},
		turn{role: "assistant", at: "2025-03-10T09:01:00Z", text: "Used <private>" + secret + "</private> ^o-7"})
	l.endTurn(r.dir, f, "It was "+secret)
	l.with(r.dir, func(m *gitmem.Memory) error {
		_, err := m.Sessions().Compacted(t.Context(), sessionA, "", "auto", "We used "+secret+
			"\n- [ ] a task ^o-12\n# Heading\n")
		if err == nil {
			_, err = m.Sessions().Log(t.Context(), gitmem.LogEntry{Session: sessionA, Kind: "subagent", Name: "general-purpose",
				Text: "Found " + secret, Key: "a1"})
		}
		return err
	})
	for name, text := range filesBelow(t, filepath.Join(l.root, "gitmem/projects")) {
		if strings.Contains(text, secret[:9]) {
			t.Errorf("%s holds it:\n%s", name, text)
		}
	}
}

func TestEndTurnWhilePaused(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	f := l.transcriptFile(r.dir, sessionA, pumpTurns()...)
	l.write(filepath.Join(l.root, "gitmem/local.yaml"), "capture: false\n")
	m := l.open(r.dir)
	if _, err := m.Sessions().EndTurn(t.Context(), gitmem.Turn{Session: sessionA, Transcript: f}); err == nil {
		t.Error("logged although capture is off")
	}
	equal(t, "the log", []string{}, l.said(sessionA))
}

// TestCompactedIsFoundLater asks for text that is only in the client's summary.
func TestCompactedIsFoundLater(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	compact := func() (logged bool) {
		l.with(r.dir, func(m *gitmem.Memory) (err error) {
			logged, err = m.Sessions().Compacted(t.Context(), sessionA, "", "manual",
				"Summary:\n- The impeller was balanced at 40 gram.\n\n- Next: the gasket.")
			return err
		})
		return logged
	}
	equal(t, "the first", true, compact())
	equal(t, "the second", false, compact())
	l.endTurn(r.dir, "", "")
	a := l.ask(r.dir, "at how much gram was the impeller balanced?", gitmem.Filter{})
	l.holds(a, "balanced at 40 gram")
	equal(t, "layer", "summaries", a.Citations[0].Layer)
	equal(t, "committed", "", l.git(l.root, nil, "status", "--porcelain"))
}

func TestLongUnknownTranscriptIsReadAtItsEnd(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	var turns []turn
	for i := range 3000 {
		turns = append(turns, turn{role: "assistant", at: "2025-03-09T09:00:00Z",
			text: fmt.Sprint("step ", i, strings.Repeat(" and so on", 300))})
	}
	f := l.transcriptFile(r.dir, sessionA, append(turns, pumpTurns()...)...)
	l.endTurn(r.dir, f, "")
	files, err := filepath.Glob(filepath.Join(l.root, "gitmem/projects/*/*/observations/2025-03/10-*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if text := l.read(files[0]); !strings.Contains(text, "It is replaced. · line 3005 ") {
		t.Errorf("the lines are not counted from the beginning:\n%.2000s", text)
	}
}
