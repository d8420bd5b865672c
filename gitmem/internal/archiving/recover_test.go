package archiving_test

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/archiving"
	"github.com/gitmem/gitmem/gitmem/internal/session"
)

// deadProcess returns the id of a process that has ended.
func deadProcess(t *testing.T) int {
	t.Helper()
	c := exec.Command("git", "--version")
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	return c.Process.Pid
}

// client makes a call as hooks of a client process do; pid 0 means no process.
func (m *memory) client(pid int, do func(call)) {
	m.t.Helper()
	m.Env["CLAUDE_PID"] = strconv.Itoa(pid)
	m.in(m.dir, do)
	delete(m.Env, "CLAUDE_PID")
}

func (m *memory) recover(current string, pid int) (did archiving.Recovered) {
	m.t.Helper()
	m.client(pid, func(c call) {
		var err error
		if did, err = c.Recover(m.t.Context(), current, nil); err != nil {
			m.t.Fatal(err)
		}
	})
	return did
}

func TestRecoverKilledSessions(t *testing.T) {
	t.Parallel()
	m := withStore(t)
	m.Now = time.Now().Add(time.Minute)
	dead := deadProcess(t)
	f := m.transcript(m.dir, sessionA, relayTurns()...)
	// Attend runs as if the process were alive; its start time is no longer known.
	m.client(dead, func(c call) { c.sessions.Attend(sessionA) })
	did := m.recover(sessionB, os.Getpid())
	if did.Archived != 1 || did.Commit == "" {
		t.Errorf("the recovery after a kill: %+v", did)
	}
	equal(t, "a second recovery", archiving.Recovered{}, m.recover(sessionB, os.Getpid()))
	equal(t, "the end of what was recovered", archiving.Ended{}, m.end(m.dir, sessionA, f))
	m.committed()
}

func TestRecoverLeavesRunningSessions(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.Now = time.Now()
	f := m.transcript(m.dir, sessionA, relayTurns()...)
	m.client(os.Getpid(), func(c call) {
		if _, err := c.sessions.EndTurn(t.Context(), session.Turn{Session: sessionA, Transcript: f}); err != nil {
			t.Fatal(err)
		}
	})
	equal(t, "its client lives", archiving.Recovered{Running: 1}, m.recover(sessionB, 0))
	m.Now = m.Now.Add(3 * time.Hour)
	equal(t, "its client lives and is silent", archiving.Recovered{Running: 1}, m.recover(sessionB, 0))
	equal(t, "it is the caller's own", archiving.Recovered{}, m.recover(sessionA, 0))
	m.recover(sessionB, os.Getpid()) // the same client, after /clear
	if did := m.recover(sessionB, os.Getpid()); did.Running != 0 {
		t.Errorf("a client works on one session at a time: %+v", did)
	}
	if text := m.archives(); strings.Count(text, "\n## ") != 1 {
		t.Errorf("archives:\n%s", text)
	}
}

// TestRecoverByAge: nothing is known of the client process.
func TestRecoverByAge(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.Now = time.Now()
	m.transcript(m.dir, sessionA, relayTurns()...)
	m.transcript(m.dir, sessionB, relayTurns()...) // no hook saw it
	m.in(m.dir, func(c call) {
		if _, err := c.sessions.Observe(t.Context(), session.Observation{Session: sessionA, Tool: "Edit",
			OK: true}); err != nil {
			t.Fatal(err)
		}
	})
	equal(t, "young", archiving.Recovered{Running: 1}, m.recover("other", 0))
	m.Now = m.Now.Add(31 * time.Minute)
	if did := m.recover("other", 0); did.Archived != 1 {
		t.Errorf("old: %+v", did)
	}
}

func TestForkArchivesItsOwn(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	old := relayTurns()
	more := turn{"user", "2025-03-09T16:00:00Z", "Measure the inrush of the motor"}
	fork := []turn{
		{"user", "2025-03-10T08:00:00Z", "Paint the housing instead"},
		{"assistant", "2025-03-10T08:05:00Z", "We agreed to use green paint because it hides the moss."},
	}
	a := m.transcript(m.dir, sessionA, append(old[:len(old):len(old)], more)...)
	b := m.transcript(m.dir, sessionB, append(old[:len(old):len(old)], fork...)...)
	m.end(m.dir, sessionB, b)
	m.end(m.dir, sessionA, a)
	all := m.archives()
	for _, want := range []string{"- [work] Choose a relay", "- [work] Measure the inrush",
		"- [decision] We agreed to use green paint", "- [decision] We decided to use the ten"} {
		if n := strings.Count(all, want); n != 1 {
			t.Errorf("%q stands %d times in\n%s", want, n, all)
		}
	}
	e := m.end(m.dir, sessionB, b)
	equal(t, "the fork's second end", archiving.Ended{}, e)
}

// TestSessionBelongsWhereItBegan ends sessions in a folder other than the one they began in.
func TestSessionBelongsWhereItBegan(t *testing.T) {
	t.Parallel()
	m := withStore(t)
	other := m.Repository("mast", "")
	f := m.transcript(m.dir, sessionA, relayTurns()...)
	from := m.end(other, sessionA, f)
	equal(t, "from where it began", archiving.Ended{}, m.end(m.dir, sessionA, f))
	if n := strings.Count(m.archives(), "\n## "); n != 1 || from.File == "" {
		t.Errorf("%d sections, the first end: %+v", n, from)
	}
	m.committed()
}
