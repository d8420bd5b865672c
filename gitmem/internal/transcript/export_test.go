package transcript

import "github.com/gitmem/gitmem/markdown"

// SetLimit lowers the length of lines that r reads.
func SetLimit(r *Reader, bytes int) { r.limit = bytes }

// Sentences gives tests the sentences of a session with their features.
func Sentences(list []Message, yield func(line int, s markdown.Sentence, features []string)) {
	var l listener
	for _, m := range list {
		if l.tools += len(m.Tools); m.Text != "" {
			l.hear(m, func(s markdown.Sentence, features []string) { yield(m.Line, s, features) })
		}
	}
}

// Turns gives tests the features of the prompts of a session behind the first one. judge tells
// which begin another topic.
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

// SentencesOf gives tests the sentences of a text.
func SentencesOf(text string) []string {
	var all []string
	for s := range sentences(text) {
		all = append(all, s.Text)
	}
	return all
}

// LineFeatures gives tests what pasted lines are told by, and from which probability on.
func LineFeatures(lines []string) [][]string { return lineFeatures(lines) }

// PastedFrom is how probable it must be that a line is pasted.
const PastedFrom = pastedFrom
