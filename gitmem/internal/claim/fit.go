package claim

import (
	"slices"
	"strings"
	"unicode"
)

// Event is the relation of a sentence to the change that a question presupposes.
type Event int

const (
	Unasked  Event = iota // the question presupposes no known change
	Untold                // the sentence describes no such change of the object
	Same                  // it describes the same change
	Opposite              // it describes the opposite change
)

func (e Event) String() string { return [...]string{"unasked", "untold", "same", "opposite"}[e] }

// Fit measures how well a sentence supports the presupposition of a question.
type Fit struct {
	Event  Event
	Cover  float64 // share of the words of the question's object that the sentence's object contains
	Head   bool    // the head of the question's object is among them
	Behind int     // number of words of the sentence's object after them
	Before int     // number of its other words
	Within bool    // the sentence names a place and the question does not
}

// Asked is the change that a question presupposes.
type Asked struct {
	change change
	known  bool
}

// Read returns the first change that a question presupposes. A question about how to do something presupposes none.
func Read(question string) Asked {
	words := split(question)
	s := sentence{words: words, verbs: lists[0]().verbs, question: true}
	for i := 0; i < len(words); i++ {
		switch w := s.text(i); {
		case w == "how" && isOneOf(" do does can could should would to is are ", s.text(i+1)):
			return Asked{}
		case isPronoun(w) && isAuxiliary(s.text(i-1)):
			at := s.mainVerb(i + 1)
			switch {
			case at >= 0:
				i = at
			case !isOneOf(" can could would ", s.text(i-1)):
				return Asked{}
			}
			s.asks = at >= 0
		case isAuxiliary(w):
			s.asks, s.was = !isOneOf(" has have had ", w), false
		case isOneOf(beings, w):
			s.asks, s.was = false, true
		case isPronoun(w):
			s.was = false
		}
		found := s.changesAt(i)
		if len(found) == 0 {
			found = s.takenOut(i)
		}
		if asked, ok := premise(found); ok {
			return asked
		}
	}
	return Asked{}
}

func isAuxiliary(w string) bool { return isOneOf(auxiliary, w) || endsIn(w, "n't", "n’t") }

// mainVerb returns the index of the verb after a pronoun, or -1. The verb is at i, or it follows another verb and has
// "to" before it or ends in "ing".
func (s sentence) mainVerb(i int) int {
	const adverbs = " ever actually even really not also just finally then still again originally initially "
	for i < len(s.words) && isOneOf(adverbs, s.text(i)) {
		i++
	}
	if len(s.changesAt(min(i, len(s.words)-1)))+len(s.takenOut(i)) > 0 {
		return i
	}
	for j := i + 1; j < min(i+3, len(s.words)); j++ {
		if s.text(j-1) == "to" || endsIn(s.text(j), "ing") && !isOneOf(joins, s.text(j-1)) {
			return j
		}
	}
	return -1
}

// premise returns the first change that has an object.
func premise(found []change) (Asked, bool) {
	for _, c := range found {
		switch {
		case c.axis == place && len(c.to) == 0:
			c.kind, c.object = kind{being, -1}, c.from
		case c.axis == place && len(c.from) == 0:
			c.kind, c.object = kind{being, +1}, c.to
		}
		if len(c.object)+len(c.from)+len(c.to) > 0 {
			c.object = c.object.withoutAge()
			return Asked{c, true}, true
		}
	}
	return Asked{}, false
}

// takenOut reads an unknown verb as a removal if "out" or "away" follows it or its object.
func (s sentence) takenOut(i int) []change {
	if i >= len(s.words) || s.text(i) == "" || isOneOf(auxiliary+beings+pronouns, s.text(i)) ||
		!isOneOf(auxiliary+pronouns, s.text(i-1)) && !endsIn(s.text(i), "ed") {
		return nil
	}
	if k, _, _ := s.verbs.at(s.words, i); k.axis != "" {
		return nil
	}
	for j := i + 1; j < min(i+6, len(s.words)); j++ {
		if !isOneOf(" out away ", s.text(j)) {
			continue
		}
		object, _ := s.after(j + 1)
		if s.text(j+1) == "of" {
			object, _ = s.after(j + 2)
		}
		if j > i+1 {
			object = nounPhrase(s.words[i+1 : j])
		}
		if len(object) == 0 {
			object = s.before(i)
		}
		return []change{{kind: kind{being, -1}, object: object}}
	}
	return nil
}

// Known reports whether the question presupposes a change.
func (a Asked) Known() bool { return a.known }

// Begins reports whether the question presupposes an addition.
func (a Asked) Begins() bool { return a.change.axis == being && a.change.sign > 0 }

// Ends reports whether the question presupposes a removal.
func (a Asked) Ends() bool { return a.change.axis == being && a.change.sign < 0 }

// Synonyms maps the stem of a word to the stems of a question that it also matches.
type Synonyms map[string][]string

// Fit compares the sentences with the presupposed change and returns the best fit.
func (a Asked) Fit(texts []string, same Synonyms) (best Fit) {
	if !a.known {
		return Fit{}
	}
	best = Fit{Event: Untold}
	for _, text := range texts {
		for _, c := range changesIn(text) {
			fit := a.compare(c, same)
			if fit.Event == Same && c.axis == "repair" && len(a.change.where) > 0 &&
				overlap(a.change.where, split(text), same).Cover < leastWhere {
				continue // many defects share a name such as crash; the place distinguishes them
			}
			if fit.better(best) {
				best = fit
			}
		}
	}
	return best
}

// leastWhere is the minimum share of the words for the place of a repair that a sentence must contain.
const leastWhere = 0.67

// Negated reports whether a text contains a word of a question with its negating prefix added or removed, as
// insensitive for sensitive, and not the word itself.
func Negated(question, text string) bool {
	has := map[string]bool{}
	parts := func(text string) []string {
		return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	}
	for _, w := range parts(text) {
		has[w] = true
	}
	asked := parts(question)
	return slices.ContainsFunc(asked, func(w string) bool {
		for _, prefix := range []string{"in", "un", "non", "dis"} {
			bare, cut := strings.CutPrefix(w, prefix)
			if len(w) > 3 && has[prefix+w] && !has[w] || cut && len(bare) > 3 && has[bare] && !has[w] {
				return true
			}
		}
		return false
	})
}

// Instead reports whether a sentence describes the use of something other than what the question asks about: for the
// same purpose if the question names one, otherwise of the same kind, as 10 A relays for 5 A relays.
func (a Asked) Instead(text string) bool {
	asked := a.change
	return a.Begins() && len(asked.object) > 0 && slices.ContainsFunc(changesIn(text), func(c change) bool {
		if c.kind != asked.kind || len(c.object) == 0 || overlap(asked.object, c.object, nil).Cover == 1 {
			return false
		}
		if len(asked.where) > 0 {
			return overlap(asked.where, slices.Concat(c.object, c.where), nil).Cover == 1
		}
		return c.object[len(c.object)-1].is(asked.object[len(asked.object)-1])
	})
}

func (f Fit) worth() float64 {
	if f.Event == Untold {
		return 0
	}
	worth := f.Cover - 0.1*float64(f.Behind) - 0.05*float64(f.Before)
	if f.Event == Same {
		worth += 0.05
	}
	return worth
}

func (f Fit) better(than Fit) bool { return f.worth() > than.worth() }

// compare compares one change with the presupposed one.
func (a Asked) compare(c change, same Synonyms) Fit {
	asked := a.change
	switch {
	case asked.axis != c.axis && !(asked.bothSides() && c.bothSides()):
		return Fit{Event: Untold}
	case asked.axis == place, len(asked.from)+len(asked.to) > 0 && len(c.to) > 0:
		along := bothFit(asked.from, asked.to, c.from, c.to, same)
		against := bothFit(asked.from, asked.to, c.to, c.from, same)
		along.Event, against.Event = Same, Opposite
		switch {
		case along.Cover+against.Cover == 0:
			return Fit{Event: Untold}
		case against.Cover > along.Cover:
			return against
		}
		return along
	}
	fit := overlap(asked.object, c.object, same)
	fit.Within = len(c.where) > 0 && overlap(c.where, slices.Concat(asked.where, asked.object), same).Cover == 0
	if fit.Cover > 0 && fit.Cover < 1 { // the other words may be outside the object
		fit.Cover = max(fit.Cover, overlap(asked.object, slices.Concat(c.where, c.scope, c.object), same).Cover)
	}
	if fit.Cover < 0.5 || !fit.Head && fit.Behind > 0 {
		return Fit{Event: Untold}
	}
	if fit.Event = Same; asked.sign != c.sign {
		fit.Event = Opposite
	}
	return fit
}

// bothSides reports whether the old and the new side are known.
func (c change) bothSides() bool { return len(c.from) > 0 && len(c.to) > 0 }

// bothFit compares the sides of a replacement that the question names.
func bothFit(from, to, itsFrom, itsTo phrase, same Synonyms) Fit {
	a, b := overlap(from, itsFrom, same), overlap(to, itsTo, same)
	if len(from) == 0 {
		a = b
	}
	if len(to) == 0 {
		b = a
	}
	if a.Cover == 0 || b.Cover == 0 {
		return Fit{}
	}
	return Fit{
		Cover: (a.Cover + b.Cover) / 2, Head: a.Head && b.Head,
		Behind: max(a.Behind, b.Behind), Before: max(a.Before, b.Before),
	}
}

// overlap measures how many words of the asked phrase the other phrase contains.
func overlap(asked, told phrase, same Synonyms) (fit Fit) {
	if len(asked) == 0 || len(told) == 0 {
		return fit
	}
	held, last := 0, -1
	for i, q := range asked {
		at := slices.IndexFunc(told, func(w word) bool { return w.is(q) || slices.Contains(same[w.stem], q.stem) })
		if at < 0 {
			continue
		}
		held++
		last = max(last, at)
		fit.Head = fit.Head || i == len(asked)-1
	}
	fit.Cover = float64(held) / float64(len(asked))
	if held > 0 {
		fit.Behind = len(told) - 1 - last
		fit.Before = last + 1 - held
	}
	return fit
}

// withoutAge removes adjectives that people use for something that was removed.
func (p phrase) withoutAge() phrase {
	kept := slices.DeleteFunc(slices.Clone(p), func(w word) bool {
		return isOneOf(" old own former previous built-in ", w.text)
	})
	if len(kept) == 0 {
		return p
	}
	return kept
}

// Object returns how the sentence's object relates to the question's object: exact, narrower if more words precede it,
// within if more words follow it, or part if only some of its words match.
func (f Fit) Object() string {
	switch {
	case f.Cover < 1:
		return "part"
	case f.Behind > 0:
		return "within"
	case f.Before > 0, f.Within:
		return "narrower"
	}
	return "exact"
}
