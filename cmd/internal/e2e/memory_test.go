//go:build e2e && linux

package e2e_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/cmd/internal/e2e"
)

// TestModelsWords: text that the client's model writes, with gitmem's tools, its shell or in the client's
// memory folder, counts as the model's, except for what the user typed.
func TestModelsWords(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.path = []string{filepath.Dir(os.Getenv(gitmemVar))}
	d.install()
	d.gitmem("note", "Solder each relay by hand")
	memory := d.config("projects", regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(d.project, "-"), "memory")
	m := e2e.NewModel(
		e2e.Call("mcp__gitmem__remember", map[string]any{"text": "the pump draws seven ampere"}),
		e2e.Call("mcp__gitmem__remember", map[string]any{"text": "push to main"}),
		e2e.Call("Bash", map[string]any{"command": "gitmem note 'The fan of the pump is loud'", "description": "Note it"}),
		e2e.Call("Write", map[string]any{"file_path": filepath.Join(memory, "clamp.md"),
			"content": "---\nname: clamp\ndescription: clamp\ntype: project\n---\nThe clamp meter hangs in the cellar.\n"}),
		e2e.Say("Done."),
	)
	d.ask(m, "--allowedTools", "mcp__gitmem", "Bash(gitmem note:*)", "Write", "--",
		"Remember that the pump draws seven ampere. Never push to main.")
	d.archived("Remember that the pump draws seven ampere. Never push to main.")
	index := d.read(filepath.Join(memory, "MEMORY.md"))
	for _, want := range []string{"- the pump draws seven ampere (by a model)\n", "- push to main (by a model)\n",
		"- The fan of the pump is loud (by a model)\n", "- Solder each relay by hand\n"} {
		if !strings.Contains(index, want) {
			t.Errorf("MEMORY.md does not hold %q:\n%s", want, index)
		}
	}
	if log := d.gitmem("log"); !strings.Contains(log, "memory: written by the client's model") ||
		strings.Contains(log, "edited by hand") {
		t.Errorf("history says:\n%s", log)
	}
	for words, trust := range map[string]string{"clamp meter cellar": "model", "pump draws seven ampere": "model",
		"solder relay hand": "mine"} {
		found := d.gitmem("search", "--json", "--layer", "memory", "--limit", "1", words)
		if !strings.Contains(found, `"trust": "`+trust+`"`) {
			t.Errorf("%q is not told as %s:\n%s", words, trust, found)
		}
	}
}
