package claim

import (
	"strings"
	"sync"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/templates"
)

// kind is what a change does: an axis, and whether it brings (+1) or ends (-1) what is on it.
type kind struct {
	axis string
	sign int
}

const (
	being = "being"
	place = "place" // one thing takes the place of another
)

// String is an axis with its sign, as in "being -".
func (k kind) String() string {
	return strings.TrimSpace(k.axis + " " + map[int]string{1: "+", -1: "-"}[k.sign])
}

// verbs are the words for changes: by the stem of the first word what may follow it, and what it says.
type verbs map[string][]verb

type verb struct {
	particles []string
	kind      kind
}

// known is what the list of words for changes says: all of them as verbs, and by their terms those that say
// the same wherever they stand.
type known struct {
	verbs verbs
	terms map[string]string
}

var lists = [...]func() known{sync.OnceValue(readChanges)}

func readChanges() known {
	k := known{verbs{}, map[string]string{}}
	templates.Changes(func(c templates.Change) {
		list := strings.Fields(c.Words)
		stem, does := stemOf(list[0]), kind{c.Axis, c.Sign}
		k.verbs[stem] = append(k.verbs[stem], verb{list[1:], does})
		if !c.Everyday && c.Axis != "none" && len(list) == 1 {
			k.terms[stem] = does.String()
		}
	})
	return k
}

// IsVerb reports whether a term of the index may be a verb of change.
func IsVerb(term string) bool { return len(lists[0]().verbs[term]) > 0 }

// ChangeOf is the change that a term of the index says wherever it stands, such as "being -" for remove; ""
// for a term that says none. Terms of one change stand for each other.
func ChangeOf(term string) string { return lists[0]().terms[term] }

func stemOf(w string) string {
	if terms := index.Terms(w); len(terms) > 0 {
		return terms[0]
	}
	return w
}

// at is what the word at i says as a verb: the one with most particles, which follow it or, a single one,
// its object. n is how many words behind it belong to it, and apart the place of a particle that stands
// behind the object.
func (v verbs) at(words []word, i int) (k kind, n, apart int) {
	if i >= len(words) || words[i].name || isPronoun(words[i].text) {
		return kind{}, 0, 0
	}
	n = -1
	list := v[words[i].stem]
	for _, one := range list {
		follow := 0
		for follow < len(one.particles) && i+1+follow < len(words) && words[i+1+follow].text == one.particles[follow] {
			follow++
		}
		if follow == len(one.particles) && follow > n {
			n, k = follow, one.kind
		}
	}
	for _, one := range list {
		if n > 0 || len(one.particles) != 1 {
			continue
		}
		for j := i + 2; j < min(i+mostBetween, len(words)) && !words[j-1].pause && !isOneOf(clauses, words[j-1].text); j++ {
			if words[j].text == one.particles[0] && isOneOf(" out away off on back in up ", words[j].text) {
				return one.kind, 0, j
			}
		}
	}
	return k, max(n, 0), 0
}

// mostBetween is how far behind a verb its particle is looked for.
const mostBetween = 7
