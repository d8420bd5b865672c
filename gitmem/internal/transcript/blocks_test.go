package transcript_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

func TestTelling(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tool, input, kind, want string }{
		{"Bash", `{"command":"go test ./…","description":"Run tests","timeout":5}`, "tool", "go test ./…\nRun tests"},
		{"Grep", `{"pattern":"relay","path":"/w","output_mode":"content","-n":true,"glob":"*.go"}`, "tool", "relay\n*.go"},
		{"Edit", `{"file_path":"/w/a.go","old_string":"secret old","new_string":"secret new"}`, "tool", ""},
		{"Write", `{"file_path":"/w/a.md","content":"whole file"}`, "tool", ""},
		{"Write", `{"file_path":"/h/.claude/plans/calm-fox.md","content":"# Plan"}`, "plan", "# Plan"},
		{"Write", `{"file_path":"C:\\h\\.claude\\plans\\calm-fox.md","content":"# Plan"}`, "plan", "# Plan"},
		{"ExitPlanMode", `{"plan":"1. Dig"}`, "plan", "1. Dig"},
		{"ExitPlanMode", `{}`, "tool", ""},
		{"TodoWrite", `{"todos":[{"content":"Dig","status":"completed"},{"content":"Fill","status":"pending",` +
			`"activeForm":"Filling"}]}`, "todo", "- [x] Dig\n- [ ] Fill"},
		{"TaskCreate", `{"subject":"Dig","description":"A hole","activeForm":"Digging"}`, "todo", "Dig\nA hole"},
		{"AskUserQuestion", `{"questions":[{"question":"How deep?","options":[{"label":"One metre"}]}]}`, "tool",
			"questions: options: label: One metre; question: How deep?"},
		{"mcp__forge__issue", `{"title":"Leak","number":12,"open":true}`, "tool", "number: 12\ntitle: Leak"},
		{"mcp__db__open", `{"config":{"db":{"password":"x1"}},"headers":[{"api_key":"x2"}]}`, "tool",
			"config: db: password: x1\nheaders: api_key: x2"},
		{"mcp__sh__run", `{"args":["psql","--password","x3"],"notes":["a","b"]}`, "tool",
			"args: psql --password x3\nnotes: a; b"},
		{"Odd", `["no object"]`, "tool", ""},
		{"Odd", `{"a":{"b":{"c":{"d":{"e":{"f":{"g":"too deep"}}}}}}}`, "tool", ""},
	} {
		m := transcript.Message{Tools: []transcript.ToolUse{toolUse(t, c.tool, c.input)}}
		b := m.Blocks()
		if len(b) != 1 || string(b[0].Kind) != c.kind || b[0].Text != c.want {
			t.Errorf("%s %s: %+v, want %s %q", c.tool, c.input, b, c.kind, c.want)
		}
	}
}

// toolUse parses a call in the form of a transcript.
func toolUse(t *testing.T, name, input string) transcript.ToolUse {
	t.Helper()
	all, _ := read(t, `{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"`+
		name+`","input":`+input+`}]}}`+"\n")
	if len(all) != 1 || len(all[0].Tools) != 1 {
		t.Fatalf("%s is no call", input)
	}
	return all[0].Tools[0]
}

func TestBlocksAreNumberedAsInTheRecord(t *testing.T) {
	t.Parallel()
	m := transcript.Message{
		Thinking: "hm", Tools: []transcript.ToolUse{{Name: "A"}, {Name: "TaskCreate"}, {Name: "B"}},
		Results: []transcript.ToolResult{{Text: " "}, {Text: "", Error: true}, {Text: "x"}},
	}
	var got []string
	for _, b := range m.Blocks() {
		got = append(got, b.Name())
	}
	if diff := cmp.Diff([]string{"thinking", "tool", "todo", "tool-2", "result-2", "result-3"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestCaller finds a call at any distance before its result.
func TestCaller(t *testing.T) {
	t.Parallel()
	call := func(id string) string {
		return `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"` + id +
			`","name":"Bash","input":{"command":"` + id + `"}}]}}` + "\n"
	}
	noise := func(n int) string {
		return `{"type":"user","message":{"content":"` + strings.Repeat("x", n) + `"}}` + "\n"
	}
	quoted, err := json.Marshal(map[string]any{"type": "user",
		"message": map[string]any{"content": []any{map[string]any{"type": "tool_result", "tool_use_id": "t1",
			"content": "ok"}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, far := range []int{0, 10, 65_400, 65_536, 65_600, 200_000} {
		text := noise(30) + call("t0") + call("t1") + noise(far) + string(quoted) + "\n" + noise(5) + "broken \"t1\" line\n"
		file := strings.NewReader(text)
		for _, id := range []string{"t0", "t1"} {
			use, ok, err := transcript.Caller(file, int64(len(text)), id)
			if err != nil || !ok || use.InputText() != id {
				t.Errorf("%d bytes away: %s is %+v, %v, %v", far, id, use, ok, err)
			}
		}
		if _, ok, err := transcript.Caller(file, int64(len(text)), "t9"); ok || err != nil {
			t.Errorf("t9: %v, %v", ok, err)
		}
		if _, ok, err := transcript.Caller(file, int64(strings.Index(text, `"t1"`)), "t1"); ok || err != nil {
			t.Errorf("a call behind the offset: %v, %v", ok, err)
		}
	}
}

// A line that contains an id many times is examined once.
func TestCallerIsLinear(t *testing.T) {
	t.Parallel()
	text := `{"type":"user","message":{"content":[` + strings.Repeat(`"x",`, 100_000) + `1]}}` + "\n"
	if _, ok, err := transcript.Caller(strings.NewReader(text), int64(len(text)), "x"); ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
}

func FuzzCaller(f *testing.F) {
	f.Add(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]}}`+"\n"+
		`{"a":"t1"}`, 3, "t1")
	f.Add("\"x\"\n\"x\"", 5, "x")
	f.Fuzz(func(t *testing.T, text string, before int, id string) {
		before = max(0, min(before, len(text)))
		use, ok, err := transcript.Caller(strings.NewReader(text), int64(before), id)
		if err != nil || ok && use.ID != id {
			t.Fatalf("%+v, %v, %v", use, ok, err)
		}
	})
}

func TestTitlesOnRequest(t *testing.T) {
	t.Parallel()
	text := `{"type":"summary","summary":"Pump stalls","leafUuid":"u"}` + "\n" +
		`{"type":"user","message":{"content":"hi"}}` + "\n"
	if all, _ := read(t, text); len(all) != 1 {
		t.Errorf("unasked: %+v", all)
	}
	m, err := transcript.Line(strings.NewReader(text), 1)
	if err != nil || m.Role != transcript.RoleTitle || m.Blocks()[0].Name() != "title" || m.Text != "Pump stalls" {
		t.Errorf("%+v, %v", m, err)
	}
}
