package ask_test

import (
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

const (
	ada = "Ada Lovelace <ada@example.org>"
	bob = "Bob Stone <bob@example.org>"
	cy  = "Cy Twain <cy@example.org>"
)

// The author of a single event comes from the commit that describes it, not from who changed most of its files.
func TestWhoDidSomethingOnce(t *testing.T) {
	t.Parallel()
	w := new(world).
		commit(ada, "2021-01-02", "Add zsh completion for valves", "", "valve/zsh.go").
		commit(bob, "2022-01-02", "Rework zsh completion for valves", "", "valve/zsh.go").
		commit(bob, "2022-02-02", "Speed up the valves", "", "valve/zsh.go", "valve/valve.go").
		commit(cy, "2023-02-02", "Remove the brass option of valves", "", "valve/brass.go")
	for question, want := range map[string]string{
		"who added zsh completion for valves?":        "Ada Lovelace",
		"who removed the brass option of the valves?": "Cy Twain",
		"who knows the valve code?":                   "Bob Stone",
		"who removed zsh completion for valves?":      "", // no commit did that
	} {
		a := w.ask(t, question)
		got := ""
		if len(a.People) > 0 {
			got = a.People[0].Name
		}
		if got != want {
			t.Errorf("%q: %q, want %q\n%s", question, got, want, a.Answer)
		}
	}
}

// Deleted files, and copies of others' work, do not count as knowledge of current files; earlier names of a file do.
func TestWhoKnowsWhatIsThereNow(t *testing.T) {
	t.Parallel()
	w := new(world).
		commit(cy, "2021-01-02", "Vendor the fuse mount library", "", "compat/fuse/mount.go", "compat/fuse/mounted.go").
		commit(cy, "2021-02-02", "Vendor more of the fuse mount library", "", "compat/fuse/mount.go", "old/mount.go").
		commit(ada, "2022-01-02", "Mount files", "", "src/app/fuse/dir.go").
		commit(ada, "2022-02-02", "Mount folders", "", "src/app/fuse/dir.go").
		commit(bob, "2023-01-02", "Move the packages", "", "src/app/fuse/dir.go", "internal/fuse/dir.go")
	w.exists = func(path string) bool { return path == "internal/fuse/dir.go" }
	e := w.engine()
	a, err := e.Ask(t.Context(), "who knows the fuse code?", ask.Options{})
	if err != nil || len(a.People) == 0 || a.People[0].Name != "Ada Lovelace" {
		t.Errorf("%v: %+v", err, a.People)
	}
	for _, p := range a.People {
		if p.Name == "Cy Twain" {
			t.Errorf("who copied a library is named: %+v", p)
		}
	}
}

// Rules and notes that name who does something come before the history.
func TestOwnWordsNamePeople(t *testing.T) {
	t.Parallel()
	w := new(world).commit(bob, "2022-01-02", "Print valves in a table", "", "printer/table.go")
	w.sources = append(w.sources, cite.Source{
		ID: "memory:p#people", Layer: cite.LayerMemory, Source: "memory", Title: "People",
		Text: "Questions on the printer table go to Priya.\n", Line: 3,
	})
	a := w.ask(t, "who should I ask about the printer table?")
	if len(a.Citations) == 0 || a.Citations[0].ID != "memory:p#people" || a.Verdict != answer.Answered {
		t.Errorf("%s\n%s", a.Verdict, a.Answer)
	}
}

// The name of a person stands for that person and is not a word about commits; a word is not a name just because
// somebody has that name.
func TestNamesOfPeople(t *testing.T) {
	t.Parallel()
	const ai = "Ai Weir <ai@example.org>"
	w := new(world).
		commit(ada, "2021-01-02", "Add zsh completion for valves", "", "valve/zsh.go").
		commit(ada, "2023-02-02", "Speed up the valves", "As Ai Weir proposed.", "valve/valve.go").
		commit(bob, "2024-01-02", "Suggest settings by AI", "", "suggest/ai.go").
		commit(ai, "2024-02-02", "Draw valves", "", "draw/draw.go")
	for question, want := range map[string]string{
		"who is Ada Lovelace?":                            "Ada Lovelace",
		"Who is Ada and what has she done here?":          "Ada Lovelace",
		"what did Ada Lovelace work on?":                  "Ada Lovelace",
		"tell me about the work of Ai Weir in valves":     "Ai Weir",
		"show me Bob's commits":                           "Bob Stone",
		"who knows ai?":                                   "Bob Stone",
		"who knows the ai code?":                          "Bob Stone",
		"what changed about ai?":                          "",
		"why was Ada removed?":                            "",
		"what did Zed Zorro work on?":                     "",
		"who added zsh completion for valves?":            "Ada Lovelace",
		"who is behind the zsh completion of the valves?": "Ada Lovelace",
	} {
		a := w.ask(t, question)
		got := ""
		if len(a.People) > 0 {
			got = a.People[0].Name
		}
		if got != want {
			t.Errorf("%q: %q, want %q\n%s", question, got, want, a.Answer)
		}
	}
	if a := w.ask(t, "why do we suggest settings by ai?"); len(a.Citations) == 0 || a.Citations[0].Author != "Bob Stone" {
		t.Errorf("%+v", a.Citations)
	}
	if a := w.ask(t, "when did we draw valves with ai?"); a.Verdict == answer.Answered {
		t.Errorf("a commit is about ai because of who made it:\n%s", a.Answer)
	}
	a := w.ask(t, "what did Ada Lovelace work on?")
	for _, title := range []string{"Add zsh completion for valves", "Speed up the valves"} {
		if !strings.Contains(a.Answer, title) {
			t.Errorf("%s is missing:\n%s", title, a.Answer)
		}
	}
	if a := w.ask(t, "what did Zed Zorro work on?"); !strings.Contains(strings.Join(a.Caveats, " "),
		"Nobody called Zed Zorro") {
		t.Errorf("caveats %v", a.Caveats)
	}
}

// A single commit does not give anybody a share of 100%.
func TestSharesOfFewCommits(t *testing.T) {
	t.Parallel()
	w := new(world).
		commit(ada, "2021-01-02", "Print valves in a table", "", "printer/table.go").
		commit(bob, "2021-01-03", "Draw valves", "", "draw/draw.go")
	if a := w.ask(t, "who knows the printer table?"); !strings.Contains(a.Answer, "**Ada Lovelace** · 1 of 1 commit,") {
		t.Error(a.Answer)
	}
	if a := w.ask(t, "who added the table of valves that is printed?"); strings.Contains(a.Answer, "100 %") {
		t.Error(a.Answer)
	}
}
