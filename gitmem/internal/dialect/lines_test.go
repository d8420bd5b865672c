package dialect_test

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"whole lines", "{\"a\":1}\n\n{\"a\":2}\r\n", []string{`{"a":1}`, `{"a":2}`}},
		{"a last line that is whole", "{\"a\":1}\n{\"a\":2}", []string{`{"a":1}`, `{"a":2}`}},
		{"a last line that is being written", "{\"a\":1}\n{\"a\":", []string{`{"a":1}`}},
		{"a line longer than a buffer", "\"" + strings.Repeat("x", 200_000) + "\"\n",
			[]string{`"` + strings.Repeat("x", 200_000) + `"`}},
	} {
		var got []string
		for line, err := range dialect.Lines(iotest.HalfReader(strings.NewReader(c.in))) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(line))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	broken := errors.New("broken")
	for _, err := range dialect.Lines(io.MultiReader(strings.NewReader("{}"), iotest.ErrReader(broken))) {
		if !errors.Is(err, broken) {
			t.Errorf("error of the reader: got %v", err)
		}
	}
}

func TestEncodeChainsRecords(t *testing.T) {
	at := time.Date(2026, 11, 28, 18, 40, 0, 5e6, time.UTC)
	records := []dialect.Record{
		{Speaker: dialect.Title, Text: "A title"},
		{ID: "1", Speaker: dialect.Person, Text: "first <b>", Time: at, Cwd: "/p"},
		{ID: "2", Speaker: dialect.Model, Calls: []dialect.Call{dialect.Shell("c", "make")}},
		{Speaker: dialect.Broken},
		{ID: "3", Speaker: dialect.Tool, Results: []dialect.Result{{ID: "c", Text: "no rule", Failed: true}}},
		{ID: "4", Parent: "1", Speaker: dialect.Program, Text: "again"},
		{ID: "5", Parent: dialect.Root, Speaker: dialect.Summary, Text: "all"},
		{ID: "6", Speaker: dialect.Command, Text: "ls"},
	}
	lines, err := dialect.Encode(dialect.Session{ID: "s"}, records)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"type":"custom-title","parentUuid":null,"sessionId":"s","customTitle":"A title"}`,
		`{"type":"user","uuid":"1","parentUuid":null,"sessionId":"s","promptSource":"typed",` +
			`"timestamp":"2026-11-28T18:40:00.005Z","cwd":"/p","message":{"role":"user","content":[{"type":"text",` +
			`"text":"first <b>"}]}}`,
		`{"type":"assistant","uuid":"2","parentUuid":"1","sessionId":"s","message":{"role":"assistant",` +
			`"content":[{"type":"tool_use","id":"c","name":"Bash","input":{"command":"make"}}]}}`,
		`!`,
		`{"type":"user","uuid":"3","parentUuid":"2","sessionId":"s","message":{"role":"user",` +
			`"content":[{"type":"tool_result","tool_use_id":"c","content":"no rule","is_error":true}]}}`,
		`{"type":"user","uuid":"4","parentUuid":"1","sessionId":"s","promptSource":"sdk","origin":{"kind":"program"},` +
			`"message":{"role":"user","content":[{"type":"text","text":"again"}]}}`,
		`{"type":"user","uuid":"5","parentUuid":null,"sessionId":"s","isCompactSummary":true,"message":{"role":"user",` +
			`"content":[{"type":"text","text":"all"}]}}`,
		`{"type":"user","uuid":"6","parentUuid":"5","sessionId":"s","message":{"role":"user","content":[{"type":"text",` +
			`"text":"<bash-input>ls</bash-input>"}]}}`,
	}
	if diff := cmp.Diff(want, slices.Collect(strings.SplitSeq(strings.TrimSpace(string(lines)), "\n"))); diff != "" {
		t.Error(diff)
	}
}

func TestEncodeMarksSubagents(t *testing.T) {
	report := []dialect.Result{{ID: "c", Text: "Done: 3 files", Report: "3 files"}}
	lines, err := dialect.Encode(dialect.Session{ID: "s", Agent: "a"},
		[]dialect.Record{{ID: "1", Speaker: dialect.Tool, Results: report}})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		IsSidechain   bool
		AgentID       string
		ToolUseResult struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal(lines, &got); err != nil {
		t.Fatal(err)
	}
	if !got.IsSidechain || got.AgentID != "a" || len(got.ToolUseResult.Content) != 1 ||
		got.ToolUseResult.Content[0].Text != "3 files" {
		t.Errorf("got %s", lines)
	}
}
