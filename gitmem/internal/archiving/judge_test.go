package archiving_test

import (
	"context"
	"iter"
	"os"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/archiving"
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// silent is a language model that is switched off.
type silent struct{}

func (silent) Summarise(context.Context, string, string, string,
	iter.Seq2[transcript.Message, error]) (_, _ string, _ error) {
	return "", "", nil
}

func (silent) Ideas(
	context.Context, string, string, []graph.Node, iter.Seq2[transcript.Message, error],
) (*archive.Found, error) {
	return nil, nil
}

// TestJudgedSection: the built-in model finds ideas that the words alone do not show, unless it is off or damaged or
// the user waits.
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
	for name, tt := range map[string]struct {
		sentences    []byte
		config       string
		model        archiving.Model // nil: the user waits
		found, noted bool
	}{
		"on":      {sentences, "", silent{}, true, false},
		"off":     {sentences, "embed: off\n", silent{}, false, false},
		"damaged": {sentences[:100], "", silent{}, false, true},
		"waits":   {sentences, "", nil, false, false},
	} {
		m := newMemory(t)
		m.encoder, m.sentences = encoder, tt.sentences
		if tt.config != "" {
			m.Write(m.InRoot("gitmem/local.yaml"), tt.config)
		}
		file := m.transcript(m.dir, sessionA, turn{"user", "2025-03-09T14:02:00Z", "what is the state of the gateway?"},
			turn{"assistant", "2025-03-09T14:22:00Z", "Who pays for the bandwidth is still open."},
			turn{"assistant", "2025-03-09T14:23:00Z", "We decided to use the ten ampere relay."})
		var e archiving.Ended
		m.in(m.dir, func(c call) {
			var err error
			if e, err = c.End(t.Context(), sessionA, file, tt.model); err != nil {
				t.Fatal(err)
			}
		})
		if found := strings.Contains(m.archives(), idea); found != tt.found || (e.Note != "") != tt.noted {
			t.Errorf("%s: noted %q\n%s", name, e.Note, m.archives())
		}
	}
}
