package ask_test

import (
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
)

// workshop is a history that holds most words of questions whose event never happened.
func workshop() *world {
	return new(world).
		commit("Ada <ada@example.org>", "2024-03-01", "Remove the verbose switch in lathe import command", "It told what the log tells anyway, and nobody read it there.", "lathe/import.go").
		commit("Ada <ada@example.org>", "2024-03-02", "anvil: handle shallow castings", "This ensures that shallow castings are handled during operations like dropping or stacking.", "anvil/cast.go").
		commit("Bob <bob@example.org>", "2024-03-03", "Add pictures of enamel work", "https://forum.example.org/t/enamel-strips-colors-on-metal/57210", "pictures/enamel.png").
		commit("Bob <bob@example.org>", "2024-03-04", "crane: Limit the builds to two platforms", "The newest base of the crane has dropped support for riscv64.", "crane/build.yaml").
		commit("Cy <cy@example.org>", "2024-03-05", "polishers: Make the coarse grain default for wood", "With the fine one the polishers took twice as long.", "polishers/grain.go").
		commit("Cy <cy@example.org>", "2024-03-06", "urls: Add JoinPath and SplitPath", "Themes wrote both by hand, because there was nothing to call.", "urls/join.go").
		commit("Cy <cy@example.org>", "2024-03-07", "kiln: refactor the glaze reader", "Refactor removeGlazeMarker so that it copies nothing.", "kiln/glaze.go").
		commit("Di <di@example.org>", "2024-03-08", "Sync the handbook", "2c0125b52 Remove the old author page 2cf8841b3 Update bellows.md (#12)", "handbook/bellows.md").
		commit("Di <di@example.org>", "2024-03-09", "vise: never print the serial number", "Labels with the serial number of a vise were copied by others.", "vise/label.go").
		commit("Di <di@example.org>", "2024-03-10", "loom: add an option to disable the shuttle", "Repairs of the shuttle need it at rest.", "loom/shuttle.go").
		commit("Di <di@example.org>", "2024-03-10", "pulley: drop its spare rope", "Nobody ever used the spare rope.", "pulley/rope.go").
		commit("Di <di@example.org>", "2024-03-10", "winch: document that we do not plan to retire the hand winch", "Both kinds stay.", "winch/doc.md").
		commit("Di <di@example.org>", "2024-03-10", "trowel: fix the colours of removed trowels", "They were shown as if they were there.", "trowel/list.go").
		commit("Di <di@example.org>", "2024-03-10", "Tell that the hoist defaults its siren to off", "The loud noise disturbed everybody near it.", "hoist/siren.go").
		commit("Di <di@example.org>", "2024-03-10", "forge: measure the bellows_pump", "We should look later whether to remove the bellows_pump of the forge.", "forge/pump.go").
		commit("Di <di@example.org>", "2024-03-10", "Format the output of gauges as tables", "Formatters for gauges and output of tables are given by name.", "gauge/table.go")
}

func TestEventsBelongToTheirObject(t *testing.T) {
	t.Parallel()
	for question, why := range map[string]string{
		"when was the lathe import command removed?":            "something in it was removed",
		"why are shallow castings gone?":                        "the verb names another operation",
		"why did we remove enamel?":                             "the verb stands in an address",
		"when did the crane start building for riscv64?":        "it stopped",
		"when did we add riscv64 to the crane?":                 "it was dropped",
		"when did --polish become the default?":                 "a name is written out, and no stem of it",
		"why did we remove the glaze from the kiln?":            "the verb is part of an identifier",
		"when was bellows.md removed?":                          "the verb belongs to another item of a list",
		"why did we disable the shuttle?":                       "it became possible",
		"when was the pulley removed?":                          "something of it was removed",
		"when did we retire the hand winch?":                    "that is said not to happen",
		"when were trowels removed?":                            "the program tells so of its things",
		"why do gauges give no formatters for output?":          "nothing says no",
		"why did the vise skip the serial number on labels?":    "never printing is no skipping",
		"why was the serial number of the vise made a default?": "nothing is said of defaults",
		"why does the hoist default to its siren?":              "it is off",
		"why did we remove the bellows_pump of the forge?":      "somebody wonders whether to",
		"when did the crane stop supporting riscv64?":           "its title tells of something else, so that it is a lead",
	} {
		if a := workshop().ask(t, question); a.Confidence != ask.None {
			t.Errorf("%q (%s): %s\n%s", question, why, a.Confidence, a.Answer)
		}
	}
}

func TestEventsOfTheirObjectAnswer(t *testing.T) {
	t.Parallel()
	for question, title := range map[string]string{
		"why did we remove the verbose switch?":                     "Remove the verbose switch in lathe import command",
		"why was the verbose switch of the lathe import removed?":   "Remove the verbose switch in lathe import command",
		"why is coarse grain the default of the polishers?":         "polishers: Make the coarse grain default for wood",
		"when did urls.JoinPath arrive?":                            "urls: Add JoinPath and SplitPath",
		"why does the vise not print the serial number any more?":   "vise: never print the serial number",
		"when was an option added to disable the shuttle?":          "loom: add an option to disable the shuttle",
		"why does the hoist default its siren to off?":              "Tell that the hoist defaults its siren to off",
		"why did the pulley lose its spare rope?":                   "pulley: drop its spare rope",
		"in which release did we add JoinPath and SplitPath?":       "urls: Add JoinPath and SplitPath",
		"why did we never print the serial number of the vise?":     "vise: never print the serial number",
		"when did we add the pictures of enamel?":                   "Add pictures of enamel work",
		"why did we refactor the reader of the glaze in the kiln?":  "kiln: refactor the glaze reader",
		"when did we start to handle shallow castings in the anvil": "anvil: handle shallow castings",
	} {
		a := workshop().ask(t, question)
		if a.Confidence == ask.None || len(a.Citations) == 0 || a.Citations[0].Title != title {
			t.Errorf("%q: %s\n%s", question, a.Confidence, a.Answer)
		}
	}
}
