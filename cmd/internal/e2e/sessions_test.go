//go:build e2e && linux

package e2e_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gitmem/gitmem/cmd/internal/e2e"
)

const (
	firstPrompt = "Choose a relay for the water pump and wire it into the firmware"
	firstWords  = "We decided to use the ten ampere relay because the pump draws seven ampere at the start."
)

// firstSession returns a session with a thought, tool calls, one of which fails, and a decision.
func firstSession(dir string) []e2e.Turn {
	return []e2e.Turn{
		{Blocks: []e2e.Block{{Thinking: "The pump's current decides."}, {Text: "I measure first."},
			{Tool: "Bash", Input: map[string]any{"command": "echo measured 7 ampere", "description": "Measure"}}}},
		e2e.Call("Bash", map[string]any{"command": "echo no such relay >&2; exit 3", "description": "Look the relay up"}),
		e2e.Call("Write", map[string]any{"file_path": dir + "/relay.c", "content": "int relay = 10;\n"}),
		e2e.Say(firstWords),
	}
}

func TestSession(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	m := e2e.NewModel(firstSession(d.project)...)
	got := d.ask(m, firstPrompt)
	if got.Result != firstWords || m.Left() != 0 {
		t.Fatalf("the client says %q, %d turns are left", got.Result, m.Left())
	}
	requests := m.Requests()
	d.told(requests[0], firstPrompt)

	d.archived("Choose a relay for the water pump")
	log := d.committed()
	observed := d.files("observations")
	for _, want := range []string{
		"Bash ok · in: echo measured 7 ampere · out: measured 7 ampere",
		"Bash failed · in: echo no such relay >&2; exit 3",
		"Write ok · wrote: relay.c",
	} {
		if !strings.Contains(observed, want) {
			t.Errorf("the log lacks %q:\n%s", want, observed)
		}
	}
	archive := d.files("sessions")
	for _, want := range []string{"session: " + got.Session, "ten ampere relay", "relay.c",
		"forge.example.org/acme/pump"} {
		if !strings.Contains(archive, want) {
			t.Errorf("the archive lacks %q:\n%s", want, archive)
		}
	}
	if !strings.Contains(log, "observations/") || !strings.Contains(log, "sessions/") {
		t.Errorf("log and archive are not committed:\n%s", log)
	}
	d.ran("post-tool-use", "post-tool-use-failure", "stop", "session-end")
	if out := d.run(d.project, "git", "status", "--porcelain"); out != "?? relay.c\n" {
		t.Errorf("the project has other changes than the client's:\n%s", out)
	}
}

// TestInjected: what memory contains about a prompt is in the request to the model, once, and nothing is
// injected if nothing matches. The person sees one line of it.
func TestInjected(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	const why = "Plastic valves leaked in the first frost, and bronze ones did not."
	d.write(filepath.Join(d.project, "valve.md"), "Valves are of bronze.\n")
	d.run(d.project, "git", "add", "--all")
	d.run(d.project, "git", "commit", "--quiet", "--message", "Use bronze valves for the inlet\n\n"+why)
	d.gitmem("index")
	m := e2e.NewModel(e2e.Say("Since plastic leaked."), e2e.Say("As I said."))
	got := d.ask(m, "Why did we choose bronze valves for the inlet?")
	first := m.Requests()[0]
	d.told(first, "UserPromptSubmit hook additional context", "bronze", "[git:commit:")
	if n := strings.Count(first.Conversation(), "UserPromptSubmit hook additional context"); n != 1 {
		t.Errorf("memory is told %d times", n)
	}
	d.notTold(first, "gitmem: recalled") // the line for the person
	const shown = `"type":"hook_system_message","content":"gitmem: recalled 1 passage: commit `
	if names, err := filepath.Glob(d.config("projects", "*", got.Session+".jsonl")); err != nil || len(names) != 1 ||
		!strings.Contains(d.read(names[0]), shown) {
		t.Errorf("the person is shown no line of what was recalled: %v, %v", names, err)
	}
	d.ask(m, "--resume", got.Session, "And once more, why bronze valves for the inlet?")
	if n := strings.Count(m.Requests()[1].Conversation(), "UserPromptSubmit hook additional context"); n != 1 {
		t.Errorf("after the second prompt memory is told %d times", n)
	}
	d.ran("user-prompt-submit")

	other := e2e.NewModel()
	d.ask(other, "Please translate the word butterfly into Portuguese and Finnish")
	d.notTold(other.Requests()[0], "UserPromptSubmit hook additional context")
}

// TestSecondSession: it gets the results of the first.
func TestSecondSession(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	d.ask(e2e.NewModel(firstSession(d.project)...), firstPrompt)
	d.archived("ten ampere relay")
	m := e2e.NewModel(e2e.Say("Good."))
	got := d.ask(m, "Hello there, let us go on")
	d.told(m.Requests()[0], "SessionStart hook additional context", "Choose a relay for the water pump")
	d.ran("session-start")

	// A resumed conversation does not get the same text again.
	d.ask(m, "--resume", got.Session, "go on")
	last := m.Requests()[len(m.Requests())-1]
	if n := strings.Count(last.Conversation(), "SessionStart hook additional context"); n != 1 {
		t.Errorf("the resumed session is told %d times what was before it:\n%s", n, last.Conversation())
	}
}

// TestTwoAtOnce: two concurrent sessions in one project, which overlap at the end of either.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	both := make(chan struct{})
	models := []*e2e.Model{}
	prompts := []string{"Measure the pressure behind the valve", "Paint the housing of the pump in blue"}
	var work sync.WaitGroup
	for i, prompt := range prompts {
		m := e2e.NewModel(
			e2e.Call("Bash", map[string]any{"command": fmt.Sprintf("echo session %d", i), "description": "Work"}),
			e2e.Turn{Blocks: e2e.Call("Bash", map[string]any{"command": fmt.Sprintf("echo more %d", i),
				"description": "Work on"}).Blocks, Wait: both},
			e2e.Say(fmt.Sprintf("We decided that part %d of the pump gets its own drawing.", i)),
		)
		models = append(models, m)
		work.Go(func() {
			if _, err := d.tryIn(d.project, m, prompt); err != nil {
				t.Error(err)
			}
		})
	}
	d.await("both sessions at work", func() bool { return len(models[0].Requests()) > 1 && len(models[1].Requests()) > 1 })
	close(both)
	work.Wait()
	for i, prompt := range prompts {
		d.archived(prompt)
		d.archived(fmt.Sprintf("part %d of the pump", i))
	}
	d.committed()
	logs := d.files("observations")
	for _, want := range []string{"echo session 0", "echo session 1", "echo more 0", "echo more 1"} {
		if strings.Count(logs, "in: "+want) != 1 {
			t.Errorf("%q is not in the logs once:\n%s", want, logs)
		}
	}
	d.run(d.config(), "git", "fsck", "--strict")
	d.ran("post-tool-use", "stop", "session-end")
}

// TestResumed: a session that continues gets one more section, with the new text.
func TestResumed(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	m := e2e.NewModel(e2e.Say(firstWords),
		e2e.Say("We decided to fuse the line with sixteen ampere because the cable is thin."))
	first := d.ask(m, firstPrompt)
	d.archived("ten ampere relay")
	again := d.ask(m, "--resume", first.Session, "Choose a fuse for the line of the pump, too")
	if again.Session != first.Session {
		t.Errorf("the session %s goes on as %s", first.Session, again.Session)
	}
	d.archived("sixteen ampere")
	archive := d.files("sessions")
	if id := first.Session[:8]; strings.Count(archive, "^s-"+id) != 2 ||
		!strings.Contains(archive, "(continued) ^s-"+id+"-2") {
		t.Errorf("the continuation has no section of its own:\n%s", archive)
	}
	if n := strings.Count(archive, "[decision] We decided to use the ten ampere relay"); n != 1 {
		t.Errorf("the first decision is archived %d times:\n%s", n, archive)
	}
	d.committed()
}

// TestForked: a conversation that continues under a new id.
func TestForked(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	m := e2e.NewModel(e2e.Say(firstWords),
		e2e.Say("We decided to fuse the line with sixteen ampere because the cable is thin."))
	first := d.ask(m, firstPrompt)
	d.archived("ten ampere relay")
	fork := d.ask(m, "--resume", first.Session, "--fork-session", "Choose a fuse for the line of the pump, too")
	if fork.Session == first.Session {
		t.Fatal("the client made no fork")
	}
	d.archived("sixteen ampere")
	archive := d.files("sessions")
	if n := strings.Count(archive, "[decision] We decided to use the ten ampere relay"); n != 1 {
		t.Errorf("what the fork shares with its origin is archived %d times:\n%s", n, archive)
	}
	d.committed()
	today := d.gitmem("ask", "what did we do today?")
	if strings.Count(today, firstPrompt) != 1 || strings.Contains(today, "2 prompts") {
		t.Errorf("what the fork shares with its origin is told twice:\n%s", today)
	}
	if n := strings.Count(d.files("observations"), "answer · said: "+firstWords); n != 1 {
		t.Errorf("an answer that the fork shares with its origin is logged %d times", n)
	}
	if told := d.gitmem("ask", "which relay does the pump use?"); strings.Count(told, "[transcript:") > 1 {
		t.Errorf("a record that the fork shares with its origin is cited twice:\n%s", told)
	}
}
