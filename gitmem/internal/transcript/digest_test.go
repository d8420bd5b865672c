package transcript_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func digest(t testing.TB, text string) transcript.Digest {
	t.Helper()
	d, err := transcript.Summarise(transcript.NewReader(strings.NewReader(text), transcript.Position{}).All())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestSummarise(t *testing.T) {
	t.Parallel()
	in := testdata(t, "session.jsonl")
	at := func(hour, minute int) time.Time { return time.Date(2026, 11, 20, hour, minute, 0, 0, time.UTC) }
	start := at(14, 2).Add(1500 * time.Millisecond)
	prompt := "Which relays does the pump need? Please wire the board. Don't forget to update docs/relay.md."
	quote := func(text string) transcript.Quote { return transcript.Quote{Line: 8, Time: at(14, 22), Text: text} }
	want := transcript.Digest{
		Session: "3f2a91c4-0000-4000-8000-000000000001", Start: start, End: at(15, 40), Branch: "main", Cwd: "/home/dev/pump",
		Messages: 11, Prompts: 1, LastPrompt: 2,
		FirstPrompt: prompt,
		Outcome:     transcript.Quote{Line: 14, Time: at(15, 40), Text: "The relay board is wired. Tests pass."},
		Quotes: map[string][]transcript.Quote{
			"work":     {{Line: 2, Time: start, Text: prompt}},
			"decision": {quote("We chose 10 A relays because the pump draws 7 A, e.g. at start.")},
			"conclusion": {
				quote("The optocoupler 4N25 was too slow for the zero-cross detector."),
				quote("It turned out that the inrush must be measured first."),
			},
		},
		Topics: []transcript.Topic{{Line: 2, Title: "Which relays does the pump need?"}},
		Reads:  []string{"docs/relay.md"}, Writes: []string{"firmware/relay.c"},
		Tools:    []transcript.Count{{Name: "Bash", N: 1}, {Name: "Edit", N: 1}, {Name: "Read", N: 1}, {Name: "Write", N: 1}},
		LastLine: 14, LastUUID: "m6",
	}
	got := digest(t, in)
	through := got.Through
	got.Through = transcript.Position{}
	if n := len(got.Said); n != 11 {
		t.Errorf("%d sentences were said, want 11", n)
	}
	got.Said = nil
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(transcript.Quote{}, "Sure", "By"),
		cmpopts.IgnoreUnexported(transcript.Digest{})); diff != "" {
		t.Error(diff)
	}
	if rest, _ := readFrom(t, in, through); len(rest) != 0 {
		t.Errorf("behind %+v there is more: %v", through, texts(rest))
	}
	if more, _ := readFrom(t, in+say("next")+"\n", through); len(more) != 1 || more[0].Line != 17 {
		t.Errorf("behind %+v: %v", through, more)
	}
}

// TestQuotesAreVerbatim compares every quoted sentence with its message.
func TestQuotesAreVerbatim(t *testing.T) {
	t.Parallel()
	in := testdata(t, "session.jsonl")
	d := digest(t, in)
	for _, list := range append(slices.Collect(maps.Values(d.Quotes)), []transcript.Quote{d.Outcome}) {
		for _, q := range list {
			m, err := transcript.Line(strings.NewReader(in), q.Line)
			if err != nil || !strings.Contains(strings.Join(strings.Fields(m.Text), " "), q.Text) {
				t.Errorf("line %d does not say %q (%v)", q.Line, q.Text, err)
			}
		}
	}
}

func TestSummariseGivesWhatCameBeforeAnError(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	d, err := transcript.Summarise(func(yield func(transcript.Message, error) bool) {
		_ = yield(transcript.Message{Role: transcript.RoleUser, Prompt: true, Text: "why?"}, nil) &&
			yield(transcript.Message{}, broken)
	})
	if !errors.Is(err, broken) || d.Prompts != 1 {
		t.Errorf("%v %+v", err, d)
	}
}

func TestSubagentsCountOnlyByTheirTools(t *testing.T) {
	t.Parallel()
	d, _ := transcript.Summarise(messages(
		transcript.Message{Role: transcript.RoleAssistant, Sidechain: true,
			Text: "We decided to use Go for it.", Cwd: `C:\p\`,
			Tools: []transcript.ToolUse{{ID: "1", Name: "Write", Paths: []string{`C:\p\a\b.go`, `C:\pq\c.go`}, Writes: true}}},
	))
	want := transcript.Digest{Cwd: `C:\p\`, Writes: []string{"a/b.go", `C:\pq\c.go`},
		Tools: []transcript.Count{{Name: "Write", N: 1}}}
	if diff := cmp.Diff(want, d, cmpopts.IgnoreUnexported(transcript.Digest{})); diff != "" {
		t.Error(diff)
	}
}

// TestAcceptedPlan checks that a plan that the user accepts is attributed to the assistant, and that its heading is the
// subject of the work.
func TestAcceptedPlan(t *testing.T) {
	t.Parallel()
	const plan = "Implement the following plan:\n\n# Relays for the pump\n\n" +
		"The root cause is that the 4N25 was too slow for the zero-cross detector.\n\n- Replace it in `relay.c`."
	accepted, _ := transcript.Summarise(messages(transcript.Message{Line: 1, Role: transcript.RoleUser, Prompt: true,
		Speaker: transcript.Model, Text: plan}))
	said, _ := transcript.Summarise(messages(transcript.Message{Line: 1, Role: transcript.RoleAssistant,
		Speaker: transcript.Model, Text: plan}))
	if len(accepted.Topics) != 1 || accepted.Topics[0].Title != "Relays for the pump" {
		t.Errorf("topics %+v", accepted.Topics)
	}
	if work := accepted.Quotes["work"]; len(work) != 1 || work[0].Text != "Relays for the pump" ||
		accepted.FirstPrompt != work[0].Text {
		t.Errorf("work %+v, first %q", work, accepted.FirstPrompt)
	}
	delete(accepted.Quotes, "work")
	if diff := cmp.Diff(said.Quotes, accepted.Quotes, cmpopts.IgnoreFields(transcript.Quote{}, "By")); diff != "" ||
		len(said.Quotes) == 0 {
		t.Error(diff, said.Quotes)
	}
}

// TestCompacted checks that the note of a compacted conversation begins after the client's own words, the model's
// analysis, and headings in any form.
func TestCompacted(t *testing.T) {
	t.Parallel()
	const want = "The user asked to wire the relay board."
	for _, own := range []string{
		"This session is being continued from a previous conversation that ran out of context. The conversation is " +
			"summarized below:\n\nAnalysis:\n\n",
		"This session is being continued from a previous conversation that ran out of context. The summary below covers " +
			"the earlier portion of the conversation.\n\n",
		"This session is being continued from a previous conversation that ran out of context. The summary below covers " +
			"the earlier portion of the conversation.\n\n" +
			"Analysis:\nLet me go through the conversation in its order.\n1. The user began.\n\nSummary:\n" +
			"1. Primary Request and Intent:\n   ",
		"This session is being continued from a previous conversation that ran out of context. The summary below covers " +
			"the earlier portion of the conversation.\n\n" +
			"Summary:\n\n# Summary of the conversation so far\n\n## 1. Primary Request and Intent\n\n" +
			"**The primary request of the user**\n\n1. **Request and intent**\n\n   ",
		"# Conversation summary of the pump\n\n**Primary request and its intent**\n\n",
	} {
		d, _ := transcript.Summarise(messages(transcript.Message{Line: 1, Role: transcript.RoleSummary, Text: own + want +
			" The fuse comes next."}))
		if notes := d.Quotes["note"]; len(notes) != 1 || notes[0].Text != want {
			t.Errorf("%s: %+v", own, notes)
		}
	}
}

func TestTrivial(t *testing.T) {
	t.Parallel()
	user := func(s string) transcript.Message {
		return transcript.Message{Role: transcript.RoleUser, Prompt: true, Text: s}
	}
	tool := transcript.Message{Role: transcript.RoleAssistant, Tools: []transcript.ToolUse{{Name: "Bash"}}}
	said := func(s string) transcript.Message {
		return transcript.Message{Role: transcript.RoleAssistant, Text: s}
	}
	for _, c := range []struct {
		name string
		msgs []transcript.Message
		want bool
	}{
		{"nothing", nil, true},
		{"greetings with answers", []transcript.Message{user("hallo"), said("Hello! What shall we work on today?"),
			user("好的")}, true},
		{"agreement that something came of",
			[]transcript.Message{user("go on"), said("We chose the ten ampere relay because the pump draws seven.")}, false},
		{"tools without a prompt", []transcript.Message{tool}, true},
		{"greetings", []transcript.Message{user("Hi there!"), user("ok, thanks")}, true},
		{"greeting with a tool", []transcript.Message{user("Continue."), tool}, false},
		{"question", []transcript.Message{user("hi"), user("What is a TCXO?")}, false},
	} {
		d, _ := transcript.Summarise(messages(c.msgs...))
		if got := d.Trivial(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func messages(all ...transcript.Message) func(func(transcript.Message, error) bool) {
	return func(yield func(transcript.Message, error) bool) {
		for _, m := range all {
			if !yield(m, nil) {
				return
			}
		}
	}
}

func TestLongPromptsAreCut(t *testing.T) {
	t.Parallel()
	d, _ := transcript.Summarise(messages(transcript.Message{Prompt: true, Text: strings.Repeat("größer ", 10_000)}))
	if len(d.FirstPrompt) > 304 || !strings.HasSuffix(d.FirstPrompt, "größer…") {
		t.Errorf("%q", d.FirstPrompt)
	}
}

// TestTentative checks that temporary statements are not settled ideas.
func TestTentative(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Let's use SQLite for now, because it needs no server.": true,
		"Let's use SQLite, because it needs no server.":         false,
	} {
		d, err := transcript.Summarise(messages(transcript.Message{Role: transcript.RoleUser, Prompt: true, Text: text}))
		if got := d.Quotes["decision"]; err != nil || len(got) != 1 || got[0].Tentative != want {
			t.Errorf("%q: %+v (%v), want one decision, tentative %v", text, got, err, want)
		}
	}
}

// TestSaidTwice checks that repetitions in the same words count once, and differences in code are kept.
func TestSaidTwice(t *testing.T) {
	t.Parallel()
	say := func(text string) transcript.Message {
		return transcript.Message{Role: transcript.RoleUser, Prompt: true, Text: text}
	}
	d, err := transcript.Summarise(messages(say("let's use SQLite because it needs no server"),
		say("Let's use `SQLite`, because it needs no server."), say("Let's use `bbolt`, because it needs no server.")))
	if got := d.Quotes["decision"]; err != nil || len(got) != 2 ||
		got[1].Text != "Let's use `bbolt`, because it needs no server." {
		t.Errorf("%+v (%v), want one of each", got, err)
	}
}

// TestNamed checks that the explicit label of a sentence, or of the line above its list, is used, unless others said it
// or it is done.
func TestNamed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want map[string][]string
	}{
		{"TODO: measure the latency.", map[string][]string{"todo": {"TODO: measure the latency."}}},
		{"**Decision:** use chi in place of gorilla.",
			map[string][]string{"decision": {"**Decision:** use chi in place of gorilla."}}},
		{"Open question: is the inrush current above the relay's rating?",
			map[string][]string{"question": {"Open question: is the inrush current above the relay's rating?"}}},
		{"Still open: should production get JSON logs?",
			map[string][]string{"question": {"Still open: should production get JSON logs?"}}},
		{"Next steps:\n1. Wire the relay.\n2. Measure the pump.\n\nThat is all.",
			map[string][]string{"todo": {"Wire the relay.", "Measure the pump."}}},
		{"We decided to use CAN because RS485 lost frames.",
			map[string][]string{"decision": {"We decided to use CAN because RS485 lost frames."}}},
		{"We decided not to use Docker in production.",
			map[string][]string{"decision": {"We decided not to use Docker in production."}}},
		{"Wir haben uns für chi entschieden, weil es klein ist.",
			map[string][]string{"decision": {"Wir haben uns für chi entschieden, weil es klein ist."}}},

		{"If we decided to use CAN we would need a driver.", nil},
		{"We have not decided yet whether we use CAN.", nil},
		{"Why: the HAL is in C.", nil},
		{"The README of a demo says: we decided to use CAN instead of RS485 because of lost frames.", nil},
		{`"We decided to use Podman instead of Docker."`, nil},
		{"TODO done: measured the inrush current with the clamp meter, and wrote it into the notes.", nil},
		{"TODO:\n- [x] Wire the relay.\n- [ ] Measure the pump.", map[string][]string{"todo": {"Measure the pump."}}},
	} {
		d, err := transcript.Summarise(messages(
			transcript.Message{Role: transcript.RoleUser, Prompt: true, Text: "how far are we with the pump?"},
			transcript.Message{Role: transcript.RoleAssistant, Text: tt.text}))
		got := map[string][]string{}
		for intent, list := range d.Quotes {
			for _, q := range list {
				if intent != "work" {
					got[intent] = append(got[intent], q.Text)
				}
			}
		}
		if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("%q (%v):\n%s", tt.text, err, diff)
		}
	}
}
