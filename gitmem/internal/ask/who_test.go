package ask_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/team"
)

func TestWhoFollowsPathsAndLeavesBotsOut(t *testing.T) {
	t.Parallel()
	a := history().ask(t, "who knows the parser?")
	if len(a.People) != 2 || a.People[0].Name != "Bob" || a.People[1].Name != "Cy" {
		t.Fatalf("people %+v", a.People)
	}
	if a.People[0].Email != "bob@example.org" || a.People[0].Areas[0] != "parser/parser.go" ||
		len(a.People[0].Citations) != 1 {
		t.Errorf("person %+v", a.People[0])
	}
	if !strings.Contains(strings.Join(a.Caveats, " "), "by bots") {
		t.Errorf("what was left out must be told: %v", a.Caveats)
	}
}

func TestLeadsAreNoTrailers(t *testing.T) {
	t.Parallel()
	w := new(world).commit("Ada <a@example.org>", "2024-05-01", "# parser", "Signed-off-by: Ada <a@example.org>",
		"parser/parser.go")
	for _, question := range []string{"who knows the parser?", "what did we do in May 2024?"} {
		if a := w.ask(t, question); len(a.Citations) != 1 || a.Citations[0].Excerpt != "" {
			t.Errorf("%q: %+v", question, a.Citations)
		}
	}
}

func TestAreasSayMostOfTheArea(t *testing.T) {
	t.Parallel()
	w := new(world).
		commit("Ada <a@example.org>", "2024-05-01", "Quote fish completions", "", "fish_completions.go",
			"bash_completions.go", "completions.go").
		commit("Ada <a@example.org>", "2024-05-01", "Quote bash completions", "", "bash_completions.go").
		commit("Ada <a@example.org>", "2024-05-01", "Quote zsh completions", "", "zsh_completions.go")
	a := w.ask(t, "who knows the fish completions?")
	if len(a.People) != 1 || !slices.Equal(a.People[0].Areas, []string{"fish_completions.go"}) {
		t.Errorf("people %+v", a.People)
	}
	if a := w.ask(t, "who knows completions?"); len(a.People) != 1 ||
		!slices.Contains(a.People[0].Areas, "bash_completions.go") {
		t.Errorf("people %+v", a.People)
	}
}

// Contributions returns the contributions in the commits of a world. Each commit changed ten lines of each of its
// files.
func (w *world) Contributions(context.Context) (*query.Contributions, error) {
	h := &team.History{}
	for i, s := range w.sources {
		if author := w.authors[s.ID]; author != "" {
			e := team.Entry{Row: int64(i), Who: author, Unix: s.Time.Unix(), Paths: s.Paths, Lines: make([]uint32, len(s.Paths))}
			for j := range e.Lines {
				e.Lines[j] = 10
			}
			h.Add(e)
		}
	}
	owners := func(p string) []string {
		if strings.HasPrefix(p, "parser/") {
			return []string{"@example/parsers"}
		}
		return nil
	}
	return &query.Contributions{History: h, ID: func(row int64) string {
		return w.sources[row].ID
	}, Owners: owners, Exists: w.exists}, nil
}

func TestWhoForms(t *testing.T) {
	t.Parallel()
	w := new(world).
		commit("Ada Lovelace <ada@example.org>", "2020-01-02", "Add the parser", "", "parser/parser.go").
		commit("Bob Stone <bob@example.org>", "2023-05-01", "Parser: read numbers", "", "parser/parser.go").
		commit("Bob Stone <bob@work.example>", "2023-06-01", "Parser: read strings", "", "parser/parser.go").
		commit("Bob Stone <bob@example.org>", "2024-05-01", "Set up the pipeline", "", ".github/workflows/check.yml").
		commit("Cy Twain <cy@example.org>", "2024-05-02", "Say how to write arguments", "", "args.md")
	for question, want := range map[string]string{
		"who knows the parser?":                      "Bob Stone",
		"who introduced the parser?":                 "Ada Lovelace",
		"who wrote most of parser/parser.go?":        "Bob Stone",
		"who should review my change to parser.go?":  "Bob Stone",
		"who is still around that knows the parser?": "Bob Stone",
		"who looks after the CI these days?":         "Bob Stone",
		"who wrote args.md?":                         "Cy Twain",
		"who wrote the lexer?":                       "",
		"who takes care of parser/lexer.go?":         "",
		"who reviewed the parser?":                   "",
		"who wrote the GraphQL parser?":              "",
	} {
		a := w.ask(t, question)
		got := ""
		if len(a.People) > 0 {
			got = a.People[0].Name
		}
		if got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
		for _, p := range a.People {
			if len(p.Citations) == 0 || p.Commits == 0 || p.Lines == 0 || p.Share == 0 {
				t.Errorf("%q: %+v", question, p)
			}
		}
	}
	if a := w.ask(t, "who knows the parser?"); a.People[0].Commits != 2 ||
		!strings.Contains(strings.Join(a.Caveats, " "), "CODEOWNERS names @example/parsers") {
		t.Errorf("people %+v, caveats %v", a.People, a.Caveats)
	}
}

func TestWhoReadsWordsThatStandForOthers(t *testing.T) {
	t.Parallel()
	w := new(world).
		commit("Ada Lovelace <ada@example.org>", "2020-01-02", "Check them early", "", "args.go").
		commit("Bob Stone <bob@example.org>", "2023-05-01", "Test on all systems", "", ".github/workflows/test.yml").
		commit("Cy Twain <cy@example.org>", "2023-05-01", "Draw frames", "", "frames.go")
	groups, _ := search.ReadGroups("acronym: CI | continuous integration\nsynonym: parameter | args\n", false)
	w.synonyms = groups
	e := w.engine()
	for question, want := range map[string]string{
		"who knows how parameters work?":            "Ada Lovelace",
		"who takes care of continuous integration?": "Bob Stone",
	} {
		a, err := e.Ask(t.Context(), question, ask.Options{})
		if err != nil || len(a.People) == 0 || a.People[0].Name != want {
			t.Errorf("%q: %+v, %v, want %s", question, a.People, err, want)
		}
	}
}
