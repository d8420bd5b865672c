//go:build e2e && linux

package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/cmd/internal/e2e"
)

// providerVar is the variable with the command of a published server, a graph of notes; words are separated
// by spaces.
const providerVar = "GITMEM_PROVIDER"

// TestAgentProvider: the client's model calls a published server that the user allowed, and can't call tools
// that are not in the definition.
func TestAgentProvider(t *testing.T) {
	t.Parallel()
	command := strings.Fields(os.Getenv(providerVar))
	if len(command) == 0 {
		t.Skipf("%s names no server", providerVar)
	}
	d := newDesk(t)
	graph := filepath.Join(d.project, "graph.jsonl")
	d.write(graph, `{"type":"entity","name":"REL-7","entityType":"ticket","observations":["Customers asked for plastic `+
		`valves, and sales said no."]}`+"\n")
	d.write(d.config("gitmem", "local.yaml"), "agent: {backend: claude, model: "+theModel+"}\n")
	d.write(d.config("gitmem", "providers", "graph.md"),
		fmt.Sprintf("---\ncommand: env\nargs: [MEMORY_FILE_PATH=%s, %s]\nallowed_tools: [search_nodes]\n---\n"+
			"Tickets are nodes.\n", graph, strings.Join(command, ", ")))
	d.run(d.project, os.Getenv(gitmemVar), "provider", "allow", "graph")
	if err := os.MkdirAll(d.config("tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	m := e2e.NewModel(
		e2e.Call("mcp__graph__search_nodes", map[string]any{"query": "REL"}),
		e2e.Call("mcp__graph__create_entities",
			map[string]any{"entities": []any{map[string]any{"name": "written", "entityType": "x", "observations": []string{}}}}),
		e2e.Call("StructuredOutput", map[string]any{"recorded": true, "confidence": "high", "claims": []any{
			map[string]any{"text": "Customers asked for plastic valves.",
				"citations": []any{map[string]string{"source": "mcp:graph:search_nodes",
					"excerpt": "Customers asked for plastic valves"}}},
		}}),
		e2e.Say("Done."),
	)
	c := exec.Command(os.Getenv(gitmemVar), "ask", "--agent", "Did anybody want plastic valves?")
	c.Dir, c.Env = d.project, append(d.clientEnv(m), "PATH="+filepath.Dir(os.Getenv(clientVar))+":"+os.Getenv("PATH"))
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Customers asked for plastic valves. [mcp:graph:search_nodes:") {
		t.Errorf("%v\n%s", err, out)
	}
	if first := string(m.Requests()[0].Body); !strings.Contains(first, "Tickets are nodes.") {
		t.Errorf("the model is not told of the provider: %.3000s", first)
	}
	if b, err := os.ReadFile(graph); err != nil || strings.Contains(string(b), "written") {
		t.Errorf("a tool that is not allowed wrote %s (%v)", b, err)
	}
}

// TestAgent: the client itself is the backend. Its model only gets the data access tools, calls one, and
// answers in the required form.
func TestAgent(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const why = "Plastic valves leaked in the first frost, and bronze ones did not."
	d.write(filepath.Join(d.project, "valve.md"), "Valves are of bronze.\n")
	d.run(d.project, "git", "add", "--all")
	d.run(d.project, "git", "commit", "--quiet", "--message", "Use bronze valves for the inlet\n\n"+why)
	commit := "git:commit:" + strings.TrimSpace(d.run(d.project, "git", "rev-parse", "HEAD"))
	d.write(d.config("gitmem", "local.yaml"), "agent: {backend: claude, model: "+theModel+"}\n")
	if err := os.MkdirAll(d.config("tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	m := e2e.NewModel(
		e2e.Call("mcp__gitmem__memory_search_with_fallbacks", map[string]any{"query": "bronze valves inlet"}),
		e2e.Call("Bash", map[string]any{"command": "touch " + filepath.Join(d.project, "written")}),
		e2e.Call("StructuredOutput", map[string]any{"recorded": true, "confidence": "high", "claims": []any{
			map[string]any{"text": "Plastic valves leaked in the frost.",
				"citations": []any{map[string]string{"source": commit, "excerpt": why}}},
			map[string]any{"text": "Copper was too dear.",
				"citations": []any{map[string]string{"source": commit, "excerpt": "Copper is dear."}}},
		}}),
		e2e.Say("Done."),
	)
	c := exec.Command(os.Getenv(gitmemVar), "ask", "--agent", "Why are our valves of bronze?")
	c.Dir = d.project
	c.Env = append(d.clientEnv(m), "PATH="+filepath.Dir(os.Getenv(clientVar))+":"+os.Getenv("PATH"))
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"Plastic valves leaked in the frost. [" + commit[:23] + "]", "cut: Copper was too dear.",
		"verdict: answered, medium confidence (by claude"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if len(m.Requests()) == 0 {
		t.Fatal("the model was not asked")
	}
	first := m.Requests()[0]
	tools := regexp.MustCompile(`"name":"(mcp__[a-z_]*|[A-Z][A-Za-z]*)"`).FindAllStringSubmatch(string(first.Body), -1)
	for _, tool := range tools {
		if name := tool[1]; !strings.HasPrefix(name, "mcp__gitmem__memory_") && name != "mcp__gitmem__search_blueprints" &&
			name != "StructuredOutput" && name != "ToolSearch" {
			t.Errorf("the model is offered %s", name)
		}
	}
	if _, err := os.Stat(filepath.Join(d.project, "written")); err == nil {
		t.Error("the model wrote a file")
	}
	if strings.Contains(d.traces(), "session-start") {
		t.Error("the model's own session ran hooks")
	}
}
