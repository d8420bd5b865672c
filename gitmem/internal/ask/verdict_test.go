package ask_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
)

func scales() *world {
	return new(world).
		commit("Ada <ada@example.org>", "2024-03-01", "Add the Kelvin scale to the altimeter",
			"It makes the readings of the altimeter comparable with those of the lab, because they are in Kelvin.",
			"lab/scale.go").
		commit("Bob <bob@example.org>", "2024-03-09", "Drop the Fahrenheit scale",
			"Nobody in the lab can read the Fahrenheit scale without a table.", "lab/scale.go").
		commit("Bob <bob@example.org>", "2024-04-09", "feat: Celsius marks",
			"The marks of Celsius stand on the barometer since then and help to read it.", "lab/marks.go").
		commit("Cy <cy@example.org>", "2024-04-19", "Replace the quartz clock with a sundial", "", "clock.go").
		commit("dependabot[bot] <bot@example.org>", "2024-05-01", "Bump tables from 1 to 2", "")
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]answer.Verdict{
		"why did we add the Kelvin scale to the altimeter?": answer.Answered,
		// an everyday word hardly changes the score
		"why did we finally add the Kelvin scale to the altimeter?":  answer.Answered,
		"why was the wonderful Kelvin scale added to the altimeter?": answer.Answered, // nor does an unknown word
		"what does the Kelvin scale of the altimeter do?":            answer.Closest,  // the code answers that
		"is the altimeter cheap to replace?":                         answer.Closest,
		"why did we add the Rankine scale to the altimeter?":         answer.NotRecorded, // no source contains the name
		"what does --kelvin-only do to the altimeter?":               answer.NotRecorded,
		"was lab/kelvin.go dropped?":                                 answer.NotRecorded,
		"what changed for the altimeter with 7.3?":                   answer.NotRecorded,
		"what about bicycles?":                                       answer.NotRecorded, // nothing is similar
		"why did we drop the Kelvin scale from the altimeter?":       answer.Closest,     // it was added
		"when was the quartz clock replaced with a sundial?":         answer.Answered,
		"when was the sundial replaced with a quartz clock?":         answer.Closest,
		"why did we move from a sundial to the quartz clock?":        answer.Closest,
	} {
		a := scales().ask(t, question)
		if a.Verdict != want {
			t.Errorf("%q: %s (%s), want %s\n%s", question, a.Verdict, a.Confidence, want, a.Answer)
		}
		if evidence := a.Verdict == answer.Answered; len(a.Citations) > 0 &&
			(a.Citations[0].Role == answer.RoleEvidence) != evidence {
			t.Errorf("%q: %s cites as %s", question, a.Verdict, a.Citations[0].Role)
		}
	}
}

// A thing named with a verb is not a change, and a record that agrees is not a reversal.
func TestAgreementIsNoReverse(t *testing.T) {
	t.Parallel()
	for title, question := range map[string]string{
		"Drop support for Python 2":                 "when was support for Python 2 dropped?",
		"Remove the start page":                     "why was the start page removed?",
		"Add the skip flag to the importer":         "when did the skip flag get added to the importer?",
		"Add a longer timeout for slow relays":      "why did we make the timeout longer for slow relays?",
		"Internet relays: dropped the plan for IPX": "which version dropped support for IPX relays?",
	} {
		a := new(world).commit("Ada <ada@example.org>", "2024-03-01", title, "").ask(t, question)
		if strings.HasPrefix(a.Answer, ask.Reversed) || len(a.Citations) == 0 {
			t.Errorf("%q: %s\n%s", question, a.Verdict, a.Answer)
		}
	}
}

// Similar sources are listed whatever the verdict, and missing words are named.
func TestVerdictTexts(t *testing.T) {
	t.Parallel()
	for question, want := range map[string][]string{
		"is the altimeter cheap to replace?": {"Closest records:\n- ", "Kelvin scale"},
		"what does the Kelvin scale of the altimeter do?": {"The history is known here, not the code. What it says of " +
			"this:\n- Add the Kelvin scale"},
		"why did we add the Rankine scale to the altimeter?": {"Not recorded. Nothing here mentions Rankine. Searched team: ",
			"\n\nNear, no answer:\n- Add the Kelvin scale"},
		"why did we move from a sundial to the quartz clock?": {
			"Recorded is the reverse:\n- Replace the quartz clock with a sundial (Cy, 2024-04-19) [git:commit:",
		},
		"why was the Kelvin scale dropped from the altimeter?": {"Recorded is the reverse:\n- Add the Kelvin scale to the " +
			"altimeter"},
	} {
		a := scales().ask(t, question)
		for _, part := range want {
			if !strings.Contains(a.Answer, part) {
				t.Errorf("%q: no %q in\n%s", question, part, a.Answer)
			}
		}
	}
}

// A commit whose message is only a title has no excerpt, which would repeat the title.
func TestExcerptIsNotTheTitle(t *testing.T) {
	t.Parallel()
	a := scales().ask(t, "when was the quartz clock replaced with a sundial?")
	if len(a.Citations) == 0 || a.Citations[0].Excerpt != "" || a.Citations[0].Status != "holds" {
		t.Errorf("%+v", a.Citations)
	}
	for _, c := range scales().ask(t, "why did we add the Kelvin scale to the altimeter?").Citations {
		if c.Excerpt != "" && strings.HasPrefix(c.Title, c.Excerpt) {
			t.Errorf("%s quotes its title: %s", c.ID, c.Excerpt)
		}
	}
}

// TestWhatHoldsNow: a question about the current state gets the latest statement, and earlier statements are marked as
// such.
func TestWhatHoldsNow(t *testing.T) {
	t.Parallel()
	queue := new(world).
		commit("Ada <ada@example.org>", "2024-02-11", "Use Redis for the job queue",
			"We use Redis for the job queue because its lists block.").
		commit("Ada <ada@example.org>", "2024-06-23", "Run the job queue on Postgres",
			"The job queue runs on Postgres from now on.").
		commit("Ada <ada@example.org>", "2024-07-30", "Put the outgoing mail on RabbitMQ",
			"The queue of the mail service needs limits.")
	for question, latest := range map[string]bool{
		"which storage do we use for the job queue?":     true,
		"when did we start to use Redis for the queue?":  false,
		"why did we choose Redis for the job queue?":     false,
		"what did we decide about the job queue?":        true,
		"which storage was used for the job queue first": false,
	} {
		a := queue.ask(t, question)
		if len(a.Citations) < 2 {
			t.Fatalf("%q: %+v", question, a.Citations)
		}
		if got := strings.Contains(a.Citations[0].Title, "Postgres"); got != latest {
			t.Errorf("%q: %s\n%s", question, a.Confidence, a.Answer)
		}
		if latest && a.Verdict == answer.Answered && !strings.Contains(a.Answer, "Use Redis for the job queue (before)") {
			t.Errorf("%q: the earlier one is not marked\n%s", question, a.Answer)
		}
	}
}

// While transcripts wait to be indexed, the head of the answer contains their number, and no answer is certain; people
// are still known from the history.
func TestIncompleteSources(t *testing.T) {
	t.Parallel()
	const head = "67 of 2,000 transcripts are indexed so far."
	w := history()
	w.incomplete = []string{head}
	for question, want := range map[string]struct {
		verdict    answer.Verdict
		confidence answer.Confidence
		told       bool
	}{
		"why did we drop Redis?":     {answer.Answered, answer.Medium, true},
		"why did we drop Memcached?": {answer.NotRecorded, answer.None, true},
		"who knows the parser?":      {answer.Answered, w.ask(t, "who knows the parser?").Confidence, false},
	} {
		a := w.ask(t, question)
		if a.Verdict != want.verdict || a.Confidence != want.confidence ||
			strings.HasPrefix(a.Answer, head+"\n") != want.told {
			t.Errorf("%s: %s, %s\n%s", question, a.Verdict, a.Confidence, a.Answer)
		}
	}
	whole := history()
	if a := whole.ask(t, "why did we drop Redis?"); a.Confidence != answer.High {
		t.Errorf("with all: %s\n%s", a.Confidence, a.Answer)
	}
}
