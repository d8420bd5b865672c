package crush_test

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/crush"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/dialecttest"
)

const (
	main     = "3dabcecd-7485-42ab-b646-f188dc605856"
	subagent = "71554cbb-8436-47ba-92ab-4ab62da734c5__call_000800"
	tui      = "e36badfe-b0ef-4161-8248-f0fe137c4af1"
)

// home creates a home folder with a project that has the rows that Crush 0.90.0 wrote, changed by the statements.
func home(t testing.TB, statements ...string) string {
	t.Helper()
	folder := t.TempDir()
	data, list := filepath.Join(folder, "proj", ".crush"), filepath.Join(folder, ".local", "share", "crush")
	for _, name := range []string{data, list} {
		if err := os.MkdirAll(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	projects := fmt.Sprintf(`{"projects": [{"path": "/home/ada/proj/sub", "data_dir": %[1]q},
{"path": %[2]q, "data_dir": %[1]q},
{"path": "/home/ada/gone", "data_dir": "/home/ada/gone/.crush"}, {"path": "/home/ada/x", "data_dir": ".crush"}]}`,
		data, filepath.Dir(data))
	if err := os.WriteFile(filepath.Join(list, "projects.json"), []byte(projects), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := dialecttest.Database(filepath.Join(data, "crush.db"), "testdata/crush.sql", statements...); err != nil {
		t.Fatal(err)
	}
	return folder
}

func env(values ...string) func(string) string {
	return func(name string) string {
		if i := slices.Index(values, name); i >= 0 {
			return values[i+1]
		}
		return ""
	}
}

// sessions lists the sessions by their ids in the database.
func sessions(t testing.TB, home string) map[string]dialect.Session {
	t.Helper()
	list, errs := crush.Sessions(home, env("CRUSH_GLOBAL_DATA", filepath.Join(home, ".local", "share", "crush")))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	out := map[string]dialect.Session{}
	for _, s := range list {
		out[cmp.Or(s.Agent, s.ID)] = s
	}
	return out
}

// show formats the records of a session.
func show(t testing.TB, s dialect.Session) []string {
	t.Helper()
	records, err := crush.Records(s)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range records {
		if r.ID == "" && r.Speaker != dialect.Title || r.Time.IsZero() || r.Cwd != s.Folder {
			t.Errorf("record lacks something: %+v", r)
		}
		out = append(out, dialecttest.Line(r, 50))
	}
	return out
}

func TestRecords(t *testing.T) {
	list := sessions(t, home(t))
	for id, want := range map[string][]string{
		main: {
			`title "The world becomes gitmem"`,
			`person "Please change world to gitmem in a.txt"`,
			`model thinks "Let me look at the folder first." "I will list the files."; Bash map[command:ls; echo ok]`,
			`tool; "a.txt\nok\n"`,
			`model "Now a failing command."; Bash map[command:echo bad >&2; exit 3]; Read ` +
				`map[file_path:/home/ada/proj/none.txt]`,
			`tool; "\nbad\n\nExit code 3" failed`,
			`tool; "File not found: /home/ada/proj" failed`,
			`model; Read map[file_path:/home/ada/proj/a.txt]`,
			`tool; "<file>\n     1|hello\n     2|wor"`,
			`model; Edit map[file_path:/home/ada/proj/a.txt new_string:gitmem old_string:world]`,
			`tool; "<result>\nContent replaced in f"`,
			"model; Write map[content:new file\n file_path:/home/ada/proj/b.txt]; Edit map[file_path:/home/ada/proj/a.txt " +
				"new_string:hi old_string:hello]" +
				"; Edit map[file_path:/home/ada/proj/a.txt new_string:there old_string:gitmem]",
			`tool; "<result>\nFile successfully wri"`,
			`tool; "<result>\nApplied 2 edits to fi"`,
			`model; mcp_gitmem_memory_search {"queries": ["tabs"]}; mcp_gitmem_memory_fail {}`,
			`tool; "1. Use tabs because spaces bro"`,
			`tool; "no store here"`,
			`model; agent {"prompt": "SUBTASK: what is the answer?"}`,
			`tool; "Sub agent answer: 42" reports "Sub agent answer: 42"`,
			`model "All done: world is now gitmem."`,
			`person "Second turn please"`,
			`model "Second turn done."`,
			`person "Turn with a full context"`,
			`model; Bash map[command:true]`,
			`tool; "no output"`,
			`summary "The user wanted gitmem."`,
			`model "Went on."`,
			`summary "The user wanted gitmem."`,
		},
		subagent: {
			`agent "SUBTASK: what is the answer?"`,
			`model "Sub agent answer: 42"`,
		},
		tui: {
			`title "The world becomes gitmem"`,
			`client "Analyze this codebase and create/update **AGENTS.m"`,
			`model "TUI turn done."`,
			`person "the TUI"`,
			`model "done"`,
			`person "!echo from-shell; exit 4"`,
			`model; Bash map[command:echo from-shell; exit 4]`,
			`tool; "from-shell\n" failed`,
		},
	} {
		if diff := gocmp.Diff(want, show(t, list[id])); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
}

// TestChanges changes the row of the first command or its result, or rows that Crush itself changes.
func TestChanges(t *testing.T) {
	const (
		result = `UPDATE messages SET parts = json_set(parts, '$[0].data.content', %s, '$[0].data.metadata', %s) WHERE id ` +
			`= '871cef03-ae25-4581-bbd7-8c964228f8f5';`
		rest = `DELETE FROM messages WHERE session_id = '` + main +
			`' AND rowid > (SELECT rowid FROM messages WHERE id = '871cef03-ae25-4581-bbd7-8c964228f8f5');`
	)
	for _, c := range []struct {
		name, statements string
		want             string // last line of show
	}{
		{"what a hook added", fmt.Sprintf(result, `'a' || char(10,10) || '<cwd>/p</cwd>' || char(10) || 'from a hook'`,
			`'{"output":"a"}'`) + rest, `tool; "a"`},
		{"a result without metadata", fmt.Sprintf(result, `'a' || char(10,10) || '<cwd>/p</cwd>'`, `''`) + rest, `tool; "a"`},
		{"a command that was stopped", fmt.Sprintf(result, `'Command was aborted before completion'`, `''`) + rest,
			`tool; "Command was aborted before com" failed`},
		{"a command that prints an exit code of 0", fmt.Sprintf(result, `'Exit code 0'`, `''`) + rest, `tool; "Exit code 0"`},
		{"a step that is still running", rest +
			`DELETE FROM messages WHERE id = '871cef03-ae25-4581-bbd7-8c964228f8f5'; UPDATE messages SET parts = ` +
			`json_remove(parts, '$[#-1]') WHERE role = 'assistant'`, `person "Please change world to gitmem in a.txt"`},
		{"members of other types", rest +
			`UPDATE messages SET parts = '[1,{"type":2},{"type":"text","data":[]},{"type":"tool_result",` +
			`"data":{"tool_call_id":1,"content":"x","is_error":"no"}}]' WHERE role = 'tool'`, `tool; "x"`},
		{"what is no JSON", rest + `UPDATE messages SET parts = '[{' WHERE role = 'tool'`, `broken`},
		{"parts that are no list", rest + `UPDATE messages SET parts = '{}' WHERE role = 'tool'`, `broken`},
	} {
		got := show(t, sessions(t, home(t, c.statements))[main])
		if last := got[len(got)-1]; last != c.want {
			t.Errorf("%s: %s, want %s", c.name, last, c.want)
		}
	}
}

func TestSessions(t *testing.T) {
	folder := home(t)
	list := sessions(t, folder)
	if len(list) != 3 {
		t.Errorf("%d sessions", len(list))
	}
	s := list[subagent]
	if s.ID != main || s.Folder != filepath.Join(folder, "proj") {
		t.Errorf("got %+v", s)
	}
	longer := sessions(t,
		home(t, `UPDATE messages SET parts = json_set(parts, '$[0].data.text', 'longer than it was') WHERE session_id LIKE `+
			`'%$$%' AND role = 'assistant'`))
	if longer[subagent].Size == s.Size {
		t.Error("a message grew, and the session has the size of before")
	}
	orphan := sessions(t, home(t, `DELETE FROM sessions WHERE id = '`+main+`'`))[subagent]
	if orphan.ID != "" || len(show(t, orphan)) != 2 {
		t.Errorf("subagent of a session that was deleted: %+v", orphan)
	}
}

func TestSessionsWithoutStore(t *testing.T) {
	folder := t.TempDir()
	if list, errs := crush.Sessions(folder, env()); len(list)+len(errs) > 0 {
		t.Errorf("got %v, %v", list, errs)
	}
	file := filepath.Join(folder, "projects.json")
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, errs := crush.Sessions("", env("CRUSH_GLOBAL_DATA", folder))
	if len(list) > 0 || len(errs) != 1 || !errors.Is(errs[0], dialect.ErrUnknownFormat) ||
		!strings.Contains(errs[0].Error(), file) {
		t.Errorf("got %v, %v", list, errs)
	}
}
