//go:build e2e && linux

package e2e_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gitmem/gitmem/cmd/internal/e2e"
)

// TestSubagent: the work of a subagent belongs to its session. The client starts it in the background, ends
// the turn, and begins another one when it has an answer.
func TestSubagent(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	m := e2e.NewModel(
		e2e.Call("Agent", map[string]any{"description": "Look for relays", "prompt": "Look for relays in the yard",
			"subagent_type": "general-purpose"}),
		e2e.Say("I wait for it."),
		e2e.Say("We decided to order a relay because there is none."),
	)
	m.Rule(e2e.Rule{Contains: "relays in the yard",
		Turn: e2e.Call("Bash", map[string]any{"command": "echo from the subagent", "description": "Look"})})
	m.Rule(e2e.Rule{Contains: "from the subagent", Turn: e2e.Say("The yard has none.")})
	got := d.ask(m, "Let somebody look for relays in this project, then decide")
	if m.Left() != 0 {
		t.Fatalf("%d turns are left, the client says %q", m.Left(), got.Result)
	}
	d.archived("Let somebody look for relays")
	d.archived("order a relay")
	d.committed()
	if logs := d.files("observations"); !strings.Contains(logs, "in: echo from the subagent") {
		t.Errorf("the subagent's call is not in the log:\n%s", logs)
	}
	if n := strings.Count(d.files("sessions"), "\n## "); n != 1 {
		t.Errorf("one session with a subagent has %d sections:\n%s", n, d.files("sessions"))
	}
	d.ran("post-tool-use", "stop", "subagent-stop", "session-end")
}

const summary = "The coil was renamed everywhere but in the tests of the driver."

// TestCompacted: the client's summary of a long conversation is stored.
func TestCompacted(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	m := e2e.NewModel(e2e.Say(firstWords),
		e2e.Say("We decided to fuse the line with sixteen ampere because the cable is thin."))
	m.Rule(e2e.Rule{Contains: "detailed summary", Turn: e2e.Say("<summary>" + summary + "</summary>")})
	got := d.ask(m, firstPrompt)
	d.ask(m, "--resume", got.Session, "/compact")
	d.ask(m, "--resume", got.Session, "Choose a fuse for the line of the pump, too")
	d.archived("sixteen ampere")
	d.committed()
	if kept := d.files("sessions") + d.files("observations"); !strings.Contains(kept, summary) {
		t.Errorf("the summary is not kept:\n%s", kept)
	}
	if n := strings.Count(d.files("sessions"), "[decision] We decided to use the ten ampere relay"); n != 1 {
		t.Errorf("the first decision is archived %d times:\n%s", n, d.files("sessions"))
	}
	d.ran("pre-compact", "post-compact")
}

// TestKilled: a client that is killed while working runs no hook; the next session archives its work.
func TestKilled(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	m := e2e.NewModel(
		e2e.Turn{Blocks: []e2e.Block{{Text: firstWords},
			{Tool: "Bash", Input: map[string]any{"command": "echo measured 7 ampere", "description": "Measure"}}}},
		e2e.Turn{Wait: never},
	)
	c := d.command(t.Context(), d.project, m, firstPrompt)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	d.await("the client's second request", func() bool { return len(m.Requests()) == 2 })
	d.await("the reply in the transcript", func() bool { // the client writes it independently of its requests
		files, err := filepath.Glob(d.config("projects", "*", "*.jsonl"))
		return err == nil && len(files) == 1 && strings.Contains(d.read(files[0]), "ten ampere relay")
	})
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err == nil {
		t.Fatal("the client ended well")
	}
	if archive := d.files("sessions"); strings.Contains(archive, "\n## ") {
		t.Fatalf("the killed session is archived too early:\n%s", archive)
	}
	next := e2e.NewModel(e2e.Say("Good."), e2e.Say("Better."))
	d.ask(next, "Hello there, let us go on with something else")
	d.archived("Choose a relay for the water pump")
	d.archived("ten ampere relay")
	d.committed()
	if n := strings.Count(d.files("sessions"), "## Choose a relay"); n != 1 {
		t.Errorf("the killed session has %d sections:\n%s", n, d.files("sessions"))
	}
	if logs := d.files("observations"); !strings.Contains(logs, "in: echo measured 7 ampere") {
		t.Errorf("the log lacks the call of the killed session:\n%s", logs)
	}
	d.ran("session-start")
}

// TestFolders: a project has one memory, whether the client works in its folder, a folder below, a worktree,
// or one with a name in another script.
func TestFolders(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	below := filepath.Join(d.project, "Größe 日本")
	d.write(filepath.Join(below, "a.txt"), "one\n")
	tree := filepath.Join(d.home, "work", "tree é")
	d.run(d.project, "git", "worktree", "add", "--quiet", tree, "-b", "side")
	for dir, part := range map[string]string{below: "below", tree: "beside"} {
		m := e2e.NewModel(
			e2e.Call("Read", map[string]any{"file_path": filepath.Join(d.project, "README.md")}),
			e2e.Say("We decided that the part "+part+" gets a drawing of its own."),
		)
		d.askIn(dir, m, "Draw the part "+part+" of the pump")
		d.archived("Draw the part " + part)
	}
	d.committed()
	kept, err := filepath.Glob(d.config("gitmem", "projects", "*", "*", "*", "sessions"))
	if err != nil || len(kept) != 1 {
		t.Errorf("the sessions of one project lie in %q (%v)", kept, err)
	}
	d.ran("post-tool-use", "stop", "session-end")
}

// TestFaultyModel: the model fails, is slow and disconnects; the session is archived like any other.
func TestFaultyModel(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	m := e2e.NewModel(
		e2e.Turn{Status: 500},
		e2e.Turn{Blocks: e2e.Say("cut").Blocks, Cut: 3},
		e2e.Turn{Blocks: e2e.Call("Bash", map[string]any{"command": "echo measured 7 ampere",
			"description": "Measure"}).Blocks, Pause: poll},
		e2e.Say(firstWords),
	)
	got := d.ask(m, firstPrompt)
	if got.Result != firstWords {
		t.Errorf("the client says %q", got.Result)
	}
	d.archived("ten ampere relay")
	d.committed()
	if n := strings.Count(d.files("observations"), "in: echo measured 7 ampere"); n != 1 {
		t.Errorf("the call is in the log %d times", n)
	}
}

// TestWithoutTranscript: a client that writes no transcript still has its log.
func TestWithoutTranscript(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	d.ask(e2e.NewModel(firstSession(d.project)...), "--no-session-persistence", firstPrompt)
	d.await("the log", func() bool { return strings.Contains(d.files("observations"), "in: echo measured 7 ampere") })
	d.committed()
	d.ran("post-tool-use", "stop", "session-end")
}

// TestPaused: nothing is captured while the person has paused it.
func TestPaused(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	d.gitmem("pause")
	d.ask(e2e.NewModel(firstSession(d.project)...), firstPrompt)
	d.await("the end of gitmem's work", func() bool { return len(d.background()) == 0 })
	if kept := d.files("sessions") + d.files("observations"); strings.Contains(kept, "ampere") {
		t.Errorf("captured while paused:\n%s", kept)
	}
	d.gitmem("resume")
	d.ask(e2e.NewModel(firstSession(d.project)...), firstPrompt)
	d.archived("ten ampere relay")
}
