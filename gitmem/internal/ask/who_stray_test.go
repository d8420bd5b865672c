package ask_test

import "testing"

// TestWhoPassesStrayWordsOver: a word that only one message or an example contains is not an area, neither alone nor
// next to known words; a word of paths or titles is.
func TestWhoPassesStrayWordsOver(t *testing.T) {
	t.Parallel()
	const ada, bob = "Ada Lovelace <ada@example.org>", "Bob Stone <bob@example.org>"
	w := new(world).
		commit(ada, "2023-01-02", "Begin", "", "store/store.go", "main.go").
		commit(ada, "2023-02-02", "Store: keep keys", "Some day MySQL may follow, or a watcher.", "store/keys.go").
		commit(ada, "2023-03-02", "Store: drop keys", "", "store/keys.go").
		commit(bob, "2023-04-02", "Write an example of a database", "", "examples/database/db.go").
		commit(bob, "2023-05-02", "Throttle uploads", "", "main.go").
		commit(bob, "2023-06-02", "Throttle downloads", "", "main.go").
		commit(bob, "2023-07-02", "Do not throttle health checks", "", "main.go")
	for question, want := range map[string]string{
		"who knows the store?":               ada,
		"who wrote the MySQL store?":         "",
		"who built the watcher?":             "",
		"who maintains the database layer?":  "",
		"who wrote the database example?":    bob,
		"who takes care of throttling?":      bob,
		"who wrote the HTTP/2 store client?": "",
	} {
		got := ""
		if a := w.ask(t, question); len(a.People) > 0 {
			got = a.People[0].Name + " <" + a.People[0].Email + ">"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}

func TestWhoFindsNamesWrittenAsOne(t *testing.T) {
	t.Parallel()
	w := new(world).
		commit("Ada <a@example.org>", "2024-05-01", "Draw the map of the tide", "", "tidemap/draw.go").
		commit("Ada <a@example.org>", "2024-05-02", "Fill the sea", "", "tidemap/draw.go").
		commit("Bob <b@example.org>", "2024-05-03", "Test it", "", "checks/tide_map_small.go")
	if a := w.ask(t, "who knows the tide map?"); len(a.People) == 0 || a.People[0].Name != "Ada" {
		t.Errorf("people %+v", a.People)
	}
}

// In a history of a few commits one title shows knowledge of a subject; in a long history it does not.
func TestWhoKnowsOneTitleOfAFew(t *testing.T) {
	t.Parallel()
	for commits, want := range map[int]int{4: 1, 100: 0} {
		w := new(world).
			commit("Ada <a@example.org>", "2024-04-02", "Add the YAML parser", "", "parser.go").
			commit("Ada <a@example.org>", "2024-04-09", "fix: parser loses the last line", "", "parser.go")
		for range commits {
			w.commit("Bob <b@example.org>", "2024-05-01", "Wire the relay driver", "", "relay.c")
		}
		if a := w.ask(t, "who knows the YAML parser?"); len(a.People) != want {
			t.Errorf("of %d commits: %d people, want %d", commits+2, len(a.People), want)
		}
	}
}

// A plain word next to a name that occurs in paths describes the name.
func TestWhoTakesPlainWordsBesideANameForItsDescription(t *testing.T) {
	t.Parallel()
	w := new(world).commit("Ada <a@example.org>", "2024-04-02", "Read Markdown without losing a byte",
		"The parser and a MySQL table.", "markdown/blocks.go")
	for range 100 {
		w.commit("Bob <b@example.org>", "2024-05-01", "Wire the relay driver", "", "relay.c")
	}
	for question, want := range map[string]int{"who knows the Markdown parser?": 1, "who knows the MySQL parser?": 0,
		"who knows the Markdown linter?": 0} {
		if a := w.ask(t, question); len(a.People) != want {
			t.Errorf("%s %d people, want %d", question, len(a.People), want)
		}
	}
}
