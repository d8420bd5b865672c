package ask_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

func layers(l ...string) search.Query { return search.Query{Layers: l} }

func TestLayersNarrowWhoAndDigest(t *testing.T) {
	t.Parallel()
	for _, question := range []string{"who knows the parser?", "what did we do in January 2024?"} {
		if a := history().askIn(t, question, layers(cite.LayerMemory)); a.Confidence != answer.None {
			t.Errorf("%q in memory only: %s\n%s", question, a.Confidence, a.Answer)
		}
		if a := history().askIn(t, question, layers(cite.LayerMemory, cite.LayerTeam)); a.Confidence == answer.None {
			t.Errorf("%q in memory and team: nothing", question)
		}
	}
}

func TestLayersNarrowSessions(t *testing.T) {
	t.Parallel()
	w := history().session("1f", "2024-05-30", "Make the parser keep the last line")
	for _, question := range []string{"where was I?", "what was I working on?"} {
		if a := w.askIn(t, question, layers(cite.LayerRules)); a.Confidence != answer.None {
			t.Errorf("%q in rules only: %s\n%s", question, a.Confidence, a.Answer)
		}
		if a := w.askIn(t, question, layers(cite.LayerTranscripts)); a.Confidence == answer.None {
			t.Errorf("%q in transcripts: nothing", question)
		}
	}
}

func TestPersonalQuestionsLeaveOthersOut(t *testing.T) {
	t.Parallel()
	w := history().session("1f", "2024-05-30", "Make the parser keep the last line")
	a := w.askIn(t, "what was I working on?", layers(cite.LayerTranscripts, cite.LayerTeam))
	if a.Confidence == answer.None || strings.Contains(a.Answer, "git:commit") {
		t.Errorf("commits of everybody in an answer about one:\n%s", a.Answer)
	}
	a = w.askIn(t, "what was I working on?",
		search.Query{Conditions: []search.Condition{{On: search.OnAuthor, Match: func(who string) bool {
			return strings.HasPrefix(who, "Ada")
		}}}, Layers: []string{cite.LayerTeam}})
	if !strings.Contains(a.Answer, "git:commit") {
		t.Errorf("commits of a named author were asked for:\n%s", a.Answer)
	}
}

func TestEmptySessionsHideNoOther(t *testing.T) {
	t.Parallel()
	w := new(world).
		session("1a", "2024-05-20", "Make the parser keep the last line").
		session("2b", "2024-05-28", "Cut the tokenizer in two").
		session("3c", "2024-05-29", "hi").
		session("4d", "2024-05-30")
	a := w.ask(t, "where was I?")
	if a.SessionID != "2b" || !strings.Contains(a.Answer, "tokenizer") {
		t.Errorf("session %q:\n%s", a.SessionID, a.Answer)
	}
	e := w.engine()
	a, err := e.Ask(t.Context(), "what was I working on?", ask.Options{Limit: 2})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(a.Answer, "tokenizer") || !strings.Contains(a.Answer, "last line") {
		t.Errorf("two sessions were asked for:\n%s", a.Answer)
	}
}

func TestDigestOfAMonth(t *testing.T) {
	t.Parallel()
	a := history().ask(t, "what did we do in January 2024?")
	if a.Kind != answer.KindRecent || a.Confidence != answer.High || len(a.Citations) != 2 {
		t.Errorf("%s, %s, %d citations", a.Kind, a.Confidence, len(a.Citations))
	}
	if !strings.Contains(a.Answer, "2024-01-01 to 2024-01-31: 2 commits by Ada (2)") {
		t.Errorf("answer:\n%s", a.Answer)
	}
	if a := history().ask(t, "what did we do in July 2021?"); a.Confidence != answer.None {
		t.Errorf("an empty month: %s", a.Answer)
	}
}

func TestDigestAddsUp(t *testing.T) {
	t.Parallel()
	w := new(world)
	for i, kind := range []string{"feature", "feature", "fix", "feature", "feature", "feature", "feature", "feature",
		"feature", "feature", "chore", "chore", "test", "", "brew"} {
		author := "Ada <a@example.org>"
		if kind == "chore" {
			author = "dependabot[bot] <support@example.org>"
		}
		w.commit(author, "2024-01-02", fmt.Sprintf("Change %d", i), "")
		w.sources[i].Type = kind
	}
	a := w.ask(t, "what did we do in January 2024?")
	for _, want := range []string{"15 commits by Ada (13), 2 by bots.", "**feature** (9)", "**fix** (1)",
		"\n\nAnd 1 test, 2 chore, 1 brew, 1 other."} {
		if !strings.Contains(a.Answer, want) {
			t.Errorf("no %q in:\n%s", want, a.Answer)
		}
	}
	w = new(world).commit("renovate[bot] <r@example.org>", "2024-01-02", "Bump it", "")
	if a := w.ask(t, "what did we do in January 2024?"); !strings.Contains(a.Answer, "1 commit by bots.") ||
		!strings.Contains(a.Answer, "**other** (1)") {
		t.Errorf("bots only:\n%s", a.Answer)
	}
}

// TestDigestCountsCommitsAlone: items of forges are counted by their kind, pull requests first; documents are not
// counted, only the commits that changed them.
func TestDigestCountsCommitsAlone(t *testing.T) {
	t.Parallel()
	w := new(world)
	for i, role := range []string{"commit", "doc", "commit", "merge", "pr", "issue", "issue", "comment"} {
		w.commit("Ada <a@example.org>", "2024-01-02", fmt.Sprintf("Entry %d", i), "").role(role)
	}
	a := w.ask(t, "what did we do in January 2024?")
	want := "2 commits by Ada (2), and 1 merge, 1 pull request, 2 issues, 1 comment."
	if !strings.Contains(a.Answer, want) || len(a.Citations) != 3 || a.Citations[0].Title != "Entry 4" {
		t.Errorf("%d citations; no %q in:\n%s", len(a.Citations), want, a.Answer)
	}
	w = new(world).commit("Ada <a@example.org>", "2024-01-02", "Manual", "").role("doc")
	if a := w.ask(t, "what did we do in January 2024?"); a.Confidence != answer.None {
		t.Errorf("a document alone: %s", a.Answer)
	}
}

// TestTeamBeforeSessions: for the team's work the project's commits come first, and for "we" the user's sessions.
func TestTeamBeforeSessions(t *testing.T) {
	t.Parallel()
	w := history().session("1f", "2024-05-01", "Make the parser keep the last line")
	for question, first := range map[string]string{"what did the team do in May 2024?": "2024-05-01 to 2024-05-31: 1 " +
		"commit", "what did we do in May 2024?": "- **2024-05-01"} {
		if a := w.ask(t, question); !strings.HasPrefix(a.Answer, first) || !strings.Contains(a.Answer, "parser keep") ||
			!strings.Contains(a.Answer, "1 commit") {
			t.Errorf("%s begins otherwise than with %q:\n%s", question, first, a.Answer)
		}
	}
}

// TestSessionsOfBlocksAlone: a session of which only single records are left, such as prompts in the client's history,
// is not described, and does not hide sessions that can be described.
func TestSessionsOfBlocksAlone(t *testing.T) {
	t.Parallel()
	w := history().session("1f", "2024-05-01", "Make the parser keep the last line")
	for day := range 25 {
		w.session(fmt.Sprintf("b%d", day), fmt.Sprintf("2024-05-%02d", day+2))
	}
	if a := w.askIn(t, "where did we leave off?", search.Query{}); a.Confidence != answer.High ||
		!strings.Contains(a.Answer, "parser") {
		t.Errorf("%s: %s", a.Confidence, a.Answer)
	}
}
