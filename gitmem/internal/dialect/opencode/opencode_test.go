package opencode_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/dialecttest"
	"github.com/gitmem/gitmem/gitmem/internal/dialect/opencode"
)

const (
	main     = "ses_dd258491fffeSbUBhitmhBz4q0"
	subagent = "ses_dd25837b9ffeg0m637Wfen9ztK"
	typed    = "ses_dd25755f1ffedX9SlcJ1tXuXSW"
	fork     = "ses_dd24bc9efffeRbI6JBN6SkoIGi"
	undone   = "ses_dd2473c28ffezIMOdS0Sh7s5jD"
)

// home creates a home folder with the rows that OpenCode 1.18.33 wrote, changed by the statements.
func home(t testing.TB, statements ...string) string {
	t.Helper()
	folder := t.TempDir()
	file := filepath.Join(folder, ".local", "share", "opencode", "opencode.db")
	if err := dialecttest.Database(file, "testdata/opencode.sql", statements...); err != nil {
		t.Fatal(err)
	}
	return folder
}

func noEnv(string) string { return "" }

// sessions lists the sessions by their ids in the database.
func sessions(t testing.TB, home string) map[string]dialect.Session {
	t.Helper()
	list, errs := opencode.Sessions(home, noEnv)
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
	records, err := opencode.Records(s)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range records {
		if r.ID == "" && r.Speaker != dialect.Title || r.Time.IsZero() || !strings.HasPrefix(r.Cwd, "/home/ada/") {
			t.Errorf("record lacks something: %+v", r)
		}
		out = append(out, dialecttest.Line(r, 70))
	}
	return out
}

func TestRecords(t *testing.T) {
	list := sessions(t, home(t))
	for id, want := range map[string][]string{
		main: {
			`title "The world becomes gitmem"`,
			`program "Please change world to gitmem in a.txt"`,
			`model thinks "Let me look at the folder first." "I will list the files."; Bash map[command:ls; echo ok]`,
			`tool; "a.txt\nok\n"`,
			`model "Now a failing command."; Bash map[command:echo bad >&2; exit 3]; Read ` +
				`map[file_path:/home/ada/proj/none.txt]`,
			`tool; "bad\n" failed; "File not found: /home/ada/proj" failed`,
			`model; Read map[file_path:/home/ada/proj/a.txt]`,
			`tool; "<path>/home/ada/proj/a.txt</pa"`,
			`model; Edit map[file_path:/home/ada/proj/a.txt new_string:gitmem old_string:world]`,
			`tool; "Edit applied successfully."`,
			"model; Write map[content:new file\n file_path:/home/ada/proj/b.txt]; invalid " +
				"{\"tool\":\"nosuchtool\",\"error\":\"Model tried to call unavailabl",
			`tool; "Wrote file successfully."; "The arguments provided to the " failed`,
			`model; task {"description":"Find the answer","prompt":"SUBTASK: what is `,
			`tool; "<task id=\"ses_dd25837b9ffeg0m6" reports "Sub agent answer: 42"`,
			`model "All done: world is now gitmem."`,
			`program "Second turn please"`,
			`model; gitmem_memory_search {"queries":["tabs"]}; gitmem_memory_fail {}`,
			`tool; "1. Use tabs because spaces bro"; "no store here" failed`,
			`model; todowrite {"todos":[{"content":"one","status":"pending","priority":"hi`,
			`tool; "[\n  {\n    \"content\": \"one\",\n  "`,
			`model "Second turn done."`,
		},
		subagent: {
			`agent "SUBTASK: what is the answer?"`,
			`model "Sub agent answer: 42"`,
		},
		typed: {
			`title "The world becomes gitmem"`,
			`person "\"quoted by hand\""`,
			`model "From the TUI: noted."`,
			`person "!echo from-shell; exit 4"`,
			`model; Bash map[command:echo from-shell; exit 4]`,
			`tool; "from-shell\n"`,
		},
		fork: {
			`title "The world becomes gitmem (fork #1)"`,
			`person "\"Third turn\""`,
			`model "Third turn in the fork."`,
		},
		undone: {
			`title "The world becomes gitmem"`,
			`person "Prompt one"`,
			`model "Answer one."`,
			`person "Prompt after undo"`,
			`model "Answer after undo."`,
			`summary "The user wanted gitmem."`,
			`person "!echo mine; false"`,
			`model; Bash map[command:echo mine; false]`,
			`tool; "mine\n"`,
		},
	} {
		if diff := gocmp.Diff(want, show(t, list[id])); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
}

// TestChanges changes rows as the client, a user or a plugin would.
func TestChanges(t *testing.T) {
	const (
		answer = `UPDATE message SET data = json_remove(data, '$.time.completed') WHERE id = (SELECT id FROM message WHERE ` +
			`session_id = '` + typed + `' ORDER BY time_created LIMIT 1 OFFSET 1);`
		prompt = `(SELECT p.id FROM part p JOIN message m ON m.id = p.message_id WHERE m.session_id = '` + typed +
			`' ORDER BY m.time_created LIMIT 1)`
		running = `DELETE FROM message WHERE session_id = '` + typed + `' AND time_created > 1796062358359;` + answer
	)
	for _, c := range []struct {
		name, statements, session string
		want                      []string // lines of show, without the title
	}{
		{"a step that is still running", running, typed, []string{`person "\"quoted by hand\""`}},
		{"a step that never ended", answer, typed, []string{
			`person "\"quoted by hand\""`, `model "From the TUI: noted."`, `person "!echo from-shell; exit 4"`,
			`model; Bash map[command:echo from-shell; exit 4]`, `tool; "from-shell\n"`,
		}},
		{"a part of a plugin", `UPDATE part SET data = json_set(data, '$.synthetic', json('true')) WHERE id = ` + prompt,
			typed, []string{
				`model "From the TUI: noted."`, `person "!echo from-shell; exit 4"`,
				`model; Bash map[command:echo from-shell; exit 4]`, `tool; "from-shell\n"`,
			}},
		{"a command of the client",
			"UPDATE part SET data = json_set(data, '$.text', 'Create or update `AGENTS.md` for this repository. x') " +
				"WHERE id = " + prompt + `;` + running, typed, []string{
				"client \"Create or update `AGENTS.md` for this repository. x\"",
			}},
		{"the prompt sent again after the summary",
			`UPDATE part SET data = '{"type":"text","text":"Prompt after undo"}' WHERE message_id = ` +
				`'msg_22db8e289001RjtqpbyxHJjdKO'; DELETE FROM message WHERE id = 'msg_22db8e291001nLPgK9NHNQ0bVh'`,
			undone, []string{
				`person "Prompt one"`, `model "Answer one."`, `person "Prompt after undo"`, `model "Answer after undo."`,
				`summary "The user wanted gitmem."`,
			}},
		{"a fork under another title", `UPDATE session SET title = 'Mine' WHERE id = '` + fork + `'`, fork, []string{
			`person "\"Third turn\""`, `model "Third turn in the fork."`,
		}},
		{"a fork of what was taken back",
			`UPDATE session SET revert = (SELECT json_object('messageID', id) FROM message WHERE session_id = '` + main +
				`' AND time_created = 1796063101015) WHERE id = '` + main + `'`, fork, []string{
				`person "\"Second turn please\""`,
				`model; gitmem_memory_search {"queries":["tabs"]}; gitmem_memory_fail {}`,
				`tool; "1. Use tabs because spaces bro"; "no store here" failed`,
				`model; todowrite {"todos":[{"content":"one","status":"pending","priority":"hi`,
				`tool; "[\n  {\n    \"content\": \"one\",\n  "`,
				`model "Second turn done."`,
				`person "\"Third turn\""`, `model "Third turn in the fork."`,
			}},
		{"a patch", `UPDATE part SET data = json_set(data, '$.tool', 'apply_patch', '$.state.input', ` +
			`json('{"patchText":"*** Begin Patch\n*** Update File: /p/a\n@@\n same\n-old\n+new\n*** Add File: /p/b\n+all\n*** ` +
			`End Patch"}')) WHERE session_id = '` + typed +
			`' AND json_extract(data, '$.tool') = 'bash'; DELETE FROM message WHERE session_id = '` + typed +
			`' AND time_created IN (1796062358176, 1796062363543)`, typed, []string{
			`model "From the TUI: noted."`,
			"model; Edit map[file_path:/p/a new_string:new\n old_string:old\n]; Write map[content:all\n file_path:/p/b]",
			`tool; "from-shell\n"`,
		}},
		{"what is no JSON", `UPDATE message SET data = '{"role":' WHERE time_created = 1796062358176`, typed, []string{
			`broken`, `model "From the TUI: noted."`, `person "!echo from-shell; exit 4"`,
			`model; Bash map[command:echo from-shell; exit 4]`, `tool; "from-shell\n"`,
		}},
		{"members of other types",
			`UPDATE message SET data = json_set(data, '$.time.completed', 'now', '$.path', 1, '$.modelID', json('[]'), ` +
				`'$.error', 'x') WHERE time_created = 1796062358359`, typed, []string{
				`person "\"quoted by hand\""`, `model "From the TUI: noted."`, `person "!echo from-shell; exit 4"`,
				`model; Bash map[command:echo from-shell; exit 4]`, `tool; "from-shell\n"`,
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := show(t, sessions(t, home(t, c.statements))[c.session])
			if diff := gocmp.Diff(c.want, got[1:]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestForkCountsOnceItsOriginIsDeleted(t *testing.T) {
	list := sessions(t, home(t, `DELETE FROM session WHERE id = '`+main+`'`))
	if got := show(t, list[fork]); len(got) != 23 || !strings.HasPrefix(got[1], `person "\"Please change`) {
		t.Errorf("got %q", got)
	}
}

func TestSessions(t *testing.T) {
	list := sessions(t,
		home(t, `INSERT INTO session (id, project_id, parent_id, slug, directory, title, version, time_created, time_updated)
VALUES ('ses_nested', 'p', '`+subagent+`', 's', '/home/ada/other', 't', '1', 1, 2),
('ses_a', 'p', 'ses_b', 's', '/', 't', '1', 1, 1),
('ses_b', 'p', 'ses_a', 's', '/', 't', '1', 1, 1), ('../x', 'p', NULL, 's', '/', 't', '1', 1, 1);`))
	var got []string
	for _, s := range list {
		got = append(got, fmt.Sprint(s.ID, " ", s.Agent, " ", s.Folder, " ", s.Size, " ", s.MtimeNs/1e6))
	}
	slices.Sort(got)
	want := []string{
		"ses_a ses_a / 0 1", "ses_b ses_b / 0 1",
		undone + "  /home/ada/proj 1 1796063422114",
		fork + "  /home/ada/proj 1 1796063125069",
		typed + "  /home/ada/proj 1 1796062363625", // time of the command, which session.time_updated ignores
		main + "  /home/ada/proj 1 1796063109569",
		main + " ses_nested /home/ada/other 0 2",
		main + " " + subagent + " /home/ada/proj 1 1796062300455",
	}
	slices.Sort(want)
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSessionsTellANewTitle(t *testing.T) {
	before := sessions(t, home(t))[typed]
	after := sessions(t, home(t, `UPDATE session SET title = 'The world becomes gitmen' WHERE id = '`+typed+`'`))[typed]
	if before.MtimeNs == after.MtimeNs {
		t.Errorf("got %+v, before and after", after)
	}
}

func TestSessionsWithoutStore(t *testing.T) {
	if list, errs := opencode.Sessions(t.TempDir(), noEnv); len(list)+len(errs) > 0 {
		t.Errorf("got %v, %v", list, errs)
	}
	folder := home(t)
	data := filepath.Join(folder, ".local", "share", "opencode")
	if err := os.Rename(filepath.Join(data, "opencode.db"), filepath.Join(data, "other.db")); err != nil {
		t.Fatal(err)
	}
	moved := func(value string) func(string) string {
		return func(name string) string { return map[string]string{"OPENCODE_DB": value}[name] }
	}
	for _, value := range []string{"other.db", filepath.Join(data, "other.db")} {
		if list, errs := opencode.Sessions(folder, moved(value)); len(list) != 5 || len(errs) > 0 {
			t.Errorf("%s: %d sessions, %v", value, len(list), errs)
		}
	}
}
