package archiving_test

import (
	"os"
	"strings"
	"testing"
)

// TestJudgedSection: the built-in model finds ideas that words don't tell, unless it is off or damaged.
func TestJudgedSection(t *testing.T) {
	t.Parallel()
	read := func(name string) []byte {
		b, err := os.ReadFile("../../../templates/meaning/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	encoder, sentences := read("encoder.gmbert"), read("sentences.gmpair")
	const idea = "- [question] Who pays for the bandwidth is still open. (L2 14:22) ^i-"
	for name, c := range map[string]struct {
		sentences    []byte
		config       string
		found, noted bool
	}{
		"on":      {sentences, "", true, false},
		"off":     {sentences, "embed: off\n", false, false},
		"damaged": {sentences[:100], "", false, true},
	} {
		m := newMemory(t)
		m.encoder, m.sentences = encoder, c.sentences
		if c.config != "" {
			m.Write(m.InRoot("gitmem/config.yaml"), c.config)
		}
		file := m.transcript(m.dir, sessionA, turn{"user", "2025-03-09T14:02:00Z", "what is the state of the gateway?"},
			turn{"assistant", "2025-03-09T14:22:00Z", "Who pays for the bandwidth is still open."}, turn{"assistant", "2025-03-09T14:23:00Z", "We decided to use the ten ampere relay."})
		e := m.end(m.dir, sessionA, file)
		if found := strings.Contains(m.archives(), idea); found != c.found || (e.Note != "") != c.noted {
			t.Errorf("%s: noted %q\n%s", name, e.Note, m.archives())
		}
	}
}
