package ask

import "testing"

// No text makes a turn without a side, or one whose sides are whole sentences.
func FuzzTurns(f *testing.F) {
	for _, seed := range []string{
		"Why did we move to valves from pumps?", "Replace pump with valve", "instead of", "pump -> valve and tank -> pond", "in favour", "migration", "swap the for", "to from to from", "`x` => ", "not replaced by",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, turn := range turns(text) {
			if len(turn.from)+len(turn.to) == 0 || len(turn.from) > mostOfSide || len(turn.to) > mostOfSide {
				t.Errorf("%q: %+v", text, turn)
			}
		}
	})
}
