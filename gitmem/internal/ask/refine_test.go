package ask_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// TestRefined: a question that finds nothing is repeated in other words, and its results do not count as an answer.
func TestRefined(t *testing.T) {
	t.Parallel()
	w := new(world).
		commit("Ada Lovelace <ada@example.org>", "2020-01-02", "Send args to the queue",
			"The args were lost on the way.", "args.go").
		commit("Cy Twain <cy@example.org>", "2023-05-01", "Draw frames", "", "frames.go")
	w.synonyms, _ = search.ReadGroups("synonym: parameter | args\n", false)
	e := w.engine()
	for question, want := range map[string]string{
		"why are parameters generally such a big matter?": "Send args to the queue", // no source contains any of its words
		"what about bicycles?":                            "",                       // its words have no synonyms
		"why are parameters of --fast-mode lost?":         "",                       // no source contains the name
		"what about bicycles, boats and parameters?":      "",                       // most of it has another subject
	} {
		a, tried, err := e.AskTwice(t.Context(), question, ask.Options{})
		if err != nil {
			t.Fatal(err)
		}
		found := a.Verdict == answer.Closest && strings.Contains(a.Answer, want) && tried.Name == "refined" &&
			tried.Hits > 0 && len(a.Caveats) > 0
		if want == "" && a.Verdict != answer.NotRecorded || want != "" && !found {
			t.Errorf("%q: %s %+v %q\n%s", question, a.Verdict, tried, a.Caveats, a.Answer)
		}
	}
}
