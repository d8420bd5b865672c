package ask_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// TestReadWorkAsAWhole: a question that names only work in general asks for past work, open tasks or the commits of a
// period, in any word order; a question that names anything else does not.
func TestReadWorkAsAWhole(t *testing.T) {
	t.Parallel()
	now := time.Date(2024, 5, 15, 10, 0, 0, 0, time.UTC)
	for in, want := range map[string]answer.Kind{
		"what is still to do?": answer.KindContinue, "what are the next steps?": answer.KindContinue,
		"what's next": answer.KindContinue, "whats left to do": answer.KindContinue,
		"is anything open this week?": answer.KindContinue, "what should I do next?": answer.KindContinue,
		"where were we yesterday?": answer.KindContinue, "any remaining tasks?": answer.KindContinue,
		"so where did we stop": answer.KindContinue, "remind me what I was working on": answer.KindRecent,
		"I was working on what before lunch?": answer.KindRecent, "most active areas this sprint": answer.KindRecent,
		"how many commits in 2025?": answer.KindRecent, "how many commits are there?": answer.KindRecent,
		"what was reverted this year?": answer.KindRecent, "which commits were reverted last month?": answer.KindRecent,
		"what is left of the parser?": answer.KindGeneral, "how many commits touch the parser?": answer.KindGeneral,
		"why was the cache reverted?": answer.KindWhy, "what still uses Redis?": answer.KindGeneral,
		"last week ESP32": answer.KindGeneral, "how do we release?": answer.KindHow,
	} {
		if q := ask.Read(in, now, nil); q.Kind != want {
			t.Errorf("Read(%q) is %s with %q, want %s", in, q.Kind, q.Terms, want)
		}
	}
}

// TestQuestionIsNoAnswerToItself: neither an earlier occurrence of the question nor an example of it in a document is
// an answer; the earlier answer to it is.
func TestQuestionIsNoAnswerToItself(t *testing.T) {
	t.Parallel()
	const question = "why did we drop the flow sensor?"
	for text, answers := range map[string]bool{
		"why did we drop the flow sensor": false,
		"Why drop the sensor?":            false,
		"| `gitmem ask \"why did we drop the flow sensor?\"` | the commit it is in |": false,
		"Example: \"why did we drop the flow sensor?\" with author and date":          false,
		"Why did we drop the flow sensor? It clogs with rust after two weeks.":        true,
		"We dropped the flow sensor because it clogs.":                                true,
	} {
		a := new(world).session("1f", "2024-05-30", text).ask(t, question)
		if found := len(a.Citations) > 0; found != answers {
			t.Errorf("%q is cited: %v, want %v", text, found, answers)
		}
	}
}

// TestWordsAreFoundAsTheyStand: a search for the words of a record is not a question.
func TestWordsAreFoundAsTheyStand(t *testing.T) {
	t.Parallel()
	a := new(world).session("1f", "2024-05-30", "The depth of the well is 30 metres").ask(t, "depth of the well")
	if len(a.Citations) != 1 {
		t.Errorf("%s:\n%s", a.Verdict, a.Answer)
	}
}

func TestRevertsOfATime(t *testing.T) {
	t.Parallel()
	w := history().
		commit("Ada <ada@example.org>", "2024-05-10", `Revert "Rework everything"`, "The build broke.", "a.go").
		commit("Bob <bob@example.org>", "2023-05-10", `Revert "Add the licence file"`, "", "LICENSE").
		commit("Bob <bob@example.org>", "2024-05-11", "Tell how to revert a migration", "", "doc.md")
	a := w.ask(t, "what was reverted this year?")
	if a.Verdict != answer.Answered || len(a.Citations) != 1 ||
		!strings.HasPrefix(a.Answer, "2024-01-01 to 2024-12-31: 1 change taken back\n- Revert \"Rework everything\"") {
		t.Errorf("%s, %d citations:\n%s", a.Verdict, len(a.Citations), a.Answer)
	}
	if a := w.ask(t, "what was reverted in 2022?"); a.Verdict != answer.NotRecorded {
		t.Errorf("nothing was: %s", a.Answer)
	}
}

func TestTwoAuthorsSideBySide(t *testing.T) {
	t.Parallel()
	w := history().
		commit("Ada <ada@example.org>", "2024-05-10", "Tokenizer: prefer tabs", "Tabs are shorter.", "parser/tokenizer.go").
		commit("Bob <bob@example.org>", "2024-05-11", "Tokenizer: prefer blanks", "Blanks look alike everywhere.",
			"parser/tokenizer.go")
	for _, question := range []string{"do Ada and Bob differ on the tokenizer?",
		"Do these two authors disagree about the tokenizer?"} {
		a := w.ask(t, question)
		if !strings.Contains(a.Answer, "prefer tabs") || !strings.Contains(a.Answer, "prefer blanks") ||
			!strings.Contains(a.Answer, "side by side") {
			t.Errorf("%q: %s\n%s", question, a.Verdict, a.Answer)
		}
	}
	if a := w.ask(t, "do Ada and Zed differ on the tokenizer?"); strings.Contains(a.Answer, "side by side") {
		t.Errorf("one of them recorded nothing:\n%s", a.Answer)
	}
}

func TestAnEmptyTimeNamesTheSessionBefore(t *testing.T) {
	t.Parallel()
	w := history().session("1f", "2024-05-20", "Make the parser keep the last line")
	a := w.ask(t, "what was I working on yesterday?")
	if a.Verdict != answer.Closest ||
		!strings.HasPrefix(a.Answer,
			"Nothing is recorded of 2024-05-31 to 2024-05-31. The last session before:\n- **2024-05-20") {
		t.Errorf("%s:\n%s", a.Verdict, a.Answer)
	}
}

func TestOtherProjects(t *testing.T) {
	t.Parallel()
	w := history().session("1f", "2024-05-20", "Make the parser keep the last line").session("2e", "2024-05-25",
		"Wire the pump").session("3d", "2024-05-21", "Order the pump")
	for i := range w.sources {
		if strings.Contains(w.sources[i].Text, "pump") {
			w.sources[i].Project = "/w/pump"
		}
	}
	e := w.engine()
	of := func(pump bool) func(string) bool { return func(project string) bool { return (project != "") == pump } }
	others := search.Condition{On: search.OnProject, Match: of(true)}
	a, err := e.Ask(t.Context(), "what was I working on?", ask.Options{Query: search.Query{Projects: of(false)},
		Others: others})
	if err != nil ||
		!strings.HasSuffix(a.Answer, "\n\n- **Other projects**\n  - in pump (2024-05-25): Wire the pump [transcript:2e:1]") {
		t.Errorf("%v:\n%s", err, a.Answer)
	}
	if a, err = e.Ask(t.Context(), "what was I working on?",
		ask.Options{Query: search.Query{Projects: of(false)}}); err != nil || strings.Contains(a.Answer, "pump") {
		t.Errorf("%v, others are not in reach:\n%s", err, a.Answer)
	}
}
