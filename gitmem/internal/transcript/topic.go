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

// Topic is a part of a session about one subject: it begins with a prompt and ends where the
// next one begins.
type Topic struct {
	Line  int    // of the prompt
	Title string // a sentence of it, verbatim
	Part  bool   // of the topic before it
}

// Of how probable it is that a turn begins another topic: from where on it does, and from where on
// it begins a part of the one that goes on.
const shifted, turned = 0.4, 0.25

// shift is how probable it is that a turn begins another topic: its first words say so, or the
// model does.
func (w *wanderer) shift(t *turn) float64 {
	text := cut(t.prompt.Text, maxPrompt)
	switch {
	case holdsOneOf(known().shifting, text, 1): // as in "ok, new topic"
		return 1
	case Agrees(text): // which would be no title
		return 0
	case w.returns(text):
		return 1
	}
	return models[topicModel]().Predict(w.features(t))[1]
}

// returns reports whether a prompt begins with going back to an earlier topic: what it names is of that
// topic, and not of the one that goes on.
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

// left reports whether a stem is of a topic that was left, and not of the one that goes on.
func (w *wanderer) left(stem string) bool {
	return w.earlier[stem] && !w.topic[stem] && !known().common[stem]
}

// turn is a prompt with what was said and done until the next one.
type turn struct {
	prompt Message
	gap    time.Duration // since anybody spoke
	reply  string        // what the assistant said right before the prompt
	tools  int
	stems  map[string]bool // of all that was said and touched in it
}

// wanderer follows the subject of a session from turn to turn, and tells a model of each turn
// how it differs from the topic that it would belong to.
type wanderer struct {
	topic   map[string]bool // stems of the topic's turns so far
	prompts map[string]bool // those of its prompts
	earlier map[string]bool // of the prompts of topics that were left
	turns   int             // of the topic
	heard   Heard           // by message
	current *turn
	reply   string
	last    time.Time
}

// take goes on with a message. A prompt ends the turn before, which is returned, nil for none.
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

// join takes a turn into the topic, or begins one with it.
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

// title is the sentence of a turn's prompt that says most which was not said before, of a plan its
// heading.
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

// features are what tells whether a turn goes on with the topic.
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

// likeness is the cosine of two sets of stems, each weighed by how seldom it was heard.
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
