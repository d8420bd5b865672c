package transcript

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/linear"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/templates"
)

// IdeaIntents returns the intents of ideas, in the order of the archive.
func IdeaIntents() []string {
	return []string{markdown.IntentDecision, markdown.IntentConclusion, markdown.IntentProblem, markdown.IntentSolution,
		markdown.IntentQuestion, markdown.IntentTodo, markdown.IntentContext}
}

// sure is the minimum probability that a sentence is an idea. A missed idea is still in the transcript, but a wrong one
// stays in the archive permanently.
const sure = 0.33

// MaxSentence is the length in bytes beyond which a text is a log or a list rather than a sentence.
const MaxSentence = 600

// models are trained on the labelled sessions and the written prompts, see the tests of this package.
var models = [...]func() *linear.Model{linear.Built(templates.Ideas), linear.Built(templates.TopicShifts),
	linear.Built(templates.Pasted)}

const (
	ideaModel = iota
	topicModel
	pastedModel
)

// isDone reports whether a sentence, given the lines of its text, states that a task is done.
func isDone(lines []string, s markdown.Sentence) bool {
	box := strings.TrimLeft(lines[min(s.Line, len(lines))-1], "-*+0123456789.) ")
	return s.First && (strings.HasPrefix(box, "[x]") || strings.HasPrefix(box, "[X]")) ||
		holdsOneOf(known().done, s.Text, len(s.Text)) && AssertionOf(s.Text, nil) == Asserted
}

// named returns the intent that a sentence, or the line above its list, names explicitly: "Decision: …", "We decided to
// …". It is "" for most.
func (l *listener) named(s markdown.Sentence) string {
	intent, rest := LabelOf(s.Text)
	switch {
	case intent != "" && rest == "":
		l.under = intent
		return ""
	case s.Kind != markdown.LineItem:
		l.under = ""
	case intent == "" && s.First:
		intent = l.under
	}
	if intent == "" && decides(s.Text) {
		return markdown.IntentDecision
	}
	return intent
}

// LabelOf returns the intent named by the label of a sentence (a decision, a question or a task), and the text after
// the label. A task with a question mark is a question. A question needs the mark if its label is one word, since
// "why:" begins an answer.
func LabelOf(sentence string) (intent, rest string) {
	label, rest, ok := strings.Cut(strings.TrimRight(sentence, "* "), ":")
	words := Words(strings.TrimRight(label, "*sS "))
	if !ok || len(words) == 0 {
		return "", ""
	}
	for _, c := range known().cues[words[0]] {
		switch {
		case !slices.Equal(c.words, words):
		case strings.HasSuffix(rest, "?") && (c.intent == markdown.IntentQuestion || c.intent == markdown.IntentTodo):
			return markdown.IntentQuestion, rest
		case c.intent == markdown.IntentDecision, c.intent == markdown.IntentTodo, c.intent == markdown.IntentQuestion &&
			len(words) > 1:
			return c.intent, rest
		}
	}
	if len(words) == 2 && isCommon(words[0]) && known().cues[words[1]] != nil { // "also todo"
		return LabelOf(words[1] + ":" + rest)
	}
	return "", ""
}

// Decides reports whether a text, such as the message of a commit, marks one of its sentences as a decision.
func Decides(text string) bool {
	var l listener
	for s := range markdown.Sentences(text) {
		if l.named(s) == markdown.IntentDecision {
			return true
		}
	}
	return false
}

// decides reports whether a sentence begins with a statement that its speakers made a decision.
func decides(sentence string) bool {
	clause, _, _ := strings.Cut(sentence, ",")
	words := Words(clause)
	if len(words) == 0 {
		return false
	}
	if who, _, _ := strings.Cut(words[0], "'"); !slices.Contains(speakers[:], who) {
		return false
	}
	for i, w := range words {
		for _, c := range known().cues[w] {
			if c.intent == markdown.IntentDecision && begins(words[i:], c.words) && (i < early || i+len(c.words) == len(words)) {
				return AssertionOf(sentence, nil) <= Denied
			}
		}
	}
	return false
}

// speakers are the words with which speakers refer to themselves.
var speakers = [...]string{"i", "we", "ich", "wir", "j", "nous"}

// listener processes a session message by message, and computes the features of its sentences for the idea model: their
// words, their speaker, and the text and actions right before. It ignores what comes after, so that a growing session
// always yields the same ideas.
type listener struct {
	said  [2]utterance // the last texts of the assistant and of the user
	tools int          // calls since the last text
	begun bool
	under string // the intent named by the line above a list, "" for none
	last  string // the previous sentence
}

// utterance is the last text of one side, as context for the other side's answer.
type utterance struct {
	asks, lists bool
	stems       map[string]bool
}

// hear processes a message and yields its sentences with their features.
func (l *listener) hear(m Message, yield func(s markdown.Sentence, features []string)) {
	side, role := 0, "a:"
	if m.Prompt && m.Speaker != Model {
		side, role = 1, "u:"
	}
	list := Statements(m.Text)
	l.under = ""
	for i := range list {
		words := Words(list[i].Text)
		f := featureSet{role: role}
		f.ofCues(known().cues, words)
		stems := stemsOf(words)
		f.ofSentence(list[i], stems)
		f.ofPlace(list, i)
		f.ofScene(l, l.said[1-side], stems)
		yield(list[i], f.set())
	}
	trimmed := strings.TrimSpace(m.Text)
	l.said[side] = utterance{
		asks:  strings.HasSuffix(trimmed, "?"),
		lists: slices.ContainsFunc(list, func(s markdown.Sentence) bool { return s.Kind == markdown.LineItem }),
		stems: stemSet(trimmed, 4),
	}
	l.tools, l.begun = 0, true
}

// featureSet collects the features of a sentence, each prefixed with its speaker.
type featureSet struct {
	role string
	list []string
}

func (f *featureSet) add(feature string) { f.list = append(f.list, f.role+feature) }

func (f *featureSet) number(name string, n int) { f.add(name + "=" + strconv.Itoa(n)) }

// when adds a feature if holds is true.
func (f *featureSet) when(holds bool, feature string) {
	if holds {
		f.add(feature)
	}
}

// ofSentence adds the features of a sentence by itself.
func (f *featureSet) ofSentence(s markdown.Sentence, stems []string) {
	for i, stem := range stems {
		f.add("w=" + stem)
		if i > 0 {
			f.list = append(f.list, "b="+stems[i-1]+"_"+stem) // without the speaker
		}
	}
	for n := range min(3, len(stems)) {
		f.add("first=" + strings.Join(stems[:n+1], "_"))
	}
	f.number("words", linear.Step(len(stems), 2, 4, 7, 11, 16, 24, 36))
	end := s.Text[len(s.Text)-1:]
	if !strings.Contains(".!?:,", end) {
		end = "word"
	}
	f.add("end=" + end)
	f.number("kind", int(s.Kind))
	f.when(strings.Contains(s.Text, "`"), "code")
	f.when(strings.ContainsAny(s.Text, "0123456789"), "digit")
	f.when(strings.ContainsAny(s.Text, "?？"), "asks")
	f.when(strings.Contains(s.Text, ","), "comma")
	f.when(strings.Contains(s.Text, "("), "bracket")
	f.when(strings.Contains(s.Text, "://"), "address")
	letters, capitals := 0, 0
	for _, word := range strings.Fields(s.Text) {
		first, _ := utf8.DecodeRuneInString(word)
		if unicode.IsUpper(first) {
			capitals++
		}
	}
	for _, r := range s.Text {
		if unicode.IsLetter(r) || r == ' ' {
			letters++
		}
	}
	f.number("prose", 10*letters/utf8.RuneCountInString(s.Text))
	f.number("capitals", linear.Step(10*capitals/max(1, len(stems)), 0, 2, 5, 8))
}

// ofCues adds the intents of the phrases in a sentence, with their position, and whether a preceding word negates them.
func (f *featureSet) ofCues(cues map[string][]cue, words []string) {
	taken := -reach - 1 // position of the last negating words
	for i, w := range words {
		for _, c := range cues[w] {
			switch {
			case !begins(words[i:], c.words):
			case c.intent == "not":
				taken = i
			case i-taken <= reach:
				f.add("taken=" + c.intent)
			default:
				f.add("cue=" + c.intent)
				f.when(i < early, "early="+c.intent)
			}
		}
	}
}

// reach is the number of words before a phrase in which a negation applies, and early how many may precede a phrase at
// the beginning of a sentence.
const reach, early = 4, 3

// ofPlace adds the features of a sentence's position in its message.
func (f *featureSet) ofPlace(list []markdown.Sentence, i int) {
	f.when(list[i].First, "begins")
	f.number("of", linear.Step(len(list), 1, 2, 4, 8, 16))
	f.number("at", linear.Step(i, 0, 1, 3, 7))
	f.when(i == len(list)-1, "ends")
	f.when(i+1 < len(list) && strings.HasSuffix(list[i+1].Text, "?"), "asked")
	if i > 0 {
		f.when(strings.HasSuffix(list[i-1].Text, ":"), "behind:")
		f.when(strings.HasSuffix(list[i-1].Text, "?"), "behind?")
	}
}

// ofScene adds the features of the context before the message.
func (f *featureSet) ofScene(l *listener, other utterance, stems []string) {
	f.number("tools", linear.Step(l.tools, 0, 1, 3))
	f.when(other.asks, "wasasked")
	f.when(other.lists, "waslisted")
	shared := slice.Count(stems, func(stem string) bool { return other.stems[stem] })
	f.number("shared", linear.Step(shared, 0, 1, 3))
	f.when(!l.begun, "opens")
}

// set returns the features, each once.
func (f *featureSet) set() []string {
	slices.Sort(f.list)
	return slices.Compact(f.list)
}

// Statements returns the sentences of a message. Fast typists may not use capital letters, so a full stop ends a
// sentence before any word.
func Statements(text string) (list []markdown.Sentence) {
	for s := range sentences(text) {
		rest, first := s.Text, s.First
		for rest != "" {
			end := fullStop(rest)
			s.Text, s.First = strings.TrimSpace(rest[:end]), first
			if s.Text != "" {
				list = append(list, s)
			}
			rest, first = rest[end:], false
		}
	}
	return list
}

// fullStop returns the index at which the first sentence of a text ends.
func fullStop(text string) int {
	code := false
	for i, r := range text[:len(text)-1] {
		switch {
		case r == '`':
			code = !code
		case code || text[i+1] != ' ':
		case r == '!' || r == '?' || r == ';':
			return i + 1
		case r == '.':
			word := text[strings.LastIndexByte(text[:i], ' ')+1 : i]
			if len(word) > 3 && !strings.Contains(word, ".") {
				return i + 1
			}
		}
	}
	return len(text)
}
