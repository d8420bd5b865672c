package hook_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/gitmem"
)

// promptPayload returns the client's payload of a prompt.
func promptPayload(t *testing.T, session, dir, prompt, more string) string {
	t.Helper()
	text, err := json.Marshal(prompt)
	if err != nil {
		t.Fatal(err)
	}
	return `{"session_id":"` + session + `","transcript_path":"/x/s.jsonl","cwd":` + string(must(json.Marshal(dir))) +
		`,"prompt_id":"8265a1fd","permission_mode":"default","hook_event_name":"UserPromptSubmit"` + more + `,"prompt":` +
		string(text) + `}`
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// desk returns a folder with a topic file in the client's memory of it, and an index.
func desk(t *testing.T) (home, dir string, open func(string) (*gitmem.Memory, error)) {
	t.Helper()
	home = t.TempDir()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	munged := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, dir)
	topic := filepath.Join(home, ".claude", "projects", munged, "memory", "pump.md")
	if err := os.MkdirAll(filepath.Dir(topic), 0o700); err != nil {
		t.Fatal(err)
	}
	text := "# Pump\n\n## Relay\n\nThe relay of the pump must bear ten ampere, because the inrush current is nine.\n"
	if err := os.WriteFile(topic, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	open = func(dir string) (*gitmem.Memory, error) {
		return gitmem.Open(gitmem.Options{Dir: dir, Home: home, CacheDir: filepath.Join(home, "cache"), Now: time.Now})
	}
	m, err := open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.Indexes().Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	return home, dir, open
}

const pumpRelay = "Which relay does the pump need, and what is its inrush current?"

func TestPrompted(t *testing.T) {
	t.Parallel()
	_, dir, open := desk(t)
	steps := []struct {
		name, stdin, result, detail string
		context                     string // words in it, "" for none
	}{
		{"trivial", promptPayload(t, "s1", dir, "yes, go on", ""), "nothing", "trivial prompt", ""},
		{"of another subject", promptPayload(t, "s1", dir, "Please sort the imports of the parser", ""), "nothing",
			"nothing relevant", ""},
		{"of a subagent", promptPayload(t, "s1", dir, pumpRelay, `,"agent_id":"a1","agent_type":"general-purpose"`),
			"nothing", "prompt of a subagent", ""},
		{"about the pump", promptPayload(t, "s1", dir, pumpRelay, ""), "written", "memory:", "must bear ten ampere"},
		{"again", promptPayload(t, "s1", dir, pumpRelay, ""), "nothing", "the session was not told", ""},
		{"of another session", promptPayload(t, "s2", dir, pumpRelay, ""), "written", "memory:", "must bear ten ampere"},
		{"no prompt", promptPayload(t, "s2", dir, "", ""), "nothing", "trivial prompt", ""},
		{"NUL and half a character", promptPayload(t, "s3", dir, "\x00\xff\xfe\xed\xa0\x80", ""), "nothing",
			"trivial prompt", ""},
		{"4 MB", promptPayload(t, "s4", dir, strings.Repeat("nothing that anybody knows, ", 4<<20/28), ""),
			"nothing", "", ""},
	}
	for _, s := range steps {
		var out bytes.Buffer
		hook.Run(t.Context(), "user-prompt-submit", hook.Env{
			Stdin: strings.NewReader(s.stdin), Stdout: &out, Dir: "/w", Open: open, Now: stopped(),
			Trace: func(r hook.Record) {
				if r.Result != s.result || !strings.Contains(r.Detail, s.detail) {
					t.Errorf("%s: traced %q %q, want %q %q", s.name, r.Result, r.Detail, s.result, s.detail)
				}
			},
		})
		if s.context == "" {
			if out.Len() > 0 {
				t.Errorf("%s: the client is told %s", s.name, &out)
			}
			continue
		}
		var told struct {
			SystemMessage      string
			HookSpecificOutput struct{ HookEventName, AdditionalContext string }
		}
		if err := json.Unmarshal(out.Bytes(), &told); err != nil {
			t.Fatalf("%s: %q: %v", s.name, &out, err)
		}
		if h := told.HookSpecificOutput; h.HookEventName != "UserPromptSubmit" ||
			!strings.Contains(h.AdditionalContext, s.context) {
			t.Errorf("%s: the client is told %+v", s.name, h)
		}
		if want := `gitmem: recalled 1 passage: memory "Pump › Relay"`; told.SystemMessage != want {
			t.Errorf("%s: the person is shown %q, want %q", s.name, told.SystemMessage, want)
		}
	}
}

// What a turn added to memory is recalled in the next, after the indexer that its end starts has run.
func TestPromptedAfterATurn(t *testing.T) {
	t.Parallel()
	home, dir, open := desk(t)
	var out bytes.Buffer
	run := func(name, stdin string) {
		out.Reset()
		hook.Run(t.Context(), name, hook.Env{
			Stdin: strings.NewReader(stdin), Stdout: &out, Dir: dir, Open: open, Now: stopped(),
			Index: func(m *gitmem.Memory) error { _, err := m.Indexes().Update(t.Context()); return err },
			Trace: func(r hook.Record) {
				if r.Result == "error" {
					t.Errorf("%s: traced %q", name, r.Detail)
				}
			},
		})
	}
	topics, err := filepath.Glob(filepath.Join(home, ".claude", "projects", "*", "memory", "pump.md"))
	if err != nil || len(topics) != 1 {
		t.Fatal(topics, err)
	}
	valve := "# Tank\n\n## Valve\n\nThe valve of the tank must bear six bar, because the burst pressure is five.\n"
	if err := os.WriteFile(filepath.Join(filepath.Dir(topics[0]), "tank.md"), []byte(valve), 0o600); err != nil {
		t.Fatal(err)
	}
	prompt := promptPayload(t, "s1", dir, "Which valve does the tank need, and what is its burst pressure?", "")
	if run("user-prompt-submit", prompt); strings.Contains(out.String(), "six bar") {
		t.Errorf("before the turn ended the client is told %s", &out)
	}
	run("stop", `{"session_id":"s1","cwd":`+string(must(json.Marshal(dir)))+`,"hook_event_name":"Stop"}`)
	if run("user-prompt-submit", prompt); !strings.Contains(out.String(), "six bar") {
		t.Errorf("the client is told %s", &out)
	}
}

// A search that does not end is cancelled, and the trace records it.
func TestPromptedGivesUp(t *testing.T) {
	t.Parallel()
	dir, home := t.TempDir(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		stuck := func(dir string) (*gitmem.Memory, error) {
			m, err := gitmem.Open(gitmem.Options{Dir: dir, Home: home, CacheDir: home, Now: time.Now,
				Getenv: func(name string) string {
					if name == "GITMEM_CHILD" {
						<-hang
					}
					return ""
				}})
			return m, err
		}
		start := time.Now()
		var out bytes.Buffer
		hook.Run(t.Context(), "user-prompt-submit", hook.Env{
			Stdin: strings.NewReader(promptPayload(t, "s1", dir, pumpRelay, "")), Stdout: &out, Dir: dir, Open: stuck,
			Now: time.Now,
			Trace: func(r hook.Record) {
				if r.Result != "error" || !strings.Contains(r.Detail, "not searched within 400ms") {
					t.Errorf("traced %q %q", r.Result, r.Detail)
				}
			},
		})
		if took := time.Since(start); took != 500*time.Millisecond || out.Len() > 0 {
			t.Errorf("told %q after %v", &out, took)
		}
		close(hang)
	})
}
