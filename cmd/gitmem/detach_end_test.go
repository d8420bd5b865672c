package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// TestSessionEndsInTheBackground ends a session with real processes, three times at once, like two clients
// and an impatient person: each hook returns silently and keeps no file of the client open, and the
// background process writes one section.
func TestSessionEndsInTheBackground(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.env = append(l.env, stoppedClock()) // a hook stops at its time limit
	dir := filepath.Join(l.home, "pümp")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	l.must("init")
	const session = "3f2a91c4-0000-4000-8000-000000000001"
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(l.home, ".claude", "projects", "-work-pump", session+".jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	line := `{"type":%q,"promptSource":"typed","uuid":"u%d","sessionId":%q,"cwd":%q,` +
		`"timestamp":"2026-11-19T10:0%d:00.000Z","message":{"role":%q,"content":[{"type":"text","text":%q}]}}` + "\n"
	text := fmt.Sprintf(line, "user", 1, session, real, 1, "user", "Choose a relay for the pump") +
		fmt.Sprintf(line, "assistant", 2, session, real, 2, "assistant", "We chose ten ampere because the pump draws seven.")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	payload := fmt.Sprintf(`{"session_id":%q,"transcript_path":%q,"cwd":%q,"hook_event_name":"SessionEnd",`+
		`"reason":"other"}`, session, file, real)
	var ends sync.WaitGroup
	for range 3 {
		ends.Go(func() { l.endsQuietly(payload) })
	}
	ends.Wait()
	traces := func() string { return l.all(".claude/gitmem/.index/trace/*.jsonl") }
	l.until("three processes have archived", func() bool { return strings.Count(traces(), `"hook":"archive"`) == 3 })
	if n := strings.Count(traces(), "left to the background"); n != 3 {
		t.Errorf("%d of 3 were left to the background:\n%s", n, traces())
	}
	archive := l.all(".claude/gitmem/projects/*/*/sessions/2026/2026-11-19.md")
	if strings.Count(archive, "^s-3f2a91c4") != 1 || !strings.Contains(archive, "ten ampere") {
		t.Errorf("not archived once:\n%s\n%s", archive, traces())
	}
}

// all returns the content of the files below the home that match a pattern.
func (l *lab) all(pattern string) string {
	files, err := filepath.Glob(filepath.Join(l.home, pattern))
	if err != nil {
		l.t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil {
			all.Write(b)
		}
	}
	return all.String()
}

// endsQuietly runs the hook like a client, which waits for its pipes.
func (l *lab) endsQuietly(payload string) {
	r, w, err := os.Pipe()
	if err != nil {
		l.t.Error(err)
		return
	}
	defer r.Close()
	c := l.command("hook", "session-end")
	c.Stdin = strings.NewReader(payload)
	if runtime.GOOS != "windows" {
		c.ExtraFiles = []*os.File{w}
	}
	out, err := c.CombinedOutput() // reads until all processes that inherited it have ended
	_ = w.Close()
	if err != nil || len(out) > 0 {
		l.t.Errorf("said %q, %v", out, err)
	}
	if _, err := io.ReadAll(r); err != nil {
		l.t.Error(err)
	}
}
