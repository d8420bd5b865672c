package ask

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// replacement is one thing that took the place of another, as a text says, by the
// terms of both. A side that the text does not name is empty.
type replacement struct{ from, to []string }

// Words by which people say that something took the place of something else.
const (
	replaceVerbs = " replace replaced replacing swap swaps swapped swapping switch switched switching substitute substituted exchange exchanged leave left trade traded drop dropped ditched abandoned "
	activeVerbs  = " replaces supersedes replacing superseding "
	shiftVerbs   = " switch switches switched switching move moves moved moving migrate migrates migrated migrating port ported porting go went going return returned increase increases increased raise raised raises lower lowers lowered reduce reduced bump bumped "
	renameVerbs  = " rename renames renamed renaming change changes changed changing convert converts converted converting turn turned "
	useVerbs     = " use uses used using adopt adopts adopted adopting "
	stopVerbs    = " stop stops stopped drop dropped quit without "
	beings       = " is was were are be been got gets get being "
	sideEnds     = " to into onto with by for" + clauseEnds
	clauseEnds   = " from instead rather in and or but when while because since so that which as after before is was were are been use using than if why how what did do does we you they it got gets "
)

const mostOfSide = 7 // words that name one side at most

// sentenceWords are those of a text in lower case, and after which of them a pause is.
type sentenceWords struct {
	words []string
	pause []bool
}

func readWords(text string) (s sentenceWords) {
	for _, w := range strings.Fields(strings.ToLower(text)) {
		s.words = append(s.words, trimMarks(w))
		s.pause = append(s.pause, strings.ContainsAny(w[len(w)-1:], ".,;:?!)"))
	}
	return s
}

func (s sentenceWords) at(i int) string {
	if i < 0 || i >= len(s.words) {
		return ""
	}
	return s.words[i]
}

func isOneOf(list, word string) bool { return word != "" && strings.Contains(list, " "+word+" ") }

// sideTerms are the words that name one side, as written: --match is not --matches.
func sideTerms(words []string) (out []string) {
	for _, w := range words {
		if w != "" && !index.IsStopword(w) && w != "out" {
			out = append(out, w)
		}
	}
	return out
}

// after is what is named from i on, and where it ends.
func (s sentenceWords) after(i int, ends string) (terms []string, end int) {
	for end = i; end < len(s.words) && end < i+mostOfSide && !isOneOf(ends, s.words[end]); {
		if end++; s.pause[end-1] {
			break
		}
	}
	return sideTerms(s.words[min(i, len(s.words)):end]), end
}

// before is what is named in front of i, and where it begins.
func (s sentenceWords) before(i int, ends string) (terms []string, start int) {
	start = i
	for start > 0 && start > i-mostOfSide && !isOneOf(ends, s.words[start-1]) && !s.pause[start-1] {
		start--
	}
	return sideTerms(s.words[start:i]), start
}

// replacementsIn finds what a text says to have taken the place of something else.
func replacementsIn(text string) (out []replacement) {
	s := readWords(text)
	for i, w := range s.words {
		if r, ok := s.replacement(i, w); ok {
			r.from, r.to = apart(r.from, r.to)
			if len(r.from)+len(r.to) > 0 {
				out = append(out, r)
			}
		}
	}
	return out
}

// replacement is the one that the word at i names.
func (s sentenceWords) replacement(i int, w string) (r replacement, ok bool) {
	next, end := s.at(i+1), 0
	switch {
	case w == "from", w == "out" && next == "of":
		at := i + 1
		if w == "out" {
			at++
		}
		if r.from, end = s.after(at, sideEnds); isOneOf(" to into onto ", s.at(end)) {
			r.to, _ = s.after(end+1, sideEnds)
			return r, true
		}
		to, start := s.before(i, sideEnds)
		if isOneOf(" to into onto ", s.at(start-1)) {
			r.to = to
			return r, true
		}
		return r, w == "out"
	case isOneOf(activeVerbs, w):
		r.to, _ = s.before(i, sideEnds)
		r.from, end = s.after(i+1, sideEnds)
		if s.at(end) == "with" || s.at(end) == "by" {
			r.to, _ = s.after(end+1, sideEnds)
		}
		return r, true
	case isOneOf(renameVerbs, w), isOneOf(replaceVerbs, w):
		r.from = s.object(i, &end)
		joins, by := " with by for ", s.at(end)
		if isOneOf(renameVerbs, w) {
			joins = " to into "
		}
		if isOneOf(joins, by) && (by != "for" || !slices.Contains(r.from, "support")) {
			r.to, _ = s.after(end+1, sideEnds)
			return r, true
		}
	case isOneOf(" instead rather ", w) && isOneOf(" of than ", next):
		r.from, end = s.after(i+2, clauseEnds)
		if r.to, _ = s.before(i, clauseEnds); len(r.to) == 0 {
			r.to, _ = s.after(end, clauseEnds)
		}
		return r, true
	case w == "in" && isOneOf(" favor favour ", next):
		r.from, _ = s.before(i, sideEnds)
		r.to, _ = s.after(i+3, sideEnds)
		return r, true
	case isOneOf(" -> => → ", w):
		r.from, _ = s.before(i, sideEnds)
		r.to, _ = s.after(i+1, sideEnds)
		return r, true
	case isOneOf(useVerbs, w):
		thing, _ := s.after(i+1, sideEnds)
		if slices.ContainsFunc(s.words[max(0, i-mostOfSide):i], func(w string) bool { return isOneOf(stopVerbs, w) }) {
			return replacement{from: thing}, true
		}
		return replacement{to: thing}, true
	}
	return s.shift(i, w)
}

// object is what a verb at i acts on: what follows it, or before it of a passive one.
func (s sentenceWords) object(i int, end *int) (terms []string) {
	if terms, *end = s.after(i+1, sideEnds); len(terms) == 0 {
		for isOneOf(beings, s.at(i-1)) {
			i--
		}
		terms, _ = s.before(i, sideEnds)
	}
	return terms
}

// shift reads "move everything to B": what is moved is not what was there before.
func (s sentenceWords) shift(i int, w string) (r replacement, ok bool) {
	if !isOneOf(shiftVerbs, w) {
		return r, false
	}
	for end := i + 1; end < i+mostOfSide+2 && end < len(s.words) && s.words[end] != "from"; end++ {
		if isOneOf(" to into onto ", s.words[end]) {
			r.to, _ = s.after(end+1, sideEnds)
			return r, true
		}
	}
	return r, false
}

// apart leaves out what both sides have.
func apart(a, b []string) (onlyA, onlyB []string) {
	without := func(list, other []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(t string) bool { return slices.Contains(other, t) })
	}
	return without(a, b), without(b, a)
}

func share(a, b []string) bool {
	return slices.ContainsFunc(a, func(t string) bool { return slices.Contains(b, t) })
}

// reverses reports whether a replacement is the opposite of the one asked about.
func (r replacement) reverses(asked replacement) bool {
	switch {
	case len(asked.from) == 0:
		return share(asked.to, r.from) && !share(asked.to, r.to)
	case len(asked.to) == 0:
		return share(asked.from, r.to) && !share(asked.from, r.from)
	case len(r.to) == 0:
		return share(asked.to, r.from) && !share(asked.from, r.from)
	}
	return share(asked.from, r.to) && !share(asked.to, r.to) && (len(r.from) == 0 || share(asked.to, r.from))
}

// is reports whether a replacement is the one asked about.
func (r replacement) is(asked replacement) bool {
	return r.reverses(replacement{asked.to, asked.from})
}

// Shares of a question that a source must say to be the reverse of what is asked about.
const (
	leastReverse  = 0.5
	leastReplaced = 0.3 // of a replacement: its record often names only what is new
)

// reverse finds the source among the best that says the opposite of what the question
// takes for granted, -1 for none: that B took the place of A where A is said to have
// taken that of B, or that a thing ended that is said to have begun. Nothing is reversed
// where a source that is no older agrees with the question.
func (w *weigher) reverse(q Question, found []evidence) int {
	asked := replacementsIn(q.Text)
	if both := slices.DeleteFunc(slices.Clone(asked), func(r replacement) bool { return len(r.from) == 0 || len(r.to) == 0 }); len(both) > 0 {
		asked = both
	}
	tells := w.replaces(asked)
	if len(asked) == 0 {
		tells = w.opposes(q)
	}
	at := -1
	for i, ev := range found {
		if ev.near < leastReverse && len(asked) == 0 || ev.near < leastReplaced {
			continue
		}
		switch same, opposite := tells(ev); {
		case same && (at < 0 || !ev.src.Time.Before(found[at].src.Time)):
			return -1
		case opposite && at < 0:
			at = i
		}
	}
	return at
}

// replaces compares evidence with the replacements asked about: the same, or the opposite.
func (w *weigher) replaces(asked []replacement) func(evidence) (same, opposite bool) {
	return func(ev evidence) (same, opposite bool) {
		for _, text := range ev.texts {
			for _, r := range replacementsIn(text) {
				same = same || slices.ContainsFunc(asked, r.is)
				opposite = opposite || slices.ContainsFunc(asked, r.reverses)
			}
		}
		return same && !opposite, opposite && !same
	}
}

// opposes reports whether evidence names a beginning or an end as the question
// does, or the opposite.
func (w *weigher) opposes(q Question) func(evidence) (same, opposite bool) {
	on, wanted, _ := w.verbs.directionOf(q.Text)
	return func(ev evidence) (same, opposite bool) {
		text := ev.src.Title
		if isPage(ev.src, ev.hit) {
			text = ev.quote.Text
		}
		about, direction, clear := w.verbs.directionOf(text)
		if direction == neither || wanted == neither || about != on || w.shareOf(text) < leastReverse {
			return false, false
		}
		if direction == wanted || !clear || w.sameChange(text) {
			return true, false
		}
		return false, true
	}
}

// sameChange reports whether a text has a verb for a change that the question names: start
// and skip may be things.
func (w *weigher) sameChange(text string) bool {
	terms := index.Terms(text)
	return slices.ContainsFunc(w.terms, func(asked string) bool {
		return w.verbs[asked] != 0 && slices.ContainsFunc(terms, func(t string) bool { return w.verbs[t] == w.verbs[asked] })
	})
}
