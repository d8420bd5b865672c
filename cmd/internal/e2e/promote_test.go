//go:build e2e && linux

package e2e_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/cmd/internal/e2e"
)

// TestPromoted: the client loads a merged rule for a matching file, and only then.
func TestPromoted(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.write(filepath.Join(d.project, "pump.go"), "package pump\n")
	d.run(d.project, "git", "update-ref", "refs/remotes/origin/main", "HEAD")
	const rule = "Log with slog in the pump"
	out := d.gitmem("promote", "--offline", "--yes", "--domain", "go", "--paths", "**/*.go", rule)
	_, branch, _ := strings.Cut(strings.SplitN(out, "\n", 2)[0], " on the branch ")
	d.run(d.project, "git", "merge", "--quiet", branch)
	m := e2e.NewModel(
		e2e.Call("Read", map[string]any{"file_path": filepath.Join(d.project, "README.md")}),
		e2e.Call("Read", map[string]any{"file_path": filepath.Join(d.project, "pump.go")}),
		e2e.Say("Read."),
	)
	d.ask(m, "Look at the pump")
	all := m.Requests()
	for i, want := range []bool{false, false, true} {
		if got := strings.Contains(string(all[i].Body), rule); got != want {
			t.Errorf("request %d: the rule is there: %v, want %v", i+1, got, want)
		}
	}
	if answer := d.gitmem("ask", "how do we log in the pump?"); !strings.HasPrefix(strings.TrimSpace(answer),
		"- Go [rules:.claude/rules/go.md#go]\n  > "+rule) {
		t.Errorf("the answer: %s", answer)
	}
}
