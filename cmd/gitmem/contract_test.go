package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kindOf names the JSON type of a value; null is a type that no contract has.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case float64:
		return "number"
	case bool:
		return "bool"
	case []any:
		return "list"
	}
	return "object"
}

// complaints compares an object with its contract, and the objects within.
func complaints(where string, v any, want fields) []string {
	object, ok := v.(map[string]any)
	if !ok {
		return []string{fmt.Sprintf("%s is a %s, not an object", where, kindOf(v))}
	}
	got, expected := fields{}, fields{}
	var out []string
	for name, value := range object {
		got[name] = kindOf(value)
		if list, ok := value.([]any); ok {
			out = append(out, listComplaints(where+"."+name, list, inner(name), want[name])...)
		}
		if _, ok := value.(map[string]any); ok && inner(name) != nil {
			out = append(out, complaints(where+"."+name, value, inner(name))...)
		}
	}
	for name, kind := range want {
		kind, optional := strings.CutSuffix(kind, "?")
		if _, there := got[name]; !there && optional {
			continue
		}
		if kind == "strings" {
			kind = "list"
		}
		expected[name] = kind
	}
	if diff := cmp.Diff(expected, got); diff != "" {
		out = append(out, where+" (-want +got):\n"+diff)
	}
	return out
}

func listComplaints(where string, list []any, want fields, kind string) []string {
	var out []string
	for i, v := range list {
		at := fmt.Sprintf("%s[%d]", where, i)
		switch {
		case want != nil && kind != "strings":
			out = append(out, complaints(at, v, want)...)
		case kindOf(v) != "string":
			out = append(out, at+" is a "+kindOf(v)+", not a string")
		}
	}
	return out
}

// contract is what a command prints as JSON.
type contract struct {
	args string
	code int
	list bool // the whole is a list of such objects, which must not be empty
	want fields
	has  string // a list that must not be empty, so that its objects are looked at
}

// startContracts are those of the state at first, and of questions that nothing answers.
func startContracts() []contract {
	return []contract{
		{"status --json", exitOK, false, statusFields(), "shards"},
		{"doctor --json", exitOK, true, doctorFields(), ""},
		{"index status --json", exitOK, true, shardFields(), ""},
		{"ask --json zyzzyva", exitNotFound, false, answerFields(), "searched"},
		{"fix --json cannot open a valve that never was", exitNotFound, false, fixesFields(), ""},
		{"search --json zyzzyva", exitNotFound, false, searchFields(), "strategies"},
	}
}

// questionContracts are those of questions, of what answers them and of rules for the repository.
func questionContracts() []contract {
	search, explained, answered := searchFields(), with(searchFields(), "explain", "object"),
		with(answerFields(), "explain", "object")
	return []contract{
		{"ask --json why did we drop Redis?", exitOK, false, answerFields(), "citations"},
		{"ask --json who knows the parser?", exitOK, false, answerFields(), "people"},
		{"who --json parser.go", exitOK, false, whoFields(), "people"},
		{"who --json", exitOK, false, whoFields(), "people"},
		{"who --json zyzzyva", exitNotFound, false, whoFields(), ""},
		{"team --json", exitOK, false, teamFields(), "folders"},
		{"team --json --since 2020", exitOK, false, teamFields(), "activity"},
		{"team --json --limit 5", exitOK, false, teamFields(), "joined"},
		{"team --json --path .claude", exitOK, false, teamFields(), "risks"},
		{"ask --json what was I doing?", exitOK, false, answerFields(), "citations"},
		{"ask --json what did we do in March 2024?", exitOK, false, answerFields(), "citations"},
		{"ask --json how do we wrap errors?", exitOK, false, answerFields(), "citations"},
		{"promote --json rules:.claude/rules/go.md#errors Never log a password", exitOK, false, rulePlanFields(), "evidence"},
		{"rules --json", exitOK, false, fields{"rules": "list", "caveats": "list"}, "rules"},
		{"promote --json", exitNotFound, false, fields{"candidates": "list", "caveats": "list"}, ""},
		{"promote --json --yes Never log a password", exitOK, false, ruleProposedFields(), "next"},
		{"fix --json cannot open a valve that never was", exitNotFound, false, fixesFields(), ""},
		{"recall --json Redis", exitOK, false, answerFields(), "strategies"},
		{"ask --json --raw Redis", exitOK, false, search, "hits"},
		{"search --json parser", exitOK, false, search, "hits"},
		{"search --json --explain parser", exitOK, false, explained, "hits"},
		{"search --json --explain zyzzyva", exitNotFound, false, explained, "suggestions"},
		{"ask --json --explain why did we drop Redis?", exitOK, false, answered, "citations"},
		{"ask --json --trace why did we drop Redis?", exitOK, false, with(answerFields(), "trail", "list"), "trail"},
		{"search --json --by session relay", exitOK, false, search, "hits"},
		{"search --json --by session zyzzyva", exitNotFound, false, search, "strategies"},
		{"ask --json --as-of 2024-03-04 Redis", exitOK, false, answerFields(), "citations"},
		{"search --json --as-of HEAD~1 parser", exitOK, false, search, "hits"},
		{"show --json --as-of 2024-03-04 rules:.claude/rules/go.md#errors", exitOK, false, shownFields(), ""},
		{"show --json rules:.claude/rules/go.md#errors", exitOK, false, shownFields(), ""},
	}
}

// historyContracts are those of notes and of the history of memory.
func historyContracts() []contract {
	commit := fields{"hash": "string", "time": "string", "subject": "string", "trailers": "list", "paths": "list"}
	patched := with(maps.Clone(commit), "changes", "list")
	undone := fields{"undone": "string", "subject": "string", "commit": "string", "changes": "list", "left": "list"}
	return []contract{
		{"note --json Measure the inrush current", exitOK, false, notedFields(), ""},
		{"note --json Read \x60gone.go\x60 first", exitOK, false, notedFields(), ""},
		{"project --json", exitOK, false, fields{"id": "string", "remotes": "strings", "folders": "strings",
			"linked": "strings", "same_history": "strings"}, "folders"},
		{"memory lint --json", exitError, false, fields{"files": "list", "bare": "strings", "findings": "list",
			"caveats": "list"}, "findings"},
		{"log --json", exitOK, true, commit, ""},
		{"log --json --patch --limit 1 note", exitOK, true, patched, ""},
		{"diff --json --since 2020", exitOK, false, fields{"from": "string", "changes": "list"}, "changes"},
		{"blame --json MEMORY.md", exitOK, false, fields{"path": "string", "id": "string", "lines": "list"}, "lines"},
		{"why --json parser.go:1", exitNotFound, false, whyFields(), "blamed"},
		{"why --json .claude/rules/go.md", exitOK, false, whyFields(), "reasons"},
		{"undo --json --dry-run HEAD", exitOK, false, undone, "changes"},
		{"edit --json", exitOK, false, fields{"path": "string", "commit": "string", "changes": "list"}, ""},
	}
}

// upkeepContracts are those of the state of a store and of its upkeep.
func upkeepContracts() []contract {
	return []contract{
		{"status --json", exitOK, false, statusFields(), "shards"},
		{"stats --json", exitOK, false, fields{"kinds": "list", "sessions": "number", "ideas": "object", "open": "number",
			"topics": "number", "entities": "object", "caveats": "list"}, "kinds"},
		{"stats --cost --json", exitOK, false, costFields(), "hooks"},
		{"stats --cost --json --since 2026-11-18", exitOK, false, costFields(), "sessions"},
		{"entities --json", exitNotFound, false, fields{"entities": "list", "caveats": "list"}, ""},
		{"doctor --json", exitOK, true, doctorFields(), ""},
		{"backfill --json --dry-run", exitOK, false,
			fields{"transcripts": "number", "known": "number", "deleted": "number", "learnt": "list", "nothing": "number",
				"running": "number", "sections": "list", "left_out": "list", "failed": "list", "commits": "list"}, ""},
		{"backfill --again --json --dry-run", exitOK, false, rederivedFields(), ""},
		{"compact --json --dry-run", exitOK, false,
			fields{"logs": "list", "newer": "number", "running": "number", "unarchived": "number", "failed": "list",
				"commits": "list"}, ""},
		{"index rebuild --json", exitOK, true, shardFields(), ""},
		{"index --json", exitOK, true, shardFields(), ""},
	}
}

// forgetContracts are those of what is forgotten.
func forgetContracts() []contract {
	return []contract{
		{"note --json A slip of the tongue about valves", exitOK, false, notedFields(), ""},
		{"forget --json slip tongue", exitUsage, false, forgetFields(), "removed"},
		{"forget --json --yes slip tongue", exitOK, false, forgottenFields(), "removed"},
		{"forget --json --history", exitOK, false, forgetFields(), ""},
		{"forget --json --history --yes", exitOK, false, forgottenFields(), ""},
	}
}

// profileContracts are those of the profile and of what a session begins with.
func profileContracts() []contract {
	return []contract{
		{"profile set --json tools.editor Helix", exitOK, false, fields{"done": "strings", "commit": "string"}, "done"},
		{"profile --json", exitOK, false, fields{"entries": "list", "words": "string"}, "entries"},
		{"profile log --json", exitOK, true, fields{"commit": "string", "time": "string", "done": "string",
			"session": "string"}, ""},
		{"context --json", exitOK, false, contextFields(), "variables"},
	}
}

// continuityContracts are those of tasks and decisions.
func continuityContracts() []contract {
	task := fields{"id": "string", "title": "string", "state": "string", "reason": "string", "file": "string",
		"line": "number", "trust": "string"}
	decided := fields{"id": "string", "title": "string", "file": "string", "commit": "string", "status": "string",
		"trust": "string"}
	return []contract{
		{"task add --json Wire the relay", exitOK, false, with(maps.Clone(task), "commit", "string"), ""},
		{"task set --json wire-the-relay wip", exitOK, false, with(maps.Clone(task), "commit", "string"), ""},
		{"task confirm --json wire-the-relay", exitOK, false, with(maps.Clone(task), "commit", "string"), ""},
		{"task --json", exitOK, true, task, ""},
		{"decide --json --status proposed Use relays", exitOK, false, decided, ""},
		{"decision confirm --json 2026-11-20-use-relays", exitOK, false, decided, ""},
		{"profile import --json --dry-run .", exitOK, false,
			fields{"done": "strings", "known": "number", "skipped": "strings"}, ""},
		{"continue --json", exitOK, false, contextFields(), "citations"},
	}
}

// TestJSONContracts pins what scripts and other programs read. Rows run in order
// on one store: before it is made, while it is, and after.
func TestJSONContracts(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	// building a program takes long without a cache
	d.env = append(d.env, "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada",
		"GIT_COMMITTER_EMAIL=ada@example.org", "GOROOT="+t.TempDir())
	d.write("cache/gitmem/trace/2026-11-18.jsonl",
		`{"time":"2026-11-18T10:00:00Z","hook":"stop","session":"s","result":"written","detail":"","ms":3,"chars":9}`+"\n")
	for _, tt := range slices.Concat(startContracts(), questionContracts(), historyContracts(), upkeepContracts(),
		forgetContracts(), profileContracts(), continuityContracts(), syncContracts(t.TempDir())) {
		got := d.run("", strings.Fields(tt.args)...)
		if got.code != tt.code {
			t.Errorf("%s: exit code %d, want %d\n%s", tt.args, got.code, tt.code, got.err)
		}
		for _, c := range contractComplaints(tt.args, got.out, tt.list, tt.want, tt.has) {
			t.Error(c)
		}
	}
}

// syncContracts are those of the synchronisation with a folder.
func syncContracts(dir string) []contract {
	return []contract{
		{"sync --json --to " + dir + "/remote", exitOK, false, fields{
			"remote": "string", "url": "string", "commit": "string", "received": "strings", "conflicts": "strings",
			"pushed": "bool", "replaced": "bool"}, ""},
		{"sync --json --status", exitOK, false, fields{
			"remote": "string", "tried": "string", "done": "string", "error": "string", "url": "string", "branch": "string",
			"ahead": "number", "behind": "number", "pending": "strings", "auto": "bool"}, ""},
		{"sync --json --purge", exitOK, false, fields{"remote": "string", "branch": "string", "commits": "number",
			"files": "strings"}, ""},
	}
}

// contractComplaints tells how an output breaks its contract: an object, or a list of
// objects that is not empty, with these fields.
func contractComplaints(args, out string, wantList bool, want fields, has string) []string {
	var v any
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		return []string{fmt.Sprintf("%s: %v in\n%s", args, err, out)}
	}
	list, isList := v.([]any)
	if isList != wantList || (isList && len(list) == 0) {
		return []string{fmt.Sprintf("%s: list %v with %d elements, want list %v", args, isList, len(list), wantList)}
	}
	if !isList {
		list = []any{v}
	}
	complaints := listComplaints(args, list, want, "")
	if has == "" {
		return complaints
	}
	if object, _ := v.(map[string]any); len(asList(object[has])) == 0 {
		complaints = append(complaints, fmt.Sprintf("%s: %q is empty, so its objects were not looked at", args, has))
	}
	return complaints
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

// The check itself must see what it is there for.
func TestComplaints(t *testing.T) {
	t.Parallel()
	want := fields{"name": "string", "areas": "list", "tips": "list?"}
	tests := []struct {
		name, in string
		fails    bool
	}{
		{"as agreed", `{"name":"a","areas":[]}`, false},
		{"with the optional one", `{"name":"a","areas":["x"],"tips":["y"]}`, false},
		{"a list is null", `{"name":"a","areas":null}`, true},
		{"a field is missing", `{"areas":[]}`, true},
		{"a field is new", `{"name":"a","areas":[],"extra":1}`, true},
		{"a type changed", `{"name":1,"areas":[]}`, true},
		{"an element changed", `{"name":"a","areas":[1]}`, true},
		{"no object", `[]`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var v any
			if err := json.Unmarshal([]byte(tt.in), &v); err != nil {
				t.Fatal(err)
			}
			if got := complaints("it", v, want); (len(got) > 0) != tt.fails {
				t.Errorf("complaints(%s) = %v, want some: %v", tt.in, got, tt.fails)
			}
		})
	}
}
