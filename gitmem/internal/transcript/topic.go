package transcript

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/linear"
)

// Topic is a part of a session about one subject: it begins with a prompt and ends before the next topic.
type Topic struct {
	Line  int    // of the prompt
	Title string // a sentence of it, verbatim
	Part  bool   // part of the previous topic
}

// Probability thresholds for a turn to begin a new topic, and to begin a part of the current one.
const shifted, turned = 0.4, 0.25

// shift returns the probability that a turn begins another topic, from its first words or from the model.
func (w *wanderer) shift(t *turn) float64 {
	text := cut(t.prompt.Text, maxPrompt)
	switch {
	case holdsOneOf(known().shifting, text, 1): // as in "ok, new topic"
		return 1
	case Agrees(text): // it would not make a title
		return 0
	case w.returns(text):
		return 1
	}
	return models[topicModel]().Predict(w.features(t))[1]
}

// returns reports whether a prompt begins by returning to an earlier topic: it names something of that topic that the
// current one lacks.
func (w *wanderer) returns(prompt string) bool {
	words := Words(prompt)
	for i := range min(early+1, len(words)) {
		for _, phrase := range known().returning {
			if begins(words[i:], phrase) {
				named := words[i+len(phrase):]
				return slices.ContainsFunc(stemsOf(slices.Clone(named[:min(early, len(named))])), w.left)
			}
		}
	}
	return false
}

// left reports whether a stem belongs to an earlier topic and not to the current one.
func (w *wanderer) left(stem string) bool {
	return w.earlier[stem] && !w.topic[stem] && !known().common[stem]
}

// turn is a prompt with everything until the next one.
type turn struct {
	prompt Message
	gap    time.Duration // since the last message
	reply  string        // the assistant's text right before the prompt
	tools  int
	stems  map[string]bool // of all its texts and paths
}

// wanderer follows the subject of a session from turn to turn, and computes for a model how each turn differs from the
// current topic.
type wanderer struct {
	topic   map[string]bool // stems of the topic's turns so far
	prompts map[string]bool // stems of its prompts
	earlier map[string]bool // stems of the prompts of earlier topics
	turns   int             // of the topic
	heard   Heard           // by message
	current *turn
	reply   string
	last    time.Time
}

// take processes a message. A prompt ends the previous turn, which is returned, nil if there is none.
func (w *wanderer) take(m Message) (ended *turn) {
	text := m.Text
	for _, t := range m.Tools {
		text += " " + strings.Join(t.Paths, " ")
	}
	stems := Stems(text)
	w.heard.Add(stems)
	if m.Prompt {
		ended = w.current
		w.current = &turn{prompt: m, reply: w.reply, gap: m.Time.Sub(w.last), stems: map[string]bool{}}
	}
	if w.current != nil {
		w.current.tools += len(m.Tools)
		maps.Copy(w.current.stems, stems)
	}
	if m.Role == RoleAssistant && m.Text != "" {
		w.reply = m.Text
	}
	w.last = m.Time
	return ended
}

// join adds a turn to the topic, or begins a topic with it.
func (w *wanderer) join(t *turn, shifts bool) {
	if shifts {
		if w.earlier == nil {
			w.earlier = map[string]bool{}
		}
		maps.Copy(w.earlier, w.prompts)
		w.topic, w.prompts, w.turns = map[string]bool{}, map[string]bool{}, 0
	}
	maps.Copy(w.prompts, Stems(t.prompt.Text))
	maps.Copy(w.topic, t.stems)
	w.turns++
}

// title returns the sentence of a turn's prompt with the most new content, or the heading of a plan.
func (w *wanderer) title(t *turn) string {
	if t.prompt.Speaker == Model {
		if h := heading(t.prompt.Text); h != "" {
			return h
		}
	}
	best, most := "", -1.0
	for _, s := range Statements(t.prompt.Text) {
		news := 0.0
		for stem := range Stems(s.Text) {
			if !w.topic[stem] {
				news += w.heard.rarity(stem)
			}
		}
		if news = Rounded(news); len(s.Text) <= MaxSentence && news > most {
			best, most = s.Text, news
		}
	}
	return cmp.Or(best, cut(t.prompt.Text, maxPrompt))
}

// features returns the features that decide whether a turn continues the topic.
func (w *wanderer) features(t *turn) []string {
	f := []string{"turn"}
	add := func(name string, n int) { f = append(f, name+"="+strconv.Itoa(n)) }
	own := Stems(t.prompt.Text)
	add("own", linear.Step(w.likeness(own, w.topic), 0.02, 0.06, 0.1, 0.15, 0.2, 0.3))
	add("all", linear.Step(w.likeness(t.stems, w.topic), 0.06, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4))
	add("reply", linear.Step(w.likeness(own, Stems(t.reply)), 0.01, 0.05, 0.1, 0.2))
	add("gap", linear.Step(int(t.gap.Minutes()), 1, 3, 8, 20, 60))
	add("turns", linear.Step(w.turns, 1, 2, 3, 4, 6))
	add("tools", linear.Step(t.tools, 0, 1, 2, 4))
	stems := StemList(t.prompt.Text)
	add("words", linear.Step(len(stems), 3, 6, 10, 16, 26, 40))
	if strings.HasSuffix(strings.TrimSpace(t.reply), "?") {
		f = append(f, "wasasked")
	}
	if holdsOneOf(known().goingOn, t.prompt.Text, len(t.prompt.Text)) {
		f = append(f, "goeson")
	}
	for i, stem := range stems[:min(12, len(stems))] {
		f = append(f, "w="+stem)
		if i < 3 {
			f = append(f, "begin="+stem)
		}
		if i > 0 {
			f = append(f, "b="+stems[i-1]+"_"+stem)
		}
	}
	slices.Sort(f)
	return slices.Compact(f)
}

// likeness returns the cosine of two sets of stems, weighted by idf.
func (w *wanderer) likeness(a, b map[string]bool) float64 {
	var both, inA, inB float64
	weight := func(s string) float64 {
		x := w.heard.Weight(s)
		return x * x
	}
	for s := range a {
		x := weight(s)
		if inA += x; b[s] {
			both += x
		}
	}
	for s := range b {
		inB += weight(s)
	}
	if both == 0 {
		return 0
	}
	return Rounded(both / math.Sqrt(inA*inB))
}
