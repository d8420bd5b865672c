package transcript_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// labelled is a project of testdata/sessions-*.jsonl: sessions that people wrote who did not see
// the program, with what they hold by the same people's judgement. The sealed half is for figures
// alone: nobody looks into it to make them better.
type labelled struct {
	ID, About, Lang string
	Sessions        []struct {
		ID, Start string
		Turns     []struct {
			Role, Text, Name, Result string
			Min                      int // since the start
			Input                    map[string]any
		}
		Topics []struct {
			Turn  int
			Title string
		}
		Ideas []struct {
			ID, Text, Intent string
			Turn             int
			Firm             bool
		}
		NotIdeas []struct {
			Turn      int
			Text, Why string
		} `json:"not_ideas"`
	}
	Relations    []struct{ Type, From, To string } // between ideas, each by session/idea
	Closed, Open []string                          // questions and todos at the end of the last session
}

// TestLabelledSessions: what the judges quote is there, and what they name is labelled.
func TestLabelledSessions(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"sessions-dev.jsonl", "sessions-sealed.jsonl"} {
		var sessions, ideas, others, topics, relations int
		for line := range strings.Lines(testdata(t, file)) {
			var p labelled
			if err := json.Unmarshal([]byte(line), &p); err != nil {
				t.Fatal(err)
			}
			intents := map[string]string{}
			for _, s := range p.Sessions {
				quoted := func(turn int, text string) {
					if turn < 0 || turn >= len(s.Turns) || text == "" || !strings.Contains(s.Turns[turn].Text, text) {
						t.Errorf("%s: %s has no such words in turn %d", file, s.ID, turn)
					}
				}
				for _, i := range s.Ideas {
					quoted(i.Turn, i.Text)
					intents[s.ID+"/"+i.ID] = i.Intent
				}
				for _, n := range s.NotIdeas {
					quoted(n.Turn, n.Text)
				}
				sessions, ideas, others, topics = sessions+1, ideas+len(s.Ideas), others+len(s.NotIdeas), topics+len(s.Topics)
			}
			for _, r := range p.Relations {
				if intents[r.From] == "" || intents[r.To] == "" {
					t.Errorf("%s: %s relates what is no idea: %v", file, p.ID, r)
				}
			}
			for _, id := range append(p.Closed, p.Open...) {
				if i := intents[id]; i != "todo" && i != "question" {
					t.Errorf("%s: %s, %q, can't be open or closed", file, id, i)
				}
			}
			relations += len(p.Relations)
		}
		t.Logf("%s: %d sessions, %d ideas, %d that only look like one, %d topics, %d relations", file, sessions, ideas, others, topics, relations)
	}
}
