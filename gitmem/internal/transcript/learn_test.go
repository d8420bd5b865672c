package transcript_test

import (
	"cmp"
	"flag"
	"math/rand/v2"
	"os"
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

var update = flag.Bool("update", false, "write golden files, or the models that the labelled sessions teach, anew")

// taught returns the sessions on which the models are trained, without the sealed ones.
func taught(t *testing.T) []labelled {
	t.Helper()
	return append(labelledIn(t, "sessions-dev.jsonl"), labelledIn(t, "sessions-train.jsonl")...)
}

// messages returns the turns of a labelled session as a reader would. A turn's index plus 1 is its line.
func (s *labelledSession) messages() (list []transcript.Message) {
	if s.read != nil {
		return s.read
	}
	start, _ := time.Parse(time.RFC3339, s.Start)
	for i, turn := range s.Turns {
		m := transcript.Message{Line: i + 1, Session: s.ID, Time: start.Add(time.Duration(turn.Min) * time.Minute),
			Role: transcript.Role(turn.Role), Text: turn.Text}
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

// says reports whether a sentence of a turn equals a labelled text, is part of it, or contains it.
func says(sentence, text string) bool {
	sentence, text = strings.Join(strings.Fields(sentence), " "), strings.Join(strings.Fields(text), " ")
	return strings.Contains(sentence, text) || len(sentence) > 12 && strings.Contains(text, sentence)
}

// lesson is the training data of a project, or of a repository with published sessions.
type lesson struct {
	written       bool // by the judges themselves
	ideas, topics []lineartest.Example
}

var ideaClasses = append([]string{"none"}, transcript.IdeaIntents()...)

// lessons returns the training data, if clones with the published sessions are given.
func lessons(t *testing.T) (list []lesson) {
	t.Helper()
	for _, p := range taught(t) {
		l := lesson{written: true}
		for _, s := range p.Sessions {
			l.hear(&s, func(line int, sentence string) (intent string) {
				for _, i := range s.Ideas {
					if i.Turn+1 == line && says(sentence, i.Text) {
						intent = i.Intent
					}
				}
				return intent
			})
		}
		if len(p.Relations) == 0 {
			l.topics = nil // exchanges with one topic each
		}
		list = append(list, l)
	}
	if *clones == "" {
		return list
	}
	public, read := publicIn(t, "")
	of := map[string]int{}
	for i, p := range public {
		n, ok := of[p.Repo]
		if !ok {
			n = len(list)
			of[p.Repo], list = n, append(list, lesson{})
		}
		list[n].hear(&read[i], func(_ int, sentence string) string {
			return cmp.Or(append(p.intents(hashOf(sentence)), "")...)
		})
	}
	return list
}

// hear adds a session's sentences, each with its class, and its prompts except the first: 1 for one that begins another
// topic.
func (l *lesson) hear(s *labelledSession, intent func(line int, sentence string) string) {
	list := s.messages()
	transcript.Sentences(list, func(line int, in markdown.Sentence, features []string) {
		l.ideas = append(l.ideas,
			lineartest.Example{Features: features, Class: max(0, slices.Index(ideaClasses, intent(line, in.Text)))})
	})
	transcript.Turns(list, func(line int, features []string) (shifts bool) {
		e := lineartest.Example{Features: features}
		if shifts = slices.ContainsFunc(s.Topics, func(t labelledTopic) bool { return t.Turn+1 == line }); shifts {
			e.Class = 1
		}
		l.topics = append(l.topics, e)
		return shifts
	})
}

// shared is the minimum number of projects with a feature: words of a single project say nothing about others, and
// names of its people must not be in a model.
const shared = 6

// again is the number of repetitions of written sessions. They are fewer than the published ones, and state explicitly
// what people who know each other only hint at.
const again = 4

// examples returns the examples of lessons, with repetitions of written ones, and with the features that several
// projects have.
func examples(lessons []lesson, of func(lesson) []lineartest.Example) (all []lineartest.Example) {
	projects := map[string]int{}
	for _, l := range lessons {
		seen := map[string]bool{}
		for _, e := range of(l) {
			for _, f := range e.Features {
				if !seen[f] {
					seen[f] = true
					projects[f]++
				}
			}
		}
	}
	for _, l := range lessons {
		times := 1
		if l.written {
			times = again
		}
		all = append(all, slices.Repeat(of(l), times)...)
	}
	for i, e := range all {
		all[i].Features = slices.DeleteFunc(slices.Clone(e.Features), func(f string) bool { return projects[f] < shared })
	}
	return all
}

// hidden is the share of an idea's features that is hidden each time, see lineartest.Train.
const hidden = 0.3

// teachIdeas trains the model of ideas.
func teachIdeas(lessons []lesson) string {
	chance := rand.New(rand.NewPCG(1, 1))
	return lineartest.Train(ideaClasses, examples(lessons, func(l lesson) []lineartest.Example {
		return l.ideas
	}), 1, func() bool { return chance.Float64() < hidden })
}

// teachTopics trains the model of where topics begin.
func teachTopics(lessons []lesson) string {
	return lineartest.Train([]string{"stays", "shifts"}, examples(lessons, func(l lesson) []lineartest.Example {
		return l.topics
	}), 1, nil)
}

// TestModels checks that the built-in models are the ones trained on the sessions.
func TestModels(t *testing.T) {
	if *clones == "" {
		if *update {
			t.Fatal("the published sessions are needed: -public, see CONTRIBUTING.md, Add a kind of archived idea")
		}
		t.Skip("it needs the published sessions: -public")
	}
	t.Parallel()
	list := lessons(t)
	for name, m := range map[string]struct{ built, taught string }{
		"ideas":  {templates.Ideas(), teachIdeas(list)},
		"topics": {templates.TopicShifts(), teachTopics(list)},
	} {
		if err := lineartest.Check(*update, name, m.built, m.taught); err != nil {
			t.Error(err)
		}
	}
}

// TestUnseen measures models on projects that they were not trained on: each fifth of the projects is tested with a
// model trained on the others.
func TestUnseen(t *testing.T) {
	if os.Getenv("GITMEM_NIGHTLY") == "" {
		t.Skip("SKIPPED: .ci/nightly runs it, or GITMEM_NIGHTLY=1: it learns five times")
	}
	t.Parallel()
	ideas, topics := map[bool]*confusion{false: {}, true: {}}, map[bool]*confusion{false: {}, true: {}}
	for learnt, unseen := range lineartest.Fifths(lessons(t)) {
		ideaModel, topicModel := teachIdeas(learnt), teachTopics(learnt)
		for _, l := range unseen {
			ideas[l.written].add(t, ideaModel, l.ideas)
			topics[l.written].add(t, topicModel, l.topics)
		}
	}
	for _, at := range []float64{0.2, 0.3, 0.4, 0.5, 0.6} {
		idea, class := ideas[true].at(at)
		topic, _ := topics[true].at(at)
		t.Logf("from %.1f: written: ideas %s, class %s; topics %s", at, idea, ratio(class, idea.right), topic)
		if at == 0.3 && (idea.f1() < 0.66 || topic.f1() < 0.67 || 100*class < 68*idea.right) {
			t.Error("worse than was found")
		}
		if *clones != "" {
			idea, class := ideas[false].at(at)
			topic, _ := topics[false].at(at)
			t.Logf("from %.1f: published: ideas %s, class %s; topics %s", at, idea, ratio(class, idea.right), topic)
		}
	}
}

// confusion contains predictions with the right class.
type confusion []struct {
	p     []float64
	class int
}

func (c *confusion) add(t *testing.T, model string, examples []lineartest.Example) {
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

// at counts how often predictions with a probability above a bound of not being class 0 are right, and for how many of
// these the class is right too.
func (c *confusion) at(bound float64) (s score, class int) {
	for _, e := range *c {
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
	return s, class
}
