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

// fields is the contract of one JSON object: its fields and their types. A type
// that ends in ? may be missing.
type fields map[string]string

// The contracts are typed out here once more, away from the structs, so that a
// renamed field or a list that becomes null fails.
func citationFields() fields {
	return fields{
		"id": "string", "layer": "string", "source": "string", "type": "string", "title": "string", "excerpt": "string",
		"author": "string", "time": "string", "project": "string", "session": "string", "path": "string", "line": "number",
		"uuid": "string", "agent": "string", "score": "number", "status": "string", "since": "number",
		"reverted_by": "string", "trust": "string", "browse_url": "string", "url": "string",
		"role": "string?", "asked": "string?", "also": "list?",
	}
}

func answerFields() fields {
	return fields{
		"question": "string", "kind": "string", "session_id": "string", "answer": "string", "confidence": "string",
		"people": "list", "citations": "list", "caveats": "list", "searched": "list", "strategies": "list",
		"fallbacks": "list", "suggestions": "list", "elapsed_ms": "number", "as_of": "string", "verdict": "string",
		"complete": "bool",
	}
}

func whoFields() fields {
	return fields{
		"query": "string", "by": "string", "area": "list", "files": "number", "people": "list", "others": "number",
		"commits": "number", "bots": "number",
		"bus_factor": "number", "owners": "list", "caveats": "list",
	}
}

func teamFields() fields {
	return fields{
		"path": "string", "commits": "number", "merges": "number", "bots": "number", "first": "string", "last": "string",
		"people": "number", "active": "number",
		"active_days": "number", "activity": "list", "folders": "list", "more_folders": "number", "made": "number",
		"risks": "list", "hot_spots": "list", "joined": "list", "left": "list",
		"reviews": "number", "reviewers": "list", "caveats": "list",
	}
}

func teamMemberFields() fields {
	return fields{"name": "string", "email": "string", "commits": "number", "first": "string", "last": "string"}
}

func rulePlanFields() fields {
	return fields{
		"id": "string", "rule": "string", "file": "string", "paths": "list", "repository": "string", "base": "string",
		"branch": "string", "title": "string", "body": "string", "diff": "string",
		"evidence": "list", "near": "list", "against": "list", "replaces": "list", "reviewers": "list", "open": "string",
		"caveats": "list",
	}
}

func ruleProposedFields() fields {
	return fields{
		"id": "string", "rule": "string", "file": "string", "state": "string", "branch": "string", "commit": "string",
		"number": "number", "url": "string", "next": "list", "caveats": "list",
	}
}

func doctorFields() fields {
	return fields{
		"check": "string", "state": "string", "detail": "string", "advice": "string", "fixable": "bool", "fixed": "bool",
		"places": "list",
	}
}

// injectedFields are those of what was injected, with others.
func injectedFields(others fields) fields {
	f := fields{"injections": "number", "chars": "number", "tokens_estimated": "number"}
	maps.Copy(f, others)
	return f
}

func costFields() fields {
	return injectedFields(fields{
		"since": "string", "traced": "string", "days": "list", "sessions": "list", "hooks": "list", "unread_lines": "number",
		"caveats": "list",
		"models":  "list", "daily_tokens": "number",
	})
}

func searchFields() fields {
	return fields{
		"query": "string", "strategies": "list", "hits": "list", "caveats": "list", "fallbacks": "list",
		"suggestions": "list",
		"as_of":       "string", "complete": "bool",
	}
}

func hitFields() fields { return with(citationFields(), "why", "list?") }

// with adds a field to a contract.
func with(f fields, name, kind string) fields {
	f[name] = kind
	return f
}

func explanationFields() fields {
	return fields{
		"words": "list", "phrases": "list", "required": "list", "excluded": "list", "filters": "list", "time": "string",
		"stop_words": "list", "expansions": "list", "terms": "list", "steps": "list",
	}
}

func whyFields() fields {
	return fields{
		"path": "string", "rev": "string", "from": "number", "to": "number", "recorded": "bool", "blamed": "list",
		"made_by": "list",
		"reasons": "list", "caveats": "list",
	}
}

func shardFields() fields {
	return fields{"name": "string", "state": "string", "docs": "number", "busy": "bool", "tips": "list?",
		"pending": "number?"}
}

func statusFields() fields {
	return fields{
		"root": "string", "store": "bool", "repository": "string", "project": "string", "folder": "string", "files": "number",
		"bytes": "number", "last_commit": "string", "pending": "list", "index_dir": "string", "shards": "list",
		"meaning": "string", "caveats": "list",
		"capture": "object", "excluded": "list", "last_hook": "object", "growth": "list", "held": "list",
		"repository_bytes": "number",
		"loose_objects":    "number", "index_bytes": "number", "kept_transcripts": "number", "agents": "list",
		"kept_bytes": "number",
		"traced":     "string", "trace_bytes": "number", "forges": "list",
	}
}

// inner gives the contract of an object, or of those in a list, by the field that holds it.
// Lists that are not named hold strings.
func inner(list string) fields {
	return map[string]fields{
		"citations": citationFields(), "evidence": citationFields(), "near": citationFields(), "against": citationFields(),
		"rules": {"at": "string", "text": "string", "paths": "strings", "files": "number", "commit": "string",
			"author": "string", "time": "string", "evidence": "list", "problems": "strings"}, "hits": hitFields(),
		"explain": explanationFields(), "terms": {"term": "string", "docs": "number", "weight": "number"},
		"shards": shardFields(),
		"kinds":  {"layer": "string", "type": "string", "items": "number", "oldest": "string", "newest": "string"},
		"changes": {
			"path": "string", "status": "string", "added": "number", "removed": "number", "patch": "string", "redacted": "bool",
		},
		"rows": {
			"name": "string", "figure": "string", "unit": "string", "gitmem": "number?", "fts5": "number?", "ratio": "number?",
			"by": "string", "limit": "number", "aim": "number", "verdict": "string", "note": "string",
		},
		"trail":  {"level": "number", "lead": "string", "from": "string", "by": "string", "gave": "string"},
		"groups": {"name": "string", "questions": "number", "first": "number", "useful": "number", "refused": "number"},
		"levels": {"confidence": "string", "answers": "number", "right": "number", "never_happened": "number"},
		"asked": {
			"id": "string", "question": "string", "verdict": "string", "confidence": "string", "rank": "number",
		},
		"lines": {
			"line": "number", "text": "string", "commit": "string", "time": "string", "session": "string", "turn": "string",
			"why": "string",
		},
		"findings": {
			"check": "string", "file": "string", "line": "number", "text": "string", "detail": "string", "advice": "string",
			"other_file": "string?", "other_line": "number?",
		},
		"sections":  {"session": "string", "file": "string", "date": "string"},
		"failed":    {"transcript": "string", "reason": "string"},
		"excluded":  {"rule": "string", "sessions": "number"},
		"parts":     {"name": "string", "lines": "number", "more": "number"},
		"variables": {"name": "string", "value": "string"},
		"entries": {
			"id": "string", "path": "string", "value": "string", "confidence": "number", "last_seen": "string",
			"days_left": "number",
			"source":    "string", "said": "string", "pinned": "bool", "trust": "string",
		},
		"growth": {"days": "number", "commits": "number", "bytes": "number"},
		"capture": {"state": "string", "detail": "string", "rule": "string", "since": "string", "until": "string",
			"folder": "string"},
		"last_hook":  {"time": "string", "hook": "string", "result": "string", "detail": "string"},
		"strategies": {"name": "string", "ok": "bool", "ms": "number", "hits": "number", "error": "string"},
		"searched":   {"layer": "string", "source": "string", "items": "number", "newest": "string"},
		"places":     {"path": "string", "line": "number", "kind": "string", "commit": "string", "detail": "string"},
		"removed":    {"file": "string", "id": "string", "text": "string"},
		"elsewhere":  {"id": "string", "layer": "string", "excerpt": "string"},
		"hidden":     {"id": "string", "where": "string"},
		"days":       injectedFields(fields{"day": "string", "sessions": "number"}),
		"sessions":   injectedFields(fields{"session": "string", "last": "string"}),
		"readings": {
			"figure": "string", "git_wall_ms": "number", "wall_ms": "number", "wall_ratio": "number", "git_cpu_ms": "number",
			"cpu_ms": "number", "cpu_ratio": "number",
			"git_rss_mb": "number", "rss_mb": "number", "heap_in_use_mb": "number", "heap_sys_mb": "number", "verdict": "string",
		},
		"cases": {
			"hook": "string", "case": "string", "wall_ms": "number?", "p95_ms": "number?", "above_ms": "number?",
			"limit_ms": "number", "cpu_ms": "number?",
			"peak_mb": "number?", "verdict": "string", "note": "string",
		},
		"hooks": {
			"hook": "string", "runs": "number", "errors": "number", "injections": "number", "seconds": "number",
			"p50_ms": "number", "p95_ms": "number",
		},
		"forges": {
			"kind": "string", "name": "string", "items": "number", "fetched": "string", "tried": "string", "trouble": "string",
			"retry": "string", "token": "bool", "offline": "bool", "left_out": "list",
		},
		"left_out": {"reason": "string", "items": "number"},
		"links":    {"rel": "string", "id": "string"},
		"blamed": {"from": "number", "to": "number", "id": "string", "commit": "string", "text": "string",
			"session": "string"},
		"made_by": {
			"id": "string", "title": "string", "author": "string", "time": "string", "part": "string", "path": "string",
			"added":   "number",
			"removed": "number", "lines": "number", "via": "string", "pull_request": "string", "closes": "list",
			"release": "string", "status": "string", "reverted_by": "string",
		},
		"reasons":  citationFields(),
		"activity": {"start": "string", "commits": "number", "people": "number"},
		"folders": {
			"path": "string", "activity": "number", "files": "number", "commits": "number", "lines": "number",
			"people": "number", "bus_factor": "number",
			"lost": "number", "owner": "string", "owner_email": "string", "owner_share": "number", "owner_active": "bool",
			"owner_last": "string",
		},
		"risks":     {"kind": "string", "path": "string", "text": "string"},
		"hot_spots": {"path": "string", "commits": "number", "lines": "number", "people": "number"},
		"joined":    teamMemberFields(), "left": teamMemberFields(),
		"reviewers": {"name": "string", "email": "string", "reviews": "number", "last": "string"},
		"people": {
			"name": "string", "email": "string", "score": "number", "commits": "number", "last": "string", "areas": "list",
			"citations": "strings",
			"lines":     "number", "reviews": "number", "active": "bool", "share": "number", "surviving": "number",
		},
	}[list]
}

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

func rederivedFields() fields {
	return fields{"sections": "number", "gone": "number", "compacted": "number", "running": "number", "asking": "number",
		"marked": "number", "unknown": "number", "changed": "list", "left": "list", "commits": "list"}
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
	commit := fields{"hash": "string", "time": "string", "subject": "string", "trailers": "list", "paths": "list"}
	patched := with(maps.Clone(commit), "changes", "list")
	noted := fields{"id": "string", "file": "string", "line": "number", "commit": "string", "text": "string",
		"trust": "string"}
	undone := fields{"undone": "string", "subject": "string", "commit": "string", "changes": "list", "left": "list"}
	search, explained, answered := searchFields(), with(searchFields(), "explain", "object"),
		with(answerFields(), "explain", "object")
	tests := []contract{
		{"status --json", exitOK, false, statusFields(), "shards"},
		{"doctor --json", exitOK, true, doctorFields(), ""},
		{"index status --json", exitOK, true, shardFields(), ""},
		{"ask --json zyzzyva", exitNotFound, false, answerFields(), "searched"},
		{"search --json zyzzyva", exitNotFound, false, search, "strategies"},
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
		{"note --json Measure the inrush current", exitOK, false, noted, ""},
		{"note --json Read \x60gone.go\x60 first", exitOK, false, noted, ""},
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
		{"note --json A slip of the tongue about valves", exitOK, false, noted, ""},
		{"forget --json slip tongue", exitUsage, false, forgetFields(), "removed"},
		{"forget --json --yes slip tongue", exitOK, false, forgottenFields(), "removed"},
		{"forget --json --history", exitOK, false, forgetFields(), ""},
		{"forget --json --history --yes", exitOK, false, forgottenFields(), ""},
		{"profile set --json tools.editor Helix", exitOK, false, fields{"done": "strings", "commit": "string"}, "done"},
		{"profile --json", exitOK, false, fields{"entries": "list", "words": "string"}, "entries"},
		{"profile log --json", exitOK, true, fields{"commit": "string", "time": "string", "done": "string",
			"session": "string"}, ""},
		{"context --json", exitOK, false, contextFields(), "variables"},
	}
	for _, tt := range slices.Concat(tests, continuityContracts(), syncContracts(t.TempDir())) {
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

func contextFields() fields {
	return fields{
		"text": "string", "notice": "string", "characters": "number", "parts": "list", "citations": "strings",
		"skipped": "list", "again": "bool",
		"variables": "list",
	}
}

func forgetFields() fields {
	return fields{"removed": "list", "hidden": "list", "missing": "list", "history": "object?", "ask": "bool"}
}

func forgottenFields() fields {
	f := forgetFields()
	f["commit"], f["elsewhere"], f["caveats"] = "string", "list", "list"
	return f
}

func shownFields() fields {
	f := citationFields()
	f["text"], f["paths"], f["state"], f["also"], f["links"] = "string", "list", "string", "list", "list"
	return f
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
