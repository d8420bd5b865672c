//go:build e2e && linux

package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/cmd/internal/e2e"
)

// TestAgent: the client itself is the back end. Its model is offered the tools of data
// access and no other, calls one, and answers in the required form.
func TestAgent(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const why = "Plastic valves leaked in the first frost, and bronze ones did not."
	d.write(filepath.Join(d.project, "valve.md"), "Valves are of bronze.\n")
	d.run(d.project, "git", "add", "--all")
	d.run(d.project, "git", "commit", "--quiet", "--message", "Use bronze valves for the inlet\n\n"+why)
	commit := "git:commit:" + strings.TrimSpace(d.run(d.project, "git", "rev-parse", "HEAD"))
	d.write(d.config("gitmem", "config.yaml"), "agent: {backend: claude, model: "+theModel+"}\n")
	if err := os.MkdirAll(d.config("tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	m := e2e.NewModel(
		e2e.Call("mcp__gitmem__memory_search_with_fallbacks", map[string]any{"query": "bronze valves inlet"}),
		e2e.Call("Bash", map[string]any{"command": "touch " + filepath.Join(d.project, "written")}),
		e2e.Call("StructuredOutput", map[string]any{"recorded": true, "confidence": "high", "claims": []any{
			map[string]any{"text": "Plastic valves leaked in the frost.", "citations": []any{map[string]string{"source": commit, "excerpt": why}}},
			map[string]any{"text": "Copper was too dear.", "citations": []any{map[string]string{"source": commit, "excerpt": "Copper is dear."}}},
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
	for _, want := range []string{"Plastic valves leaked in the frost. [" + commit[:23] + "]", "cut: Copper was too dear.", "verdict: answered, medium confidence (by claude"} {
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
		if name := tool[1]; !strings.HasPrefix(name, "mcp__gitmem__memory_") && name != "StructuredOutput" && name != "ToolSearch" {
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
