//go:build e2e && linux

package e2e_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/cmd/internal/e2e"
)

// TestTerminal simulates a day with a person: work, a cleared conversation, a compacted one, and the end.
func TestTerminal(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	m := e2e.NewModel(
		e2e.Call("Bash", map[string]any{"command": "echo measured 7 ampere", "description": "Measure"}),
		e2e.Say(firstWords),
		e2e.Say("The coil is renamed in the driver; next step is to rename it in its tests."),
	)
	m.Rule(e2e.Rule{Contains: "detailed summary", Turn: e2e.Say("<summary>" + summary + "</summary>")})
	term := d.open(m)
	term.typed(firstPrompt)
	term.said("ten ampere relay")
	term.typed("/clear")
	d.archived("Choose a relay for the water pump")
	term.typed("Rename the coil everywhere and keep the tests green")
	term.said("next step is to rename")
	d.told(m.Requests()[2], "SessionStart hook additional context", "Choose a relay for the water pump")
	term.typed("/compact")
	d.await("a compacted conversation", func() bool { return strings.Contains(term.text(), "ompacted") })
	term.typed("/exit")
	term.left()
	d.archived("Rename the coil everywhere")
	if archive := d.committed(); !strings.Contains(archive, "sessions/") {
		t.Errorf("the archive is not committed:\n%s", archive)
	}
	if kept := d.files("sessions") + d.files("observations"); !strings.Contains(kept, summary) {
		t.Errorf("the summary of the compacted conversation is not kept:\n%s", kept)
	}
	d.ran("session-start", "post-tool-use", "stop", "pre-compact", "post-compact", "session-end")
}
