package claim

import (
	"slices"
	"strings"
	"unicode"
)

// Event is how a sentence stands to the change that a question takes for granted.
type Event int

const (
	Unasked  Event = iota // the question takes no known change for granted
	Untold                // the sentence tells no such change of the object
	Same                  // it tells the same change
	Opposite              // it tells the opposite
)

func (e Event) String() string { return [...]string{"unasked", "untold", "same", "opposite"}[e] }

// Fit is how well a sentence bears out what a question takes for granted.
type Fit struct {
	Event  Event
	Cover  float64 // share of the words of the object asked about that the object of the sentence has
	Head   bool    // the head of the object asked about is among them
	Behind int     // words of the object of the sentence behind those
	Before int     // its other words
	Within bool    // the sentence says of where it was, and the question does not
}

// Asked is what a question takes for granted to have changed.
type Asked struct {
	change change
	known  bool
}

// Read finds the change that a question takes for granted: its first one. Who asks how to do something takes
// none for granted.
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

// mainVerb is the place of the verb behind a pronoun: the one at i, or behind one that is none of change the
// one with "to" before it or in the ing-form; -1 for none.
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

// premise is the first of some changes that has an object.
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

// takenOut reads a verb that is not known with out or away behind it, or behind its object, as one for an end.
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

// Known reports whether the question takes a change for granted.
func (a Asked) Known() bool { return a.known }

// Begins reports whether the question takes for granted that something came, Ends that something went.
func (a Asked) Begins() bool { return a.change.axis == being && a.change.sign > 0 }

// Ends is the opposite of [Asked.Begins].
func (a Asked) Ends() bool { return a.change.axis == being && a.change.sign < 0 }

// Synonyms tell by the stem of a word which stems of a question it stands for as well.
type Synonyms map[string][]string

// Fit compares the sentences with what the question takes for granted: the best of them.
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
				continue // what is repaired often has one name, as crash, and is told by where it was
			}
			if fit.better(best) {
				best = fit
			}
		}
	}
	return best
}

// leastWhere is the share of the words for where something was repaired that a sentence has that tells of it.
const leastWhere = 0.67

// Negated reports whether a text has the opposite of a word of a question by its prefix, as insensitive for
// sensitive, and not the word itself.
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

// Instead reports whether a sentence tells that something else is used than the question asks about: for the
// same thing where the question says for what, or else of the same kind, as 10 A relays for 5 A relays.
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

// compare compares one change with the one asked about.
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
	if fit.Cover > 0 && fit.Cover < 1 { // the rest may stand beside the object
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

// bothSides reports whether what was before and what is since are known.
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

// overlap is how far one phrase has the words of another.
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

// withoutAge leaves out the adjectives by which people call what is gone since.
func (p phrase) withoutAge() phrase {
	kept := slices.DeleteFunc(slices.Clone(p), func(w word) bool {
		return isOneOf(" old own former previous built-in ", w.text)
	})
	if len(kept) == 0 {
		return p
	}
	return kept
}

// Object says how the object of the sentence stands to the one asked about: the same, a narrower one with
// words before it, one within which it is named, or one that has a part of its words.
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
