package ask

import (
	"slices"
	"strings"
)

// turn is what a text tells of one thing that took the place of another. A side that
// is not told is empty, never both. People tell it in many ways, and "move to B from
// A" and "replace A with B" are the same turn, while "replace B with A" is another.
type turn struct {
	from, to []string
	of       []string // where it was made: the tests that were moved from A to B
	tells    []string // the words of the text that make it a turn
}

// The verbs that make turns. Of a verb such as replace the object is what goes, of
// one such as switch the object is where the turn is made.
const (
	replaces = trades + "replace replaces replaced replacing replacement supersede supersedes superseded superseding supplant supplants supplanted "
	shifts   = " switch switches switched switching move moves moved moving migrate migrates migrated migrating migration transition transitions transitioned transitioning convert converts converted converting conversion change changes changed changing shift shifted shifting port ports ported porting rewrite rewrites rewrote rewritten rewriting go goes went gone going jump jumped rename renames renamed renaming "
	trades   = " swap swaps swapped swapping substitute substituted substituting exchange exchanged ditch ditched ditching abandon abandoned trade traded "
	takes    = " use uses used using adopt adopts adopted adopting adoption "
)

func among(list, word string) bool { return strings.Contains(list, " "+word+" ") }

// clauseWords are the words of a clause, each bare and whether a pause follows it.
type clauseWords struct {
	bare  []string
	pause []bool
}

func readClause(clause string) (c clauseWords) {
	for _, word := range strings.Fields(clause) {
		c.bare = append(c.bare, strings.Trim(plainWord(word), "`*[]’"))
		c.pause = append(c.pause, strings.ContainsAny(word[len(word)-1:], ",;:.?!)"))
	}
	return c
}

func (c clauseWords) at(i int) string {
	if i < 0 || i >= len(c.bare) {
		return ""
	}
	return c.bare[i]
}

// mostOfSide is how many words name one side of a turn at most.
const mostOfSide = 8

// side is the thing that is named from i on, and where what follows it begins.
func (c clauseWords) side(i int) (words []string, end int) {
	for end = i; end < len(c.bare) && len(words) < mostOfSide; end++ {
		if bounds(c.bare[end]) {
			break
		}
		if words = append(words, c.bare[end]); c.pause[end] {
			end++
			break
		}
	}
	return words, end
}

// find is where a word stands from i on, i where it does not.
func (c clauseWords) find(word string, i int) int {
	for k := i; k < len(c.bare); k++ {
		if c.bare[k] == word {
			return k
		}
	}
	return i
}

// before is the thing that is named in front of i.
func (c clauseWords) before(i int) (words []string) {
	for k := i - 1; k >= 0 && len(words) < mostOfSide; k-- {
		if bounds(c.bare[k]) || opensQuestion(c.bare[k]) || c.pause[k] || c.bare[k] == "and" {
			break
		}
		words = append(words, c.bare[k])
	}
	slices.Reverse(words)
	return words
}

// bounds tells the words that end the name of a thing.
func bounds(word string) bool {
	return locates(word) || slices.Contains([]string{"to", "for", "instead", "rather", "than", "as", "so", "that", "which", "over", "onto", "into", "off", "of", "because", "->", "=>", "→"}, word)
}

// opensQuestion tells the words that make a question or a passive, and those for people.
func opensQuestion(word string) bool {
	return passive(word) || slices.Contains([]string{"why", "when", "how", "what", "who", "did", "do", "does", "has", "have", "had", "we", "they", "you", "i", "it", "us", "our", "team", "not", "to"}, word)
}

// turns are those that a text tells.
func turns(text string) (out []turn) {
	for _, clause := range clauses(text) {
		c := readClause(untilNo(clause))
		for i := range c.bare {
			t := c.turn(i)
			if len(t.from) > 0 || len(t.to) > 0 {
				out = append(out, t)
			}
		}
	}
	return out
}

// turn is the one that the word at i makes.
func (c clauseWords) turn(i int) turn {
	word := c.bare[i]
	switch {
	case among(replaces, word):
		return c.replacing(i)
	case among(shifts, word):
		return c.shifting(i)
	case among(takes, word) && !c.preferred(i):
		to, _ := c.side(i + 1)
		return turn{to: to, tells: []string{word}}
	case slices.Contains([]string{"->", "=>", "→"}, word):
		to, _ := c.side(i + 1)
		if and := slices.Index(to, "and"); and > 0 { // as in a -> b and c -> d
			to = to[:and]
		}
		return turn{from: c.before(i), to: to}
	}
	return c.preferring(i)
}

// replacing reads "replace A with B", "A replaced by B", "was A replaced?", "B replaces A".
func (c clauseWords) replacing(i int) turn {
	verb := c.bare[i]
	t := turn{tells: []string{verb}}
	next := i + 1
	for slices.Contains([]string{"out", "over", "of"}, c.at(next)) || verb == "replacement" && c.at(next) == "for" {
		next++
	}
	thing, end := c.side(next)
	if among(trades, verb) { // "swap the pump with the leak for a valve"
		end = c.find("for", end)
	}
	by := c.at(end)
	other := []string(nil)
	if by == "with" || by == "by" || by == "to" || by == "for" && among(trades, verb) {
		other, _ = c.side(end + 1)
	}
	if len(thing) == 0 {
		thing = c.passiveBefore(i)
	} else if len(other) == 0 && verb != "replacement" && !passive(c.at(i-1)) {
		other = c.before(i) // what does it, where that is a thing
	}
	t.from, t.to = thing, other
	if strings.HasPrefix(verb, "substitut") && by == "for" {
		t.from, t.to = other, thing
	}
	return t
}

// passiveBefore is what a passive verb is said of, with or without the words for the
// passive between.
func (c clauseWords) passiveBefore(i int) []string {
	for i > 0 && (passive(c.bare[i-1]) || slices.Contains([]string{"has", "have", "had"}, c.bare[i-1]) || strings.HasSuffix(c.bare[i-1], "ly")) {
		i--
	}
	return c.before(i)
}

// shifting reads "switch from A to B", "move to B from A", "migrate off A", "convert A
// to B", "switch A for B".
func (c clauseWords) shifting(i int) turn {
	verb := c.bare[i]
	t := turn{tells: []string{verb}}
	at := i + 1
	for slices.Contains([]string{"over", "away", "back", "completely", "everything", "on"}, c.at(at)) {
		at++
	}
	if !bounds(c.at(at)) {
		t.of, at = c.side(at)
	} else if passive(c.at(i-1)) || strings.HasSuffix(verb, "ed") || strings.HasSuffix(verb, "ten") {
		t.of = c.passiveBefore(i)
	}
	for range 2 {
		switch c.at(at) {
		case "from", "off":
			if c.at(at+1) == "of" {
				at++
			}
			t.from, at = c.side(at + 1)
		case "to", "onto", "into", "as":
			t.to, at = c.side(at + 1)
		case "for", "with":
			if strings.HasPrefix(verb, "switch") && len(t.of) > 0 {
				t.from, t.of = t.of, nil
				t.to, at = c.side(at + 1)
			}
		case "in":
			if strings.HasPrefix(verb, "rew") {
				t.to, at = c.side(at + 1)
			}
		}
	}
	if strings.HasPrefix(verb, "go") || verb == "went" || strings.HasPrefix(verb, "chang") {
		if len(t.from) == 0 || len(t.to) == 0 {
			return turn{}
		}
	}
	if len(t.from) == 0 && len(t.to) == 0 {
		t.from, t.to = c.noun(i)
	}
	if len(t.from) == 0 && len(t.to) == 0 {
		return turn{}
	}
	if (strings.HasPrefix(verb, "conver") || strings.HasPrefix(verb, "renam")) && len(t.from) == 0 {
		t.from, t.of = t.of, nil
	}
	return t
}

// noun reads "A to B migration".
func (c clauseWords) noun(i int) (from, to []string) {
	to = c.before(i)
	if at := i - len(to) - 1; len(to) > 0 && c.at(at) == "to" {
		return c.before(at), to
	}
	return nil, nil
}

// preferred tells whether a clause goes on to say what its thing is preferred to.
func (c clauseWords) preferred(i int) bool {
	for k := i + 1; k < len(c.bare); k++ {
		if _, ok := c.preference(k); ok {
			return true
		}
	}
	return false
}

// preference is whether the words at i say that what is in front of them is preferred
// to what is behind, or the other way round, and how many words say so.
func (c clauseWords) preference(i int) (n int, ok bool) {
	pair := c.at(i) + " " + c.at(i+1)
	switch pair {
	case "instead of", "rather than":
		return 2, true
	case "in place", "in lieu", "in favor", "in favour", "in preference":
		return 3, c.at(i+2) == "of" || c.at(i+2) == "to"
	case "way for", "way to":
		return 2, slices.Contains([]string{"make", "made", "makes", "give", "gave", "given", "gives"}, c.at(i-1))
	}
	return 0, false
}

// preferring reads "use B instead of A", "drop A in favor of B", "A made way for B",
// "instead of A, use B".
func (c clauseWords) preferring(i int) turn {
	n, ok := c.preference(i)
	if !ok {
		return turn{}
	}
	behind, end := c.side(i + n)
	t := turn{tells: c.bare[i : i+n]}
	front := c.before(i)
	if c.at(i) == "way" {
		front = c.before(i - 1)
	}
	if len(front) == 0 {
		front, _ = c.side(end)
	}
	if word := c.at(i + 1); word == "favor" || word == "favour" || c.at(i) == "way" {
		t.from, t.to = front, behind
	} else {
		t.from, t.to = behind, front
	}
	return t
}
