package ask

import (
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// changeVerbs groups the words that people use for one and the same change, those for
// what begins and for what ends apart: of the one kind none tells the other.
var changeVerbs = [...]struct {
	direction direction
	words     string
}{
	{begins, "add added addition introduce introduction implement create support initial feat feature"},
	{begins, "enable allow permit accept "},
	{begins, "restore reintroduce reinstate readd"},
	{begins, "require enforce mandatory"},
	{begins, "increase raise grow"},
	{ends, "remove removal delete deletion drop retire strip discard eliminate purge ditch scrap abandon kill prune gone lose lost"},
	{ends, "revert undo rollback backout"},
	{ends, "deprecate deprecation obsolete"},
	{ends, "disable forbid disallow reject prohibit refuse"},
	{ends, "decrease reduce lower shrink"},
	{ends, "stop cease avoid prevent skip ignore"},
	{neither, "replace swap supersede switch migrate migration port convert"},
	{neither, "rename renaming"},
	{neither, "move relocate extract split"},
	{neither, "fix solve repair correct bug"},
	{neither, "upgrade update bump"},
}

// direction tells what a change does to its thing.
type direction int

const (
	neither direction = iota
	begins
	ends
)

// changes knows the terms of the verbs of change.
type changes struct {
	group     map[string]int // term → number of its group, from 1
	direction map[int]direction
}

func newChanges() changes {
	c := changes{group: map[string]int{}, direction: map[int]direction{}}
	for i, g := range changeVerbs {
		c.direction[i+1] = g.direction
		for _, t := range index.Terms(g.words) {
			c.group[t] = i + 1
		}
	}
	return c
}

// same tells whether two terms name the same change.
func (c changes) same(a, b string) bool { return c.group[a] != 0 && c.group[a] == c.group[b] }

// told is the direction of the first verb of change in a text, the other one where the
// text says that it is not so.
func (c changes) told(text string) direction {
	words := readWords(text).words
	for i, w := range words {
		found := neither
		if terms := index.Terms(w); len(terms) > 0 {
			found = c.direction[c.group[terms[0]]]
		}
		if next := strings.Join(words[i+1:min(i+3, len(words))], " "); next == "by default" && (w == "on" || w == "off") {
			found = map[string]direction{"on": begins, "off": ends}[w]
		}
		if found == neither {
			continue
		}
		if i > 0 && denies(words[i-1]) || i > 1 && denies(words[i-2]) {
			return begins + ends - found
		}
		return found
	}
	return neither
}

func denies(word string) bool {
	return word == "not" || word == "never" || word == "longer" || strings.HasSuffix(word, "n't") || strings.HasSuffix(word, "n’t")
}
