package ask

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// askedTurn is the turn that a question asks about, by its terms.
type askedTurn struct {
	from, to, of string   // the rarest term of each side, "" for one that is not told
	tells        []string // the terms that make it one
}

// readTurn finds the turn that a question is about. What is used is none by itself.
func (w *weigher) readTurn(q Question) {
	for _, t := range turns(q.Text) {
		turn := askedTurn{from: w.rarest(t.from), to: w.rarest(t.to), of: w.rarest(t.of)}
		if turn.from == "" && turn.to == "" || turn.from == turn.to || among(takes, t.tells[0]) {
			continue
		}
		turn.tells = index.Terms(strings.Join(t.tells, " "))
		w.turn = &turn
		return
	}
}

// rarest is the rarest of the question's terms, but for its verbs, in some words.
func (w *weigher) rarest(words []string) (best string) {
	for _, t := range index.Terms(strings.Join(words, " ")) {
		if !w.asked[t] && w.rarity[t] > w.rarity[best] {
			best = t
		}
	}
	return best
}

// turnTerms are the terms of the sides of a turn that a text tells.
type turnTerms struct{ from, to []string }

func termsOf(t turn) turnTerms {
	return turnTerms{index.Terms(strings.Join(t.from, " ")), index.Terms(strings.Join(t.to, " "))}
}

// holds tells whether a turn is the one that is asked about. What the text does not
// tell of a side must stand elsewhere in it.
func (a *askedTurn) holds(s turnTerms, text []string) bool {
	met := false
	for _, side := range []struct {
		asked string
		terms []string
	}{{a.from, s.from}, {a.to, s.to}} {
		switch {
		case side.asked == "":
		case slices.Contains(side.terms, side.asked):
			met = true
		case len(side.terms) > 0 || !slices.Contains(text, side.asked):
			return false
		}
	}
	return met && (a.of == "" || slices.Contains(text, a.of))
}

// reversed tells whether a turn is the opposite of the one that is asked about.
func (a *askedTurn) reversed(s turnTerms) bool {
	return a.from != "" && slices.Contains(s.to, a.from) && !slices.Contains(s.from, a.from) ||
		a.to != "" && slices.Contains(s.from, a.to) && !slices.Contains(s.to, a.to)
}

// coverTurns adds what the turns tell that a passage below a title holds: the turn
// that was asked about, however it is told, and that what was asked about went, or came.
func (w *weigher) coverTurns(set map[string]bool, head headline, passage string) {
	if w.turn == nil && len(w.asked) == 0 {
		return
	}
	var text []string
	for _, t := range turns(passage) {
		if text == nil {
			text = append(index.Terms(passage), head.terms...)
		}
		s := termsOf(t)
		if w.turn != nil && w.turn.holds(s, text) {
			w.cover(set, w.turn.tells)
			for _, told := range w.turn.tells {
				if w.asked[told] {
					set[told] = true
				}
			}
		}
		if len(t.tells) > 0 && among(takes, t.tells[0]) {
			continue
		}
		if passage == head.text && w.isSubject(t.from) {
			w.coverEvents(set, index.Terms("remove"))
		}
		if passage == head.text && w.isSubject(t.to) {
			w.coverEvents(set, index.Terms("add"))
		}
	}
}

// isSubject tells whether a side of a turn is what the question is about, and not
// something of it.
func (w *weigher) isSubject(side []string) bool {
	terms := index.QueryTerms(strings.Join(side, " "))
	for _, t := range terms {
		if _, asked := w.rarity[t]; !asked {
			return false
		}
	}
	return w.subject != "" && slices.Contains(terms, w.subject) && w.named(terms) >= ownObject*w.things
}

// turnsBack tells whether all that passages tell of the turn that was asked about is its
// opposite.
func (w *weigher) turnsBack(passages []string) bool {
	back := false
	for _, p := range passages {
		text := index.Terms(p)
		for _, t := range turns(p) {
			s := termsOf(t)
			if w.turn.holds(s, text) {
				return false
			}
			back = back || w.turn.reversed(s)
		}
	}
	return back
}
