//go:build e2e && linux

package e2e_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/cmd/internal/e2e"
)

const (
	wrongPrompt = "Should we rewrite the firmware in Rust?"
	wrongWords  = "We decided to rewrite the whole firmware in Rust because C has no borrow checker."
	wrongIdea   = "which embassy version do we pin?"
	wrongAnswer = wrongWords + " Open question: " + wrongIdea
	rightPrompt = "Let us keep the firmware in C and choose a relay"
)

// found is the result of a question or a search.
type found struct {
	Answer string `json:"answer"`
	Hits   []struct {
		ID      string `json:"id"`
		Excerpt string `json:"excerpt"`
		Author  string `json:"author"`
		Trust   string `json:"trust"`
	} `json:"hits"`
}

// notKnown checks that neither the profile nor the project's orders contain any of the words.
func (d *desk) notKnown(words ...string) {
	d.t.Helper()
	known := d.gitmem("profile") + d.files("orders")
	for _, word := range words {
		if strings.Contains(known, word) {
			d.t.Errorf("%s is known of the user:\n%s", word, known)
		}
	}
}

// asked runs a command of gitmem that prints JSON, and may find nothing.
func (d *desk) asked(args ...string) (got found) {
	d.t.Helper()
	c := exec.CommandContext(d.t.Context(), os.Getenv(gitmemVar), append(args, "--json")...)
	c.Dir, c.Env = d.project, d.env()
	out, err := c.Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 4) {
		d.t.Fatalf("gitmem %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	if err := json.Unmarshal(out, &got); err != nil {
		d.t.Fatalf("gitmem %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return got
}

// takenBack checks that wrongAnswer, which was undone, no longer counts: it is not an idea and answers
// nothing, no session gets it, and a search marks it. The text that replaced it counts.
func (d *desk) takenBack() {
	d.t.Helper()
	d.archived(firstWords)
	d.committed()
	for line := range strings.Lines(d.gitmem("ideas")) {
		if (strings.Contains(line, wrongWords) || strings.Contains(line, wrongIdea)) &&
			!strings.Contains(line, "taken back") {
			d.t.Errorf("what was taken back is an idea: %s", line)
		}
	}
	if answer := d.asked("ask", wrongPrompt).Answer; strings.Contains(answer, wrongWords) {
		d.t.Errorf("what was taken back answers a question: %s", answer)
	}
	out := d.gitmem("search", "borrow checker", "--limit", "5")
	if !strings.Contains(out, wrongWords) {
		d.t.Errorf("a search does not find what was taken back:\n%s", out)
	}
	for _, hit := range regexp.MustCompile(`(?m)^\d+\. `).Split(out, -1) {
		if strings.Contains(hit, wrongWords) && !strings.Contains(hit, "taken back") {
			d.t.Errorf("a search does not mark what was taken back: %s", hit)
		}
	}
	m := e2e.NewModel()
	d.ask(m, "Explain the firmware, Rust, and what a borrow checker is")
	d.notTold(m.Requests()[0], wrongWords, wrongIdea)
	d.told(m.Requests()[0], firstWords)
}

// TestRewound: the person undoes a prompt in the terminal, with its answer, and continues with another one.
func TestRewound(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	m := e2e.NewModel(e2e.Say("Ready for the pump."), e2e.Say(wrongAnswer), e2e.Say(firstWords), e2e.Say("So it stays."))
	term := d.open(m)
	term.typed("Let us look at the firmware")
	term.turns(1)
	term.typed("Never use make in this project. I prefer Rust over C. " + wrongPrompt)
	term.turns(2)
	term.rewind()
	term.typed(rightPrompt)
	term.turns(3)
	term.typed("Then go on with that")
	term.turns(4)
	term.typed("/exit")
	term.left()
	d.takenBack()
	if archive := d.files("sessions"); strings.Contains(archive, wrongWords) || strings.Contains(archive, wrongPrompt) {
		t.Errorf("what was taken back is archived:\n%s", archive)
	}
	d.notKnown("Rust", "make")
}

// TestResumedEarlier: a session is resumed at a record before its last prompt. Archived ideas from that
// prompt no longer hold.
func TestResumedEarlier(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	m := e2e.NewModel(e2e.Say("Ready for the pump."), e2e.Say(wrongAnswer), e2e.Say(firstWords))
	got := d.ask(m, "Let us look at the firmware")
	var reply string
	for line := range strings.Lines(d.transcript(got.Session)) {
		var r struct{ Type, UUID string }
		if json.Unmarshal([]byte(line), &r) == nil && r.Type == "assistant" {
			reply = r.UUID
		}
	}
	d.ask(m, "--resume", got.Session, wrongPrompt)
	d.archived(wrongWords)
	d.ask(m, "--resume", got.Session, "--resume-session-at", reply, rightPrompt)
	d.takenBack()
}

// TestCompactedInTerminal: the text before a compaction counts once.
func TestCompactedInTerminal(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.install()
	m := e2e.NewModel(
		e2e.Call("Write", map[string]any{"file_path": d.project + "/relay.c", "content": "int relay = 10;\n"}),
		e2e.Say(firstWords), e2e.Say("We decided to fuse the line with sixteen ampere because the cable is thin."),
	)
	m.Rule(e2e.Rule{Contains: "detailed summary", Turn: e2e.Say("<summary>" + summary + "</summary>")})
	term := d.open(m)
	term.typed(firstPrompt)
	term.turns(1)
	term.typed("/compact")
	d.await("a compacted conversation", func() bool { return strings.Contains(term.text(), "ompacted") })
	term.typed("Choose a fuse for the line of the pump, too")
	term.turns(2)
	term.typed("/exit")
	term.left()
	d.archived("sixteen ampere")
	archive := d.files("sessions")
	for _, once := range []string{"[decision] " + firstWords, "Write 1", "wrote: relay.c"} {
		if n := strings.Count(archive, once); n != 1 {
			t.Errorf("%q is archived %d times:\n%s", once, n, archive)
		}
	}
	if n := strings.Count(d.gitmem("ideas", "--intent", "decision"), firstWords); n != 1 {
		t.Errorf("the decision before the summary is listed %d times", n)
	}
}
