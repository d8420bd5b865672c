package archiving_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/archiving"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/session"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

func (m *memory) observe(s string, o session.Observation) (rel string) {
	m.t.Helper()
	o.Session = s
	m.in(m.dir, func(c call) {
		var err error
		if rel, err = c.sessions.Observe(m.t.Context(), o); err != nil {
			m.t.Fatal(err)
		}
	})
	return rel
}

func (m *memory) compact(o archiving.CompactOptions) (out archiving.Compaction, err error) {
	m.t.Helper()
	m.in(m.dir, func(c call) { out, err = c.Compact(m.t.Context(), o) })
	return out, err
}

// TestCompact replaces an old log by a section once, and leaves logs that are new, of a running session or not archived
// yet.
func TestCompact(t *testing.T) {
	t.Parallel()
	m := withStore(t)
	old := m.observe(sessionA, session.Observation{Tool: "Bash", OK: true, Input: "make flash"})
	m.observe(sessionA, session.Observation{Tool: "Bash", OK: false, Input: "make test", Output: "it does not build"})
	waiting := m.observe(sessionB, session.Observation{Tool: "Read", OK: true})
	file := m.transcript(m.dir, sessionB, relayTurns()...)
	past := time.Date(2025, 3, 9, 16, 0, 0, 0, time.UTC)
	if err := os.Chtimes(file, past, past); err != nil {
		t.Fatal(err)
	}
	m.Now = m.Now.AddDate(0, 3, 0)
	recent := m.observe(sessionA, session.Observation{Tool: "Edit", OK: true})
	options := archiving.CompactOptions{OlderThan: "30d"}

	dry, err := m.compact(archiving.CompactOptions{OlderThan: "30d", DryRun: true})
	if err != nil || len(dry.Logs) != 1 || dry.Newer != 1 || dry.Unarchived != 1 || len(dry.Commits) != 0 {
		t.Fatalf("a dry run: %+v, %v", dry, err)
	}
	out, err := m.compact(options)
	if err != nil || len(out.Logs) != 1 || len(out.Commits) != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	want := archiving.CompactedLog{Log: old, Session: sessionA, Date: "2025-03-10", File: out.Logs[0].File,
		Calls: 2, Failed: 1}
	equal(t, "the log", want, out.Logs[0])
	for rel, there := range map[string]bool{old: false, waiting: true, recent: true} {
		if _, err := os.Stat(m.InRoot(rel)); (err == nil) != there {
			t.Errorf("%s: %v", rel, err)
		}
	}
	section := m.Read(m.InRoot(out.Logs[0].File))
	if !strings.Contains(section, sessionA) || strings.Count(section, "\n## ") != 1 {
		t.Errorf("the section:\n%s", section)
	}
	again, err := m.compact(options)
	if err != nil || len(again.Logs) != 0 || len(again.Commits) != 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
	m.Env["CLAUDE_CODE_SESSION_ID"] = sessionB
	if running, err := m.compact(options); err != nil || running.Running != 1 || running.Unarchived != 0 {
		t.Errorf("a running session: %+v, %v", running, err)
	}
	delete(m.Env, "CLAUDE_CODE_SESSION_ID")
	m.end(m.dir, sessionB, file)
	if last, err := m.compact(options); err != nil || len(last.Logs) != 1 || last.Logs[0].Log != waiting {
		t.Errorf("archived meanwhile: %+v, %v", last, err)
	}
}

func TestCompactRefuses(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	if _, err := m.compact(archiving.CompactOptions{OlderThan: "soon"}); !errors.Is(err, messages.ErrUsage) {
		t.Errorf("no time: %v", err)
	}
	if _, err := m.compact(archiving.CompactOptions{OlderThan: "30d"}); !errors.Is(err, store.ErrNoStore) {
		t.Errorf("no store: %v", err)
	}
}

// TestCompactLeavesStrangeLogs: the reason is reported why a log without a session is left.
func TestCompactLeavesStrangeLogs(t *testing.T) {
	t.Parallel()
	m := withStore(t)
	rel := m.observe(sessionA, session.Observation{Tool: "Bash", OK: true})
	m.Write(m.InRoot(rel), strings.Replace(m.Read(m.InRoot(rel)), "\ndate: ", "\nday: ", 1))
	m.Now = m.Now.AddDate(0, 3, 0)
	out, err := m.compact(archiving.CompactOptions{OlderThan: "30d"})
	if err != nil || len(out.Logs) != 0 || len(out.Failed) != 1 || out.Failed[0].Log != rel ||
		!strings.Contains(out.Failed[0].Reason, "does not say of which session") {
		t.Errorf("%+v, %v", out, err)
	}
}

// TestKeepSubagents keeps the transcripts of a session's subagents too, unless one of them is excluded.
func TestKeepSubagents(t *testing.T) {
	t.Parallel()
	m, client, kept := keepers(t)
	folder := strings.TrimSuffix(client, ".jsonl")
	for _, name := range []string{"agent-1.jsonl", "agent 2.jsonl", "notes.txt"} {
		m.Write(filepath.Join(folder, "subagents", name), m.Read(client))
	}
	equal(t, "kept", "kept 2 transcripts", m.keep(sessionA, client))
	found, err := filepath.Glob(filepath.Join(strings.TrimSuffix(kept, ".jsonl"), "subagents", "*"))
	if err != nil || len(found) != 1 || filepath.Base(found[0]) != "agent-1.jsonl" {
		t.Errorf("of the subagents %q are kept, %v", found, err)
	}
	if ignore := m.Read(m.InRoot("gitmem/transcripts/.gitignore")); !strings.HasSuffix(ignore, "\n*\n") {
		t.Errorf("a repository may take them: %q", ignore)
	}
	for _, config := range []string{"keep_transcripts: off\n", "keep_transcripts: on\ncapture: off\n",
		"keep_transcripts: [\n"} {
		m.Configure(config)
		equal(t, config, "", m.keep(sessionA, client))
	}
	m.Configure("keep_transcripts: on\nexclude: ['" + m.dir + "']\n")
	if did := m.keep(sessionA, client); !strings.HasPrefix(did, "kept no longer: ") {
		t.Errorf("excluded: %q", did)
	}
	for _, name := range append(found, kept) {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s is still kept", name)
		}
	}
}

// TestRederive: a section that is derived again keeps what a person added.
func TestRederive(t *testing.T) {
	t.Parallel()
	m := withStore(t)
	e := m.end(m.dir, sessionA, m.transcript(m.dir, sessionA, relayTurns()...))
	m.Now = m.Now.Add(time.Hour)
	derive := func(o archiving.BackfillOptions) (out archiving.Rederived) {
		t.Helper()
		m.in(m.dir, func(c call) {
			var err error
			if out, err = c.Rederive(t.Context(), o, nil); err != nil {
				t.Fatal(err)
			}
		})
		return out
	}
	same := derive(archiving.BackfillOptions{})
	if same.Sections != 1 || len(same.Changed)+len(same.Left)+len(same.Commits) != 0 {
		t.Errorf("nothing changed: %+v", same)
	}
	text := m.Read(m.InRoot(e.File))
	at := strings.Index(text, "\n- [decision]")
	end := at + 1 + strings.Index(text[at+1:], "\n")
	m.Write(m.InRoot(e.File), text[:at]+"\n- [learning] A person's own line"+text[end:])
	dry := derive(archiving.BackfillOptions{DryRun: true})
	if len(dry.Commits) != 0 || !strings.Contains(m.Read(m.InRoot(e.File)), "A person's own line") {
		t.Errorf("a dry run: %+v", dry)
	}
	derive(archiving.BackfillOptions{})
	if now := m.Read(m.InRoot(e.File)); !strings.Contains(now, "\n- [learning] A person's own line") {
		t.Errorf("the person's line is gone:\n%s", now)
	}
	if err := os.RemoveAll(m.InRoot("projects/" + transcript.ProjectFolder(m.dir))); err != nil {
		t.Fatal(err)
	}
	if gone := derive(archiving.BackfillOptions{}); gone.Gone != 1 || len(gone.Changed) != 0 {
		t.Errorf("without the transcript: %+v", gone)
	}
}
