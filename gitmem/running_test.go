package gitmem_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// client opens the memory as hooks of a client process do.
func (l *lab) client(dir string, pid int, do func(*gitmem.Memory) error) {
	l.t.Helper()
	o := l.options(dir)
	o.Getenv = func(name string) string {
		if name == "CLAUDE_PID" {
			return fmt.Sprint(pid)
		}
		return ""
	}
	m, err := gitmem.Open(o)
	if err != nil {
		l.t.Fatal(err)
	}
	defer m.Close()
	if err := do(m); err != nil {
		l.t.Fatal(err)
	}
}

// TestRunning checks that a session which a client has left is a source again, also for processes that the client
// started in it.
func TestRunning(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.now = time.Now()
	r := l.repo("pump")
	l.transcriptFile(r.dir, sessionA, relayTurns()...)
	l.client(r.dir, os.Getpid(), func(m *gitmem.Memory) error {
		m.Sessions().Attend(sessionA)
		m.Sessions().Attend(sessionB)
		equal(t, "running", []string{sessionB}, m.Sessions().Running())
		return nil
	})
	o := l.options(r.dir)
	o.Getenv = func(name string) string { return map[string]string{"CLAUDE_CODE_SESSION_ID": sessionA}[name] }
	m, err := gitmem.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		f    gitmem.Filter
		want gitmem.Verdict
	}{
		{gitmem.Filter{}, gitmem.NotRecorded}, {gitmem.Filter{Except: sessionB}, gitmem.NotRecorded},
		{gitmem.Filter{Except: sessionB, OwnToo: true}, gitmem.Answered},
		{gitmem.Filter{Except: sessionB + "," + sessionA, OwnToo: true}, gitmem.NotRecorded},
	} {
		a, err := m.Ask(t.Context(), "where did I leave off?", tt.f)
		if err != nil || a.Verdict != tt.want {
			t.Errorf("%+v: %s, %v", tt.f, a.Verdict, err)
		}
	}
}
