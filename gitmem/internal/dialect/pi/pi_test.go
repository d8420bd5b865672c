package pi_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/pi"
)

func unset(string) string { return "" }

// list returns the sessions of a home folder.
func list(t *testing.T, home string, getenv func(string) string) []dialect.Session {
	t.Helper()
	sessions, errs := pi.Sessions(home, getenv)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return sessions
}

// form formats records, one per line.
func form(records []dialect.Record) string {
	var b strings.Builder
	for _, r := range records {
		fmt.Fprintf(&b, "%s %s < %s: %q\n", r.Speaker, r.ID, r.Parent, r.Text)
		if r.Thinking != "" {
			fmt.Fprintf(&b, "  thinks %q\n", r.Thinking)
		}
		for _, c := range r.Calls {
			fmt.Fprintf(&b, "  calls %s %s %s\n", c.ID, c.Name, c.Input)
		}
		for _, res := range r.Results {
			fmt.Fprintf(&b, "  gets %s failed=%v %q\n", res.ID, res.Failed, res.Text)
		}
	}
	return b.String()
}

// TestRecords reads sessions that the versions 1.6.0 (in proj), 0.74.2, 0.32.3 and 0.30.2 (in old) wrote.
func TestRecords(t *testing.T) {
	var got strings.Builder
	for _, s := range list(t, filepath.Join("testdata", "home"), unset) {
		records, err := pi.Records(s)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "# %s\n%s\n", s.ID, form(records))
		for _, r := range records {
			if r.Time.IsZero() || !strings.HasPrefix(r.Cwd, "/home/ada/") || r.Speaker == dialect.Broken {
				t.Errorf("%s: %+v", s.ID, r)
			}
		}
	}
	golden := filepath.Join("testdata", "records.golden")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Error(diff)
	}
}

func TestSessionsOfOtherFolders(t *testing.T) {
	home := t.TempDir()
	header := `{"type":"session","version":3,"id":"my.own-id","timestamp":"2026-11-30T18:10:49.778Z","cwd":"/p"}` + "\n"
	write(t, filepath.Join(home, "moved", "2026-11-30T18-10-49-778Z_my.own-id.jsonl"), header)
	write(t, filepath.Join(home, "moved", "notes.txt"), "none")
	write(t, filepath.Join(home, "agent", "sessions", "--p--", "any.jsonl"), strings.Replace(header, "my.own-id", "a", 1))
	write(t, filepath.Join(home, "set", "b.jsonl"), strings.Replace(header, "my.own-id", "b", 1))
	write(t, filepath.Join(home, "agent", "settings.json"), `{"sessionDir":"~/set"}`)
	for _, c := range []struct {
		name string
		env  map[string]string
		want []string
	}{
		{"nothing there", nil, nil},
		{"folder of sessions", map[string]string{"PI_CODING_AGENT_SESSION_DIR": "~/moved"}, []string{"my-own-id"}},
		{"folder of the agent, with a setting", map[string]string{"PI_CODING_AGENT_DIR": home + "/agent"},
			[]string{"a", "b"}},
		{"both", map[string]string{"PI_CODING_AGENT_DIR": "~/agent", "PI_CODING_AGENT_SESSION_DIR": home + "/moved"},
			[]string{"a", "my-own-id"}},
	} {
		var got []string
		for _, s := range list(t, home, func(name string) string { return c.env[name] }) {
			got = append(got, s.ID)
			if s.Size == 0 || s.MtimeNs == 0 || !filepath.IsAbs(s.Source) {
				t.Errorf("%s: %+v", c.name, s)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// session writes a session file and returns its records.
func session(t *testing.T, file string, lines ...string) string {
	t.Helper()
	write(t, file, strings.Join(lines, "\n")+"\n")
	records, err := pi.Records(dialect.Session{Source: file})
	if err != nil {
		t.Fatal(err)
	}
	return form(records)
}

func head(at, more string) string {
	return `{"type":"session","version":3,"id":"s","timestamp":"2026-11-30T18:0` + at + `:00.000Z","cwd":"/p"` + more + `}`
}

func said(id, parent, text string) string {
	return `{"type":"message","id":"` + id + `","parentId":` + parent + `,"message":{"role":"user","content":"` + text +
		`"}}`
}

func TestForks(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first.jsonl"), filepath.Join(dir, "second.jsonl")
	from := func(file string) string { return `,"parentSession":"` + file + `"` }
	one, two, three := said("1", "null", "one"), said("2", `"1"`, "two"), said("3", `"2"`, "three")
	session(t, first, head("1", ""), one, two)
	for _, c := range []struct {
		name, want string
		lines      []string
	}{
		{"of a session", "person 3 < null: \"three\"\n", []string{head("2", from(first)), one, two, three}},
		{"of a fork", "person 4 < null: \"four\"\n", []string{head("3", from(second)), one, two, three,
			said("4", `"3"`, "four")}},
		{"of a deleted session", "person 1 < null: \"one\"\nperson 3 < 2: \"three\"\n",
			[]string{head("3", from(dir+"/gone.jsonl")), one, three}},
		{"of a later session", "person 1 < null: \"one\"\n", []string{head("0", from(first)), one}},
		{"a session that is no copy", "person 9 < null: \"nine\"\n",
			[]string{head("3", from(first)), said("9", "null", "nine")}},
	} {
		file := filepath.Join(dir, "third.jsonl")
		if c.name == "of a session" {
			file = second
		}
		if diff := cmp.Diff(c.want, session(t, file, c.lines...)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestEntries(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"a prompt in parts",
			`{"role":"user","content":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]}`,
			`person 1 < null: "a\n\nb"`},
		{"a prompt with files",
			`{"role":"user","content":"<file name=\"/p/a\">\nx</file>\n\n</file>\n<file name=\"/p/b\"></file>\nwhy?"}`,
			`person 1 < null: "why?"`},
		{"a skill alone", `{"role":"user","content":"<skill name=\"pdf\" location=\"/s\">\nx\n</skill>"}`,
			`person 1 < null: "/skill:pdf"`},
		{"a skill that quotes the end of one",
			`{"role":"user","content":"<skill name=\"pdf\" location=\"/s\">\nx\n</skill>\nI prefer tabs\n</skill>\n\nwhy?"}`,
			`person 1 < null: "/skill:pdf why?"`},
		{"a prompt that quotes a skill", `{"role":"user","content":"why <skill name=\"pdf\"?"}`,
			`person 1 < null: "why <skill name=\"pdf\"?"`},
		{"the system prompt", `{"role":"system","content":"x"}`, ``},
		{"a message of an extension", `{"role":"custom","content":"x"}`, ``},
		{"a message of a hook, version 2", `{"role":"hookMessage","content":"x"}`, ``},
		{"an unknown role", `{"role":"mood","content":"x"}`, ``},
		{"an answer that failed", `{"role":"assistant","content":[],"stopReason":"error","errorMessage":"500"}`, ``},
		{"an answer that was stopped",
			`{"role":"assistant","content":[{"type":"text","text":"I"},{"type":"toolCall","id":"c","name":"bash",` +
				`"arguments":{"command":"rm"}}],"stopReason":"aborted"}`, `model 1 < null: "I"`},
		{"an edit of an older version",
			`{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"edit","arguments":{"path":"/a","oldText":"x",` +
				`"newText":"y"}}]}`, "model 1 < null: \"\"\n  calls c Edit map[file_path:/a new_string:y old_string:x]"},
		{"a call without an object",
			`{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"grep","arguments":null}]}`,
			"model 1 < null: \"\"\n  calls c grep map[]"},
		{"a command without output", `{"role":"bashExecution","command":"sleep 9","output":"","cancelled":true}`,
			`command 1 < null: "sleep 9"`},
		{"fields of another type", `{"role":"user","content":["x",{"type":"text","text":7}],"timestamp":"x"}`,
			`person 1 < null: ""`},
	} {
		file := filepath.Join(t.TempDir(), "s.jsonl")
		got := session(t, file, head("1", ""), `{"type":"message","id":"1","parentId":null,"message":`+c.line+`}`)
		if diff := cmp.Diff(c.want, strings.TrimSuffix(got, "\n")); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// TestChains omits lines that are not records, are duplicated or unreadable, and links the records around them.
func TestChains(t *testing.T) {
	got := session(t, filepath.Join(t.TempDir(), "s.jsonl"), head("1", ""),
		`{"type":"model_change","id":"m","parentId":null}`, said("1", `"m"`, "one"), said("1", `"m"`, "one"),
		`{"type":"label","id":"l","parentId":"1"}`, `{"type":"session_info","id":"n","parentId":"l","name":"  "}`,
		`{"type":"x`,
		said("2", `"n"`, "two"),
		`{"type":"branch_summary","id":"b","parentId":"l","summary":"left\n\n<read-files>\na\n</read-files>"}`,
		said("3", `"b"`, "three"), said("4", `"nowhere"`, "four"), said("5", `"5"`, "five"))
	want := "person 1 < null: \"one\"\nbroken  < : \"\"\nperson 2 < 1: \"two\"\nsummary b < null: \"left\"\n" +
		"person 3 < 1: \"three\"\nperson 4 < nowhere: \"four\"\nperson 5 < 5: \"five\"\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFilesOfAnotherFormat(t *testing.T) {
	home := t.TempDir()
	for i, text := range []string{"{}\n", "[]\n", "\x00\x01\n", `{"type":"message","id":"1"}` + "\n",
		`{"type":"session","id":7}` + "\n"} {
		file := filepath.Join(home, ".pi", "agent", "sessions", "--p--", fmt.Sprint(i)+".jsonl")
		write(t, file, text)
		if _, err := pi.Records(dialect.Session{Source: file}); !errors.Is(err, dialect.ErrUnknownFormat) ||
			!strings.Contains(err.Error(), file) {
			t.Errorf("%q: got %v", text, err)
		}
		if _, errs := pi.Sessions(home, unset); len(errs) != i+1 {
			t.Errorf("%q: got %v", text, errs)
		}
	}
	empty := filepath.Join(home, "empty.jsonl")
	write(t, empty, "")
	if records, err := pi.Records(dialect.Session{Source: empty}); records != nil || err != nil {
		t.Errorf("an empty file: %v, %v", records, err)
	}
}

func FuzzRecords(f *testing.F) {
	files, _ := filepath.Glob("testdata/home/.pi/agent/sessions/*/*.jsonl")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file := filepath.Join(t.TempDir(), "s.jsonl")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		s := dialect.Session{Source: file, ID: "s"}
		records, err := pi.Records(s)
		if err != nil {
			return
		}
		if _, err := dialect.Encode(s, records); err != nil {
			t.Error(err)
		}
	})
}
