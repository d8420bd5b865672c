package transcript_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// labelled is a project of testdata/sessions-*.jsonl: sessions written by people who did not see the program, with
// labels by the same people. The sealed half is for measurements alone and must not be used for improvements.
type labelled struct {
	ID, About, Lang string
	Sessions        []labelledSession
	Relations       []struct{ Type, From, To string } // between ideas, each by session/idea
	Closed, Open    []string                          // questions and todos at the end of the last session
}

type labelledSession struct {
	ID, Start string
	Turns     []labelledTurn
	Topics    []labelledTopic
	Ideas     []labelledIdea
	NotIdeas  []labelledText `json:"not_ideas"`

	read []transcript.Message // of one in the client's format, in place of turns
}

type labelledTurn struct {
	Role, Text, Name, Result string
	Min                      int // since the start
	Input                    map[string]any
}

type labelledTopic struct {
	Turn  int
	Title string
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

// score counts right, wrong and missing results.
type score struct{ right, wrong, missing int }

func (s score) precision() float64 { return float64(s.right) / float64(max(1, s.right+s.wrong)) }

func (s score) recall() float64 { return float64(s.right) / float64(max(1, s.right+s.missing)) }

// f1 returns the harmonic mean of precision and recall.
func (s score) f1() float64 {
	return 2 * float64(s.right) / float64(max(1, 2*s.right+s.wrong+s.missing))
}

func (s score) String() string {
	return fmt.Sprintf("precision %s, recall %s, F1 %.2f", ratio(s.right, s.right+s.wrong),
		ratio(s.right, s.right+s.missing), s.f1())
}

// ratio returns a share with the numbers behind it.
func ratio(n, of int) string {
	return fmt.Sprintf("%.2f (%d/%d)", float64(n)/float64(max(1, of)), n, of)
}

// TestLabelledIdeas measures the digests of labelled sessions: which of their quotations are ideas, which ideas they
// quote and with which intent, and where they begin another topic.
func TestLabelledIdeas(t *testing.T) {
	t.Parallel()
	for file, floor := range map[string]struct {
		idea, part float64
		intents    int // in per cent
	}{"sessions-dev.jsonl": {0.8, 0.75, 90}, "sessions-sealed.jsonl": {0.65, 0.6, 60}} {
		var f fared
		for _, p := range labelledIn(t, file) {
			for _, session := range p.Sessions {
				d, err := transcript.Summarise(messages(session.messages()...))
				if err != nil {
					t.Fatal(err)
				}
				f.ideas(session, d)
				f.topics(session, d)
			}
		}
		t.Logf("%s: ideas: %v; %d only look like one; intents %s", file, f.idea, f.lookalikes, ratio(f.intents, f.idea.right))
		t.Logf("%s: topics: %v; with their parts: %v", file, f.topic, f.part)
		if f.idea.f1() < floor.idea || f.part.f1() < floor.part || 100*f.intents < floor.intents*f.idea.right {
			t.Errorf("%s: worse than was found: are the models of other features?", file)
		}
		for _, intent := range transcript.IdeaIntents() {
			t.Logf("%s: labelled %-10s found as %v", file, intent, f.confused[intent])
		}
	}
}

// fared is the quality of digests. A quote is right if it is a labelled idea, is part of one, or contains one; an idea
// without a quote is missing.
type fared struct {
	idea                score
	topic, part         score // part: topics and their parts together
	lookalikes, intents int
	confused            map[string]map[string]int // by labelled intent, by that of the digest
}

func (f *fared) ideas(session labelledSession, d transcript.Digest) {
	found := map[string]bool{}
	for _, intent := range transcript.IdeaIntents() {
		for _, q := range d.Quotes[intent] {
			if slices.ContainsFunc(session.NotIdeas, func(n labelledText) bool {
				return n.Turn+1 == q.Line && says(q.Text, n.Text)
			}) {
				f.lookalikes++
			}
			labels := slices.DeleteFunc(slices.Clone(session.Ideas), func(i labelledIdea) bool {
				return i.Turn+1 != q.Line || !says(q.Text, i.Text)
			})
			if len(labels) == 0 {
				f.idea.wrong++
				continue
			}
			f.idea.right++
			label := labels[max(0, slices.IndexFunc(labels, func(i labelledIdea) bool { return i.Intent == intent }))]
			if label.Intent == intent {
				f.intents++
			}
			f.confuse(label.Intent, intent)
			for _, i := range labels {
				found[i.ID] = true
			}
		}
	}
	f.idea.missing += len(session.Ideas) - len(found)
}

func (f *fared) confuse(labelled, intent string) {
	if f.confused == nil {
		f.confused = map[string]map[string]int{}
	}
	if f.confused[labelled] == nil {
		f.confused[labelled] = map[string]int{}
	}
	f.confused[labelled][intent]++
}

func (f *fared) topics(session labelledSession, d transcript.Digest) {
	f.part.borders(session, d.Topics)
	f.topic.borders(session, slices.DeleteFunc(slices.Clone(d.Topics), func(t transcript.Topic) bool { return t.Part }))
}

// borders counts the beginnings of topics, except the first.
func (s *score) borders(session labelledSession, topics []transcript.Topic) {
	borders := map[int]bool{}
	for _, t := range session.Topics {
		borders[t.Turn+1] = t.Turn > 0
	}
	for i, t := range topics {
		switch {
		case i == 0:
		case borders[t.Line]:
			s.right++
			borders[t.Line] = false
		default:
			s.wrong++
		}
	}
	for _, left := range borders {
		if left {
			s.missing++
		}
	}
}

// TestLabelledSessions checks that the judges' quotations exist, and that the items that they name are labelled.
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
		t.Logf("%s: %d sessions, %d ideas, %d that only look like one, %d topics, %d relations", file, sessions, ideas,
			others, topics, relations)
	}
}
