package ask

import (
	"strings"
	"testing"
)

func TestTurns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"config: walnut to maple migration":                     "walnut>mapl",
		"Why were the shelves migrated from maple back to oak?": "mapl>oak",
		"replace the saw with a laser":                          "saw>laser",
		"The saw has been superseded by the laser interface":    "saw>laser",
		"use pine instead of birch":                             "birch>pine",
		"Why did we deprecate glue in favour of screws?":        "glue>screw",
		"Walnut -> Maple":                                       "walnut>mapl",
		"swap nails for rivets in the frame":                    "nail>rivet",
		"replace bash to sh in the shed":                        "bash>sh",
		"add a laser to the bench":                              "",
		"cut with a saw":                                        "",
	} {
		var got []string
		for _, turn := range turns(text) {
			got = append(got, strings.Join(turn.from, " ")+">"+strings.Join(turn.to, " "))
		}
		parts := strings.Split(want, ">")
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || !strings.Contains(strings.Split(got[0], ">")[0], parts[0]) || !strings.Contains(strings.Split(got[0], ">")[1], parts[1])) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
