package ask

import (
	"strings"
	"testing"
)

// What took the place of what is told in many ways.
func TestTurns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"cli: replace pump with valve and supporting code":       "pump > valve and supporting code",
		"Why was the pump replaced by a valve?":                  "the pump > a valve",
		"The pump is replaced with a valve in the lab":           "the pump > a valve",
		"why is pump replaced by valve":                          "pump > valve",
		"Valve replaces pump":                                    "pump > valve",
		"why did we replace the pump?":                           "the pump > ",
		"when was the pump replaced?":                            "the pump > ",
		"replacement of the pump with a valve":                   "the pump > a valve",
		"Swap the pump for a valve":                              "the pump > a valve",
		"swap the pump with a leak in the lab for a valve":       "the pump > a valve",
		"Substitute a valve for the pump":                        "the pump > a valve",
		"Switch leaky pump for tight valve (#12)":                "leaky pump > tight valve #12",
		"why did we move to valve from pump?":                    "pump > valve",
		"Migrate the tests from pump to valve":                   "pump > valve of the tests",
		"... we migrated off of `pump` long ago.":                "pump long ago > ",
		"Move away from the pump":                                "the pump > ",
		"Use the valve instead of the pump":                      "the pump > use the valve",
		"Instead of the pump, use the valve":                     "the pump > use the valve;  > the valve",
		"Drop pump in favor of valve":                            "drop pump > valve",
		"why did the pump make way for valves so soon":           "the pump > valves",
		"Prefer valves rather than pumps":                        "pumps > prefer valves",
		"Convert pump to valve":                                  "pump > valve",
		"Rewrite the pump in Go":                                 " > go of the pump",
		"pump -> valve":                                          "pump > valve",
		"Use valve for water":                                    " > valve",
		"Don't replace the pump with the valve":                  "",
		"pump -> valve and tank -> pond":                         "pump > valve; tank > pond",
		"when was the pump rewritten in Go?":                     " > go of the pump",
		"The tests were moved from pump to valve":                "pump > valve of the tests",
		"replace pump to valve in the shed":                      "pump > valve",
		"Rename pump to valve":                                   "pump > valve",
		"The pump has been superseded by the valve interface":    "the pump > the valve interface",
		"Ditch pumps for valves":                                 "pumps > valves",
		"Why did we deprecate pumps in favour of valves?":        "deprecate pumps > valves",
		"Why were the pumps migrated from steel back to iron?":   "steel back > iron of the pumps",
		"config: pump to valve migration":                        "pump > valve",
		"Change the pump":                                        "",
		"The pump went out":                                      "",
		"why did the lab's pump leak when the valve was closed?": "",
	} {
		var got []string
		for _, turn := range turns(text) {
			s := strings.Join(turn.from, " ") + " > " + strings.Join(turn.to, " ")
			if len(turn.of) > 0 {
				s += " of " + strings.Join(turn.of, " ")
			}
			got = append(got, s)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
