package lint

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// claim is one side of a statement: what it wants, or what it rejects.
type claim struct {
	words    map[string]bool // stemmed, without modal words and negations
	negative bool
	absolute bool // it allows no exception
}

// near is the minimum share of common words for two claims about one subject.
const near = 0.6

// contradicts reports whether one statement wants what the other one rejects, or whether they want different ones of
// mutually exclusive terms.
func contradicts(a, b []claim, exclusives []exclusiveTerms) bool {
	for _, x := range a {
		for _, y := range b {
			if x.negative != y.negative && x.opposes(y) {
				return true
			}
			if !x.negative && !y.negative && exclusive(x.words, y.words, exclusives) {
				return true
			}
		}
	}
	return false
}

// opposes reports whether two claims, one of which is negated, are about the same subject. Claims that each have words
// of their own are about two subjects, such as staging and production. A claim with more words is an exception to the
// other, and contradicts it only if the other allows no exception.
func (c claim) opposes(d claim) bool {
	if maps.Equal(c.words, d.words) {
		return true
	}
	if len(c.words) > len(d.words) {
		c, d = d, c
	}
	return c.absolute && len(c.words) > 1 && within(c.words, d.words) && jaccard(c.words, d.words) >= near
}

// within reports whether b contains every word of a.
func within(a, b map[string]bool) bool {
	for w := range a {
		if !b[w] {
			return false
		}
	}
	return true
}

// exclusiveTerms are the index terms of mutually exclusive things.
type exclusiveTerms [][]string

func newExclusiveTerms(exclusives [][]string) []exclusiveTerms {
	out := make([]exclusiveTerms, len(exclusives))
	for i, names := range exclusives {
		for _, name := range names {
			out[i] = append(out[i], index.QueryTerms(name))
		}
	}
	return out
}

// exclusive reports whether two claims name different ones of mutually exclusive terms, and are otherwise about the
// same subject.
func exclusive(a, b map[string]bool, exclusives []exclusiveTerms) bool {
	for _, g := range exclusives {
		left, restA := g.named(a)
		right, restB := g.named(b)
		if len(left) != 1 || len(right) != 1 || left[0] == right[0] {
			continue
		}
		if maps.Equal(restA, restB) || (within(restA, restB) || within(restB, restA)) && jaccard(restA, restB) >= near {
			return true
		}
	}
	return false
}

// named returns the indexes of the group's members in some words, and the other words.
func (g exclusiveTerms) named(words map[string]bool) (members []int, rest map[string]bool) {
	rest = maps.Clone(words)
	for i, terms := range g {
		if len(terms) == 0 || slices.ContainsFunc(terms, func(t string) bool { return !words[t] }) {
			continue
		}
		members = append(members, i)
		for _, t := range terms {
			delete(rest, t)
		}
	}
	return members, rest
}

// claims splits a statement into claims: "spaces instead of tabs for code" wants spaces for code, and rejects tabs for
// code.
func claims(statement string) []claim {
	var out []claim
	for _, part := range parts(statement) {
		wanted, unwanted, ok := sides(strings.Fields(part))
		if ok {
			out = append(out, newClaim(wanted, false), newClaim(unwanted, true))
			continue
		}
		out = append(out, newClaim(strings.Fields(part), negated(part)))
	}
	return slices.DeleteFunc(out, func(c claim) bool { return len(c.words) == 0 })
}

// parts splits a statement into clauses.
func parts(statement string) []string {
	for _, cut := range []string{". ", "; ", ": ", " but ", " because ", " since ", " — ", " – "} {
		statement = strings.ReplaceAll(statement, cut, "\n")
	}
	return strings.Split(statement, "\n")
}

// sides parses "A instead of B", "A rather than B", "A over B" and "A, not B".
func sides(words []string) (wanted, unwanted []string, ok bool) {
	for i := 1; i+1 < len(words); i++ {
		n := 0
		switch word := strings.ToLower(words[i]); {
		case word == "instead" && words[i+1] == "of", word == "rather" && words[i+1] == "than":
			n = 2
		case word == "over" && prefers(words[:i]), word == "not" && strings.HasSuffix(words[i-1], ","):
			n = 1
		}
		if n == 0 || i+n >= len(words) {
			continue
		}
		before, after := words[:i], words[i+n:]
		return slices.Concat(before, after[1:]), slices.Concat(before[:i-1], after), true
	}
	return nil, nil, false
}

func prefers(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(strings.ToLower(w), "prefer") })
}

func newClaim(words []string, negative bool) claim {
	c := claim{words: map[string]bool{}, negative: negative}
	for _, w := range words {
		word := plainWord(w)
		c.absolute = c.absolute || isOneOf(absolute, word)
		if isOneOf(modal+denials+absolute+generic, word) {
			continue
		}
		if exact(word) || isOneOf(changesMeaning, word) {
			c.words["="+word] = true
			continue
		}
		if index.IsStopword(word) { // alone, it would count as a word
			continue
		}
		for t := range wordSet(w) {
			c.words[t] = true
		}
	}
	return c
}

// exact reports whether a word must be compared letter by letter, because the index terms lose too much of it: %w and
// %v, .env and .env.example, 15 and 30.
func exact(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("-_'", r) })
}

// Lists of words, each between blanks.
const (
	// changesMeaning are words that change the meaning of a statement, and which searches ignore.
	changesMeaning = " off before after above below under over out down unless until first last more less "
	// absolute are words that allow no exception.
	absolute = " never always any every all must forbidden forbid everywhere "
	// generic are words that do not restrict anything within a project.
	generic = " code project repository repo here codebase file files "
	// modal are words that express a wish, but not its subject.
	modal = " use uses using used prefer prefers preferred always must should shall want wants please make sure do does " +
		"we you keep ever only "
	// denials are words that negate a statement.
	denials = " not no never don't dont doesn't without avoid avoids stop isn't aren't can't cannot won't mustn't " +
		"shouldn't nor neither forbidden forbid "
)

// isOneOf reports whether a word is in a list.
func isOneOf(list, word string) bool { return word != "" && strings.Contains(list, " "+word+" ") }

func plainWord(word string) string {
	return strings.Trim(strings.ToLower(strings.ReplaceAll(word, "’", "'")), ".,;:!?\"'()`*_")
}

// negated reports whether a statement contains a negation.
func negated(text string) bool {
	return slices.ContainsFunc(strings.Fields(text), Denies)
}

// Denies reports whether a word negates a statement.
func Denies(word string) bool { return isOneOf(denials, plainWord(word)) }
