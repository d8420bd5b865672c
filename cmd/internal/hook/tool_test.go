package hook_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/cmd/internal/hook"
	"github.com/gitmem/gitmem/gitmem"
)

// observed is a tool call as sent by the client, and the logged entry.
type observed struct {
	name, tool, rest string
	want             gitmem.Observation
}

func TestObservation(t *testing.T) {
	t.Parallel()
	testObserved(t, []observed{
		{"Bash", "Bash",
			`"tool_input":{"command":"go test ./...","description":"Run tests"},"tool_response":{"stdout":"ok\n",` +
				`"stderr":"warned","interrupted":false}`,
			gitmem.Observation{Input: "go test ./...", Output: "ok\n\nwarned"}},
		{"Bash that says nothing", "Bash",
			`"tool_input":{"command":"true"},"tool_response":{"stdout":"","stderr":"","interrupted":false}`,
			gitmem.Observation{Input: "true"}},
		{"Read", "Read",
			`"tool_input":{"file_path":"/w/repo/sub/a.txt"},"tool_response":{"type":"text",` +
				`"file":{"filePath":"/w/repo/sub/a.txt","content":"x","numLines":2,"startLine":1,"totalLines":20}}`,
			gitmem.Observation{Output: "2 of 20 lines", Read: []string{"sub/a.txt"}}},
		{"Read of an image", "Read",
			`"tool_input":{"file_path":"/w/repo/a.png"},"tool_response":{"type":"image","file":{"base64":"AAAA"}}`,
			gitmem.Observation{Read: []string{"a.png"}, Output: "image"}},
		{"Edit", "Edit",
			`"tool_input":{"file_path":"/w/repo/f.txt","old_string":"a","new_string":"b"},` +
				`"tool_response":{"filePath":"/w/repo/f.txt","originalFile":"a\n","structuredPatch":[]}`,
			gitmem.Observation{Wrote: []string{"f.txt"}}},
		{"Write outside the folder", "Write",
			`"tool_input":{"file_path":"/etc/motd","content":"x"},"tool_response":{"type":"create","filePath":"/etc/motd"}`,
			gitmem.Observation{Wrote: []string{"/etc/motd"}}},
		{"Write above the folder", "Write", `"tool_input":{"file_path":"/w/repo/../other"}`,
			gitmem.Observation{Wrote: []string{"/w/repo/../other"}}},
		{"NotebookEdit", "NotebookEdit",
			`"tool_input":{"notebook_path":"/w/repo/n.ipynb","new_source":"1"},"tool_response":{"new_source":"1"}`,
			gitmem.Observation{Wrote: []string{"n.ipynb"}}},
		{"Grep", "Grep",
			`"tool_input":{"pattern":"relay","path":"/w/repo"},"tool_response":{"mode":"files_with_matches","filenames":["a"],` +
				`"numFiles":1}`,
			gitmem.Observation{Input: "relay", Output: "1 file: a", Searched: []string{".", "a"}}},
		{"Glob", "Glob", `"tool_input":{"pattern":"**/*.go"},"tool_response":{"filenames":[]}`,
			gitmem.Observation{Input: "**/*.go", Output: "0 files"}},
		{"WebFetch", "WebFetch",
			`"tool_input":{"url":"https://example.org/","prompt":"Summarise"},"tool_response":{"code":200,"result":"A page"}`,
			gitmem.Observation{Input: "https://example.org/", Output: "200: A page"}},
		{"WebSearch", "WebSearch", `"tool_input":{"query":"relay"},"tool_response":"found"`,
			gitmem.Observation{Input: "relay", Output: "found"}},
		{"Task", "Task",
			`"tool_input":{"description":"Look","prompt":"Look for relays","subagent_type":"x"},` +
				`"tool_response":{"content":[{"type":"text","text":"None"}]}`,
			gitmem.Observation{Input: "x: Look for relays", Output: "None"}},
	})
}

func TestObservationOfOtherTools(t *testing.T) {
	t.Parallel()
	testObserved(t, []observed{
		{"MCP that answers with text", "mcp__probe__recall", `"tool_input":{"q":"hello"},"tool_response":"{\"hits\":3}"`,
			gitmem.Observation{Input: `{"q":"hello"}`, Output: `{"hits":3}`}},
		{"MCP that answers with an object", "mcp__probe__get",
			`"tool_input":{"n":1},"tool_response":{"type":"issue","title":"Pump"}`,
			gitmem.Observation{Input: `{"n":1}`, Output: `{"type":"issue","title":"Pump"}`}},
		{"MCP that answers with a list", "mcp__probe__get", `"tool_input":{},"tool_response":[{"type":"text","text":"x"}]`,
			gitmem.Observation{Input: `{}`, Output: "x"}},
		{"MCP that answers with an image", "mcp__probe__get",
			`"tool_input":{},"tool_response":[{"type":"image","data":"AAAA"},{"type":"text","text":"a pump"}]`,
			gitmem.Observation{Input: `{}`, Output: "(image)\na pump"}},
		{"MultiEdit", "MultiEdit",
			`"tool_input":{"file_path":"/w/repo/f.txt","edits":[{"old_string":"a","new_string":"b"}]},` +
				`"tool_response":{"filePath":"/w/repo/f.txt","edits":[],"originalFileContents":"a"}`,
			gitmem.Observation{Wrote: []string{"f.txt"}}},
		{"NotebookEdit that fails", "NotebookEdit",
			`"tool_input":{"notebook_path":"/w/repo/n.ipynb","new_source":"1"},"tool_response":{"new_source":"1",` +
				`"original_file":"{}","error":"no such cell"}`,
			gitmem.Observation{Wrote: []string{"n.ipynb"}, Output: "no such cell"}},
		{"Read of a notebook", "Read",
			`"tool_input":{"file_path":"/w/repo/n.ipynb"},"tool_response":{"type":"notebook",` +
				`"file":{"filePath":"/w/repo/n.ipynb","cells":[{},{}]}}`,
			gitmem.Observation{Read: []string{"n.ipynb"}, Output: "2 cells"}},
		{"Read of what is known", "Read",
			`"tool_input":{"file_path":"/w/repo/a"},"tool_response":{"type":"file_unchanged","file":{"filePath":"/w/repo/a"}}`,
			gitmem.Observation{Read: []string{"a"}, Output: "file unchanged"}},
		{"Grep for lines", "Grep",
			`"tool_input":{"pattern":"relay","output_mode":"content"},"tool_response":{"mode":"content","numFiles":0,` +
				`"filenames":[],"content":"a.go:3:relay","numLines":1}`,
			gitmem.Observation{Input: "relay", Output: "a.go:3:relay"}},
		{"Glob with many", "Glob",
			`"tool_input":{"pattern":"*"},"tool_response":{"filenames":["/w/repo/a","/w/repo/b"],"numFiles":2,` +
				`"truncated":true,"durationMs":3}`,
			gitmem.Observation{Input: "*", Output: "2 files and more: /w/repo/a, /w/repo/b",
				Searched: []string{"/w/repo/a", "/w/repo/b"}}},
		{"LS", "LS", `"tool_input":{"path":"/w/repo/sub"},"tool_response":"- a"`,
			gitmem.Observation{Input: "sub", Output: "- a", Searched: []string{"sub"}}},
		{"Bash in the background", "Bash",
			`"tool_input":{"command":"make serve"},"tool_response":{"stdout":"","stderr":"","interrupted":false,` +
				`"backgroundTaskId":"b1"}`,
			gitmem.Observation{Input: "make serve", Output: "in the background as b1"}},
		{"Bash that prints an image", "Bash",
			`"tool_input":{"command":"cat a.png"},"tool_response":{"stdout":"data:image/png;base64,AAAA","stderr":"",` +
				`"isImage":true}`,
			gitmem.Observation{Input: "cat a.png", Output: "an image"}},
		{"Bash that was stopped", "Bash",
			`"tool_input":{"command":"sleep 9"},"tool_response":{"stdout":"","stderr":"","interrupted":true}`,
			gitmem.Observation{Input: "sleep 9", Interrupted: true}},
		{"WebSearch with a list", "WebSearch",
			`"tool_input":{"query":"relay"},"tool_response":{"query":"relay","results":[{"tool_use_id":"t",` +
				`"content":[{"title":"Relays","url":"https://example.org/"}]},"Two pages."],"durationSeconds":1.5}`,
			gitmem.Observation{Input: "relay", Output: "Relays\nTwo pages."}},
		{"Agent", "Agent",
			`"tool_input":{"description":"Look","prompt":"Look for relays"},"tool_response":{"status":"completed",` +
				`"agentId":"a1","content":[{"type":"text","text":"Two."}],"totalTokens":9}`,
			gitmem.Observation{Input: "Look for relays", Output: "Two."}},
		{"Agent in the background", "Agent",
			`"tool_input":{"description":"Look","prompt":"Look","subagent_type":"Explore"},"tool_response":{"isAsync":true,` +
				`"status":"async_launched","agentId":"a1"}`,
			gitmem.Observation{Input: "Explore: Look", Output: "async_launched"}},
		{"TodoWrite", "TodoWrite",
			`"tool_input":{"todos":[{"content":"Fix it","status":"in_progress","activeForm":"Fixing"},{"content":"Test"}]},` +
				`"tool_response":{"oldTodos":[],"newTodos":[]}`,
			gitmem.Observation{Input: "Fix it (in_progress); Test (pending)"}},
		{"ToolSearch", "ToolSearch",
			`"tool_input":{"query":"select:a,b","max_results":5},"tool_response":{"matches":["a","b"],"query":"select:a,b",` +
				`"total_deferred_tools":9}`,
			gitmem.Observation{Input: "select:a,b", Output: "a, b"}},
		{"Skill", "Skill",
			`"tool_input":{"skill":"gitmem:remember","args":"relays"},"tool_response":{"success":true,` +
				`"commandName":"gitmem:remember"}`,
			gitmem.Observation{Input: "gitmem:remember relays", Output: "success: true"}},
		{"TaskCreate", "TaskCreate",
			`"tool_input":{"subject":"Fix it","description":"Soon"},"tool_response":{"task":{"id":"1"}}`,
			gitmem.Observation{Input: "Fix it", Output: `{"task":{"id":"1"}}`}},
	})
}

func TestObservationOfOddFields(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("line of output\\n", 350_000) // 5 MB as JSON
	testObserved(t, []observed{
		{"unknown tool", "Frobnicate", `"tool_input":{"x":[1,2]},"tool_response":7`,
			gitmem.Observation{Input: `{"x":[1,2]}`, Output: "7"}},
		{"unknown tool with a file", "Frobnicate", `"tool_input":{"file_path":"/w/repo/a","x":1}`,
			gitmem.Observation{Read: []string{"a"}}},
		{"no fields", "Edit", ``, gitmem.Observation{}},
		{"null fields", "Edit", `"tool_input":null,"tool_response":null,"error":null`, gitmem.Observation{}},
		{"null fields of an unknown tool", "Frobnicate", `"tool_input":null,"tool_response":null`, gitmem.Observation{}},
		{"null within", "Bash",
			`"tool_input":{"command":null,"description":"d"},"tool_response":{"stdout":null,"stderr":null}`,
			gitmem.Observation{Input: "d", Output: `{"stdout":null,"stderr":null}`}},
		{"list for the input", "Write", `"tool_input":["/w/repo/a"],"tool_response":["x"]`, gitmem.Observation{Output: "x"}},
		{"list for a name", "Edit", `"tool_input":{"file_path":["/w/repo/a"],"command":"c"}`, gitmem.Observation{Input: "c"}},
		{"text for the input", "Bash", `"tool_input":"ls","tool_response":"a"`,
			gitmem.Observation{Input: `"ls"`, Output: "a"}},
		{"list for the file of a response", "Read", `"tool_input":{"file_path":"/w/repo/a"},"tool_response":{"file":[]}`,
			gitmem.Observation{Read: []string{"a"}, Output: `{"file":[]}`}},
		{"5 MB of output", "Bash", `"tool_input":{"command":"yes"},"tool_response":{"stdout":"` + big + `"}`,
			gitmem.Observation{Input: "yes", Output: strings.TrimSpace(strings.Repeat("line of output\n", 350_000))}},
	})
}

func testObserved(t *testing.T, tests []observed) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, err := hook.Parse(strings.NewReader(payload("PostToolUse", tt.tool, tt.rest)))
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
	p, err := hook.Parse(strings.NewReader(payload("PostToolUseFailure", "Bash",
		`"tool_input":{"command":"exit 3"},"error":"Exit code 3","is_interrupt":false`)))
	if err != nil {
		t.Fatal(err)
	}
	want := gitmem.Observation{Session: "s1", Tool: "Bash", Input: "exit 3", Output: "Exit code 3"}
	if diff := cmp.Diff(want, p.Observation()); diff != "" {
		t.Errorf("Observation() (-want +got):\n%s", diff)
	}
}

func TestObservationInASubagent(t *testing.T) {
	t.Parallel()
	for rest, want := range map[string]gitmem.Observation{
		`"agent_id":"a1","agent_type":"Explore","error":"stopped","is_interrupt":true`: {Agent: "Explore", Interrupted: true,
			Output: "stopped"},
		`"agent_type":"reviewer","error":"x"`: {Output: "x"}, // of the main thread
	} {
		p, err := hook.Parse(strings.NewReader(payload("PostToolUseFailure", "Read", rest)))
		if err != nil {
			t.Fatal(err)
		}
		want.Session, want.Tool = "s1", "Read"
		if diff := cmp.Diff(want, p.Observation()); diff != "" {
			t.Errorf("Observation() (-want +got):\n%s", diff)
		}
	}
}
