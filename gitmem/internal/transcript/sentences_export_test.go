package transcript_test

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

var exported = flag.String("export", "", "beginning of the names of files, to which the labelled sentences are written")

// TestExport writes the sentences of the labelled sessions for cmd/bench/meaning/sentences.py: speaker, previous
// sentence, sentence, and class.
func TestExport(t *testing.T) {
	if *exported == "" {
		t.Skip("it writes files: -export PREFIX")
	}
	for _, part := range []string{"train", "dev"} {
		f, err := os.Create(*exported + part + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		e := json.NewEncoder(f)
		e.SetEscapeHTML(false)
		for _, p := range labelledIn(t, "sessions-"+part+".jsonl") {
			for _, s := range p.Sessions {
				before := ""
				for _, m := range s.messages() {
					role := transcript.RoleAssistant
					if m.Prompt {
						role = transcript.RoleUser
					}
					for _, in := range transcript.Statements(m.Text) {
						intent := "none"
						for _, i := range s.Ideas {
							if i.Turn+1 == m.Line && says(in.Text, i.Text) {
								intent = i.Intent
							}
						}
						if err := e.Encode([]string{string(role), before, in.Text, intent}); err != nil {
							t.Fatal(err)
						}
						before = in.Text
					}
				}
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
