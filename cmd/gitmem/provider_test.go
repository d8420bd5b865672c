package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// tracker is a server of tickets, as a process. Its argument is what is wrong with it.
func tracker() {
	lines := bufio.NewScanner(os.Stdin)
	if len(os.Args) > 2 { // it does not end by itself
		_ = os.WriteFile(os.Args[2], []byte(strconv.Itoa(os.Getpid())), 0o600)
		defer time.Sleep(time.Hour)
	}
	for lines.Scan() {
		if len(os.Args) > 1 && os.Args[1] == "mute" {
			continue
		}
		if reply := trackerReply(lines.Bytes(), strings.Join(os.Args[1:], " ")); reply != nil {
			fmt.Printf("%s\n", reply)
		}
	}
}

// ticket is what the server returns.
const ticket = `{"key":"REL-7","layer":"team","text":"Customers asked for Redis back, and sales said no. ` +
	`The token is ` + "ghp_" + `R8vK2mQ9xT4bN7cW1zL5dF3gH6jP0sYaE8uo"}`

func trackerReply(line []byte, wrong string) []byte {
	var in struct {
		ID     any
		Method string
		Params struct{ Name string }
	}
	if json.Unmarshal(line, &in) != nil || in.ID == nil {
		return nil
	}
	out := map[string]any{"jsonrpc": "2.0", "id": in.ID}
	object := map[string]any{"type": "object"}
	switch {
	case in.Method == "initialize":
		out["result"] = map[string]any{"protocolVersion": "2025-11-25",
			"capabilities": map[string]any{"tools": map[string]any{}}, "serverInfo": map[string]any{"name": "tracker",
				"version": "1"}}
	case in.Method == "tools/list" && wrong == "odd":
		out["result"] = map[string]any{"tools": []any{map[string]any{"name": "find", "inputSchema": object},
			map[string]any{"name": "find", "inputSchema": object},
			map[string]any{"name": "get", "inputSchema": map[string]any{"type": "array"}}}}
	case in.Method == "tools/list":
		out["result"] = map[string]any{"tools": []any{map[string]any{"name": "find", "inputSchema": object},
			map[string]any{"name": "delete", "inputSchema": object}}}
	case in.Method == "tools/call" && wrong == "slow":
		return nil
	case in.Method == "tools/call" && wrong == "odd":
		dir, _ := os.Getwd()
		text := "It runs in " + dir + ". Customers asked for Redis back, and sales said no. "
		text += strings.Repeat("x ", (15_980-len(text))/2) + ticket[strings.Index(ticket, "ghp_"):]
		out["result"] = map[string]any{"content": []any{map[string]any{"type": "resource",
			"resource": map[string]any{"uri": "a:b", "text": text}}}}
	case in.Method == "tools/call" && wrong == "keys":
		out["result"] = map[string]any{"content": []any{map[string]any{"type": "text", "text": "It sees " +
			strings.Join(visibleKeys(), ", ") + "."}}}
	case in.Method == "tools/call":
		out["result"] = map[string]any{"content": []any{map[string]any{"type": "text", "text": in.Params.Name + " " +
			ticket}}, "isError": wrong == "failing"}
	default:
		out["error"] = map[string]any{"code": -32601, "message": "no such method"}
	}
	b, err := json.Marshal(out)
	if err != nil {
		panic(err)
	}
	return b
}

// citesFind is how an answer cites what the tool find of the tracker returned.
const citesFind = "[mcp:tracker:find:"

// providerCase is a server of the user's, or of a plugin's, and what comes of a model that asks it.
type providerCase struct {
	name, file, plugin string
	forbidden          bool
	script             []step
	want               []string
	lacks              string
}

// providerCases are those of a server that answers, also at an address, and of one that fails.
func providerCases(address string) []providerCase {
	const said, excerpt = "Customers asked for Redis back, and sales said no.", "Customers asked for Redis back"
	const tools = "allowed_tools: [find]\n"
	find, search := step{Call: "mcp__tracker__find", Args: map[string]any{}}, searchRedis()
	answer := answering(claiming(said, "mcp:tracker:find", excerpt))
	return []providerCase{
		{name: "a process", file: "command: tracker\n" + tools, script: []step{find, answer},
			want: []string{said + " " + citesFind, "> " + excerpt}},
		{name: "an address", file: "url: " + address + "\n" + tools, script: []step{find, answer},
			want: []string{said + " " + citesFind}},
		{name: "of a plugin",
			plugin: "hooks: {x: {}}\nmcp_servers: {tracker: {command: tracker}}\n" +
				"memory: {allowed_tools: [mcp__tracker__find], system_prompt: Tickets begin with REL.}\n",
			script: []step{find, answer}, want: []string{said + " " + citesFind}},
		{name: "words that it did not return", file: "command: tracker\n" + tools,
			script: []step{find, answering(claiming(said, "mcp:tracker:find", "sales said yes"))},
			want:   []string{"the model gave no answer"}, lacks: citesFind},
		{name: "a tool that is not allowed", file: "command: tracker\n" + tools,
			script: []step{{Call: "mcp__tracker__delete", Args: map[string]any{}}, search,
				answering(claiming(said, "mcp:tracker:delete", excerpt))},
			want: []string{"the model gave no answer"}, lacks: "[mcp:"},
		{name: "not allowed", file: "command: tracker\n" + tools, forbidden: true, script: []step{find, search, answer},
			want: []string{"the model gave no answer"}, lacks: citesFind},
		{name: "dead", file: "command: empty\n" + tools, script: []step{search, {Answer: nothingRecorded()}},
			want: []string{"Not recorded", "caveat: tracker gave nothing: "}},
		{name: "not there", file: "command: nosuchprogram\n" + tools, script: []step{search, {Answer: nothingRecorded()}},
			want: []string{"Not recorded", "caveat: tracker gave nothing: "}},
		{name: "failing", file: "command: tracker\nargs: [failing]\n" + tools,
			script: []step{find, search, {Answer: nothingRecorded()}},
			want:   []string{"Not recorded", "caveat: mcp__tracker__find gave nothing: find"}},
		{name: "a slow start", file: "command: tracker\nargs: [mute]\ntimeout: 1s\n" + tools,
			script: []step{search, {Answer: nothingRecorded()}},
			want:   []string{"Not recorded", "caveat: tracker gave nothing: it did not start within 1s"}},
		{name: "a slow call", file: "command: tracker\nargs: [slow]\ntimeout: 1s\n" + tools,
			script: []step{find, search, {Answer: nothingRecorded()}},
			want:   []string{"Not recorded", "caveat: mcp__tracker__find gave nothing: it took longer than 1s"}},
	}
}

// TestProvider: a model asks a server of the user's or of a plugin's, once that is allowed,
// by process and by address, and what it returned is a source; one that fails costs itself
// only.
func TestProvider(t *testing.T) {
	t.Parallel()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		line, err := bufio.NewReader(r.Body).ReadBytes('\n')
		if reply := trackerReply(line, ""); reply != nil && (err == nil || len(line) > 0) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(reply)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	}))
	t.Cleanup(web.Close)
	for _, backend := range backends() {
		d := newDesk(t)
		for _, tt := range providerCases(web.URL) {
			if backend == "claude" && (strings.Contains(tt.name, "slow") || tt.name == "an address") {
				continue // that is the program's part
			}
			t.Run(backend+"/"+tt.name, func(t *testing.T) {
				d := *d
				d.tb = t
				name := d.defineProvider(tt.file, tt.plugin)
				m := d.withModel(t, backend, "", tt.script)
				if !tt.forbidden {
					if r := d.run("", "provider", "allow", name); r.code != 0 {
						t.Fatal(r.out + r.err)
					}
				}
				r := d.run("", "ask", "--agent", "did anybody want Redis back?")
				for _, want := range tt.want {
					if !strings.Contains(r.out, want) {
						t.Errorf("%q is not in\n%s%s", want, r.out, r.err)
					}
				}
				if tt.lacks != "" && strings.Contains(r.out, tt.lacks) {
					t.Errorf("%q is in\n%s", tt.lacks, r.out)
				}
				if backend != "claude" && strings.Contains(m.sent[0], "Tickets begin with REL.") == tt.forbidden {
					t.Errorf("what the provider says to the model: %s", m.sent[0])
				}
				if id := regexp.MustCompile(`mcp:tracker:find:[0-9a-f]{12}`).FindString(r.out); strings.Contains(tt.want[0],
					citesFind) {
					shown := d.run("", "show", id)
					if !strings.Contains(shown.out, "Customers asked for Redis back") || strings.Contains(shown.out, "R8vK2mQ9") {
						t.Errorf("it shows %s%s", shown.out, shown.err)
					}
				}
			})
		}
	}
}

// TestHostileProvider: a server does not run in the repository, a tool that no model would
// take is left out, no piece of a secret is kept, and a citation can't be made in two steps.
func TestHostileProvider(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	name := d.defineProvider("command: tracker\nargs: [odd]\nallowed_tools: [find, get]\n", "")
	m := d.withModel(t, "openai", "", []step{
		{Call: "mcp__tracker__find", Args: map[string]any{}},
		answering(claiming("Customers asked for Redis back, and sales said no [g[git:x]it:commit:abcdef].",
			"mcp:tracker:find", "Customers asked for Redis back")),
	})
	d.run("", "provider", "allow", name)
	r := d.run("", "ask", "--agent", "did anybody want Redis back?")
	if n := strings.Count(m.sent[0], `"name":"mcp__tracker__find"`); n != 1 ||
		strings.Contains(m.sent[0], "mcp__tracker__get\",") {
		t.Errorf("find is offered %d times, or get: %s", n, m.sent[0])
	}
	shown := d.run("", "show", regexp.MustCompile(`mcp:tracker:find:[0-9a-f]{12}`).FindString(r.out)).out
	if !strings.Contains(shown, "Customers asked") || strings.Contains(shown, "runs in "+d.repo) ||
		strings.Contains(shown, "ghp_") || strings.Contains(r.out, "git:commit:abc") {
		t.Errorf("%s\n%.300s … %.300s", r.out, shown, shown[max(0, len(shown)-300):])
	}
	if !strings.Contains(r.out, "caveat: mcp__tracker__get gave nothing: its arguments are no object") {
		t.Errorf("a tool is left out in silence: %s", r.out)
	}
}

// TestProviderRanked: a provider that was cited is named to the model first the next time, and one that was too slow
// gets half the time, until it gives something again.
func TestProviderRanked(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const slow, works = "command: tracker\nargs: [slow]\ntimeout: 2s\nallowed_tools: [find]\n",
		"command: tracker\ntimeout: 40s\nallowed_tools: [find]\n"
	minute := 0
	asked := func(def string, script ...step) (out, first string) {
		t.Helper()
		minute++
		d.env = append(d.env, fmt.Sprintf("GITMEM_TEST_NOW=2026-11-20T12:%02d:00Z", minute))
		d.defineProvider(def, "")
		d.write("home/.claude/gitmem/providers/archive.md",
			"---\ncommand: tracker\nallowed_tools: [find]\n---\nOld tickets.\n")
		m := d.withModel(t, "openai", "", script)
		for _, name := range []string{"tracker", "archive"} {
			if r := d.run("", "provider", "allow", name); r.code != 0 {
				t.Fatal(r.out + r.err)
			}
		}
		return d.run("", "ask", "--agent", "did anybody want Redis back?").out, m.requests()[0]
	}
	find, nothing := step{Call: "mcp__tracker__find", Args: map[string]any{}}, step{Answer: nothingRecorded()}
	look := step{Call: "memory_list_layers", Args: map[string]any{}}
	for i, want := range []string{"longer than 2s", "longer than 1s", "longer than 1s"} {
		out, sent := asked(slow, find, look, nothing)
		if !strings.Contains(out, want) || strings.Index(sent, "Tools of archive") > strings.Index(sent, "Tools of tracker") {
			t.Errorf("%d: not %q: %s", i, want, out)
		}
	}
	out, _ := asked(works, find,
		answering(claiming("Customers asked for Redis back.", "mcp:tracker:find", "Customers asked for Redis back")))
	if !strings.Contains(out, "back. [mcp:tracker:find:") {
		t.Error(out)
	}
	out, sent := asked(slow, find, look, nothing)
	if !strings.Contains(out, "longer than 2s") || strings.Index(sent, "Tools of archive") < strings.Index(sent,
		"Tools of tracker") {
		t.Errorf("%s\n%s", out, sent)
	}
}

// defineProvider writes the definition of the only provider, and returns its name.
func (d *desk) defineProvider(file, plugin string) string {
	for _, f := range []string{"gitmem/providers", "plugins"} {
		d.check(os.RemoveAll(filepath.Join(d.home, ".claude", f)))
	}
	if file != "" {
		d.write("home/.claude/gitmem/providers/tracker.md", "---\n"+file+"---\nTickets begin with REL.\n")
		return "tracker"
	}
	d.write("plugin/han-plugin.yml", plugin)
	d.write("home/.claude/plugins/installed_plugins.json",
		fmt.Sprintf(`{"version":2,"plugins":{"tickets@acme":[{"installPath":%q}]}}`,
			filepath.Join(filepath.Dir(d.repo), "plugin")))
	return "tickets@acme"
}

// TestPublishedProvider: a server that others published, a graph of notes whose command
// GITMEM_PROVIDER names, is asked over each way to a model.
func TestPublishedProvider(t *testing.T) {
	t.Parallel()
	command := strings.Fields(os.Getenv("GITMEM_PROVIDER"))
	if len(command) == 0 {
		t.Skip("GITMEM_PROVIDER names no server")
	}
	for _, backend := range backends() {
		d := newDesk(t)
		graph := filepath.Join(filepath.Dir(d.repo), "graph.jsonl")
		d.write("graph.jsonl",
			`{"type":"entity","name":"REL-7","entityType":"ticket","observations":["Customers asked for Redis back, and sales `+
				`said no."]}`+"\n")
		d.write("home/.claude/gitmem/providers/graph.md",
			fmt.Sprintf("---\ncommand: env\nargs: [MEMORY_FILE_PATH=%s, %s]\nallowed_tools: [search_nodes]\n---\n", graph,
				strings.Join(command, ", ")))
		d.withModel(t, backend, "", []step{
			{Call: "mcp__graph__search_nodes", Args: map[string]any{"query": "REL"}},
			{Call: "mcp__graph__create_entities",
				Args: map[string]any{"entities": []any{map[string]any{"name": "written", "entityType": "x",
					"observations": []string{}}}}},
			answering(claiming("Customers asked for Redis back.", "mcp:graph:search_nodes", "Customers asked for Redis back")),
		})
		d.run("", "provider", "allow", "graph")
		r := d.run("", "ask", "--agent", "did anybody want Redis back?")
		if !strings.Contains(r.out, "Customers asked for Redis back. [mcp:graph:search_nodes:") {
			t.Errorf("%s: %s%s", backend, r.out, r.err)
		}
		if b, err := os.ReadFile(graph); err != nil || strings.Contains(string(b), "written") {
			t.Errorf("%s: a tool that is not allowed wrote %s (%v)", backend, b, err)
		}
	}
}
