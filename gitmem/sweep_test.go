package gitmem_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// client opens the memory as hooks of a client do, which is a process.
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

func (l *lab) sweep(dir, current string, pid int) (did gitmem.Recovered) {
	l.t.Helper()
	l.client(dir, pid, func(m *gitmem.Memory) (err error) {
		did, err = m.Sessions().Recover(l.t.Context(), current)
		return err
	})
	return did
}

// deadProcess is the number of a process that has ended.
func deadProcess(t *testing.T) int {
	t.Helper()
	c := exec.Command("git", "--version")
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	return c.Process.Pid
}

func TestSweepArchivesKilledSessions(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.now = time.Now().Add(time.Minute)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	dead := deadProcess(t)
	f := l.transcriptFile(r.dir, sessionA, relayTurns()...)
	l.client(r.dir, dead, func(m *gitmem.Memory) error {
		m.Sessions().Attend(sessionA) // while it was alive; the system says no more when it began
		return nil
	})
	did := l.sweep(r.dir, sessionB, os.Getpid())
	if did.Archived != 1 || did.Commit == "" {
		t.Errorf("the sweep after a kill: %+v", did)
	}
	equal(t, "a second sweep", gitmem.Recovered{}, l.sweep(r.dir, sessionB, os.Getpid()))
	equal(t, "the end of what was swept", gitmem.Ended{}, l.endSession(r.dir, sessionA, f))
	if log := l.git(l.root, nil, "status", "--porcelain"); log != "" {
		t.Errorf("not committed:\n%s", log)
	}
}

func TestSweepLeavesRunningSessions(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.now = time.Now()
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	f := l.transcriptFile(r.dir, sessionA, relayTurns()...)
	l.client(r.dir, os.Getpid(), func(m *gitmem.Memory) error {
		_, err := m.Sessions().EndTurn(t.Context(), gitmem.Turn{Session: sessionA, Transcript: f})
		return err
	})
	equal(t, "its client lives", gitmem.Recovered{Running: 1}, l.sweep(r.dir, sessionB, 0))
	l.now = l.now.Add(3 * time.Hour)
	equal(t, "its client lives and is silent", gitmem.Recovered{Running: 1}, l.sweep(r.dir, sessionB, 0))
	equal(t, "it is the caller's own", gitmem.Recovered{}, l.sweep(r.dir, sessionA, 0))
	l.sweep(r.dir, sessionB, os.Getpid()) // the same client, after /clear
	if did := l.sweep(r.dir, sessionB, os.Getpid()); did.Running != 0 {
		t.Errorf("a client works on one session at a time: %+v", did)
	}
	if text := strings.Join(l.archives(), ""); strings.Count(text, "\n## ") != 1 {
		t.Errorf("archives:\n%s", text)
	}
}

// TestRunning: the session that a client has left is a source again, also for what the
// client started in it.
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
		{gitmem.Filter{Except: sessionB, OwnToo: true}, gitmem.Answered}, {gitmem.Filter{Except: sessionB + "," + sessionA, OwnToo: true}, gitmem.NotRecorded},
	} {
		a, err := m.Ask(t.Context(), "where did I leave off?", tt.f)
		if err != nil || a.Verdict != tt.want {
			t.Errorf("%+v: %s, %v", tt.f, a.Verdict, err)
		}
	}
}

// TestSweepByAge knows nothing of the client.
func TestSweepByAge(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.now = time.Now()
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	l.transcriptFile(r.dir, sessionA, relayTurns()...)
	l.transcriptFile(r.dir, sessionB, relayTurns()...) // no hook saw it
	l.observe(r.dir, gitmem.Observation{Session: sessionA, Tool: "Edit", OK: true})
	equal(t, "young", gitmem.Recovered{Running: 1}, l.sweep(r.dir, "other", 0))
	l.now = l.now.Add(31 * time.Minute)
	if did := l.sweep(r.dir, "other", 0); did.Archived != 1 {
		t.Errorf("old: %+v", did)
	}
}

// archives are the files of the session archive.
func (l *lab) archives() []string {
	var out []string
	for name, text := range filesBelow(l.t, l.root) {
		if strings.Contains(name, "/sessions/") {
			out = append(out, text)
		}
	}
	return out
}

func TestForkArchivesItsOwn(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.repo("pump")
	l.note(r.dir, "The pump has a door")
	old := relayTurns()
	more := turn{role: "user", at: "2025-03-09T16:00:00Z", text: "Measure the inrush of the motor"}
	fork := []turn{
		{role: "user", at: "2025-03-10T08:00:00Z", text: "Paint the housing instead"},
		{role: "assistant", at: "2025-03-10T08:05:00Z", text: "We agreed to use green paint because it hides the moss."},
	}
	a := l.transcriptFile(r.dir, sessionA, append(old[:len(old):len(old)], more)...)
	b := l.transcriptFile(r.dir, sessionB, append(old[:len(old):len(old)], fork...)...)
	l.endSession(r.dir, sessionB, b)
	l.endSession(r.dir, sessionA, a)
	all := strings.Join(l.archives(), "")
	for _, want := range []string{"- [work] Choose a relay", "- [work] Measure the inrush", "- [decision] We agreed to use green paint", "- [decision] We decided to use the ten"} {
		if n := strings.Count(all, want); n != 1 {
			t.Errorf("%q stands %d times in\n%s", want, n, all)
		}
	}
	e := l.endSession(r.dir, sessionB, b)
	equal(t, "the fork's second end", gitmem.Ended{}, e)
}

// TestSessionBelongsWhereItBegan ends sessions from another folder.
func TestSessionBelongsWhereItBegan(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r, other := l.repo("pump"), l.repo("mast")
	l.note(r.dir, "The pump has a door")
	f := l.transcriptFile(r.dir, sessionA, relayTurns()...)
	from := l.endSession(other.dir, sessionA, f)
	equal(t, "from where it began", gitmem.Ended{}, l.endSession(r.dir, sessionA, f))
	if n := len(l.archives()); n != 1 || from.File == "" {
		t.Errorf("%d archives, the first end: %+v", n, from)
	}
	equal(t, "committed", "", l.git(l.root, nil, "status", "--porcelain"))
}
