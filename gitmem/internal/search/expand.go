package search

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/markdown"
)

// Expansion selects the groups of a [Thesaurus] that expand a query.
type Expansion string

// The expansions.
const (
	ExpandNone    Expansion = "none"
	ExpandMinimal Expansion = "minimal" // acronyms
	ExpandFull    Expansion = "full"    // synonyms too
)

// Expansions lists the expansions.
func Expansions() []Expansion { return []Expansion{ExpandNone, ExpandMinimal, ExpandFull} }

// The weight of an added term relative to a typed one. An acronym and its long form name
// the same thing, but either may name another; synonyms only overlap.
const (
	AcronymWeight = 0.5
	synonymWeight = 0.3
	maxAdded      = 24 // maximum number of terms added to one query
)

// Group is a set of words and phrases with the same meaning.
type Group struct {
	Acronym bool     // a short form and its long ones; else synonyms
	Sides   []string // two or more
	Line    int      // in its list
}

// ReadGroups reads a list of groups, one a line:
//
//	acronym: PR | pull request
//	synonym: bug | issue | defect
//
// Case does not matter. Empty lines and those that begin with # are comments. In Markdown (bulleted) a group is an item
// of a list, whose words must be searchable, and other lines are prose. Invalid lines are left out and returned.
func ReadGroups(text string, bulleted bool) (groups []Group, faults []markdown.Skip) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if bulleted {
			item, ok := strings.CutPrefix(line, "- ")
			if !ok {
				item, ok = strings.CutPrefix(line, "* ")
			}
			if !ok {
				continue
			}
			line = strings.TrimSpace(item)
		}
		if line == "" || line[0] == '#' {
			continue
		}
		g, fault := readGroup(line)
		if fault == "" && bulleted {
			fault = g.Fault()
		}
		if fault != "" {
			faults = append(faults, markdown.Skip{Line: n, Reason: fault})
			continue
		}
		g.Line = n
		groups = append(groups, g)
	}
	return groups, faults
}

// maxSides and maxSide limit the size of a group, so that a list can't make queries too expensive.
const (
	maxSides = 16
	maxSide  = 100 // bytes
)

func readGroup(line string) (g Group, fault string) {
	kind, rest, ok := strings.Cut(line, ":")
	switch kind = strings.ToLower(strings.TrimSpace(kind)); {
	case !ok || kind != "acronym" && kind != "synonym":
		return g, "begin it with acronym: or synonym:"
	case kind == "acronym":
		g.Acronym = true
	}
	for side := range strings.SplitSeq(rest, "|") {
		side = strings.Join(strings.Fields(side), " ")
		switch {
		case side == "":
			return g, "a side is empty: write words on both sides of each |"
		case len(side) > maxSide:
			return g, fmt.Sprintf("a side is longer than %d bytes", maxSide)
		}
		g.Sides = append(g.Sides, side)
	}
	if len(g.Sides) < 2 || len(g.Sides) > maxSides {
		return g, fmt.Sprintf("two to %d sides are needed, parted by |", maxSides)
	}
	return g, ""
}

// Fault describes the problem with the words of a group, or returns "" if there is none.
func (g Group) Fault() string {
	for _, side := range g.Sides {
		switch n := len(sideTerms(side)); {
		case n == 0:
			return fmt.Sprintf("%q has no word to search for", side)
		case n == 1 && strings.Contains(side, " "):
			return fmt.Sprintf("of %q only one word counts in a search, which says something else", side)
		}
	}
	return ""
}

// sideTerms returns the terms of a side, one for each of its words: a compound counts as a whole.
func sideTerms(side string) []string {
	var out []string
	for word := range strings.FieldsSeq(side) {
		if terms := index.Terms(word); len(terms) > 0 && !index.IsStopword(strings.ToLower(word)) {
			out = append(out, terms[0])
		}
	}
	return out
}

// Thesaurus expands queries by groups of words.
type Thesaurus struct{ Groups []Group }

// For returns the thesaurus without acronyms whose plurals in a text are names: NATS in capitals is not a plural of
// NAT.
func (t Thesaurus) For(text string) Thesaurus {
	words := strings.FieldsFunc(text, func(r rune) bool { return r < 'A' || r > 'Z' && r < 'a' || r > 'z' })
	named := func(side string) bool { return slices.Contains(words, strings.ToUpper(side)+"S") }
	t.Groups = slices.DeleteFunc(t.Groups, func(g Group) bool { return g.Acronym && slices.ContainsFunc(g.Sides, named) })
	return t
}

// Expand adds synonyms to the terms of a query. An added term weighs less than the one that it expands; the words of a
// phrase share the weight. The query's own terms are unchanged and come first. It returns nil if nothing is added.
func (t Thesaurus) Expand(terms []QueryTerm, by Expansion) []QueryTerm {
	if by == ExpandNone || len(terms) == 0 {
		return nil
	}
	out := slices.Clone(terms)
	for _, g := range t.Groups {
		if !g.Acronym && by != ExpandFull || !g.near(terms) {
			continue
		}
		out = g.expand(out, len(terms))
	}
	if len(out) == len(terms) {
		return nil
	}
	return out[:min(len(out), len(terms)+maxAdded)]
}

// near is a cheap test of whether a group can contain one of the terms: stemming and folding change a word, but not its
// first characters.
func (g Group) near(terms []QueryTerm) bool {
	const same = 2
	for _, side := range g.Sides {
		first, _, phrase := strings.Cut(side, " ")
		if side[0] >= 0x80 || phrase && index.IsStopword(strings.ToLower(first)) {
			return true
		}
		for _, t := range terms {
			n := min(same, len(side), len(t.Text))
			if strings.EqualFold(side[:n], t.Text[:n]) {
				return true
			}
		}
	}
	return false
}

// expand adds the other sides of a group that has a side in the first n terms.
func (g Group) expand(terms []QueryTerm, n int) []QueryTerm {
	sides := make([][]string, len(g.Sides))
	found, at := -1, 0
	for i, side := range g.Sides {
		sides[i] = sideTerms(side)
		if k := indexOf(terms[:n], sides[i]); k >= 0 && (found < 0 || len(sides[i]) > len(sides[found])) {
			found, at = i, k
		}
	}
	if found < 0 {
		return terms
	}
	weight := synonymWeight
	if g.Acronym {
		weight = AcronymWeight
	}
	for i, side := range sides {
		if i == found {
			continue
		}
		for _, term := range side {
			if !slices.ContainsFunc(terms, func(t QueryTerm) bool { return t.Text == term }) {
				terms = append(terms, QueryTerm{Text: term, Weight: weight / float64(len(side)), For: at})
			}
		}
	}
	return terms
}

// indexOf returns the index at which words occur in sequence among terms, -1 if they don't.
func indexOf(terms []QueryTerm, words []string) int {
	for i := 0; i+len(words) <= len(terms); i++ {
		if slices.EqualFunc(terms[i:i+len(words)], words, func(t QueryTerm, w string) bool { return t.Text == w }) {
			return i
		}
	}
	return -1
}
