package transcript

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/templates"
)

// Topic is a part of a session about one subject: it begins with a prompt and ends where the
// next one begins.
type Topic struct {
	Line  int    // of the prompt
	Title string // a sentence of it, verbatim
}

// shifted is how probable it must be that a turn begins another topic.
const shifted = 0.4

// shifts reports whether a turn begins another topic.
func shifts(features []string) bool {
	return models[topicModel].Model().Predict(features)[1] >= shifted
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
	turns   int             // of the topic
	heard   map[string]int  // in how many messages a stem was
	said    int             // messages
	current *turn
	phrases [][]string      // of going on to another subject
	common  map[string]bool // stems of words that sessions about anything have
	reply   string
	last    time.Time
}

func newWanderer() wanderer {
	w := wanderer{topic: map[string]bool{}, heard: map[string]int{}, common: map[string]bool{}}
	for _, stem := range strings.Fields(templates.CommonStems()) {
		w.common[stem] = true
	}
	templates.Cues(func(intent, phrase string) {
		if intent == "topic" {
			w.phrases = append(w.phrases, strings.Fields(phrase))
		}
	})
	return w
}

// take goes on with a message. A prompt ends the turn before, which is returned, nil for none.
func (w *wanderer) take(m Message) (ended *turn) {
	text := m.Text
	for _, t := range m.Tools {
		text += " " + strings.Join(t.Paths, " ")
	}
	stems := stemSet(text, 3)
	w.said++
	for s := range stems {
		w.heard[s]++
	}
	if m.Prompt {
		ended = w.current
		w.current = &turn{prompt: m, reply: w.reply, gap: m.Time.Sub(w.last), stems: map[string]bool{}}
	}
	if w.current != nil {
		w.current.tools += len(m.Tools)
		for s := range stems {
			w.current.stems[s] = true
		}
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
		w.topic, w.turns = map[string]bool{}, 0
	}
	for s := range t.stems {
		w.topic[s] = true
	}
	w.turns++
}

// title is the sentence of a turn's prompt that says most which was not said before.
func (w *wanderer) title(t *turn) string {
	best, most := "", -1.0
	for _, s := range statements(t.prompt.Text) {
		news := 0.0
		for stem := range stemSet(s.Text, 3) {
			if !w.topic[stem] {
				news += math.Log(float64(w.said+1) / float64(w.heard[stem]+1))
			}
		}
		if news = math.Round(1e9*news) / 1e9; len(s.Text) <= maxSentence && news > most {
			best, most = s.Text, news
		}
	}
	return cmp.Or(best, cut(t.prompt.Text, maxPrompt))
}

// features are what tells whether a turn goes on with the topic.
func (w *wanderer) features(t *turn) []string {
	f := []string{"turn"}
	add := func(name string, n int) { f = append(f, name+"="+strconv.Itoa(n)) }
	own := stemSet(t.prompt.Text, 3)
	add("own", stepOf(w.likeness(own, w.topic), 0.02, 0.06, 0.1, 0.15, 0.2, 0.3))
	add("all", stepOf(w.likeness(t.stems, w.topic), 0.06, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4))
	add("reply", stepOf(w.likeness(own, stemSet(t.reply, 3)), 0.01, 0.05, 0.1, 0.2))
	add("gap", step(int(t.gap.Minutes()), 1, 3, 8, 20, 60))
	add("turns", step(w.turns, 1, 2, 3, 4, 6))
	add("tools", step(t.tools, 0, 1, 2, 4))
	stems := stemsOf(t.prompt.Text)
	add("words", step(len(stems), 3, 6, 10, 16, 26, 40))
	if strings.HasSuffix(strings.TrimSpace(t.reply), "?") {
		f = append(f, "wasasked")
	}
	words := Words(t.prompt.Text)
	if slices.ContainsFunc(w.phrases, func(p []string) bool { return holds(words, p) }) {
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
		if w.common[s] {
			return 0
		}
		x := math.Log(float64(w.said+1) / float64(w.heard[s]+1))
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
	return math.Round(1e9*both/math.Sqrt(inA*inB)) / 1e9 // the last digits depend on the maps' order
}

// holds reports whether a phrase is among words.
func holds(words, phrase []string) bool {
	for i := range len(words) - len(phrase) + 1 {
		if slices.Equal(words[i:i+len(phrase)], phrase) {
			return true
		}
	}
	return false
}

// stepOf is into which of the steps between some bounds a number falls.
func stepOf(x float64, bounds ...float64) int {
	for i, b := range bounds {
		if x <= b {
			return i
		}
	}
	return len(bounds)
}
