package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/sessioncontext"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// TestContextBesideAnEnd archives a session after a context has read the archive, and before it reads the transcripts,
// as the client does if one conversation is cleared for the next. The first time this creates the file of the day, the
// second time the file exists.
func TestContextBesideAnEnd(t *testing.T) {
	t.Parallel()
	m := seer(t, time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC))
	dir := m.ws.Options.Dir
	cwd, err := json.Marshal(dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.ws.Place(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for n, prompt := range []string{"Measure the pump and tell what it draws", "Wire the relay into the firmware"} {
		session := fmt.Sprintf("aaaaaaa%d-0000-4000-8000-000000000001", n)
		file := filepath.Join(m.ws.ClientDir, "projects", transcript.ProjectFolder(dir), session+".jsonl")
		line := `{"type":"user","uuid":"` + session + `","sessionId":"` + session +
			`","timestamp":"2026-11-18T11:00:00.000Z","cwd":` + string(cwd) +
			`,"promptSource":"typed","message":{"role":"user","content":"` + prompt + `"}}` + "\n"
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		c := &contextBuilder{s: m, p: p, answered: map[string]bool{}}
		before, _ := c.archived()
		archived(t, m, p, file)
		running, _ := c.unarchived(t.Context(), before)
		if len(before) != n || len(running) != 1 || running[0].ID != session {
			t.Errorf("archived %v, running %v: want the session once", before, running)
		}
		if after, _ := (&contextBuilder{s: m, p: p, answered: map[string]bool{}}).sessions(t.Context()); len(after) != n+1 {
			t.Errorf("a later context has %v", after)
		}
	}
}

// archived writes the section of a transcript to the archive of a place, as another process does.
func archived(t *testing.T, m *Sessions, p *workspace.Place, transcriptFile string) {
	t.Helper()
	d, err := transcript.Summarise(transcript.Conversation(transcriptFile))
	if err != nil {
		t.Fatal(err)
	}
	day := d.Start.Format(time.DateOnly)
	file := m.ws.Path(archive.File(p.Project.Dir, d.Start))
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	section := archive.Section(d, archive.Ideas(d), archive.Session{}, "", archive.MarkOf(d.LastUUID), day)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(old, archive.Appended(old, p.Project.ID, day, section)...), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestProgramsCrowdNobodyOut checks that sessions run by programs come after those of people, however new they are.
func TestProgramsCrowdNobodyOut(t *testing.T) {
	t.Parallel()
	m := seer(t, time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC))
	p, err := m.ws.Place(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cwd, err := json.Marshal(m.ws.Options.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 12 {
		session, source := fmt.Sprintf("aaaaaa%02d-0000-4000-8000-000000000001", n), "typed"
		if n > 0 {
			source = "sdk"
		}
		file := filepath.Join(t.TempDir(), session+".jsonl")
		line := `{"type":"user","uuid":"` + session + `","sessionId":"` + session + `","timestamp":"2026-11-18T10:` +
			fmt.Sprintf("%02d", n) + `:00.000Z","cwd":` + string(cwd) +
			`,"promptSource":"` + source + `","entrypoint":"sdk-cli","message":{"role":"user","content":"Triage issue ` +
			session + ` of the pump"}}` + "\n"
		if err := os.WriteFile(file, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		archived(t, m, p, file)
	}
	list, more := (&contextBuilder{s: m, p: p, answered: map[string]bool{}}).sessions(t.Context())
	if len(list) != 12 || list[0].ByProgram() || !list[1].ByProgram() || more != 12-sessioncontext.MostSessions {
		t.Errorf("%d sessions, the first by a program %v, %d more", len(list), list[0].ByProgram(), more)
	}
}

// TestAheadOfClockHidesNothing checks that archived sessions with wrong dates do not hide a running session.
func TestAheadOfClockHidesNothing(t *testing.T) {
	t.Parallel()
	m := seer(t, time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC))
	p, err := m.ws.Place(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ahead := time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)
	list := make([]sessioncontext.Session, sessioncontext.MostSessions)
	for i := range list {
		list[i] = sessioncontext.Session{ID: fmt.Sprint(i), Start: ahead, End: ahead}
	}
	c := &contextBuilder{s: m, p: p, answered: map[string]bool{}}
	dir := filepath.Join(m.ws.ClientProjects(), transcript.ProjectFolder(p.Folder))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	const session = "bbbbbb01-0000-4000-8000-000000000001"
	line := `{"type":"user","uuid":"` + session + `","sessionId":"` + session +
		`","timestamp":"2026-11-18T10:00:00.000Z","promptSource":"typed",` +
		`"message":{"role":"user","content":"Measure the inrush current of the pump"}}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, session+".jsonl"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, _ := c.unarchived(t.Context(), list); len(out) != 1 {
		t.Errorf("%d sessions run, want 1", len(out))
	}
}
