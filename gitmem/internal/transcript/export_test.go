package transcript

import "github.com/gitmem/gitmem/markdown"

// SetLimit lowers the maximum length of lines that r reads.
func SetLimit(r *Reader, bytes int) { r.limit = bytes }

// Sentences yields the sentences of a session with their features, for tests.
func Sentences(list []Message, yield func(line int, s markdown.Sentence, features []string)) {
	var l listener
	for _, m := range list {
		if l.tools += len(m.Tools); m.Text != "" {
			l.hear(m, func(s markdown.Sentence, features []string) { yield(m.Line, s, features) })
		}
	}
}

// Turns yields the features of the prompts of a session after the first one, for tests. judge reports which begin
// another topic.
func Turns(list []Message, judge func(line int, features []string) (shifts bool)) {
	var w wanderer
	end := func(t *turn) {
		if t != nil {
			w.join(t, w.turns == 0 || judge(t.prompt.Line, w.features(t)))
		}
	}
	for _, m := range list {
		end(w.take(m))
	}
	end(w.current)
}

// SentencesOf returns the sentences of a text, for tests.
func SentencesOf(text string) []string {
	var all []string
	for s := range sentences(text) {
		all = append(all, s.Text)
	}
	return all
}

// LineFeatures returns the features that distinguish pasted lines, for tests.
func LineFeatures(lines []string) [][]string { return lineFeatures(lines) }

// PastedFrom is the minimum probability that a line is pasted.
const PastedFrom = pastedFrom
