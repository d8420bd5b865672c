package transcript_test

import (
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/linear"
	"github.com/gitmem/gitmem/gitmem/internal/linear/lineartest"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/templates"
)

var update = flag.Bool("update", false, "write the models that the labelled sessions teach")

// taught are the sessions that the models learn from. The sealed ones are not among them.
func taught(t *testing.T) []labelled {
	t.Helper()
	return append(labelledIn(t, "sessions-dev.jsonl"), labelledIn(t, "sessions-train.jsonl")...)
}

// messages are the turns of a labelled session as a reader gives them. A turn's number and 1 is
// its line.
func (s *labelledSession) messages() (list []transcript.Message) {
	start, _ := time.Parse(time.RFC3339, s.Start)
	for i, turn := range s.Turns {
		m := transcript.Message{Line: i + 1, Session: s.ID, Time: start.Add(time.Duration(turn.Min) * time.Minute), Role: transcript.Role(turn.Role), Text: turn.Text}
		switch m.Role {
		case transcript.RoleUser:
			m.Prompt = true
		case transcript.RoleTool:
			m.Role = transcript.RoleAssistant
			use := transcript.ToolUse{Name: turn.Name, Writes: turn.Name == "Edit" || turn.Name == "Write"}
			for _, field := range []string{"file_path", "path"} {
				if path, ok := turn.Input[field].(string); ok {
					use.Paths = append(use.Paths, path)
				}
			}
			m.Tools = []transcript.ToolUse{use}
		}
		list = append(list, m)
	}
	return list
}

// says reports whether a sentence of a turn is a labelled text, or in it, or holds it.
func says(sentence, text string) bool {
	sentence, text = strings.Join(strings.Fields(sentence), " "), strings.Join(strings.Fields(text), " ")
	return strings.Contains(sentence, text) || len(sentence) > 12 && strings.Contains(text, sentence)
}

// How many examples must have a feature: those of ideas are many, and each has many features.
const (
	ideaRareness = 4
	rareness     = 3
)

var ideaClasses = append([]string{"none"}, transcript.IdeaIntents()...)

// ideaExamples are the sentences of sessions, each with the class of what is labelled in it.
func ideaExamples(projects []labelled) (list []linear.Example) {
	for _, p := range projects {
		for _, s := range p.Sessions {
			transcript.Sentences(s.messages(), func(line int, in markdown.Sentence, features []string) {
				e := linear.Example{Features: features}
				for _, i := range s.Ideas {
					if i.Turn+1 == line && says(in.Text, i.Text) {
						e.Class = slices.Index(ideaClasses, i.Intent)
					}
				}
				list = append(list, e)
			})
		}
	}
	return list
}

// topicExamples are the prompts of sessions but for the first of each: 1 for one that begins another topic.
func topicExamples(projects []labelled) (list []linear.Example) {
	for _, p := range projects {
		if len(p.Relations) == 0 { // exchanges, which have one topic each
			continue
		}
		for _, s := range p.Sessions {
			transcript.Turns(s.messages(), func(line int, features []string) (shifts bool) {
				shifts = slices.ContainsFunc(s.Topics, func(t labelledTopic) bool { return t.Turn+1 == line })
				e := linear.Example{Features: features}
				if shifts {
					e.Class = 1
				}
				list = append(list, e)
				return shifts
			})
		}
	}
	return list
}

// TestModels: the models that are built in are what the labelled sessions teach.
func TestModels(t *testing.T) {
	t.Parallel()
	projects := taught(t)
	for name, m := range map[string]struct{ built, taught string }{
		"ideas":  {templates.Ideas(), linear.Train(ideaClasses, ideaExamples(projects), ideaRareness)},
		"topics": {templates.TopicShifts(), linear.Train([]string{"stays", "shifts"}, topicExamples(projects), rareness)},
	} {
		if err := lineartest.Check(*update, name, m.built, m.taught); err != nil {
			t.Error(err)
		}
	}
}

// TestUnseen logs how models fare on projects that they did not learn from: each fifth of the
// projects is judged by what the others teach.
func TestUnseen(t *testing.T) {
	if !testing.Verbose() {
		t.Skip("it only logs: -v")
	}
	t.Parallel()
	projects := taught(t)
	ideas, topics := confusion{}, confusion{}
	for learnt, unseen := range lineartest.Fifths(projects) {
		ideas.add(t, linear.Train(ideaClasses, ideaExamples(learnt), ideaRareness), ideaExamples(unseen))
		topics.add(t, linear.Train([]string{"stays", "shifts"}, topicExamples(learnt), rareness), topicExamples(unseen))
	}
	for _, at := range []float64{0.3, 0.4, 0.5, 0.6, 0.7} {
		t.Logf("from %.1f: ideas %s; topics %s", at, ideas.at(at), topics.at(at))
	}
}

// confusion are predictions with the class that is right.
type confusion []struct {
	p     []float64
	class int
}

func (c *confusion) add(t *testing.T, model string, examples []linear.Example) {
	t.Helper()
	m, err := linear.Parse(model)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range examples {
		*c = append(*c, struct {
			p     []float64
			class int
		}{m.Predict(e.Features), e.Class})
	}
}

// at tells how right those are that are surer than a bound to be no class 0.
func (c confusion) at(bound float64) string {
	var s score
	class := 0
	for _, e := range c {
		found := 1-e.p[0] >= bound
		switch {
		case found && e.class > 0:
			s.right++
			if e.p[e.class] == slices.Max(e.p[1:]) {
				class++
			}
		case found:
			s.wrong++
		case e.class > 0:
			s.missing++
		}
	}
	return s.String() + ", class " + ratio(class, s.right)
}
