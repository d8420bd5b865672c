package transcript

import (
	"strings"

	"github.com/gitmem/gitmem/markdown"
)

// heard is a sentence of [Digest.Said], as far as it is known without a model.
type heard struct {
	before string // who speaks, and the end of the sentence before
	named  string // the intent that it names itself, "" for most
	done   bool   // it says that something that was to do is done
}

// maxBefore is how many characters of the sentence before a model reads.
const maxBefore = 100

// before is what stands before a sentence, for a model of sentences.
func (l *listener) before(m Message, s markdown.Sentence) string {
	who := RoleAssistant
	if m.Prompt && m.Speaker != Model {
		who = RoleUser
	}
	last := []rune(l.last)
	l.last = s.Text
	return string(who) + ": " + string(last[max(0, len(last)-maxBefore):])
}

// Sentence is one of a conversation, as a model reads it that tells ideas from all else.
type Sentence struct{ Before, Text string }

// Sentences returns the sentences of Said that a model judges: those without a label such as "TODO:".
func (d *Digest) Sentences() (list []Sentence) {
	for i, h := range d.heard {
		if h.named == "" {
			list = append(list, Sentence{h.before, d.Said[i].Text})
		}
	}
	return list
}

// judged is how probable it must be that a sentence is an idea, where a model of sentences judges.
const judged = 0.7

// Judge puts the ideas that a model finds in the place of those that were found by words.
// probable are for each of Sentences the probabilities that it is no idea, and of each of IdeaIntents.
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

// ideaOf is the intent that a sentence has if it is an idea, and how probable that is. p are the
// probabilities that it is none, and of each intent.
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

// isCode recognises what is pasted without a fence, a line of a program or of data, by how many
// of its bytes are signs that sentences lack outside of backticks.
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
