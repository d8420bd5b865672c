package gemini_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/gemini"
)

func nothing(string) string { return "" }

// TestSessionsOfTheClient reads stored sessions of the client. Each record is a line of golden.txt.
func TestSessionsOfTheClient(t *testing.T) {
	home, err := filepath.Abs("testdata/home")
	if err != nil {
		t.Fatal(err)
	}
	sessions, errs := gemini.Sessions(home, nothing)
	if len(errs) > 0 {
		t.Error(errs)
	}
	slices.SortStableFunc(sessions, func(a, b dialect.Session) int {
		return strings.Compare(filepath.Base(a.Source), filepath.Base(b.Source))
	})
	var b strings.Builder
	for _, s := range sessions {
		source, _ := filepath.Rel(filepath.Join(home, ".gemini", "tmp"), s.Source)
		fmt.Fprintf(&b, "%s %s in %q\n  %s\n", s.ID, s.Agent, s.Folder, source)
		records, err := gemini.Records(s)
		if err != nil {
			t.Error(err)
		}
		writeRecords(&b, s.Folder, records)
	}
	want, err := os.ReadFile("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Error(diff)
	}
}

// writeRecords writes each record on a line, with its folder if that differs, and each call and result on a line below
// it.
func writeRecords(b *strings.Builder, folder string, records []dialect.Record) {
	for _, r := range records {
		fmt.Fprintf(b, "  %s %.8s", r.Speaker, r.ID)
		if r.Parent != "" {
			fmt.Fprintf(b, " after %.8s", r.Parent)
		}
		if !r.Time.IsZero() {
			b.WriteString(r.Time.UTC().Format(" 15:04:05"))
		}
		for _, s := range []string{strings.TrimPrefix(r.Cwd, folder), strings.TrimPrefix(r.Model, "gemini-")} {
			if s != "" {
				b.WriteString(" " + s)
			}
		}
		fmt.Fprintf(b, " %.60q", r.Text)
		if r.Thinking != "" {
			fmt.Fprintf(b, " thinks %.30q", r.Thinking)
		}
		b.WriteString("\n")
		for _, c := range r.Calls {
			if raw, ok := c.Input.(json.RawMessage); ok {
				var args map[string]json.RawMessage
				_ = json.Unmarshal(raw, &args) // a value that is not an object counts as empty
				c.Input = args
			}
			input := []rune(fmt.Sprintf("%s", c.Input))
			fmt.Fprintf(b, "    calls %s %s %q\n", c.ID, c.Name, string(input[:min(len(input), 90)]))
		}
		for _, res := range r.Results {
			fmt.Fprintf(b, "    result %s failed=%v %.90q", res.ID, res.Failed, res.Text)
			if res.Report != "" {
				fmt.Fprintf(b, " report %.40q", res.Report)
			}
			b.WriteString("\n")
		}
	}
}

const id = "11111111-2222-4333-8444-555555555555"

const head = `{"sessionId":"` + id + `","projectHash":"x","startTime":"2026-11-28T18:40:35.622Z","kind":"main"}`

// user, model, rewind and set are lines of a log.
func user(id, text string) string {
	return fmt.Sprintf(`{"id":%q,"timestamp":"2026-11-28T18:40:37.857Z","type":"user","content":[{"text":%q}]}`, id, text)
}

func model(id, text string) string {
	return fmt.Sprintf(`{"id":%q,"timestamp":"2026-11-28T18:40:38.135Z","type":"gemini","content":%q,"model":"m"}`, id,
		text)
}

func rewind(id string) string { return fmt.Sprintf(`{"$rewindTo":%q}`, id) }

func set(messages ...string) string {
	return `{"$set":{"messages":[` + strings.Join(messages, ",") + `]}}`
}

// store writes files into a project's folder of chats and returns the home folder.
func store(t *testing.T, files map[string]string) (home string) {
	t.Helper()
	home = t.TempDir()
	for name, content := range files {
		file := filepath.Join(home, ".gemini", "tmp", "p", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

const logFile = "chats/session-2026-11-28T18-40-11111111.jsonl"

func log(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// read returns the formatted records of the only session of a store.
func read(t *testing.T, home string) []string {
	t.Helper()
	sessions, errs := gemini.Sessions(home, nothing)
	if len(errs) > 0 || len(sessions) != 1 {
		t.Fatalf("%d sessions, errors %v", len(sessions), errs)
	}
	records, err := gemini.Records(sessions[0])
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range records {
		said := string(r.Speaker) + ": " + r.Text
		if r.Parent != "" {
			said += " (after " + r.Parent + ")"
		}
		for _, res := range r.Results {
			said += fmt.Sprintf("%s=%q failed=%v", res.ID, res.Text, res.Failed)
		}
		out = append(out, said)
	}
	return out
}

func TestRewinds(t *testing.T) {
	start := []string{head, user("1", "one"), model("2", "a"), user("3", "two"), model("4", "b")}
	for _, c := range []struct {
		name  string
		lines []string
		want  []string // after the first four
	}{
		{"one turn", []string{rewind("3"), user("5", "three")}, []string{"person: three (after 2)"}},
		{"without a rewind", []string{user("5", "three")}, []string{"person: three"}},
		{"to the beginning", []string{rewind("1"), set(), user("5", "three")}, []string{"person: three (after null)"}},
		{"of an unknown message", []string{rewind("9"), user("5", "three")}, []string{"person: three (after null)"}},
		{"twice", []string{rewind("3"), user("5", "three"), rewind("5"), user("6", "four"), model("7", "c")},
			[]string{"person: three (after 2)", "person: four (after 2)", "model: c"}},
		{"twice at once", []string{rewind("3"), rewind("1"), user("5", "three")}, []string{"person: three (after null)"}},
		{"of a notice", []string{`{"id":"i","type":"info","content":"saved"}`, rewind("i"), user("5", "three")},
			[]string{"person: three"}},
		{"with a notice behind it", []string{rewind("3"), `{"id":"i","type":"info","content":"x"}`, user("5", "three")},
			[]string{"person: three (after 2)"}},
		{"none, but a resume with an answer that the client made up", []string{
			`{"id":"5","type":"user","content":[{"functionResponse":{"id":"c"}}]}`, model("6", "c"),
			set(user("1", "one"), model("2", "a"),
				`{"id":"2_response","type":"user","content":[{"functionResponse":{"id":"c"}}]}`,
				model("6", "c")), user("7", "three")},
			[]string{"model: c", "person: three"}},
		{"none, but a resume within the minute of the start, which lists all messages without a model", []string{
			head, set(user("0", "<session_context>x</session_context>")),
			set(user("0", "<session_context>x</session_context>"), user("1", "one"), `{"id":"2","type":"gemini","content":"a"}`,
				user("3", "two"), `{"id":"4","type":"gemini","content":"b"}`), user("5", "three")},
			[]string{"person: three"}},
		{"of a message that a compaction kept", []string{
			set(user("0", "<session_context>x</session_context>"), user("s", "<state_snapshot>all</state_snapshot>"),
				model("t", "Got it. Thanks for the additional context!"), user("c", "two"), model("d", "b")),
			user("5", "three"), rewind("c"),
			set(user("s", "<state_snapshot>all</state_snapshot>"), model("t", "Got it. Thanks for the additional context!")),
			user("6", "four")},
			[]string{"summary: all", "person: three", "person: four (after 2)"}},
	} {
		want := append([]string{"person: one", "model: a", "person: two", "model: b"}, c.want...)
		got := read(t, store(t, map[string]string{logFile: log(append(slices.Clone(start), c.lines...)...)}))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestPrompts(t *testing.T) {
	content := func(parts, display string) string {
		return `{"id":"1","type":"user","content":` + parts + `,"displayContent":` + display + `}`
	}
	for _, c := range []struct {
		name, line string
		want       []string
	}{
		{"a text", content(`"do it"`, `null`), []string{"person: do it"}},
		{"a part", content(`{"text":"do it"}`, `null`), []string{"person: do it"}},
		{"a hook's context behind it", content(`[{"text":"do it"},{"text":"<hook_context>x</hook_context>"}]`,
			`[{"text":"do it"}]`), []string{"person: do it"}},
		{"a hook's context before it", user("1", "<hook_context>x</hook_context>\n\ndo it"), []string{"program: do it"}},
		{"only a hook's context", user("1", "<hook_context>x</hook_context>"), nil},
		{"context of the session", user("1", "<session_context>x</session_context>"), nil},
		{"context of an editor", user("1", "Here is the user's editor context as a JSON object."), nil},
		{"the client goes on", content(`"Please continue."`, `"do it"`), nil},
		{"files", content(`[{"text":"see @a"},{"text":"\n--- Content from referenced files ---"},{"text":"secret"},`+
			`{"text":"\n--- End of content ---"}]`, `null`), []string{"person: see @a"}},
		{"shell mode", user("1",
			"I ran the following shell command:\n```sh\necho \\`a\\\\b\\`\n```\n\nThis produced the following result:\n```\n"+
				"ab\n```"), []string{"person: !echo `a\\b`"}},
		{"a word of the model that looks typed", model("1", "I ran the following shell command:\n```sh\nls\n```"),
			[]string{"model: I ran the following shell command:\n```sh\nls\n```"}},
		{"results", `{"id":"1","type":"user","content":[{"functionResponse":{"id":"c"}},{"text":"more"}]}`, nil},
		{"a word to the working model",
			content(`[{"functionResponse":{"id":"c"}},{"text":"User steering update:\n<user_input>\nnot `+
				`that\n</user_input>\nInternal"}]`, `null`), []string{"person: not that"}},
		{"an image", content(`[{"inlineData":{}}]`, `null`), nil},
		{"an error of the client", `{"id":"1","type":"error","content":"no network"}`, nil},
		{"other types", `{"id":"1","type":"user","content":[1,{"text":2},{"text":"do it"}],"thoughts":"x","toolCalls":{}}`,
			[]string{"person: do it"}},
		{"a title", `{"$set":{"summary":"Pumps"}}`, []string{"title: Pumps"}},
		{"a line that is cut", `{"id":"1","type":`, []string{"broken: "}},
		{"no object", `["user"]`, nil},
		{"an unknown operation", `{"$rename":"x"}`, nil},
	} {
		got := read(t, store(t, map[string]string{logFile: log(head, c.line)}))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestResults(t *testing.T) {
	for _, c := range []struct{ name, call, want string }{
		{"a command", `"name":"run_shell_command","result":[{"functionResponse":{"id":"c",` +
			`"response":{"output":"<untrusted_context>\nOutput: a\nProcess Group PGID: ` +
			`1\n</untrusted_context>\n\n<hook_context>x</hook_context>"}}}]`,
			`c="Output: a\nProcess Group PGID: 1" failed=false`},
		{"a command that fails",
			`"name":"run_shell_command","result":[{"functionResponse":{"id":"c","response":{"output":"Output: a\nExit Code: ` +
				`3\nProcess Group PGID: 1"}}}]`, `c="Output: a\nExit Code: 3\nProcess Group PGID: 1" failed=true`},
		{"a command of an older client",
			`"name":"run_shell_command","result":[{"functionResponse":{"id":"c","response":{"output":"Output: a\nError: ` +
				`(none)\nExit Code: 0\nSignal: (none)\nBackground PIDs: (none)"}}}]`,
			`c="Output: a\nError: (none)\nExit Code: 0\nSignal: (none)\nBackground PIDs: (none)" failed=false`},
		{"a command that a signal ends",
			`"name":"run_shell_command","result":[{"functionResponse":{"id":"c","response":{"output":"Output: ` +
				`(empty)\nSignal: 9"}}}]`, `c="Output: (empty)\nSignal: 9" failed=true`},
		{"output that names an exit code",
			`"name":"run_shell_command","result":[{"functionResponse":{"id":"c","response":{"output":"Output: Exit Code: ` +
				`3\nbye"}}}]`, `c="Output: Exit Code: 3\nbye" failed=false`},
		{"an error", `"name":"read_file","result":[{"functionResponse":{"id":"c","response":{"error":"none"}}}]`,
			`c="none" failed=true`},
		{"cancelled", `"name":"replace","status":"cancelled"`, `c="" failed=true`},
		{"the answer of several calls",
			`"name":"glob","result":[{"functionResponse":{"id":"b","response":{"output":"other"}}},` +
				`{"functionResponse":{"id":"c","response":{"output":"own"}}}]`, `c="own" failed=false`},
		{"a text", `"name":"glob","result":"found"`, `c="found" failed=false`},
	} {
		line := `{"id":"1","type":"gemini","content":"","toolCalls":[{"id":"c",` + c.call + `}]}`
		got := read(t, store(t, map[string]string{logFile: log(head, line)}))
		if diff := cmp.Diff([]string{"model: ", "tool: " + c.want}, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestSessionsInSeveralFiles(t *testing.T) {
	doc := `{"sessionId":"` + id + `","messages":[` + user("1", "one") + `,` + model("2", "a") + `],"summary":"Pumps"}`
	other := strings.ReplaceAll(head, "555555555555", "000000000000")
	home := store(t, map[string]string{
		"chats/session-2026-11-28T18-40-11111111.json": doc,
		logFile: log(head, user("1", "one"), model("2", "a"), user("3", "two")),
		"chats/session-2026-11-28T19-00-11111111.jsonl":              log(head, set(user("0", "<session_context>x"))),
		"chats/session-2026-11-28T19-30-11111111.jsonl":              log(other, user("9", "of another session")),
		"chats/session-2026-11-28T18-40-11111111.jsonl.unreadable-1": "x",
		"chats/session-2026-11-28T18-50-22222222.jsonl":              "",
		"chats/" + id + "/dig1.json": `{"sessionId":"dig1","messages":[` + user("8", "dig") +
			`],"kind":"subagent"}`,
		"chats/session-2026-11-28T18-52-33333333.json": `{"messages":[]}`,
		"logs.json":                  "[]",
		"checkpoint-a.json":          `{"history":[]}`,
		".project_root":              "/home/ada/p",
		"../0123456789/" + logFile:   log(head, user("1", "one")),
		"../0123456789/chats/a.json": doc,
	})
	sessions, errs := gemini.Sessions(home, nothing)
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "33333333.json") {
		t.Errorf("errors %v", errs)
	}
	var got []string
	for _, s := range sessions {
		records, err := gemini.Records(s)
		got = append(got, fmt.Sprint(s.ID, " ", s.Agent, " ", len(records), " ", err))
	}
	want := []string{
		strings.ReplaceAll(id, "555555555555", "000000000000") + "  1 <nil>", id + "  3 <nil>", id + " dig1 1 <nil>",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFilesThatAreGone(t *testing.T) {
	home := store(t, map[string]string{logFile: log(head, user("1", "one"))})
	sessions, _ := gemini.Sessions(home, nothing)
	if len(sessions) != 1 {
		t.Fatalf("%d sessions", len(sessions))
	}
	if err := os.RemoveAll(filepath.Join(home, ".gemini")); err != nil {
		t.Fatal(err)
	}
	if records, err := gemini.Records(sessions[0]); records != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without the file: %v, %v", records, err)
	}
	if sessions, errs := gemini.Sessions(home, nothing); len(sessions) > 0 || errs != nil {
		t.Errorf("without a store: %v, %v", sessions, errs)
	}
}

func TestHomeOfTheClient(t *testing.T) {
	home := store(t, map[string]string{logFile: log(head, user("1", "one")), ".project_root": "/home/ada/p\n"})
	sessions, errs := gemini.Sessions("/nowhere", func(name string) string {
		return map[string]string{"GEMINI_CLI_HOME": home}[name]
	})
	if len(errs) > 0 || len(sessions) != 1 || sessions[0].Folder != "/home/ada/p" || sessions[0].Size == 0 {
		t.Errorf("sessions %+v, errors %v", sessions, errs)
	}
}

// TestGrowth reads each log after each of its lines: earlier records do not change, except the last message, to which
// the client adds calls and results, and messages that it is still copying.
func TestGrowth(t *testing.T) {
	logs, err := filepath.Glob("testdata/home/.gemini/tmp/*/chats/*.jsonl")
	if err != nil || len(logs) == 0 {
		t.Fatal(logs, err)
	}
	for _, file := range logs {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(t.TempDir(), ".gemini", "tmp", "p", "chats", filepath.Base(file))
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			t.Fatal(err)
		}
		whole := ""
		for line := range strings.Lines(string(content)) {
			whole += line
			before := recordsOf(t, target)
			if err := os.WriteFile(target, []byte(whole), 0o600); err != nil {
				t.Fatal(err)
			}
			after := recordsOf(t, target)
			for i, r := range before {
				if i >= len(after) || r.Speaker == dialect.Title || r.Speaker == dialect.Model && i == len(before)-1 {
					continue
				}
				if diff := cmp.Diff(r, after[i]); diff != "" {
					t.Errorf("%s: record %d: %s", file, i, diff)
				}
			}
		}
	}
}

func recordsOf(t *testing.T, file string) []dialect.Record {
	t.Helper()
	records, err := gemini.Records(dialect.Session{Source: file, ID: "x", Folder: "/home/ada/p"})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return records
}

// FuzzRecords reads arbitrary files as a log and as a document.
func FuzzRecords(f *testing.F) {
	files, _ := filepath.Glob("testdata/home/.gemini/tmp/*/chats/*.json*")
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Add([]byte(log(head, user("1", "one"), rewind("1"), set(user("1", "x"), user("2", "<state_snapshot>")),
		rewind("2"))))
	chats := filepath.Join(f.TempDir(), "p", "chats")
	if err := os.MkdirAll(chats, 0o700); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		for _, ext := range []string{".json", ".jsonl"} {
			file := filepath.Join(chats, fmt.Sprintf("session-%d%s", os.Getpid(), ext))
			if err := os.WriteFile(file, content, 0o600); err != nil {
				t.Fatal(err)
			}
			records, err := gemini.Records(dialect.Session{Source: file, ID: "x"})
			if err != nil && !errors.Is(err, dialect.ErrUnknownFormat) {
				t.Fatal(err)
			}
			if _, err := dialect.Encode(dialect.Session{ID: "x"}, records); err != nil {
				t.Fatal(err)
			}
			again, _ := gemini.Records(dialect.Session{Source: file, ID: "x"})
			if diff := cmp.Diff(records, again); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}
