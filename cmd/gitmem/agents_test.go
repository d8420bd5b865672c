package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// agentSample is the data of one agent: sessions that the real client recorded with a scripted model. Each
// text is in one record of it.
type agentSample struct {
	// the folder of samples, or the rows of a database, and where the agent stores it below the home folder
	agent, from, to   string
	prompt, answer    string
	failed            string // a command that failed
	takenBack         string // an undone prompt; "" if the client deletes it
	copied            string // a text that a fork copied and that counts once; "" if a fork copies nothing
	subagent          string // a message of a subagent
	never             string // text in the file that is not part of the conversation
	program, reopened string // the program and the argument before the id that resume a session
}

func agentSamples() []agentSample {
	return []agentSample{
		{agent: "codex", from: "codex/testdata/store", to: ".codex", prompt: "third once more",
			answer: "Finished the long task",
			failed: "cat missing.txt", takenBack: "third again", subagent: "There are 5 files", never: "base_instructions",
			program: "codex", reopened: "resume"},
		{agent: "copilot", from: "copilot/testdata/.copilot", to: ".copilot", prompt: "Question in the fork",
			answer: "I will list the files first",
			failed: "cat missing.txt", copied: "The pump is painted blue", never: "terminal assistant built by GitHub",
			program: "copilot", reopened: "--resume"},
		{agent: "crush", from: "crush/testdata/crush.sql", to: "proj/.crush/crush.db", prompt: "Turn with a full context",
			answer:   "Second turn done",
			subagent: "Sub agent answer", never: "previous session was interrupted", program: "crush", reopened: "--session"},
		{agent: "opencode", from: "opencode/testdata/opencode.sql", to: ".local/share/opencode/opencode.db",
			prompt: "Prompt after undo", answer: "From the TUI",
			subagent: "Sub agent answer", copied: "All done: world is now gitmem", never: "was executed by the user",
			program: "opencode", reopened: "--session"},
		{agent: "gemini", from: "gemini/testdata/home", to: ".", prompt: "third prompt about valves",
			answer:    "Third turn after compression done",
			takenBack: "second prompt about the pump", subagent: "Subagent looks", never: "session_context", program: "gemini",
			reopened: "--resume"},
		{agent: "pi", from: "pi/testdata/home", to: ".", prompt: "Which pump does the relay need",
			answer: "one pump stalls under load",
			copied: "Second turn please", takenBack: "Second in A", never: "toolsAdded", program: "pi", reopened: "--session"},
		{agent: "qwen", from: "qwen/testdata/.qwen", to: ".qwen", prompt: "also say hello while you work",
			answer:    "The pump is named Zebra",
			takenBack: "Paint the pump red", copied: "Paint the pump blue", never: "CTXPROMPT", program: "qwen",
			reopened: "--resume"},
	}
}

// TestAgents checks for each agent that its sessions are found, cited, archived and forgotten, and that
// nothing in its folders changes.
func TestAgents(t *testing.T) {
	t.Parallel()
	for _, s := range agentSamples() {
		t.Run(s.agent, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			store := agentStore(d, s)
			before := treeOf(t, store)
			hits := func(query string) []agentHit { return agentHits(t, d, "agent:"+s.agent+" \""+query+"\"") }
			for _, text := range []string{s.prompt, s.answer, s.failed, s.subagent} {
				if text != "" && len(hits(text)) == 0 {
					t.Errorf("%q is not found", text)
				}
			}
			if s.takenBack != "" && !slices.ContainsFunc(hits(s.takenBack), func(h agentHit) bool {
				return h.Status == "taken back"
			}) {
				t.Errorf("%q is not taken back: %v", s.takenBack, hits(s.takenBack))
			}
			if found := hits(s.copied); s.copied != "" && len(found) != 1 {
				t.Errorf("%q was copied by a fork and counts %d times: %v", s.copied, len(found), found)
			}
			if found := hits(s.never); len(found) > 0 {
				t.Errorf("%q was said by nobody: %v", s.never, found)
			}
			agentArchives(t, d, s)
			agentForgets(t, d, hits(s.prompt)[0].ID, s)
			if s.to != "." { // otherwise memory is in the same folder
				if diff := cmp.Diff(before, treeOf(t, store)); diff != "" {
					t.Errorf("the agent's folder has changed: %s", diff)
				}
			}
		})
	}
}

// agentStore copies a sample to where the agent stores it, and returns the folder.
func agentStore(d *desk, s agentSample) string {
	d.tb.Helper()
	to, from := filepath.Join(d.home, s.to), filepath.Join("../../gitmem/internal/dialect", s.from)
	if filepath.Ext(from) != ".sql" {
		d.check(os.CopyFS(to, os.DirFS(from)))
		return to
	}
	rows, err := os.ReadFile(from)
	d.check(errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o700)))
	conn, err := sqlite.OpenConn(to, sqlite.OpenReadWrite|sqlite.OpenCreate)
	d.check(err)
	d.check(errors.Join(sqlitex.ExecuteScript(conn, string(rows), nil), conn.Close()))
	projects, err := json.Marshal(map[string]any{"projects": []map[string]string{
		{"path": filepath.Join(d.home, "proj"), "data_dir": filepath.Dir(to)},
	}})
	d.check(err)
	d.write("home/.local/share/crush/projects.json", string(projects)) // the list of Crush's databases
	return filepath.Dir(to)
}

// agentHit is a hit as printed by search --json.
type agentHit struct{ ID, Agent, Session, Status, Excerpt string }

func agentHits(t *testing.T, d *desk, query string) []agentHit {
	t.Helper()
	r := d.run("", "search", "--json", "--project", "all", "--layer", "transcripts", query)
	var res struct{ Hits []agentHit }
	if err := json.Unmarshal([]byte(r.out), &res); err != nil {
		t.Fatalf("search %s: %v\n%s%s", query, err, r.out, r.err)
	}
	return res.Hits
}

// agentArchives checks that archiving requires consent, and reopens a session that was found.
func agentArchives(t *testing.T, d *desk, s agentSample) {
	t.Helper()
	d.run("", "init")
	if r := d.run("", "backfill", "--all"); !strings.Contains(r.out, "gitmem backfill --agent "+s.agent) {
		t.Errorf("without consent: %s%s", r.out, r.err)
	}
	sections := func() (n int) {
		for _, rel := range treeOf(t, filepath.Join(d.home, ".claude/gitmem")) {
			n += strings.Count(rel, "\nsession: "+s.agent+"-")
		}
		return n
	}
	if n := sections(); n > 0 {
		t.Errorf("%d sections without consent", n)
	}
	if r := d.run("", "backfill", "--all", "--agent", s.agent); r.code != exitOK || sections() == 0 {
		t.Errorf("with consent: %s%s", r.out, r.err)
	}
	r := d.run("", "reopen", agentHits(t, d, "agent:"+s.agent+" \""+s.prompt+"\"")[0].ID)
	if !strings.Contains(r.out, " && "+s.program+" "+s.reopened+" ") {
		t.Errorf("reopen: %s%s", r.out, r.err)
	}
}

// agentForgets forgets one record.
func agentForgets(t *testing.T, d *desk, id string, s agentSample) {
	t.Helper()
	if r := d.run("", "forget", "--yes", id); r.code != exitOK {
		t.Errorf("forget %s: %s%s", id, r.out, r.err)
	}
	if found := agentHits(t, d, "agent:"+s.agent+" \""+s.prompt+"\""); slices.ContainsFunc(found, func(h agentHit) bool {
		return h.ID == id
	}) {
		t.Errorf("%s is found after it was forgotten", id)
	}
	if r := d.run("", "show", id); r.code != exitNotFound {
		t.Errorf("%s is shown after it was forgotten: %s", id, r.out)
	}
}

// treeOf returns the contents of the files below a folder, by path.
func treeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
