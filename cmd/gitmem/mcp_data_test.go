package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// dataServer starts the data access server in the fixture's repository.
func (d *desk) dataServer() *mcpConnection {
	d.tb.Helper()
	c := exec.Command(d.bin, "mcp", "memory")
	c.Dir, c.Env, c.Stderr = d.repo, d.env, os.Stderr
	in, err := c.StdinPipe()
	d.check(err)
	out, err := c.StdoutPipe()
	d.check(err)
	d.check(c.Start())
	d.tb.Cleanup(func() {
		_ = in.Close() // it ends the server
		if err := c.Wait(); err != nil {
			d.tb.Errorf("the server: %v", err)
		}
	})
	conn := &mcpConnection{to: json.NewEncoder(in), from: bufio.NewReader(out)}
	_, err = conn.request("initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "test", "version": "1"}})
	d.check(err)
	d.check(conn.to.Encode(mcpFrame{JSONRPC: "2.0", Method: "notifications/initialized"}))
	return conn
}

// called returns the text of a tool's result, and whether it succeeded; for a call that the protocol refuses,
// the text is the error.
func (d *desk) called(c *mcpConnection, tool string, args any) (text string, ok bool) {
	d.tb.Helper()
	f, err := c.request("tools/call", map[string]any{"name": tool, "arguments": args})
	d.check(err)
	if f.Error != nil {
		return string(f.Error), false
	}
	var result struct {
		IsError           bool
		StructuredContent json.RawMessage
		Content           []struct{ Type, Text string }
	}
	d.check(json.Unmarshal(f.Result, &result))
	if len(result.Content) != 1 || result.Content[0].Type != "text" || result.StructuredContent != nil {
		d.tb.Errorf("%s %.100v: %.300s", tool, args, f.Result)
		return "", false
	}
	return result.Content[0].Text, !result.IsError
}

func searchTools() []string {
	return []string{"memory_search_fts", "memory_search_vector", "memory_search_hybrid", "memory_search_multi_strategy",
		"memory_search_with_fallbacks", "search_blueprints"}
}

// TestDataContract checks the JSON of the data access tools.
func TestDataContract(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.write("repo/blueprints/parser.md", "---\nname: The parser\nsummary: How YAML is read.\n---\n")
	d.commit("2024-05-01T10:00:00Z", "Ada Example", "Describe how YAML is read")
	d.run("", "backfill")
	c := d.dataServer()
	check := func(where, text, list string, want, each fields) {
		t.Helper()
		var v map[string]any
		if err := json.Unmarshal([]byte(text), &v); err != nil || strings.Contains(text, "\n") {
			t.Errorf("%s: %v in %s", where, err, text)
			return
		}
		got := fields{}
		for name, value := range v {
			got[name] = kindOf(value)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", where, diff)
		}
		for _, e := range asList(v[list]) {
			element, _ := e.(map[string]any)
			if metadata := element["metadata"]; metadata != nil {
				for _, s := range complaints(where, metadata, fields{"sessionId": "string", "messageId": "string",
					"lineNumber": "number", "topics": "list"}) {
					t.Error(s)
				}
			}
			for _, s := range complaints(where, e, each) {
				t.Error(s)
			}
		}
		if len(asList(v[list])) == 0 && where != "memory_search_vector" {
			t.Errorf("%s: no %s to look at: %s", where, list, text)
		}
	}
	result := fields{"id": "string", "content": "string", "score": "number", "layer": "string", "browseUrl": "string",
		"metadata": "object"}
	results := fields{
		"results": "list", "strategiesAttempted": "list", "strategiesSucceeded": "list", "confidence": "string",
		"fallbacksUsed": "list",
		"reasons":       "object", "suggestions": "list", "caveats": "list",
	}
	for _, tool := range searchTools() {
		text, _ := d.called(c, tool, map[string]any{"query": "parser"})
		check(tool, text, "results", results, result)
		text, ok := d.called(c, tool, map[string]any{"query": "zyzzyva"})
		if !ok || strings.Contains(text, "null") {
			t.Errorf("%s of nothing: %s", tool, text)
		}
	}
	text, _ := d.called(c, "memory_grep_transcripts", map[string]any{"pattern": "AMPERE RELAY"})
	check("grep", text, "results", fields{"results": "list", "caveats": "list"}, result)
	text, _ = d.called(c, "memory_list_layers", map[string]any{})
	check("layers", text, "layers", fields{"layers": "list", "caveats": "list"},
		fields{"layer": "string", "items": "number", "newest": "string", "searchable": "bool"})
	text, _ = d.called(c, "memory_scan_recent_sessions", map[string]any{})
	check("sessions", text, "sessions", fields{"sessions": "list"},
		fields{"id": "string", "day": "string", "firstPrompt": "string", "summary": "string", "browseUrl": "string"})
}

// contents returns the bytes of every file below the fixture's folder, and the targets of links.
func (d *desk) contents() map[string]string {
	d.tb.Helper()
	out := map[string]string{}
	d.check(filepath.WalkDir(filepath.Dir(d.repo), func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || e.IsDir():
			out[name] = "folder"
		case e.Type().IsRegular():
			b, readErr := os.ReadFile(name)
			out[name], err = string(b), readErr
		default:
			out[name] = e.Type().String()
		}
		return err
	}))
	return out
}

// hostileCalls returns arguments that no good client sends.
func hostileCalls(other string) []map[string]any {
	huge := strings.Repeat("relay pump ", 1<<20/11)
	texts := append(hostileNames(), huge, strings.Repeat("x", 1<<20), strings.Repeat(`"relay`, 100),
		strings.Repeat("path:[ ", 200), "(((", "[", "*:*", "relay\x1b[2J\u202e\x00\x07",
		"project:all zebra", "project:other zebra", "session:"+other, "transcript:"+other+":1", "/sessions/"+other, "zebra",
		"-zebra", `"zebra stripes"`, "path:../../../etc/passwd", "until:9999 since:0001", "\xff\xfe",
		"Zebra stripes are secret")
	var calls []map[string]any
	for _, s := range texts {
		calls = append(calls, map[string]any{"query": s}, map[string]any{"pattern": s})
		if len(s) < 1<<10 {
			calls = append(calls, map[string]any{"query": "relay", "layer": s}, map[string]any{"query": "relay", "expansion": s},
				map[string]any{"project": s}, map[string]any{"query": s, "layer": "transcripts", "limit": 50, "expansion": "full"})
		}
	}
	for _, n := range []any{-1, 0, 51, 1 << 40, 1e30, 1.5, "10", nil, true, []int{1}, map[string]int{"a": 1}} {
		calls = append(calls, map[string]any{"query": "relay", "limit": n}, map[string]any{"pattern": "relay", "limit": n},
			map[string]any{"limit": n}, map[string]any{"query": n}, map[string]any{"pattern": n}, map[string]any{"project": n},
			map[string]any{"query": "relay", "layer": n})
	}
	return append(calls, nil, map[string]any{}, map[string]any{"query": "relay", "path": "/etc"})
}

// suits reports whether a call has an argument of a tool. Calls with several or long arguments are
// distributed over the searches, except for the last tool, which does what all do.
func suits(tool string, args map[string]any) bool {
	query, _ := args["query"].(string)
	if len(query) > 1<<19 || query != "" && len(args) > 1 {
		return tool == "memory_search_with_fallbacks"
	}
	key := map[string]string{"memory_scan_recent_sessions": "project", "memory_grep_transcripts": "pattern",
		"memory_list_layers": ""}
	name, other := key[tool]
	if !other {
		name = "query"
	}
	_, has := args[name]
	return has || len(args) == 0 // some tools accept no arguments
}

// TestDataToolsOnlyRead calls every data access tool with the arguments of a hostile model: each reply is
// well-formed, none contains data of another project, and afterwards every file of the store, the index, the
// repository and their surroundings is unchanged.
func TestDataToolsOnlyRead(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const other = "99c88b61-18be-494e-9c54-6e697febc51c"
	elsewhere := filepath.Join(filepath.Dir(d.repo), "other")
	d.write("home/.claude/projects/-w-other/"+other+".jsonl",
		strings.ReplaceAll(strings.ReplaceAll(deskTranscript(elsewhere), deskSession, other), "ten ampere",
			"zebra stripes are secret"))
	d.write("other/README.md", "Zebra stripes are secret.\n")
	if r := d.run("", "note", "The relay is beside the pump"); r.code != 0 {
		t.Fatal(r.err)
	}
	d.run("", "backfill")
	c := d.dataServer()
	tools := append(searchTools(), "memory_list_layers", "memory_scan_recent_sessions", "memory_grep_transcripts")
	good := map[string]any{"query": "relay pump"}
	for _, tool := range tools {
		args := map[string]any{}
		if strings.Contains(tool, "search") {
			args = good
		} else if strings.Contains(tool, "grep") {
			args["pattern"] = "relay"
		}
		if text, ok := d.called(c, tool, args); !ok {
			t.Fatalf("%s: %s", tool, text)
		}
	}
	before := d.contents()
	answered, refused := 0, 0
	for i, args := range hostileCalls(other) {
		for j, tool := range tools {
			if j != i%len(tools) && !suits(tool, args) { // all tools refuse it
				continue
			}
			text, ok := d.called(c, tool, args)
			switch {
			case ok && !json.Valid([]byte(text)), strings.Contains(text, "internal error"), text == "":
				t.Errorf("%s %.100v: %.500s", tool, args, text)
			case ok:
				answered++
			default:
				refused++
			}
			if strings.Contains(strings.ToLower(text), "stripes are secret") &&
				!strings.Contains(strings.ToLower(fmt.Sprint(args)), "stripes") || strings.ContainsAny(text, "\x1b\x00\x07\u202e") {
				t.Errorf("%s %.100v shows %.500s", tool, args, text)
			}
		}
	}
	after := d.contents()
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if before[name] != after[name] {
			t.Errorf("%s has changed", name)
		}
		delete(after, name)
	}
	for name := range after {
		t.Errorf("%s is new", name)
	}
	t.Logf("%d calls answered, %d refused, %d files", answered, refused, len(before))
	if answered < 250 || refused < 250 {
		t.Errorf("%d calls answered, %d refused", answered, refused)
	}
}
