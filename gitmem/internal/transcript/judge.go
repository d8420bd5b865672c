package transcript

import (
	"strings"

	"github.com/gitmem/gitmem/markdown"
)

// heard is the data of a sentence of [Digest.Said] that is known without a model.
type heard struct {
	before string // the speaker, and the end of the previous sentence
	named  string // the intent that it names explicitly, "" for most
	done   bool   // it states that a task is done
}

// maxBefore is the number of characters of the previous sentence that a model gets.
const maxBefore = 100

// before returns the context of a sentence for a sentence model.
func (l *listener) before(m Message, s markdown.Sentence) string {
	who := RoleAssistant
	if m.Prompt && m.Speaker != Model {
		who = RoleUser
	}
	last := []rune(l.last)
	l.last = s.Text
	return string(who) + ": " + string(last[max(0, len(last)-maxBefore):])
}

// Sentence is a sentence of a conversation in the form that the idea model takes.
type Sentence struct{ Before, Text string }

// Sentences returns the sentences of Said that a model classifies: those without a label such as "TODO:".
func (d *Digest) Sentences() (list []Sentence) {
	for i, h := range d.heard {
		if h.named == "" {
			list = append(list, Sentence{h.before, d.Said[i].Text})
		}
	}
	return list
}

// judged is the minimum probability of an idea when a sentence model classifies.
const judged = 0.7

// Judge replaces the ideas found by words by those that a model finds. probable contains for each of Sentences the
// probability that it is not an idea, followed by that of each of IdeaIntents.
func (d *Digest) Judge(probable [][]float32) {
	for _, intent := range IdeaIntents() {
		delete(d.Quotes, intent)
	}
	seen, next := map[string]bool{}, 0
	for i, h := range d.heard {
		q, intent := &d.Said[i], h.named
		if intent == "" {
			p := make([]float64, len(probable[next]))
			for class, x := range probable[next] {
				p[class] = float64(x)
			}
			intent, q.Sure = ideaOf(q.Text, p)
			next++
		}
		d.keep(*q, h, intent, judged, seen)
	}
}

// ideaOf returns the most probable intent of a sentence, and its probability. p contains the probability of no idea,
// followed by that of each intent.
func ideaOf(text string, p []float64) (intent string, probable float64) {
	best := 1
	for class := 2; class < len(p); class++ {
		if p[class] > p[best] {
			best = class
		}
	}
	if intent = IdeaIntents()[best-1]; intent == markdown.IntentDecision && AssertionOf(text, nil) == Hearsay {
		return intent, 0
	}
	return intent, 1 - p[0]
}

// keep quotes a sentence as an idea if it is probable enough, each once.
func (d *Digest) keep(q Quote, h heard, intent string, least float64, seen map[string]bool) {
	words := strings.Join(Words(q.Text), " ")
	if q.Sure < least || seen[words] || isCode(q.Text) || intent == markdown.IntentTodo && h.done {
		return
	}
	seen[words] = true
	q.Tentative = holdsOneOf(known().unsettled, q.Text, len(q.Text))
	d.quote(intent, q)
}

// isCode reports whether a sentence is a line of a program or of data pasted without a fence. It measures the share of
// bytes that are signs which sentences lack outside of backticks.
func isCode(sentence string) bool {
	const share, least = 0.07, 3
	signs, quoted := 0, false
	for _, r := range strings.NewReplacer("[[", "", "]]", "", "**", "").Replace(sentence) {
		if r == '`' {
			quoted = !quoted
		}
		if !quoted && strings.ContainsRune(`{}[]()<>|;:=@#^~&$*_/\`, r) {
			signs++
		}
	}
	return signs >= least && float64(signs) > share*float64(len(sentence))
}
