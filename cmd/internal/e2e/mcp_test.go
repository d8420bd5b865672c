//go:build e2e && linux

package e2e_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/cmd/internal/e2e"
)

// TestTools: the model calls the memory tools, and its next request contains the text.
func TestTools(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.write(filepath.Join(d.project, "valve.md"), "Valves are of bronze.\n")
	d.run(d.project, "git", "add", "--all")
	d.run(d.project, "git", "commit", "--quiet", "--message",
		"Use bronze valves for the inlet\n\nPlastic valves leaked in the first frost, and bronze ones did not.")
	d.install()
	if list := d.client("mcp", "list"); !strings.Contains(list, "Connected") {
		t.Errorf("the client lists the server so:\n%s", list)
	}
	m := e2e.NewModel(
		e2e.Call("mcp__gitmem__memory_search", map[string]any{"queries": []string{"bronze valve", "plastic leaked frost"}}),
		e2e.Call("mcp__gitmem__memory", map[string]any{"question": "Why do we use bronze valves for the inlet?"}),
		e2e.Say("Since plastic leaked."),
	)
	d.ask(m, "--allowedTools", "mcp__gitmem__memory", "--", "What are our valves of?") // install allows the others
	all := m.Requests()
	if len(all) != 3 {
		t.Fatalf("%d requests", len(all))
	}
	d.told(all[0], "MCP Server Instructions", "what the files on disk do not say")
	for _, tool := range []string{"memory", "memory_search", "memory_show", "memory_why"} {
		if !strings.Contains(string(all[0].Body), `"name":"mcp__gitmem__`+tool+`"`) {
			t.Errorf("the model is not offered %s", tool)
		}
	}
	for i, want := range []string{"1. Use bronze valves for the inlet [git:commit:", "verdict: answered"} {
		if last := all[i+1].Last(); !strings.Contains(last, want) ||
			!strings.Contains(last, "Plastic valves leaked in the first frost") {
			t.Errorf("request %d does not hold %q:\n%s", i+1, want, last)
		}
	}
	d.gitmem("uninstall")
	if list := d.client("mcp", "list"); strings.Contains(list, "gitmem") {
		t.Errorf("after uninstall the client lists:\n%s", list)
	}
}
