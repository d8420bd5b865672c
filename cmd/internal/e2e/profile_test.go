//go:build e2e && linux

package e2e_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/cmd/internal/e2e"
)

// TestPreference: a preference that a person states in one session is in the request and in the shell of the
// next one, in another project too.
func TestPreference(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	term := d.open(e2e.NewModel(e2e.Say("Noted. I use Deno myself."), e2e.Say("Yes.")))
	term.typed("Let us plan the water pump. I prefer Bun over npm, and I'm a backend dev")
	term.turns(1)
	// The client may write a prompt only after the hook of its turn; the hook of the next turn reads it.
	term.typed("Go on with the plan of the pump")
	term.turns(2)
	term.typed("/exit")
	term.left()
	d.archived("Let us plan the water pump")
	d.committed()
	if got := d.gitmem("profile", "get", "codePreferences"); got != "Bun\n" {
		t.Errorf("the profile has %q", got)
	}
	other := filepath.Join(d.home, "work", "other")
	d.write(filepath.Join(other, "README.md"), "Another one.\n")
	d.run(other, "git", "init", "--quiet")
	m := e2e.NewModel(
		e2e.Call("Bash", map[string]any{"command": `echo "told: $GITMEM_ROLE, $GITMEM_STACKS"`,
			"description": "Print the variables"}),
		e2e.Say("Done."),
	)
	d.askIn(other, m, "Set the other thing up")
	requests := m.Requests()
	d.told(requests[0], "codePreferences.preferredStacks: Bun", "work.role: backend developer")
	d.told(requests[1], "told: backend developer, Bun")
	if log := d.gitmem("profile", "log"); strings.Count(log, "set ") != 2 {
		t.Errorf("the log has\n%s", log)
	}
}
