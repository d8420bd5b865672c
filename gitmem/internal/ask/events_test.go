package ask_test

import (
	"slices"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/ask"
	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Verbs with a particle are one event, with words between them or without.
func TestEventsInManyWords(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"why did we take the altimeter out?":              "remove altimeter",
		"why did we throw out the altimeter?":             "remove altimeter",
		"when was the altimeter thrown away?":             "remove altimeter",
		"when did the altimeter go away?":                 "remove altimeter",
		"why did we get rid of the altimeter?":            "remove altimeter",
		"why was the altimeter backed out?":               "revert altimeter",
		"why did we roll the altimeter back?":             "revert altimeter",
		"when did we turn the altimeter off?":             "disable altimeter",
		"when did the altimeter arrive?":                  "altimeter",
		"when did we start supporting the altimeter?":     "altimeter",
		"when did the altimeter come in?":                 "altimeter",
		"when did the altimeter go?":                      "remove altimeter",
		"when was the altimeter ported to go?":            "altimeter port",
		"why does the altimeter no longer exist?":         "remove altimeter",
		"why don't we ship the altimeter any more?":       "remove altimeter",
		"why isn't the altimeter there anymore?":          "remove altimeter",
		"why is the altimeter no longer supported?":       "remove altimeter",
		"why does the altimeter no longer blink?":         "altimeter longer blink",
		"why do we take the altimeter when it is in sea?": "altimeter sea",
	} {
		got, need := ask.Read(question, time.Time{}, nil).Terms, index.QueryTerms(want)
		got = slices.DeleteFunc(slices.Clone(got), func(term string) bool { return term == "take" })
		slices.Sort(got)
		slices.Sort(need)
		if !slices.Equal(got, need) {
			t.Errorf("%q: %v, want %v", question, got, need)
		}
	}
}

func TestNamesOfAQuestion(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"Why did we drop Kelvin and read_scale from lab/scale.go in v2.1?": "Kelvin read_scale lab/scale.go v2.1",
		"Who wrote it?":                                    "",
		"why is --quiet the default":                       "--quiet",
		"What does RelayDriver do with the relay's fuse?":  "RelayDriver",
		"In spring 2024 we added HTTP, what was the point": "HTTP",
	} {
		var need []string
		for w := range slices.Values(fieldsOf(want)) {
			need = append(need, index.QueryTerms(w)[0])
		}
		if got := ask.Read(question, time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC), nil).Sharp; !slices.Equal(got, need) {
			t.Errorf("%q: %v, want %v", question, got, need)
		}
	}
}
