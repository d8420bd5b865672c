package ask

import "testing"

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
