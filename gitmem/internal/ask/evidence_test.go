package ask_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

func TestAnswersQuoteTheReason(t *testing.T) {
	t.Parallel()
	a := history().ask(t, "why did we drop Redis?")
	if a.Confidence == answer.None || !strings.Contains(a.Answer, "because sessions fit in memory") {
		t.Errorf("confidence %s:\n%s", a.Confidence, a.Answer)
	}
	if c := a.Citations[0]; c.Status != answer.StatusHolds || c.Trust != "untrusted" || c.Time != "2024-01-02T00:00:00Z" {
		t.Errorf("citation %+v", c)
	}
}

func TestWhyQuotesTheReason(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, body, want string }{
		{"first paragraph", "Nobody in the lab\nreads it. So the Kelvin scale of the altimeter is dropped.\n\nSee #12",
			"Nobody in the lab reads it. So the Kelvin scale of the altimeter is dropped."},
		{"behind a heading", "## What\n\nNobody in the lab reads it.\n\nThe Kelvin scale is gone from the altimeter.",
			"Nobody in the lab reads it."},
		{"a later reason", "It is gone.\n\nThe Kelvin scale made the altimeter slow, because it was computed.",
			"The Kelvin scale made the altimeter slow, because it was computed."},
		{"of something else", "Nobody in the lab reads it.\n\nThe ruler stays, because it is short.",
			"Nobody in the lab reads it."},
		{"only a number", "Fixes #12, closes #13", ""},
	} {
		a := history().commit("Ada <a@example.org>", "2024-05-01", "Drop the Kelvin scale of the altimeter", c.body).ask(t,
			"why did we drop the Kelvin scale of the altimeter?")
		if len(a.Citations) == 0 || a.Citations[0].Excerpt != c.want {
			t.Errorf("%s: %+v", c.name, a.Citations)
		}
	}
}

func TestNotRecorded(t *testing.T) {
	t.Parallel()
	for question, why := range map[string]string{
		"why did we drop Kafka?":          "a name that nobody mentions",
		"who knows the Fortran bindings?": "nobody touched them",
		"flurb the wozzle":                "nonsense",
		"why?":                            "nothing is asked",
	} {
		a := history().ask(t, question)
		if a.Confidence != answer.None || !strings.HasPrefix(a.Answer, "Not recorded.") {
			t.Errorf("%q (%s): confidence %s\n%s", question, why, a.Confidence, a.Answer)
		}
	}
}

func TestClosest(t *testing.T) {
	t.Parallel()
	for question, why := range map[string]string{
		"why did we delete the licence file?":  "the words are there, the event is another",
		"why did we remove the tokenizer?":     "the verb stands in another sentence, and a question is no record",
		"when did we drop Redis in March 2024": "it was in another month",
	} {
		if a := history().ask(t, question); a.Verdict != answer.Closest || a.Confidence != answer.Low {
			t.Errorf("%q (%s): %s, %s\n%s", question, why, a.Verdict, a.Confidence, a.Answer)
		}
	}
}

func TestVerbOfTheSameEventCounts(t *testing.T) {
	t.Parallel()
	a := history().ask(t, "why did we get rid of Redis?")
	if a.Confidence == answer.None {
		t.Errorf("removing and dropping are one event:\n%s", a.Answer)
	}
}

func TestSourcesThatChangedSinceTheyWereFound(t *testing.T) {
	t.Parallel()
	w := history()
	id := w.sources[0].ID
	w.now[id] = cite.Source{}
	a := w.ask(t, "why did we drop Redis?")
	if a.Verdict == answer.Answered || len(a.Caveats) != 1 || strings.Contains(a.Answer, id) {
		t.Errorf("a source that is gone must not be cited, and that must be told: %s, %v", a.Confidence, a.Caveats)
	}
	moved := w.sources[0]
	moved.Text = "Drop Redis from the session store\n\nNew line.\n\nIt cost a second service, because sessions fit in " +
		"memory.\n"
	w.now[id] = moved
	a = w.ask(t, "why did we drop Redis?")
	if len(a.Citations) == 0 || a.Citations[0].Status != answer.StatusMoved {
		t.Errorf("a passage that stands elsewhere has moved: %+v", a.Citations)
	}
}

func TestWhenAsksForTheFirst(t *testing.T) {
	t.Parallel()
	w := new(world).
		commit("Ada <a@example.org>", "2024-03-01", "Extend the relay driver again", "").
		commit("Ada <a@example.org>", "2023-03-01", "Add the relay driver", "")
	a := w.ask(t, "when was the relay driver first added?")
	if len(a.Citations) == 0 || !strings.HasPrefix(a.Answer, "- 2023-03-01") {
		t.Errorf("answer:\n%s", a.Answer)
	}
}

func TestSourcesThatCannotBeReadAreTold(t *testing.T) {
	t.Parallel()
	for _, question := range []string{
		"why did we drop Redis?", "who knows the parser?", "what did we do in January 2024?",
		"what did we do in February 2024?",
	} {
		w := history()
		w.broken = map[string]error{
			w.sources[0].ID: errors.New("disk on fire"),
			w.sources[2].ID: errors.New("disk on fire"),
		}
		e := w.engine()
		a, err := e.Ask(t.Context(), question, ask.Options{})
		if err != nil {
			t.Errorf("%q: one source must not end the question: %v", question, err)
			continue
		}
		if told := strings.Join(a.Caveats, " "); strings.Count(told, "disk on fire") != 1 {
			t.Errorf("%q: told %d times: %q", question, strings.Count(told, "disk on fire"), told)
		}
	}
}

func TestTrailersAreNoEvidence(t *testing.T) {
	t.Parallel()
	const signed = "Signed-off-by: Relay Driver <relay@example.org>"
	for name, text := range map[string]string{
		"signed": signed,
		"several": "It hummed.\n\nReviewed-by: Relay Driver <r@example.org>\nRelay-Driver: relay driver voltage\n" +
			"Change-Id: I1f relay driver voltage",
		"in the middle": "* one\n" + signed + "\n* two\n\nCo-authored-by: Relay Driver voltage <r@example.org>",
		"picked":        "(cherry picked from commit 1f relay driver voltage)",
		"issue":         "Issue: relay driver voltage",
	} {
		a := new(world).commit("Ada <a@example.org>", "2024-03-01", "Set the relay driver voltage", text).ask(t,
			"relay driver voltage")
		if len(a.Citations) == 0 {
			t.Fatalf("%s: no citation", name)
		}
		if got := a.Citations[0].Excerpt; got != "" && got != "It hummed." && got != "one" {
			t.Errorf("%s: quoted %q", name, got)
		}
	}
	a := new(world).commit("Ada <a@example.org>", "2024-03-01", "Set the voltage",
		"Reason: the relay driver hums at any voltage below five.").ask(t, "relay driver voltage")
	if len(a.Citations) == 0 || !strings.HasPrefix(a.Citations[0].Excerpt, "Reason: the relay") {
		t.Errorf("a sentence behind a colon is no trailer: %+v", a.Citations)
	}
}

func TestVerbOfAnotherThingIsNoEvent(t *testing.T) {
	t.Parallel()
	w := new(world).
		commit("Ada <a@example.org>", "2024-03-01", "perf(relay-v2): faster driver", "The output is no array.\n\nRemove it.").
		commit("Ada <a@example.org>", "2024-03-02", "style(relay-v2): cleanups in the driver",
			"Removing the need for a subshell and a driver call.").
		commit("Ada <a@example.org>", "2024-03-03", "Removing unused imports when not using Kelvin", "").
		commit("Ada <a@example.org>", "2024-03-04", "Use Kelvin in the generator", "").
		commit("Ada <a@example.org>", "2024-03-04", "Print the altimeter once", "New behaviour: the altimeter prints once.").
		commit("Ada <a@example.org>", "2024-03-04", "Use another barometer", "This barometer is a drop-in.").
		commit("Ada <a@example.org>", "2024-03-04", "Use the relay driver v2", "")
	for _, question := range []string{
		"when did we remove relay driver v2?", "when did we add the altimeter?", "when did we delete the barometer?",
	} {
		if a := w.ask(t, question); a.Verdict == answer.Answered {
			t.Errorf("%q: %s\n%s", question, a.Confidence, a.Answer)
		}
	}
	w.commit("Ada <a@example.org>", "2024-03-05", "Smaller binary", "Drop Kelvin and what it needs because it is large.")
	w.commit("Ada <a@example.org>", "2024-03-06", "Move on", "We removed the old relay driver v2.")
	for question, want := range map[string]string{"when did we remove relay driver v2?": "Move on",
		"why did we drop Kelvin?": "Smaller binary"} {
		a := w.ask(t, question)
		if len(a.Citations) == 0 || a.Citations[0].Title != want {
			t.Errorf("%q: %s\n%s", question, a.Confidence, a.Answer)
		}
	}
}

func TestHeadingNamesTheSubject(t *testing.T) {
	t.Parallel()
	w := new(world)
	w.sources = append(w.sources, cite.Source{
		ID: "memory:p#kelvin", Layer: cite.LayerMemory, Source: "memory", Title: "Kelvin",
		Text: "We dropped it because it is large.\n", Line: 3,
	})
	if a := w.ask(t, "why did we drop Kelvin?"); a.Confidence == answer.None {
		t.Errorf("a heading belongs to what stands below it: %s", a.Answer)
	}
}

func TestWhyWithoutAReason(t *testing.T) {
	t.Parallel()
	const told = "The change is recorded, but no reason for it was found."
	w := new(world).
		commit("Ada <a@example.org>", "2024-03-01", "Drop the Kelvin scale", "It is gone.").
		commit("Ada <a@example.org>", "2024-03-02", "Stop building the Kelvin scale", "The Kelvin scale is gone.")
	a := w.ask(t, "why did we drop the Kelvin scale?")
	if a.Confidence != answer.Medium || len(a.Citations) == 0 || strings.Join(a.Caveats, " ") != told {
		t.Errorf("no reason: %s, %v\n%s", a.Confidence, a.Caveats, a.Answer)
	}
	a = w.ask(t, "when did we drop the Kelvin scale?")
	if a.Confidence == answer.Low || len(a.Caveats) != 0 {
		t.Errorf("only why asks for a reason: %s, %v", a.Confidence, a.Caveats)
	}
	w.commit("Ada <a@example.org>", "2024-03-03", "Smaller tables", "We dropped the Kelvin scale because nobody read it.")
	a = w.ask(t, "why did we drop the Kelvin scale?")
	if a.Confidence != answer.High || len(a.Caveats) != 0 || !strings.Contains(a.Answer, "because nobody") {
		t.Errorf("a reason: %s, %v\n%s", a.Confidence, a.Caveats, a.Answer)
	}
	d := new(world)
	d.sources = append(d.sources, cite.Source{
		ID: "decision:kelvin", Layer: cite.LayerMemory, Source: "decision", Type: "decision", Title: "Drop the Kelvin scale",
		Text: "Nobody read it.\n", Line: 3,
	})
	if a := d.ask(t, "why did we drop the Kelvin scale?"); a.Confidence == answer.Low || len(a.Caveats) != 0 {
		t.Errorf("the text of a decision is its reason: %s, %v", a.Confidence, a.Caveats)
	}
}

// TestOrderAnswers: an order answers a question that contains all its words, whatever else the question contains; an
// order of which the question contains only a part does not.
func TestOrderAnswers(t *testing.T) {
	t.Parallel()
	w := history()
	for _, text := range []string{"Never push to main with force in this project", "Run make lint before you say done"} {
		w.sources = append(w.sources, cite.Source{
			ID: "order:orders." + strings.ReplaceAll(text, " ", "-"), Layer: cite.LayerMemory, Source: "profile",
			Title: "standing order, what you should always or never do: " + text, Text: text,
		})
	}
	for in, want := range map[string]bool{
		"should we push to main with force?": true, "may I push to main with force?": true,
		"is it ok to force-push main?":    true,
		"can I git push --force to main?": true, "can I git push --force to main to publish the tarball?": true,
		"am I allowed to force push?":                    true,
		"may I publish the tarball before you say done?": false, "can I git stash the tarball?": false,
	} {
		a := w.ask(t, in)
		if got := a.Confidence.Verdict() == answer.Answered && strings.Contains(a.Answer, "order:"); got != want {
			t.Errorf("%q: %s\n%s", in, a.Confidence, a.Answer)
		}
	}
}
