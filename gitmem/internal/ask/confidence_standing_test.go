package ask_test

import (
	"context"
	"errors"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
)

// yard is a history that tells of ends, some of which are not those of the whole thing.
func yard() *world {
	return new(world).
		commit("Ada <ada@example.org>", "2024-03-01", "Remove crane.lift(load, height) signature", "It was hard to read which of the two was meant.", "yard/crane.go").
		commit("Bob <bob@example.org>", "2024-03-02", "Drop the tow_line helper", "Nobody calls the tow_line helper since the winch is there.", "yard/tow.go").
		commit("Bob <bob@example.org>", "2024-03-03", "yard: remove fork-lift.sh and what it needs", "Nobody has been able to drive it since the yard was paved.", "yard/fork-lift.sh").
		commit("Cy <cy@example.org>", "2024-03-04", "Remove duplicate anchor_bolt and add chain_hook", "Both held the same load in the yard.", "yard/bolt.go").
		commit("Cy <cy@example.org>", "2024-03-05", "Remove hookLoad from craneArm", "It was never read by anybody there.", "yard/arm.go")
}

func TestEndsAreLookedUp(t *testing.T) {
	t.Parallel()
	type counts map[string][2]int
	for _, c := range []struct {
		question string
		left     counts
		want     bool // answered
	}{
		{"why was crane.lift removed?", counts{"crane.lift": {9, 8}}, false},               // a form of it was
		{"why was crane.lift removed?", counts{"crane.lift": {9, 0}}, true},                // it went
		{"why was crane.lift removed?", counts{"crane.lift": {9, 3}}, true},                // what is left are words about it
		{"why was crane.lift removed?", nil, true},                                         // nobody can tell
		{"when did we drop the tow_line helper?", counts{"tow_line": {2, 2}}, false},       // it stands
		{"when did fork-lift.sh go?", counts{"fork-lift.sh": {1, 0}}, true},                // its file went
		{"why was hookLoad removed from craneArm?", counts{"hookLoad": {3, 0}}, true},      // the other name says where
		{"when was hookLoad removed from craneArm?", counts{"craneArm": {3, 3}}, true},     // it says where only
		{"what was behind removing chain_hook?", counts{"chain_hook": {0, 2}}, false},      // the verb belongs to another thing
		{"what was behind removing anchor_bolt?", counts{"anchor_bolt": {4, 1}}, true},     // this is its thing
		{"why is crane.lift never removed?", counts{"crane.lift": {9, 8}}, false},          // no removal is asked about
		{"when did we add the chain_hook?", counts{"chain_hook": {1, 1}}, true},            // no end is asked about
		{"why did we drop the tow_line helper?", counts{"the tow_line": {1, 1}}, true},     // only the name counts
		{"why did we drop the towing_line helper?", counts{"tow_line": {1, 0}}, false},     // another name
		{"why did we remove the fork-lift.sh?", counts{"fork-lift.sh": {1, 1}}, false},     // it is there still
		{"why did tow_line lose its helper?", counts{"tow_line": {2, 2}}, true},            // it is not what went
		{"in which month did fork-lift.sh go?", counts{"fork-lift.sh": {1, 0}}, true},      // the same in other words
		{"when was the yard ported to go?", counts{"yard": {1, 1}}, false},                 // a language
		{"why did we remove the anchor_bolt?", counts{"anchor_bolt": {0, 0}}, true},        // what changed does not hold it
		{"why did we replace the tow_line helper?", counts{"tow_line": {2, 0}}, false},     // nothing took its place
		{"when was crane.lift(load, height) removed?", counts{"crane.lift": {2, 0}}, true}, // asked in full
	} {
		e := yard().engine()
		e.Left = func(_ context.Context, _, name string) (before, after int, ok bool) {
			n, ok := c.left[name]
			return n[0], n[1], ok
		}
		a, err := e.Ask(t.Context(), c.question, ask.Options{})
		if err != nil || (a.Confidence != ask.None) != c.want {
			t.Errorf("%q with %v: %s, want an answer: %t\n%s", c.question, c.left, a.Confidence, c.want, errors.Join(err))
		}
	}
}

// joinery is a history of changes from one thing to another.
func joinery() *world {
	return new(world).
		commit("Ada <ada@example.org>", "2024-03-01", "shelves: walnut to maple migration", "The shelves bend less since then.", "shelves/a.go").
		commit("Bob <bob@example.org>", "2024-03-02", "Deprecate nails in favour of screws", "Nails have been superseded by screws, which hold in wet wood.", "frame/b.go").
		commit("Cy <cy@example.org>", "2024-03-03", "Use the laser instead of the saw for drawers", "The laser leaves no splinters on drawers.", "drawers/c.go")
}

func TestTurnsAroundAreRefused(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]bool{
		"why did we migrate the shelves from walnut to maple?":    true,
		"why did we migrate the shelves from maple to walnut?":    false,
		"why did we deprecate nails in favour of screws?":         true,
		"why did we deprecate screws in favour of nails?":         false,
		"why do drawers use the laser instead of the saw?":        true,
		"why do drawers use the saw instead of the laser?":        false,
		"why did we replace screws with nails?":                   false,
		"why did we replace the laser with a knife for drawers?":  false,
		"why do we use the laser rather than the saw for drawers": true,
	} {
		if a := joinery().ask(t, question); (a.Confidence != ask.None) != want {
			t.Errorf("%q: %s, want an answer: %t\n%s", question, a.Confidence, want, a.Answer)
		}
	}
}
