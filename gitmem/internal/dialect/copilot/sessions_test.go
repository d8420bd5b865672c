package copilot

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// store creates a store of sessions, each with its events and its workspace.yaml.
func store(t testing.TB, sessions map[string][2]string) string {
	t.Helper()
	root := t.TempDir()
	for id, s := range sessions {
		dir := filepath.Join(root, "session-state", id)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for i, name := range []string{eventsFile, workspaceFile} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(s[i]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

// at returns an environment in which the client's folder is root.
func at(root string) func(string) string {
	return func(name string) string { return map[string]string{"COPILOT_HOME": root}[name] }
}

const shutdown = `{"type":"session.shutdown","data":{"accountingSnapshot":{"agentMetrics":{"main":{},` +
	`"a-2":{"agentName":"explore"},"a-1":{"agentName":"task"},"../a":{"agentName":"task"}}}},` +
	`"id":"x","timestamp":"","parentId":null}` + "\n"

func TestSessions(t *testing.T) {
	root := store(t, map[string][2]string{
		"s-plain":   {`{"type":"session.start","id":"1","data":{}}` + "\n", "id: s-plain\ncwd: /home/ada/p q\n"},
		"s-quoted":  {"{}\n", "cwd: '/home/ada: p'\n"},
		"s-agents":  {strings.Repeat(" ", 30<<10) + "\n" + shutdown + "{}\n", "cwd: >-\n  /home/ada\n"},
		"s-alone":   {`{"type":"session.shutdown","data":{"accountingSnapshot":{"agentMetrics":{"main":{}}}}}` + "\n", ""},
		"s-cut":     {shutdown[:len(shutdown)/2], ""},
		"not an id": {"{}\n", ""},
	})
	if err := os.Mkdir(filepath.Join(root, "session-state", "s-without-events"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "session-state", "s-file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	sessions, errs := Sessions("/home/nobody", at(root))
	if len(errs) > 0 {
		t.Error(errs)
	}
	var got []string
	for _, s := range sessions {
		if s.Size == 0 || s.MtimeNs == 0 || s.Source != filepath.Join(root, "session-state", s.ID, eventsFile) {
			t.Errorf("%+v", s)
		}
		got = append(got, strings.TrimSpace(s.ID+" "+s.Agent+" "+s.Folder))
	}
	want := []string{"s-agents", "s-agents a-1", "s-agents a-2", "s-alone", "s-cut", "s-plain  /home/ada/p q", "s-quoted"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSessionsOfNoStore(t *testing.T) {
	if sessions, errs := Sessions(t.TempDir(), at("")); len(sessions) > 0 || len(errs) > 0 {
		t.Errorf("%v, %v", sessions, errs)
	}
}

func TestRecordsOfUnknownFormat(t *testing.T) {
	for name, events := range map[string]string{
		"other": `{"role":"user"}` + "\n", "text": "hello\n", "list": "[]\n", "line": strings.Repeat("x", 100),
	} {
		root := store(t, map[string][2]string{"s": {events, ""}})
		_, err := Records(dialect.Session{Source: filepath.Join(root, "session-state/s", eventsFile), ID: "s"})
		if want := name != "line"; errors.Is(err, dialect.ErrUnknownFormat) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzRecords(f *testing.F) {
	files, err := filepath.Glob("testdata/.copilot/session-state/*/" + eventsFile)
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for part := range bytes.Lines(b) {
			f.Add(part)
		}
	}
	f.Add([]byte(`{"type":"assistant.message","id":"1","data":{"toolRequests":` +
		`[{"toolCallId":"c","name":"apply_patch","arguments":"*** Add File: a\n-\n+"}]}}`))
	f.Fuzz(func(t *testing.T, events []byte) {
		agents := subagents(bytes.NewReader(events), int64(len(events)))
		for _, agent := range append(agents, "") {
			root := store(t, map[string][2]string{"s": {string(events), ""}})
			file := filepath.Join(root, "session-state/s", eventsFile)
			s := dialect.Session{Source: file, ID: "s", Folder: plain(events, "cwd"), Agent: agent}
			records, err := Records(s)
			if err != nil {
				continue
			}
			if _, err := dialect.Encode(s, records); err != nil {
				t.Error(err)
			}
		}
	})
}

func BenchmarkSessions(b *testing.B) {
	sessions := map[string][2]string{}
	events := strings.Repeat(strings.Repeat("x", 1023)+"\n", 1024) + shutdown
	for i := range 1000 {
		sessions[fmt.Sprintf("s-%d", i)] = [2]string{events, "id: s\ncwd: /home/ada/p\nbranch: main\n"}
	}
	root := store(b, sessions)
	for b.Loop() {
		if got, _ := Sessions("", at(root)); len(got) != 3000 {
			b.Fatal(len(got))
		}
	}
}
