package claim

import (
	"strings"
	"sync"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/templates"
)

// kind is the effect of a change: an axis, and whether it adds (+1) or removes (-1) the object on it.
type kind struct {
	axis string
	sign int
}

const (
	being = "being"
	place = "place" // one thing replaces another
)

// String returns the axis with its sign, as in "being -".
func (k kind) String() string {
	return strings.TrimSpace(k.axis + " " + map[int]string{1: "+", -1: "-"}[k.sign])
}

// verbs maps the stem of the first word of a verb of change to its possible particles and kinds.
type verbs map[string][]verb

type verb struct {
	particles []string
	kind      kind
}

// known is the parsed list of words for changes: all of them as verbs, and the terms that have the same meaning in
// every position.
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

// ChangeOf returns the change that a term of the index means in every position, such as "being -" for remove, or "".
// Terms with the same change are synonyms.
func ChangeOf(term string) string { return lists[0]().terms[term] }

func stemOf(w string) string {
	if terms := index.Terms(w); len(terms) > 0 {
		return terms[0]
	}
	return w
}

// at returns the meaning of the word at i as a verb, preferring the entry with the most particles. Particles follow the
// verb; a single particle may follow the object. n is the number of words after i that belong to the verb, and apart is
// the index of a particle after the object.
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

// mostBetween is the maximum distance between a verb and its particle.
const mostBetween = 7
