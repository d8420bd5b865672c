package ask

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// Whether an answer is given and whether its thing still stands is judged by the same
// evidence.
func TestSpokesman(t *testing.T) {
	t.Parallel()
	page := evidence{src: cite.Source{Type: "docs"}, hit: search.Hit{Doc: index.Row{Role: "doc"}}, told: true, sharp: 1, support: 0.9}
	change := evidence{told: true, sharp: 1, support: 0.8}
	own, silent := page, change
	own.about, silent.told, silent.support = true, false, 1
	for name, test := range map[string]struct {
		found []evidence
		want  int
	}{
		"a change before a page that mentions it": {[]evidence{page, change}, 1},
		"a page about it":                         {[]evidence{change, own}, 1},
		"a page alone":                            {[]evidence{silent, page}, 1},
		"nothing that tells of it":                {[]evidence{silent}, -1},
	} {
		if got := spokesman(test.found); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}

// Many words pin a source down that it holds, and not that the question has.
func TestPinnedByWordsThatAreHeld(t *testing.T) {
	t.Parallel()
	q := Question{Terms: []string{"gener", "oper", "remov"}}
	for terms, want := range map[int]bool{2: false, 3: true} {
		ev := evidence{mass: 9, terms: terms, titled: 0.87, happened: true}
		if got := ev.pinned(q, 1); got != want {
			t.Errorf("%d of three words held: pinned %t", terms, got)
		}
	}
}
