package ask_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// world is a set of sources that an engine answers from. Every source is a hit;
// what a term weighs is counted over the sources.
type world struct {
	sources []cite.Source
	authors map[string]string      // id → author with address
	now     map[string]cite.Source // what a source says when it is looked up again
}

func (w *world) commit(author, day, title, text string, paths ...string) *world {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	id := fmt.Sprintf("git:commit:%040x", len(w.sources)+1)
	name, _, _ := strings.Cut(author, " <")
	w.sources = append(w.sources, cite.Source{
		ID: id, Layer: cite.LayerTeam, Source: "git", Title: title, Text: title + "\n\n" + text + "\n", Author: name, Time: at, Paths: paths,
	})
	if w.authors == nil {
		w.authors, w.now = map[string]string{}, map[string]cite.Source{}
	}
	w.authors[id] = author
	return w
}

func (w *world) engine() ask.Engine {
	now := time.Date(2024, 6, 1, 12, 0, 0, 0, time.UTC)
	return ask.Engine{
		Search: w.search, Now: now, Clock: func() time.Time { return now },
		Fetch: func(h search.Hit) (cite.Source, error) { return w.sources[h.Row], nil },
		Resolve: func(id string) (cite.Source, error) {
			if s, ok := w.now[id]; ok {
				if s.ID == "" {
					return s, fmt.Errorf("%s: %w", id, cite.ErrNotFound)
				}
				return s, nil
			}
			for _, s := range w.sources {
				if s.ID == id {
					return s, nil
				}
			}
			return cite.Source{}, cite.ErrNotFound
		},
		Searched: func() []ask.Searched {
			return []ask.Searched{{Layer: "team", Source: "commits", Items: len(w.sources)}}
		},
	}
}

func (w *world) search(_ context.Context, q search.Query) (search.Result, error) {
	var res search.Result
	mass := 0.0
	for _, term := range q.Terms {
		n := 0
		for _, s := range w.sources {
			if holds(s, term) {
				n++
			}
		}
		res.Terms = append(res.Terms, search.Term{Text: term, Docs: n, Rarity: 4 / float64(n+1)})
		mass += 4 / float64(n+1)
	}
	for i, s := range w.sources {
		if !q.Range.Contains(s.Time) {
			continue
		}
		h := search.Hit{Row: i, Doc: index.Row{ID: s.ID, Author: w.authors[s.ID], Time: s.Time, Type: s.Type, Paths: s.Paths}}
		for _, t := range res.Terms {
			if holds(s, t.Text) {
				h.Coverage += t.Rarity / mass
			}
		}
		h.Score = h.Coverage
		res.Hits = append(res.Hits, h)
	}
	return res, nil
}

func holds(s cite.Source, term string) bool {
	for _, t := range index.Terms(s.Text + " " + strings.Join(s.Paths, " ")) {
		if t == term {
			return true
		}
	}
	return false
}

func (w *world) ask(t *testing.T, question string) ask.Answer {
	t.Helper()
	e := w.engine()
	a, err := e.Ask(t.Context(), question, ask.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if (a.Confidence == ask.None) != (len(a.Citations) == 0 && len(a.People) == 0) {
		t.Errorf("%q: confidence %s with %d citations", question, a.Confidence, len(a.Citations))
	}
	if a.Citations == nil || a.People == nil || a.Caveats == nil || a.Fallbacks == nil || a.Suggestions == nil {
		t.Errorf("%q: a list is null", question)
	}
	return a
}

func history() *world {
	return new(world).
		commit("Ada <ada@example.org>", "2024-01-02", "Drop Redis from the session store", "It cost a second service, because sessions fit in memory.", "store/session.go").
		commit("Ada <ada@example.org>", "2024-01-05", "Add the licence file", "", "LICENSE").
		commit("Bob <bob@example.org>", "2024-02-03", "Parser: keep the last line", "Should we remove the tokenizer?", "parser/parser.go").
		commit("Cy <cy@example.org>", "2024-03-03", "Rework everything", "The build is faster.\n\nThe tokenizer is documented.\n\nWe removed trailing spaces.", "a.go", "b.go", "c.go", "parser/parser.go").
		commit("dependabot[bot] <support@example.org>", "2024-05-03", "Bump parser from 1 to 2", "", "parser/go.mod")
}

func TestAnswersQuoteTheReason(t *testing.T) {
	t.Parallel()
	a := history().ask(t, "why did we drop Redis?")
	if a.Confidence == ask.None || !strings.Contains(a.Answer, "because sessions fit in memory") {
		t.Errorf("confidence %s:\n%s", a.Confidence, a.Answer)
	}
	if c := a.Citations[0]; c.Status != cite.StatusHolds || c.Trust != "untrusted" || c.Time != "2024-01-02T00:00:00Z" {
		t.Errorf("citation %+v", c)
	}
}

func TestNotRecorded(t *testing.T) {
	t.Parallel()
	for question, why := range map[string]string{
		"why did we drop Kafka?":               "a name that nobody mentions",
		"why did we delete the licence file?":  "the words are there, the event is another",
		"why did we remove the tokenizer?":     "the verb stands in another sentence, and a question is no record",
		"when did we drop Redis in March 2024": "it was in another month",
		"who knows the Fortran bindings?":      "nobody touched them",
		"flurb the wozzle":                     "nonsense",
		"why?":                                 "nothing is asked",
	} {
		a := history().ask(t, question)
		if a.Confidence != ask.None || !strings.HasPrefix(a.Answer, "Not recorded.") {
			t.Errorf("%q (%s): confidence %s\n%s", question, why, a.Confidence, a.Answer)
		}
	}
}

func TestVerbOfTheSameEventCounts(t *testing.T) {
	t.Parallel()
	a := history().ask(t, "why did we get rid of Redis?")
	if a.Confidence == ask.None {
		t.Errorf("removing and dropping are one event:\n%s", a.Answer)
	}
}

func TestSourcesThatChangedSinceTheyWereFound(t *testing.T) {
	t.Parallel()
	w := history()
	id := w.sources[0].ID
	w.now[id] = cite.Source{}
	a := w.ask(t, "why did we drop Redis?")
	if a.Confidence != ask.None || len(a.Caveats) != 1 {
		t.Errorf("a source that is gone must not be cited, and that must be told: %s, %v", a.Confidence, a.Caveats)
	}
	moved := w.sources[0]
	moved.Text = "Drop Redis from the session store\n\nNew line.\n\nIt cost a second service, because sessions fit in memory.\n"
	w.now[id] = moved
	a = w.ask(t, "why did we drop Redis?")
	if len(a.Citations) == 0 || a.Citations[0].Status != cite.StatusMoved {
		t.Errorf("a passage that stands elsewhere has moved: %+v", a.Citations)
	}
}

func TestWhoFollowsPathsAndLeavesBotsOut(t *testing.T) {
	t.Parallel()
	a := history().ask(t, "who knows the parser?")
	if len(a.People) != 2 || a.People[0].Name != "Bob" || a.People[1].Name != "Cy" {
		t.Fatalf("people %+v", a.People)
	}
	if a.People[0].Email != "bob@example.org" || a.People[0].Areas[0] != "parser/parser.go" || len(a.People[0].Citations) != 1 {
		t.Errorf("person %+v", a.People[0])
	}
	if !strings.Contains(strings.Join(a.Caveats, " "), "by bots") {
		t.Errorf("what was left out must be told: %v", a.Caveats)
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

func TestDigestOfAMonth(t *testing.T) {
	t.Parallel()
	a := history().ask(t, "what did we do in January 2024?")
	if a.Kind != ask.KindRecent || a.Confidence != ask.High || len(a.Citations) != 2 {
		t.Errorf("%s, %s, %d citations", a.Kind, a.Confidence, len(a.Citations))
	}
	if !strings.Contains(a.Answer, "2024-01-01 to 2024-01-31: 2 commits by Ada (2)") {
		t.Errorf("answer:\n%s", a.Answer)
	}
	if a := history().ask(t, "what did we do in July 2021?"); a.Confidence != ask.None {
		t.Errorf("an empty month: %s", a.Answer)
	}
}
