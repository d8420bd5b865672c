package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMCPClosesIndexes calls a server that never collects garbage: between calls it maps no file of an index,
// regardless of the number of calls.
func TestMCPClosesIndexes(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.run("", "init")
	for _, args := range [][]string{{"mcp"}, {"mcp", "memory"}} {
		server := exec.Command(d.bin, args...)
		server.Dir, server.Env, server.Stderr = d.repo, append(d.env[:len(d.env):len(d.env)], "GOGC=off"), os.Stderr
		c, in, err := connectMCP(server)
		d.check(err)
		for range 3 {
			for _, call := range callsThatRead(d, args) {
				d.called(c, call.tool, call.args)
			}
			d.check(noneMapped(t, server.Process.Pid, filepath.Dir(d.repo)))
		}
		d.check(in.Close())
		d.check(server.Wait())
	}
}

// noneMapped returns an error if a process maps files of an index below a folder.
func noneMapped(t *testing.T, pid int, dir string) error {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		t.Skipf("the system does not tell of mapped files: %v", err)
	}
	for line := range strings.Lines(string(b)) {
		if strings.Contains(line, dir) && strings.Contains(line, "shards") {
			return fmt.Errorf("a file is mapped: %s", line)
		}
	}
	return nil
}

type toolCall struct {
	tool string
	args map[string]any
}

// callsThatRead returns calls of all tools of a server that read an index. One that writes is included, so
// that an index changes.
func callsThatRead(d *desk, args []string) (calls []toolCall) {
	if len(args) > 1 {
		for _, tool := range append(searchTools(), "memory_list_layers", "memory_scan_recent_sessions",
			"memory_grep_transcripts") {
			call := toolCall{tool, map[string]any{"query": "parser relay"}}
			switch tool {
			case "memory_list_layers", "memory_scan_recent_sessions":
				call.args = map[string]any{}
			case "memory_grep_transcripts":
				call.args = map[string]any{"pattern": "relay"}
			}
			calls = append(calls, call)
		}
		return calls
	}
	return []toolCall{
		{"remember", map[string]any{"text": "The parser was measured by " + filepath.Base(d.tb.TempDir())}},
		{"memory", map[string]any{"question": "why did we drop Redis?"}},
		{"memory", map[string]any{"question": "who knows the parser?"}},
		{"memory", map[string]any{"question": "what did we do in March 2024?"}},
		{"memory_search", map[string]any{"queries": []string{"parser", "zorblax"}, "limit": 3}},
		{"memory_search", map[string]any{"queries": []string{"relay"}, "layer": "transcripts"}},
		{"memory_show", map[string]any{"ids": []string{"transcript:" + deskSession + ":1"}, "diff": true}},
		{"memory_why", map[string]any{"path": "parser.go", "line": 1}},
		{"memory_why", map[string]any{"path": "parser.go", "about": "last line"}},
		{"memory_personal", map[string]any{"query": "recent"}},
		{"memory_personal", map[string]any{"query": "search", "search_text": "relay"}},
		{"memory_team", map[string]any{"question": "who knows the parser?", "files": []string{"*.go"}}},
		{"memory_promote", map[string]any{}},
		{"get_session_context", map[string]any{}},
		{"get_full_context", map[string]any{}},
	}
}

// A server caches data identified by ids between calls. Commits, tags, forgotten and excluded data of other
// processes take effect in the next call.
func TestMCPSeesWhatChanged(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.run("", "init")
	server := exec.Command(d.bin, "mcp")
	server.Dir, server.Env, server.Stderr = d.repo, d.env, os.Stderr
	c, in, err := connectMCP(server)
	d.check(err)
	finds := func(query, text string, want bool) {
		t.Helper()
		found, ok := d.called(c, "memory_search", map[string]any{"queries": []string{query}})
		answered, answers := d.called(c, "memory", map[string]any{"question": "why did we choose the " + query + "?"})
		if !ok || !answers || strings.Contains(found, text) != want || want && !strings.Contains(found+answered, text) {
			t.Errorf("%q in what is found for %q: want %v:\n%s\n%s", text, query, want, found, answered)
		}
	}
	finds("zorblax valve", "[git:commit:", false)
	d.commit("2024-05-02T10:00:00Z", "Ada Example", "Add the zorblax valve\n\nIt keeps the basin from running dry.")
	finds("zorblax valve", "running dry", true)
	finds("zorblax valve", "v9.8.7", false)
	d.git(nil, "tag", "v9.8.7")
	finds("zorblax valve", "v9.8.7", true)

	d.called(c, "remember", map[string]any{"text": "The quenbit pump runs at night"})
	finds("quenbit pump", "runs at night", true)
	d.run("", "forget", "quenbit", "--yes")
	finds("quenbit pump", "runs at night", false)

	finds("ampere relay", "ten ampere relay because", true)
	d.write("home/.claude/gitmem/local.yaml", fmt.Sprintf("exclude: [%q, %q]\n", d.repo, d.repo+"/**"))
	finds("ampere relay", "ten ampere relay because", false)
	d.check(in.Close())
	d.check(server.Wait())
}
