package gitmem_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem"
)

// paused records that capture was paused from 09:02 to 09:10.
func (l *lab) paused() {
	l.t.Helper()
	l.write(filepath.Join(l.root, "gitmem", ".paused"),
		`{"pauses": [{"folder": "", "since": "2025-03-10T09:02:00Z", "until": "2025-03-10T09:10:00Z"}]}`)
}

// TestAnswerToWhatWasPaused: somebody resumes before the turn ends, and the client then reports the answer.
func TestAnswerToWhatWasPaused(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	f := l.transcriptFile(r.dir, sessionA, pumpTurns()...)
	l.paused()
	for range 2 { // the second time nothing is new
		l.endTurn(r.dir, f, "It is replaced. And more that the transcript lacks.")
	}
	equal(t, "the log", pumpSaid()[:2], l.said(sessionA))
	l.appendTo(f, transcriptText(t, r.dir, sessionA, turn{role: "user", at: "2025-03-10T09:11:00Z",
		text: "Oil the hinges of the door"}))
	l.endTurn(r.dir, f, "They are oiled.")
	equal(t, "the log of the next turn", append(pumpSaid()[:2:2], "prompt · said: Oil the hinges of the door",
		"answer · said: They are oiled."), l.said(sessionA))
}

// TestSummaryOfWhatWasPaused: the client summarises the whole conversation.
func TestSummaryOfWhatWasPaused(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	const summary = "The user had the worn bearing of the humming pump replaced by a new one."
	f := l.transcriptFile(r.dir, sessionA, pumpTurns()...)
	l.appendTo(f, `{"type":"user","uuid":"s","isCompactSummary":true,"sessionId":"`+sessionA+
		`","timestamp":"2025-03-10T09:12:00Z","message":{"role":"user","content":"`+summary+`"}}`+"\n")
	compacted := func(file string) (logged bool, err error) {
		return l.open(r.dir).Sessions().Compacted(t.Context(), sessionA, file, "auto", summary)
	}
	l.paused()
	if logged, err := compacted(f); logged || !errors.Is(err, gitmem.ErrNotCaptured) {
		t.Errorf("logged: %t, %v", logged, err)
	}
	e := l.endSession(r.dir, sessionA, f)
	if text := l.read(filepath.Join(l.root, e.File)); strings.Contains(text, "had the worn bearing") ||
		!strings.Contains(text, "hum?") {
		t.Errorf("the archive:\n%s", text)
	}
	other := l.transcriptFile(r.dir, sessionB, pumpTurns()[:3]...)
	if logged, err := compacted(other); !logged || err != nil {
		t.Errorf("where nothing is hidden: logged: %t, %v", logged, err)
	}
}

// TestPrivateBlockOverTurns opens a block in one prompt and closes it in another.
func TestPrivateBlockOverTurns(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("vault")
	l.note(r.dir, "The vault has a door")
	f := l.transcriptFile(r.dir, sessionA, turn{role: "user", at: "2025-03-10T09:00:00Z",
		text: "Open the vault <private>by the walnut tree"},
		turn{role: "user", at: "2025-03-10T09:01:00Z", text: "which walnut grows</private> and oil its hinges"})
	l.endTurn(r.dir, f, "The hinges are oiled.")
	e := l.endSession(r.dir, sessionA, f)
	text := strings.Join(l.said(sessionA), "\n") + l.read(filepath.Join(l.root, e.File))
	if strings.Contains(text, "walnut") || !strings.Contains(text, "and oil its hinges") ||
		!strings.Contains(text, "The hinges are oiled.") {
		t.Errorf("kept:\n%s", text)
	}
}

// TestHugeUnknownTranscript checks that a transcript that was never logged is not read completely.
func TestHugeUnknownTranscript(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files with holes take their whole size there")
	}
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	name := l.transcriptFile(r.dir, sessionA)
	if err := os.Truncate(name, 5<<30); err != nil {
		t.Skipf("no such file here: %v", err)
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Seek(0, io.SeekEnd); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("\n" + transcriptText(t, r.dir, sessionA, pumpTurns()...)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if did := l.endTurn(r.dir, name, "It is replaced."); did.Lines != 4 {
		t.Errorf("%+v", did)
	}
	equal(t, "again", gitmem.Stopped{}, l.endTurn(r.dir, name, "It is replaced."))
	equal(t, "the log", pumpSaid(), l.said(sessionA))
	files, err := filepath.Glob(filepath.Join(l.root, "gitmem/projects/*/*/observations/2025-03/10-*"))
	if err != nil || len(files) != 1 || strings.Contains(l.read(files[0]), " · line ") {
		t.Errorf("lines were counted, or %v in %v", err, files)
	}
}

// TestTitleLikeAnothersMark has a prompt with another session's block id.
func TestTitleLikeAnothersMark(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	first := l.transcriptFile(r.dir, sessionA, turn{role: "user", at: "2025-03-09T14:00:00Z", text: "Look at pump^s-" +
		sessionB[:8] + "-2 again"}, pumpTurns()[2])
	l.endSession(r.dir, sessionA, first)
	second := l.transcriptFile(r.dir, sessionB, turn{role: "user", at: "2025-03-09T15:00:00Z",
		text: "Wire the relay board"}, pumpTurns()[2])
	e := l.endSession(r.dir, sessionB, second)
	if text := l.read(filepath.Join(l.root, e.File)); !strings.Contains(text, "## Wire the relay board ^s-"+sessionB[:8]+
		"\n") || strings.Contains(text, "(continued)") {
		t.Errorf("the archive:\n%s", text)
	}
	// A session without files and tools has no line about them.
	if g := l.start(r.dir, sessionC); !strings.Contains(g.Text, "→ “The bearing is worn.”") ||
		strings.Contains(g.Text, "through: ") {
		t.Errorf("told:\n%s", g.Text)
	}
}
