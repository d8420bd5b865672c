package ask

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// changeVerbs groups the words that people use for one and the same change: a word stands
// for the others of its group. Two groups are opposites if they are on one axis and differ
// in direction.
var changeVerbs = [...]struct {
	axis      axis
	direction direction
	words     string
}{
	{being, begins, "add added addition introduce introduction implement create support initial feat feature"},
	{being, begins, "enable allow permit accept"},
	{being, begins, "restore reintroduce reinstate readd start began begin"},
	{being, ends, "remove removal delete deletion drop retire strip discard eliminate purge ditch scrap abandon kill prune gone lose lost"},
	{being, ends, "revert undo rollback backout"},
	{being, ends, "deprecate deprecation obsolete"},
	{being, ends, "disable forbid disallow reject prohibit refuse"},
	{being, ends, "stop cease avoid prevent skip ignore"},
	{need, begins, "require required enforce mandatory"},
	{need, ends, "optional"},
	{size, begins, "increase raise grow"},
	{size, ends, "decrease reduce lower shrink cut"},
	{unity, begins, "merge combine join unify"},
	{unity, ends, "split separate extract"},
	{other, neither, "replace swap supersede switch migrate migration port convert"},
	{other, neither, "rename renaming"},
	{other, neither, "move relocate"},
	{other, neither, "fix solve repair correct bug"},
	{other, neither, "upgrade update bump"},
}

// axis is what changes that are each other's opposites are about.
type axis int

const (
	other axis = iota
	being
	need
	size
	unity
)

// direction is what a change does to its subject.
type direction int

const (
	neither direction = iota
	begins
	ends
)

// changes knows the terms of the verbs of change.
type changes map[string]int // term → number of its group, from 1

func newChanges() changes {
	c := changes{}
	for i, g := range changeVerbs {
		for _, t := range index.Terms(g.words) {
			c[t] = i + 1
		}
	}
	return c
}

// of is the axis and the direction of the change that a term names.
func (c changes) of(term string) (axis, direction) {
	if n := c[term]; n > 0 {
		return changeVerbs[n-1].axis, changeVerbs[n-1].direction
	}
	return other, neither
}

// directionOf is the first change of a text that has a direction, the other direction where a
// word before it says no; clear says that no opposite of it is in the text.
func (c changes) directionOf(text string) (on axis, which direction, clear bool) {
	s := readWords(text)
	clear = true
	for i, w := range s.words {
		about, found := c.at(s, i, w)
		switch {
		case found == neither:
		case which == neither:
			on, which = about, found
		case about == on && found != which:
			clear = false
		}
	}
	return on, which, clear
}

// at is the change that the word at i of a text names. The word support is a verb only
// where a sentence begins.
func (c changes) at(s sentenceWords, i int, w string) (on axis, which direction) {
	terms := index.Terms(w)
	if len(terms) == 0 || w == "support" && i > 0 && !s.pause[i-1] {
		return other, neither
	}
	on, which = c.of(terms[0])
	if next := s.at(i+1) + " " + s.at(i+2); (w == "on" || w == "off") && (next == "by default" || hasTurnVerb(s.words[max(0, i-4):i])) {
		on, which = being, map[string]direction{"on": begins, "off": ends}[w]
	}
	if which != neither && (denies(s.at(i-1)) || denies(s.at(i-2))) {
		which = begins + ends - which
	}
	return on, which
}

// hasTurnVerb reports whether the last words have a verb that on or off belongs to.
func hasTurnVerb(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return isOneOf(" turn turned turns turning switch switched switching ", w) })
}

func denies(word string) bool {
	return word == "no" || word == "not" || word == "never" || strings.HasSuffix(word, "n't") || strings.HasSuffix(word, "n’t")
}
