package ask_test

import (
	"slices"
	"strings"
	"testing"
)

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

func TestLeadsAreNoTrailers(t *testing.T) {
	t.Parallel()
	w := new(world).commit("Ada <a@example.org>", "2024-05-01", "# parser", "Signed-off-by: Ada <a@example.org>", "parser/parser.go")
	for _, question := range []string{"who knows the parser?", "what did we do in May 2024?"} {
		if a := w.ask(t, question); len(a.Citations) != 1 || a.Citations[0].Excerpt != "" {
			t.Errorf("%q: %+v", question, a.Citations)
		}
	}
}

func TestAreasSayMostOfTheArea(t *testing.T) {
	t.Parallel()
	w := new(world).
		commit("Ada <a@example.org>", "2024-05-01", "Quote fish completions", "", "fish_completions.go", "bash_completions.go", "completions.go").
		commit("Ada <a@example.org>", "2024-05-01", "Quote bash completions", "", "bash_completions.go").
		commit("Ada <a@example.org>", "2024-05-01", "Quote zsh completions", "", "zsh_completions.go")
	a := w.ask(t, "who knows the fish completions?")
	if len(a.People) != 1 || !slices.Equal(a.People[0].Areas, []string{"fish_completions.go"}) {
		t.Errorf("people %+v", a.People)
	}
	if a := w.ask(t, "who knows completions?"); len(a.People) != 1 || !slices.Contains(a.People[0].Areas, "bash_completions.go") {
		t.Errorf("people %+v", a.People)
	}
}
