package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/templates"
)

// TestDataDefinitions: all data access tools are read-only, and cost little in each request.
func TestDataDefinitions(t *testing.T) {
	t.Parallel()
	c := serve(t, Data, none)
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	list := c.reply(2).Result
	if n := len(list); n > 4500 {
		t.Errorf("the definitions have %d bytes", n)
	}
	t.Logf("%d bytes", len(list))
	var tools struct {
		Tools []struct {
			Name         string
			OutputSchema json.RawMessage
			Annotations  struct{ ReadOnlyHint bool }
		}
	}
	if err := json.Unmarshal(list, &tools); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, strings.TrimPrefix(tool.Name, "memory_"))
		if tool.OutputSchema != nil || !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s: output %s, read-only %v", tool.Name, tool.OutputSchema, tool.Annotations.ReadOnlyHint)
		}
	}
	if got := strings.Join(names,
		" "); got != "grep_transcripts list_layers scan_recent_sessions search_fts search_hybrid search_multi_strategy "+
		"search_vector search_with_fallbacks search_blueprints" {
		t.Errorf("tools: %s", got)
	}
	if n := len(templates.DataInstructions()); n > 2<<10 {
		t.Errorf("the instructions have %d bytes", n)
	}
}

// TestDataJSON: each text of a result is cleaned separately, as a model reads it, and lists are never null.
func TestDataJSON(t *testing.T) {
	t.Parallel()
	s := newServer(Env{Clean: func(s string) string { return strings.ReplaceAll(s, "\x1b", "") }}, "test", "")
	got, err := s.dataJSON(dataGrepped{Results: []dataResult{{ID: "a \x1b[1m\"null\" \\", Content: `\u001b <b>`,
		Metadata: dataMetadata{Topics: []string{"null", "\x1b"}}}}})
	want := `{"results":[{"id":"a [1m\"null\" \\","content":"\\u001b <b>","score":0,"layer":"","browseUrl":"",` +
		`"metadata":{"sessionId":"","messageId":"","lineNumber":0,"topics":["null",""]}}],"caveats":[]}`
	if err != nil || got != want {
		t.Errorf("%v\n%s instead of\n%s", err, got, want)
	}
}
