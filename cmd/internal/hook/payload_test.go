package hook_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/gitmem"
)

// payload is a tool's payload of a session in /w/repo.
func payload(event, tool, rest string) string {
	if rest != "" {
		rest = "," + rest
	}
	return fmt.Sprintf(`{"session_id":"s1","cwd":"/w/repo","hook_event_name":%q,"tool_name":%q%s}`, event, tool, rest)
}

func TestObservation(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("line of output\\n", 350_000) // 5 MB as JSON writes it
	tests := []struct {
		name, tool, rest string
		want             gitmem.Observation
	}{
		{"Bash", "Bash", `"tool_input":{"command":"go test ./...","description":"Run tests"},"tool_response":{"stdout":"ok\n","stderr":"warned","interrupted":false}`,
			gitmem.Observation{Input: "go test ./...", Output: "ok\n\nwarned"}},
		{"Bash that says nothing", "Bash", `"tool_input":{"command":"true"},"tool_response":{"stdout":"","stderr":"","interrupted":false}`,
			gitmem.Observation{Input: "true"}},
		{"Read", "Read", `"tool_input":{"file_path":"/w/repo/sub/a.txt"},"tool_response":{"type":"text","file":{"filePath":"/w/repo/sub/a.txt","content":"x","numLines":2,"startLine":1,"totalLines":20}}`,
			gitmem.Observation{Output: "2 of 20 lines", Read: []string{"sub/a.txt"}}},
		{"Read of an image", "Read", `"tool_input":{"file_path":"/w/repo/a.png"},"tool_response":{"type":"image","file":{"base64":"AAAA"}}`,
			gitmem.Observation{Read: []string{"a.png"}}},
		{"Edit", "Edit", `"tool_input":{"file_path":"/w/repo/f.txt","old_string":"a","new_string":"b"},"tool_response":{"filePath":"/w/repo/f.txt","originalFile":"a\n","structuredPatch":[]}`,
			gitmem.Observation{Wrote: []string{"f.txt"}}},
		{"Write outside the folder", "Write", `"tool_input":{"file_path":"/etc/motd","content":"x"},"tool_response":{"type":"create","filePath":"/etc/motd"}`,
			gitmem.Observation{Wrote: []string{"/etc/motd"}}},
		{"Write above the folder", "Write", `"tool_input":{"file_path":"/w/repo/../other"}`,
			gitmem.Observation{Wrote: []string{"/w/repo/../other"}}},
		{"NotebookEdit", "NotebookEdit", `"tool_input":{"notebook_path":"/w/repo/n.ipynb","new_source":"1"},"tool_response":{"new_source":"1"}`,
			gitmem.Observation{Wrote: []string{"n.ipynb"}, Output: `{"new_source":"1"}`}},
		{"Grep", "Grep", `"tool_input":{"pattern":"relay","path":"/w/repo"},"tool_response":{"mode":"files_with_matches","filenames":["a"],"numFiles":1}`,
			gitmem.Observation{Input: "relay", Output: `{"mode":"files_with_matches","filenames":["a"],"numFiles":1}`}},
		{"Glob", "Glob", `"tool_input":{"pattern":"**/*.go"},"tool_response":{"filenames":[]}`,
			gitmem.Observation{Input: "**/*.go", Output: `{"filenames":[]}`}},
		{"WebFetch", "WebFetch", `"tool_input":{"url":"https://example.org/","prompt":"Summarise"},"tool_response":{"code":200,"result":"A page"}`,
			gitmem.Observation{Input: "https://example.org/", Output: `{"code":200,"result":"A page"}`}},
		{"WebSearch", "WebSearch", `"tool_input":{"query":"relay"},"tool_response":"found"`,
			gitmem.Observation{Input: "relay", Output: "found"}},
		{"Task", "Task", `"tool_input":{"description":"Look","prompt":"Look for relays","subagent_type":"x"},"tool_response":{"content":[{"type":"text","text":"None"}]}`,
			gitmem.Observation{Input: "Look for relays", Output: `{"content":[{"type":"text","text":"None"}]}`}},
		{"MCP that answers with text", "mcp__probe__recall", `"tool_input":{"q":"hello"},"tool_response":"{\"hits\":3}"`,
			gitmem.Observation{Input: `{"q":"hello"}`, Output: `{"hits":3}`}},
		{"MCP that answers with an object", "mcp__probe__get", `"tool_input":{"n":1},"tool_response":{"type":"issue","title":"Pump"}`,
			gitmem.Observation{Input: `{"n":1}`, Output: `{"type":"issue","title":"Pump"}`}},
		{"MCP that answers with a list", "mcp__probe__get", `"tool_input":{},"tool_response":[{"type":"text","text":"x"}]`,
			gitmem.Observation{Input: `{}`, Output: `[{"type":"text","text":"x"}]`}},
		{"unknown tool", "Frobnicate", `"tool_input":{"x":[1,2]},"tool_response":7`,
			gitmem.Observation{Input: `{"x":[1,2]}`, Output: "7"}},
		{"unknown tool with a file", "Frobnicate", `"tool_input":{"file_path":"/w/repo/a","x":1}`,
			gitmem.Observation{Read: []string{"a"}}},
		{"no fields", "Edit", ``, gitmem.Observation{}},
		{"null fields", "Edit", `"tool_input":null,"tool_response":null,"error":null`, gitmem.Observation{}},
		{"null fields of an unknown tool", "Frobnicate", `"tool_input":null,"tool_response":null`, gitmem.Observation{}},
		{"null within", "Bash", `"tool_input":{"command":null,"description":"d"},"tool_response":{"stdout":null,"stderr":null}`,
			gitmem.Observation{Input: "d", Output: `{"stdout":null,"stderr":null}`}},
		{"list for the input", "Write", `"tool_input":["/w/repo/a"],"tool_response":["x"]`, gitmem.Observation{Output: `["x"]`}},
		{"list for a name", "Edit", `"tool_input":{"file_path":["/w/repo/a"],"command":"c"}`, gitmem.Observation{Input: "c"}},
		{"text for the input", "Bash", `"tool_input":"ls","tool_response":"a"`, gitmem.Observation{Input: `"ls"`, Output: "a"}},
		{"list for the file of a response", "Read", `"tool_input":{"file_path":"/w/repo/a"},"tool_response":{"file":[]}`,
			gitmem.Observation{Read: []string{"a"}, Output: `{"file":[]}`}},
		{"5 MB of output", "Bash", `"tool_input":{"command":"yes"},"tool_response":{"stdout":"` + big + `"}`,
			gitmem.Observation{Input: "yes", Output: strings.TrimSpace(strings.Repeat("line of output\n", 350_000))}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, err := hook.Parse([]byte(payload("PostToolUse", tt.tool, tt.rest)))
			if err != nil {
				t.Fatal(err)
			}
			tt.want.Session, tt.want.Tool, tt.want.OK = "s1", tt.tool, true
			if diff := cmp.Diff(tt.want, p.Observation()); diff != "" {
				t.Errorf("Observation() (-want +got):\n%.2000s", diff)
			}
		})
	}
}

func TestObservationOfAFailure(t *testing.T) {
	t.Parallel()
	p, err := hook.Parse([]byte(payload("PostToolUseFailure", "Bash", `"tool_input":{"command":"exit 3"},"error":"Exit code 3","is_interrupt":false`)))
	if err != nil {
		t.Fatal(err)
	}
	want := gitmem.Observation{Session: "s1", Tool: "Bash", Input: "exit 3", Output: "Exit code 3"}
	if diff := cmp.Diff(want, p.Observation()); diff != "" {
		t.Errorf("Observation() (-want +got):\n%s", diff)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                  "standard input is empty",
		" \n\t":                             "standard input is empty",
		`{"session_id":`:                    "malformed JSON",
		`[]`:                                "malformed JSON",
		`"text"`:                            "malformed JSON",
		`{"session_id":7}`:                  "malformed JSON",
		`{"session_id":"s","cwd":{}}`:       "malformed JSON",
		`{"session_id":"s"} {}`:             "malformed JSON",
		"\xff\xfe{\x00":                     "malformed JSON",
		strings.Repeat("[", 100_000):        "malformed JSON",
		`null`:                              "no session_id",
		`{}`:                                "no session_id",
		`{"session_id":null}`:               "no session_id",
		`{"session_id":"","tool_name":"x"}`: "no session_id",
	} {
		if _, err := hook.Parse([]byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%.30q) = %v, want %q", in, err, want)
		}
	}
}

// FuzzParse: whatever comes in, nothing panics, and what is accepted is a JSON
// object with a session.
func FuzzParse(f *testing.F) {
	f.Add([]byte(payload("PostToolUse", "Bash", `"tool_input":{"command":"ls"},"tool_response":{"stdout":"a"}`)))
	f.Add([]byte(payload("PostToolUse", "Edit", `"tool_input":[{"file_path":1}],"tool_response":null`)))
	f.Add([]byte(payload("PostToolUseFailure", "mcp__a__b", `"error":"x"`)))
	f.Add([]byte(`{"session_id":"\ud800","cwd":"\u0000","tool_name":"Read","tool_input":{"file_path":"../\n"}}`))
	f.Add([]byte(`{"SESSION_ID":"s","Tool_Name":"Read"}`))
	f.Add([]byte("{\"session_id\":"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := hook.Parse(b)
		if err != nil {
			return
		}
		if !json.Valid(b) || p.SessionID == "" {
			t.Errorf("Parse(%q) accepts it", b)
		}
		o := p.Observation()
		if o.Session != p.SessionID || o.Tool != p.ToolName || len(o.Read)+len(o.Wrote) > 1 {
			t.Errorf("Observation of %q = %+v", b, o)
		}
	})
}
