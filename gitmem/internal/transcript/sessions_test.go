package transcript_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
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
		Ideas    []labelledIdea
		NotIdeas []labelledText `json:"not_ideas"`
	}
	Relations    []struct{ Type, From, To string } // between ideas, each by session/idea
	Closed, Open []string                          // questions and todos at the end of the last session
}

type labelledIdea struct {
	ID, Text, Intent string
	Turn             int
	Firm             bool
}

// labelledText only looks like an idea.
type labelledText struct {
	Turn      int
	Text, Why string
}

// labelledIn reads a file of labelled projects.
func labelledIn(t *testing.T, file string) (list []labelled) {
	t.Helper()
	for line := range strings.Lines(testdata(t, file)) {
		var p labelled
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

// TestLabelledIdeas logs what digests quote of the labelled sessions: how much of it is an idea,
// how many of the ideas are quoted, and which that are quoted only look like one.
func TestLabelledIdeas(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"sessions-dev.jsonl", "sessions-sealed.jsonl"} {
		var s score
		lookalikes := 0
		for _, p := range labelledIn(t, file) {
			for _, session := range p.Sessions {
				var msgs []transcript.Message
				for i, turn := range session.Turns {
					if turn.Role != "tool" {
						msgs = append(msgs, transcript.Message{Role: transcript.Role(turn.Role), Prompt: turn.Role == "user", Text: turn.Text, Line: i + 1})
					}
				}
				d, err := transcript.Summarise(messages(msgs...))
				if err != nil {
					t.Fatal(err)
				}
				quoted := 0
				for _, quotes := range d.Quoted() {
					for _, q := range quotes {
						same := func(turn int, text string) bool {
							return turn+1 == q.Line && (strings.Contains(q.Text, text) || strings.Contains(text, q.Text))
						}
						if slices.ContainsFunc(session.NotIdeas, func(n labelledText) bool { return same(n.Turn, n.Text) }) {
							lookalikes++
						}
						if i := slices.IndexFunc(session.Ideas, func(i labelledIdea) bool { return same(i.Turn, i.Text) }); i < 0 {
							s.wrong++
							continue
						}
						s.right++
						quoted++
					}
				}
				s.missing += len(session.Ideas) - quoted
			}
		}
		t.Logf("%s: precision %.2f (%d/%d), recall %.2f, %d only look like an idea", file, s.precision(), s.right, s.right+s.wrong, s.recall(), lookalikes)
	}
}

// TestLabelledSessions: what the judges quote is there, and what they name is labelled.
func TestLabelledSessions(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"sessions-dev.jsonl", "sessions-sealed.jsonl"} {
		var sessions, ideas, others, topics, relations int
		for _, p := range labelledIn(t, file) {
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
