package codex_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/klauspost/compress/zstd"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/codex"
)

var update = flag.Bool("update", false, "write the golden file anew")

// list returns the sessions in one of the client's folders.
func list(t testing.TB, root string) []dialect.Session {
	t.Helper()
	sessions, errs := codex.Sessions("", func(name string) string { return map[string]string{"CODEX_HOME": root}[name] })
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return sessions
}

func records(t testing.TB, s dialect.Session) []dialect.Record {
	t.Helper()
	out, err := codex.Records(s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// form formats records, each with its number and that of its parent.
func form(records []dialect.Record) string {
	var b strings.Builder
	numbers := map[string]int{}
	for i, r := range records {
		numbers[r.ID] = i + 1
		fmt.Fprintf(&b, "%d %s", i+1, r.Speaker)
		if r.Parent != "" {
			fmt.Fprintf(&b, " behind %d", numbers[r.Parent])
		}
		if r.Text != "" {
			fmt.Fprintf(&b, ": %q", r.Text)
		}
		if r.Thinking != "" {
			fmt.Fprintf(&b, " thinks %q", r.Thinking)
		}
		for _, c := range r.Calls {
			fmt.Fprintf(&b, "\n  calls %s %s %s", short(c.ID), c.Name, c.Input)
		}
		for _, res := range r.Results {
			ends := map[bool]string{true: "fails", false: "ends"}[res.Failed]
			fmt.Fprintf(&b, "\n  %s %s: %q", short(res.ID), ends, res.Text)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// short returns the end of the id of a call.
func short(id string) string { return id[max(0, len(id)-14):] }

// TestRecords reads sessions that the versions 0.130.0 and 0.171.0 wrote.
func TestRecords(t *testing.T) {
	var got strings.Builder
	for _, s := range list(t, filepath.Join("testdata", "store")) {
		of := "session " + s.ID
		if s.Agent != "" {
			of = "subagent " + s.Agent + " of " + s.ID
		}
		fmt.Fprintf(&got, "# %s in %s\n%s\n", of, s.Folder, form(records(t, s)))
	}
	golden := filepath.Join("testdata", "records.golden")
	if *update {
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

func TestEachRecordHasItsPlace(t *testing.T) {
	models, branches := map[string]bool{}, map[string]bool{}
	for _, s := range list(t, filepath.Join("testdata", "store")) {
		seen := map[string]bool{}
		for _, r := range records(t, s) {
			if r.Cwd != "/home/ada/proj" || r.Speaker != dialect.Title && (r.Time.IsZero() || r.ID == "" || seen[r.ID]) {
				t.Errorf("%s: %+v", s.ID, r)
			}
			seen[r.ID], models[r.Model], branches[r.Branch] = true, true, true
		}
	}
	if diff := cmp.Diff(map[string]bool{"": true, "gpt-5.5": true, "gpt-6.2-sol": true}, models); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]bool{"": true, "main": true, "later": true}, branches); diff != "" {
		t.Error(diff)
	}
}

// TestGrowing reads each file after each added line: earlier records stay the same.
func TestGrowing(t *testing.T) {
	files, _ := filepath.Glob("testdata/store/sessions/*/*/*/*.jsonl") // the pattern is valid
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := dialect.Session{Source: filepath.Join(t.TempDir(), "growing.jsonl")}
		var before []dialect.Record
		for end, c := range text {
			if c != '\n' {
				continue
			}
			write(t, s.Source, string(text[:end+1]))
			now := records(t, s)
			if diff := cmp.Diff(before, now[:min(len(before), len(now))], cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%s, byte %d: %s", file, end, diff)
			}
			before = now
		}
	}
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const (
	first  = "01a22daa-c477-7aa3-b51e-000000000001"
	second = "01a22daa-c477-7aa3-b51e-000000000002"
)

// name returns the path of the file of a thread, or of one of its segments.
func name(day, thread string, segment ...string) string {
	file := "rollout-" + strings.ReplaceAll(day, "/", "-") + "T10-00-00-" +
		strings.Join(append([]string{thread}, segment...), "_") + ".jsonl"
	return filepath.Join("sessions", filepath.FromSlash(day), file)
}

// head returns the first line of a file, with more members before the instructions.
func head(id, more string) string {
	return `{"timestamp":"2026-11-30T18:00:00.000Z","type":"session_meta","payload":{"id":"` + id + `","cwd":"/p"` + more +
		`,"base_instructions":{"text":"` + strings.Repeat("x", 5000) + `"},"git":{"branch":"main"}}}` + "\n"
}

func event(kind, more string) string {
	return `{"timestamp":"2026-11-30T18:00:01.000Z","type":"event_msg","payload":{"type":"` + kind + `"` + more + "}}\n"
}

func said(text string) string { return event("user_message", `,"message":"`+text+`"`) }

func TestSessions(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, name("2026/11/30", first)), head(first, `,"source":"cli"`))
	write(t, filepath.Join(root, name("2026/12/01", first, second)), head(first, `,"source":"cli"`))
	write(t, filepath.Join(root, name("2026/12/02", second)),
		head(second, `,"session_id":"`+first+`","source":{"subagent":{"thread_spawn":{"parent_thread_id":"x"}}}`))
	write(t, filepath.Join(root, name("2026/12/02", "old-agent")),
		head("old-agent", `,"source":{"subagent":{"thread_spawn":{"parent_thread_id":"`+first+`"}}}`))
	write(t, filepath.Join(root, name("2026/12/02", "reviewer")), head("reviewer", `,"source":{"subagent":"review"}`))
	write(t, filepath.Join(root, name("2026/12/02", "broken")), "{")
	write(t, filepath.Join(root, name("2026/12/02", "empty")), "")
	write(t, filepath.Join(root, name("2026/12/02", "far")), head("far", `,"tools":"`+strings.Repeat("x", 9000)+
		`","source":"cli"`))
	write(t, filepath.Join(root, "sessions", "2026", "12", "02", "notes.jsonl"), "{}")
	write(t, filepath.Join(root, "archived_sessions", filepath.Base(name("2026/01/01", "archived"))), head("archived", ""))
	var got []string
	for _, s := range list(t, root) {
		got = append(got, fmt.Sprintf("%s %q %q %q %v", filepath.Base(s.Source)[len("rollout-"):], s.ID, s.Agent, s.Folder,
			s.Size > 5000 && s.MtimeNs > 0))
	}
	want := []string{
		"2026-11-30T10-00-00-" + first + `.jsonl "` + first + `" "" "/p" true`,
		"2026-12-02T10-00-00-" + second + `.jsonl "` + first + `" "` + second + `" "/p" true`,
		`2026-12-02T10-00-00-broken.jsonl "broken" "" "" false`,
		`2026-12-02T10-00-00-empty.jsonl "empty" "" "" false`,
		`2026-12-02T10-00-00-far.jsonl "far" "" "/p" true`,
		`2026-12-02T10-00-00-old-agent.jsonl "` + first + `" "old-agent" "/p" true`,
		`2026-12-02T10-00-00-reviewer.jsonl "" "reviewer" "/p" true`,
		`2026-01-01T10-00-00-archived.jsonl "archived" "" "/p" true`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNoStore(t *testing.T) {
	home := t.TempDir()
	unset := func(string) string { return "" }
	if sessions, errs := codex.Sessions(home, unset); len(sessions) > 0 || len(errs) > 0 {
		t.Errorf("no folder: got %v, %v", sessions, errs)
	}
	write(t, filepath.Join(home, ".codex", name("2026/11/30", first)), head(first, ""))
	if sessions, errs := codex.Sessions(home, unset); len(sessions) != 1 || len(errs) > 0 {
		t.Errorf("folder in the home: got %v, %v", sessions, errs)
	}
}

func TestCompressed(t *testing.T) {
	root := t.TempDir()
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	text := head(first, "") + said("first")
	packed := string(encoder.EncodeAll([]byte(text), nil))
	write(t, filepath.Join(root, name("2026/11/30", first)+".zst"), packed)
	write(t, filepath.Join(root, name("2026/11/30", second)+".zst"), packed[:len(packed)-9])
	sessions := list(t, root)
	if got := form(records(t, sessions[0])); got != "1 person: \"first\"\n" {
		t.Errorf("got %s", got)
	}
	if out, err := codex.Records(sessions[1]); err == nil || !strings.Contains(err.Error(), sessions[1].Source) {
		t.Errorf("a file that ends too early: got %v, %v", out, err)
	}
	write(t, filepath.Join(root, name("2026/11/30", first)), text) // the client decompresses it
	if got := list(t, root)[0]; filepath.Ext(got.Source) != ".jsonl" || len(records(t, got)) != 1 {
		t.Errorf("both there: got %+v", got)
	}
}

func TestOtherFormats(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]error{
		"":                         nil,
		"{\"type\":\"session\"}\n": dialect.ErrUnknownFormat,
		"[1]\n":                    dialect.ErrUnknownFormat,
		"\x00\x01\n":               dialect.ErrUnknownFormat,
		head(first, ""):            nil,
	} {
		file := filepath.Join(dir, "any.jsonl")
		write(t, file, text)
		if _, err := codex.Records(dialect.Session{Source: file}); !errors.Is(err, want) || err != nil &&
			!strings.Contains(err.Error(), file) {
			t.Errorf("%.20q: got %v", text, err)
		}
	}
	if _, err := codex.Records(dialect.Session{Source: filepath.Join(dir, "none")}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: got %v", err)
	}
}

// TestSegments collects the files of a thread from the folders of several days.
func TestSegments(t *testing.T) {
	root := t.TempDir()
	base := func(end string) string {
		return `,"history_base":{"thread_id":"any","end_ordinal_exclusive":` + end + `}`
	}
	write(t, filepath.Join(root, name("2026/11/30", first)), head(first, "")+said("one")+said("two"))
	write(t, filepath.Join(root, name("2026/12/01", first, "b")), head(first, base("2"))+said("two again"))
	write(t, filepath.Join(root, "archived_sessions", filepath.Base(name("2026/12/01", first, "c"))),
		head(first, base("0"))+said("one again"))
	sessions := list(t, root)
	want := `1 person: "one"
2 person: "two"
3 person behind 1: "two again"
4 person behind 0: "one again"
`
	if len(sessions) != 1 || form(records(t, sessions[0])) != want {
		t.Errorf("got %d: %s", len(sessions), form(records(t, sessions[0])))
	}
}

// TestCopies reads files that begin with a copy of another session: forks of an older client, and subagents, also after
// the client rewrote the file.
func TestCopies(t *testing.T) {
	turn := func(id string) string { return event("task_started", `,"turn_id":"`+id+`"`) }
	origin := "01a22daa-0000-7aa3-b51e-000000000000"
	from := `,"forked_from_id":"` + origin + `"`
	agent := from + `,"source":{"subagent":{"thread_spawn":{"parent_thread_id":"` + origin + `"}}}`
	copied := turn(origin[:len(origin)-1]+"1") + said("in both") + turn(second) + said("own")
	for _, c := range []struct {
		name, text string
		there      bool
		want       string
	}{
		{"fork", head(first, from) + head(origin, "") + copied, true, `1 person: "own"`},
		{"fork, rewritten", head(first, from) + copied, true, `1 person: "own"`},
		{"fork of a session that is gone", head(first, from) + copied, false, "1 person: \"in both\"\n2 person: \"own\""},
		{"fork of a newer client", head(first, from+`,"history_base":{}`) + said("own"), true, `1 person: "own"`},
		{"subagent", head(first, agent) + head(origin, "") + copied, false, `1 agent: "own"`},
		{"subagent, rewritten", head(first, agent+`,"subagent_history_start_ordinal":99`) + copied, true, `1 agent: "own"`},
		{"turns with other ids", head(first, from) + turn("1") + said("own"), true, `1 person: "own"`},
	} {
		root := t.TempDir()
		write(t, filepath.Join(root, name("2026/12/01", first)), c.text)
		if c.there {
			write(t, filepath.Join(root, name("2026/12/02", origin)), head(origin, ""))
		}
		if diff := cmp.Diff(c.want+"\n", form(records(t, list(t, root)[0]))); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// TestRewritten reads a file before and after the client rewrote it in the newer format, without the turn that was
// undone.
func TestRewritten(t *testing.T) {
	at := func(second, line string) string { return strings.Replace(line, "18:00:01", "18:00:"+second, 1) }
	item := func(text string) string {
		return event("item_completed", `,"thread_id":"`+first+
			`","item":{"type":"UserMessage","content":[{"type":"text","text":"`+text+`"}]}`)
	}
	ids := func(text string) map[string]string {
		file, out := filepath.Join(t.TempDir(), "any.jsonl"), map[string]string{}
		write(t, file, head(first, "")+text)
		for _, r := range records(t, dialect.Session{Source: file}) {
			out[r.Text] = r.ID
		}
		return out
	}
	before := ids(at("01", said("one")) + at("02", said("two")) + event("thread_rolled_back", `,"num_turns":1`) +
		at("03", said("three")))
	after := ids(at("01", item("one")) + at("03", item("three")))
	delete(before, "two")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
}

func TestTexts(t *testing.T) {
	output := func(call, text string) string {
		return `{"type":"response_item","payload":{` + call + `,"call_id":"c"}}` + "\n" +
			`{"type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":` + text + `}}`
	}
	shell := `"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"make\"]}"`
	patch := `"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch\n*** Update File: a\n*** Move to: ` +
		`/b\n@@\n x\n-y\n+z\n*** Add File: c\n+new\n*** Delete File: d\n*** End Patch\n"`
	for _, c := range []struct{ name, source, lines, want string }{
		{"prompt of an editor", `"vscode"`,
			said(`# Context from my IDE setup:\n\n## Open tabs:\n- a.go\n\n## My request for Codex:\nfix it\n`),
			`1 person: "fix it"`},
		{"prompt of a program", `"exec"`, said("fix it"), `1 program: "fix it"`},
		{"prompt of a server's client", `"mcp"`, said("fix it"), `1 program: "fix it"`},
		{"prompt of the client", `{"internal":"memory_consolidation"}`, said("fix it"), `1 client: "fix it"`},
		{"a person goes on with a program's session", `"exec"`,
			event("task_started", `,"turn_attribution":{"turn_trigger":"user"}`) + said("fix it"), `1 person: "fix it"`},
		{"a program goes on with a person's session", `"cli"`,
			event("task_started", `,"turn_attribution":{"turn_trigger":"exec"}`) + said("fix it"), `1 program: "fix it"`},
		{"prompt behind a review that was interrupted", `"cli"`, event("entered_review_mode", "") +
			event("task_started", "") + said("review") + event("turn_aborted", "") + said("fix it"), `1 person: "fix it"`},
		{"encrypted task", `"cli"`,
			`{"type":"response_item","payload":{"type":"agent_message","content":[{"type":"encrypted_content",` +
				`"encrypted_content":"gAAAAB"}]}}`, ""},
		{"what an agent came to", `"cli"`,
			`{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text",` +
				`"text":"<subagent_notification>\n{\"status\":{\"completed\":\"five\"}}\n</subagent_notification>"}]}}`,
			`1 agent: "five"`},
		{"prompt of another thread", `"cli"`,
			event("item_completed",
				`,"thread_id":"other","item":{"type":"UserMessage","content":[{"type":"text","text":"review"}]}`), ""},
		{"command of the oldest kind", `"cli"`, output(shell, `"{\"output\":\"none\",\"metadata\":{\"exit_code\":2}}"`),
			"1 model\n  calls c Bash map[command:make]\n2 tool\n  c fails: \"none\""},
		{"exit code in front", `"cli"`, output(shell, `"Exit code: 0\nWall time: 1 seconds\nOutput:\nOutput: x\n"`),
			"1 model\n  calls c Bash map[command:make]\n2 tool\n  c ends: \"Output: x\\n\""},
		{"output that looks like a head", `"cli"`, output(shell, `"Exit code: 1\nno more"`),
			"1 model\n  calls c Bash map[command:make]\n2 tool\n  c ends: \"Exit code: 1\\nno more\""},
		{"interrupted", `"cli"`, output(shell, `"aborted by user after 4.0s"`),
			"1 model\n  calls c Bash map[command:make]\n2 tool\n  c fails: \"aborted by user after 4.0s\""},
		{"patch that was refused", `"cli"`, output(patch, `"apply_patch verification failed: no"`), `1 model
  calls c Edit map[file_path:/b new_string:x
z
 old_string:x
y
]
  calls c-2 Edit map[file_path:/p/a new_string: old_string:]
  calls c-3 Edit map[file_path:/p/c new_string:new
 old_string:]
  calls c-4 Edit map[file_path:/p/d new_string: old_string:]
2 tool
  c fails: "apply_patch verification failed: no"`},
		{"not JSON", `"cli"`, "{\n" + said("x"), "1 broken\n2 person: \"x\""},
	} {
		file := filepath.Join(t.TempDir(), "any.jsonl")
		write(t, file, head("first", `,"source":`+c.source)+c.lines+"\n")
		got := strings.TrimSuffix(form(records(t, dialect.Session{Source: file})), "\n")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func FuzzRecords(f *testing.F) {
	files, _ := filepath.Glob("testdata/store/sessions/*/*/*/*.jsonl") // the pattern is valid
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(head(first, "") + strings.Repeat(head(second, ""), 3) + said("x"))
	f.Add(head(first, `,"source":[],"git":3,"subagent_history_start_ordinal":"x"`) +
		event("thread_rolled_back", `,"num_turns":-9`))
	f.Fuzz(func(t *testing.T, text string) {
		root := t.TempDir()
		write(t, filepath.Join(root, name("2026/11/30", first)), text)
		for _, s := range list(t, root) {
			got, err := codex.Records(s)
			if err != nil && !errors.Is(err, dialect.ErrUnknownFormat) {
				t.Fatal(err)
			}
			if _, err := dialect.Encode(s, got); err != nil {
				t.Fatal(err)
			}
		}
	})
}
