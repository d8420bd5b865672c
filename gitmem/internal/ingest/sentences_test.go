package ingest_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace/workspacetest"
)

// judging returns sources with the built-in models.
func judging(t *testing.T) *ingest.Sources {
	t.Helper()
	m := workspacetest.New(t)
	o := m.Options(m.Repository("pump", ""))
	for name, to := range map[string]*[]byte{"encoder.gmbert": &o.Encoder, "sentences.gmpair": &o.Sentences} {
		b, err := os.ReadFile("../../../templates/meaning/" + name)
		if err != nil {
			t.Fatal(err)
		}
		*to = b
	}
	return ingest.New(m.Open(o))
}

// judged returns the digest of messages as the archive has it.
func judged(t *testing.T, src *ingest.Sources, list []transcript.Message) transcript.Digest {
	t.Helper()
	d, err := transcript.Summarise(func(yield func(transcript.Message, error) bool) {
		for _, m := range list {
			if !yield(m, nil) {
				return
			}
		}
	})
	if err == nil {
		err = src.Judge(t.Context(), &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestJudgedLabelled measures the built-in model on sessions that are not in its training data.
func TestJudgedLabelled(t *testing.T) {
	t.Parallel()
	src := judging(t)
	file, err := os.ReadFile("../transcript/testdata/sessions-sealed.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var found, right, intents, ideas, missing int
	for _, line := range strings.SplitAfterN(string(file), "\n", 4)[:3] { // half of them, which takes seconds
		var project struct {
			Sessions []struct {
				Turns []struct{ Role, Text string }
				Ideas []struct {
					Text, Intent string
					Turn         int
				}
			}
		}
		if err := json.Unmarshal([]byte(line), &project); err != nil {
			t.Fatal(err)
		}
		for _, s := range project.Sessions {
			var list []transcript.Message
			for i, turn := range s.Turns {
				list = append(list, transcript.Message{Line: i, Role: transcript.RoleAssistant, Prompt: turn.Role == "user",
					Text: turn.Text})
			}
			d := judged(t, src, list)
			ideas += len(s.Ideas)
			told := make([]bool, len(s.Ideas))
			for _, intent := range transcript.IdeaIntents() {
				for _, q := range d.Quotes[intent] {
					found++
					says, same := false, false
					for i, idea := range s.Ideas {
						if idea.Turn == q.Line && (strings.Contains(q.Text, idea.Text) || strings.Contains(idea.Text, q.Text)) {
							says, same, told[i] = true, same || idea.Intent == intent, true
						}
					}
					right, intents = right+count(says), intents+count(same)
				}
			}
			missing += len(slices.DeleteFunc(told, func(told bool) bool { return told }))
		}
	}
	t.Logf("precision %d/%d, recall %d/%d, intents %d/%d", right, found, ideas-missing, ideas, intents, right)
	if 100*right < 62*found || 100*(ideas-missing) < 70*ideas || 100*intents < 64*right {
		t.Error("worse than was found")
	}
}

func count(holds bool) int {
	if holds {
		return 1
	}
	return 0
}

// TestJudged checks the ideas that the built-in model finds in sessions, as the archive would quote them.
func TestJudged(t *testing.T) {
	t.Parallel()
	src := judging(t)
	edit := transcript.Message{Role: transcript.RoleAssistant,
		Tools: []transcript.ToolUse{{ID: "1", Name: "Edit", Writes: true, Paths: []string{"a.go"}}}}
	failed := transcript.Message{Role: transcript.RoleUser, Results: []transcript.ToolResult{{ID: "1", Error: true}}}
	asks := func(text string) transcript.Message {
		return transcript.Message{Role: transcript.RoleUser, Prompt: true, Text: text}
	}
	says := func(text string) transcript.Message {
		return transcript.Message{Role: transcript.RoleAssistant, Text: text}
	}
	for name, c := range map[string]struct {
		msgs []transcript.Message
		want map[string]int
	}{
		"nine ideas": {[]transcript.Message{asks("which parts do we take for the receiver?"),
			says(`I compared the options for the receiver.

- We decided to use the SX1262 for the radio.
- We decided to run the loop at 5 Hz, because the battery is small.
- We will store the readings in SQLite on the card.
- The watchdog stays on at all times.
- We settled on protobuf for the packets.
- We chose PETG over PLA for the housing.
- TODO: measure the current in sleep.
- TODO: order five more antennas.
- Open question: how do we update the nodes in the field?`)}, map[string]int{"decision": 6, "todo": 2, "question": 1}},
		"marks": {[]transcript.Message{asks("Decision: invoices are never deleted.\nOpen question: who signs the release?\n" +
			"great. also todo: add an alert on the heap"),
			says("Next steps:\n\n1. Rotate the signing keys.\n2. Write to the vendor.")},
			map[string]int{"decision": 1, "question": 1, "todo": 3}},
		"behind an edit": {[]transcript.Message{asks("go on"), edit,
			says("We decided to keep the queue in Postgres, because it is backed up.")}, map[string]int{"decision": 1}},
		"behind a failed call": {[]transcript.Message{asks("go on"), edit, failed,
			says("We decided to keep the queue in Postgres, because it is backed up.")}, map[string]int{"decision": 1}},
		"an order is no idea": {[]transcript.Message{asks("add a test for the idempotency key in payments")},
			map[string]int{}},
		"narration is no idea": {[]transcript.Message{asks("look at the parser"),
			says("I'll read the parser first. Let me look at its tests, too.")}, map[string]int{}},
		"politeness is no idea": {[]transcript.Message{asks("thanks, that works"),
			says("You're welcome! Tell me if anything else comes up.")}, map[string]int{}},
		"intents": {[]transcript.Message{asks("what did you find out about the drops?"),
			says(`The relays drop out because the 5 V rail sags to 4.1 V when both coils pull in.

I fixed it by adding a 470 µF capacitor next to the relay board.`)}, map[string]int{"conclusion": 1, "solution": 1}},
		"a problem": {[]transcript.Message{asks("why do the requests hang?"),
			says("The issue is that the connection pool runs dry under load.")}, map[string]int{"problem": 1}},
	} {
		d := judged(t, src, c.msgs)
		got, text := map[string]int{}, strings.Builder{}
		for _, intent := range transcript.IdeaIntents() {
			for _, q := range d.Quotes[intent] {
				got[intent]++
				text.WriteString("\n" + intent + ": " + q.Text)
			}
		}
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: %s%s", name, cmp.Diff(c.want, got), text.String())
			for _, q := range d.Said {
				t.Logf("%.2f %s", q.Sure, q.Text)
			}
		}
	}
}
