package ask

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// turn is a change from one thing to another, as words tell it: from gofmt to gofumpt.
type turn struct {
	from, to []string // terms
}

// turnSpan is how many words on either side of the word between two things may name them.
const turnSpan = 4

// turns are the changes from one thing to another that a text tells of.
func turns(text string) (out []turn) {
	for _, clause := range clauses(text) {
		words := strings.Fields(clause)
		for i := range words {
			back, ok := turning(words, i)
			if !ok {
				continue
			}
			width := pivotWidth(words, i)
			t := turn{termsOf(lastNames(words[:i])), termsOf(untilPreposition(words[i+width:]))}
			if back {
				t.from, t.to = t.to, t.from
			}
			t.from, t.to = unlike(t.from, t.to)
			if len(t.from) > 0 && len(t.to) > 0 {
				out = append(out, t)
			}
		}
	}
	return out
}

// turning tells whether the word at i stands between what was and what is, and whether
// what is comes first.
func turning(words []string, i int) (back, ok bool) {
	has := func(verbs string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(strings.Fields(verbs), plainWord(w)) })
	}
	next := ""
	if i+1 < len(words) {
		next = plainWord(words[i+1])
	}
	switch w := plainWord(words[i]); {
	case w == "->" || w == "=>" || w == "→":
		return false, true
	case w == "to" || w == "into":
		return false, i > 0 && has(`migrate migrated migrates migrating migration switch switched switches switching move moved moves moving port ported porting
			rename renamed renames renaming convert converted converting conversion transition from replace replaced replaces replacing`)
	case w == "with" || w == "by":
		return false, has("replace replaced replaces replacing replacement supersede superseded superseding swap swapped swapping substitute substituted")
	case w == "for":
		return false, has("swap swapped swapping exchange exchanged trade traded ditch ditched drop dropped dropping abandon abandoned abandoning")
	case w == "in" && (next == "favor" || next == "favour"):
		return false, true
	case w == "instead" && next == "of", w == "rather" && next == "than":
		return true, true
	case w == "replaces" || w == "supersedes":
		return true, true
	}
	return false, false
}

// pivotWidth is how many words stand between the two things from the word at i on.
func pivotWidth(words []string, i int) int {
	switch plainWord(words[i]) {
	case "in":
		return min(3, len(words)-i) // in favour of
	case "instead", "rather":
		return 2
	}
	return 1
}

// lastNames are the last few words that are no function words.
func lastNames(words []string) (out []string) {
	for i := len(words) - 1; i >= 0 && len(out) < turnSpan; i-- {
		if plain := plainWord(words[i]); plain != "" && !index.IsStopword(plain) {
			out = append(out, words[i])
		}
	}
	return out
}

// untilPreposition are the first few words, up to the next that begins another part.
func untilPreposition(words []string) []string {
	for i, w := range words {
		if i == turnSpan || i > 0 && (locates(plainWord(w)) || plainWord(w) == "to" || plainWord(w) == "for" || plainWord(w) == "and") {
			return words[:i]
		}
		if strings.ContainsAny(w[len(w)-1:], ",;:.?") {
			return words[:i+1]
		}
	}
	return words
}

func termsOf(words []string) []string { return index.Terms(strings.Join(words, " ")) }

// unlike leaves out of two lists what is in both.
func unlike(a, b []string) (onlyA, onlyB []string) {
	without := func(list, other []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(t string) bool { return slices.Contains(other, t) })
	}
	return without(a, b), without(b, a)
}

// turnedAround tells whether passages tell of a change the other way round than the
// question does, or of one that led to what the question says was left, and of none that
// goes its way.
func (w *weigher) turnedAround(passages []string) bool {
	around := false
	for _, asked := range w.turns {
		for _, p := range passages {
			for _, told := range turns(p) {
				left, came := w.bothName(asked.from, told.from), w.bothName(asked.to, told.to)
				if left && came {
					return false
				}
				back, forth := w.bothName(asked.from, told.to), w.bothName(asked.to, told.from)
				around = around || back && forth || !left && !came && (back || forth)
			}
		}
	}
	return around
}

// bothName tells whether two lists share a term of the question that is no event.
func (w *weigher) bothName(a, b []string) bool {
	return slices.ContainsFunc(a, func(t string) bool { return w.rarity[t] > 0 && !w.asked[t] && slices.Contains(b, t) })
}
