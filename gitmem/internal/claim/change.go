package claim

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
)

// change is a change that a sentence describes.
type change struct {
	kind
	object   phrase // what changed
	where    phrase // what it was removed from or added to
	scope    phrase // the part of the project that prefixes the title
	from, to phrase // of a replacement, rename or move
}

var (
	scope   = lazy.Pattern(`^([\w./*, -]{1,40}?)(?:\(([^)]*)\))?!?: +`)
	reverts = lazy.Pattern(`(?i)^(?:re)?revert:? ["“](.*)["”]`)
)

// Begins reports whether a sentence describes an addition.
func Begins(sentence string) bool {
	return slices.ContainsFunc(changesIn(sentence), func(c change) bool { return c.kind == kind{being, +1} })
}

// changesIn returns the changes that a sentence describes.
func changesIn(text string) (out []change) {
	text = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(text), "-*•# "))
	if m := reverts().FindStringSubmatch(text); m != nil {
		for _, c := range changesIn(m[1]) {
			c.sign, c.from, c.to = -c.sign, c.to, c.from
			out = append(out, c)
		}
		return append(out, change{kind: kind{being, -1}, object: nounPhrase(split(m[1]))})
	}
	var implied kind
	var s sentence
	if m := scope().FindStringSubmatch(text); m != nil {
		part := split(m[1])
		if does, _, _ := lists[0]().verbs.at(part, 0); len(part) == 1 || len(part) <= 3 && does.axis == "" {
			implied, s.scope, text = does, nounPhrase(part), text[len(m[0]):]
		}
	}
	words := split(text)
	s.words, s.verbs = words, lists[0]().verbs
	for i := range words {
		out = append(out, s.changesAt(i)...)
	}
	if implied.axis != "" && (len(out) == 0 || implied.axis == "repair") {
		end := s.end(0)
		out = append(out, change{kind: implied, object: nounPhrase(words[:end])})
	}
	return out
}

// changesAt returns the changes that the word at i describes.
func (s sentence) changesAt(i int) []change {
	if found, ok := s.sidesAt(i); ok {
		return found
	}
	k, n, apart := s.verbs.at(s.words, i)
	if k.axis == "" || k.axis == "none" || s.isNoun(i) || !s.question && s.asksItself(i) {
		return nil
	}
	if s.denied(i) {
		k.sign = -k.sign
	}
	if k == (kind{being, -1}) && endsIn(s.text(i+n+1), "ing") { // stop using
		if of, more, _ := s.verbs.at(s.words, i+n+1); of.axis == being {
			n += more + 1
		}
	}
	c, end := s.withObject(change{kind: k, scope: s.scope}, i, n, apart)
	if c.axis == place || c.axis == "name" || c.axis == "form" || c.axis == "location" {
		return s.withSides(c, end)
	}
	c.where = append(c.where, s.placesAt(end)...)
	if len(c.object) == 0 {
		return nil
	}
	return []change{c}
}

// sidesAt reads words between the new and the old side of a replacement that express it without a verb: instead of, in
// favor of, become and an arrow. known is false for other words.
func (s sentence) sidesAt(i int) (found []change, known bool) {
	w, next := s.text(i), s.text(i+1)
	switch {
	case w == "instead" && next == "of", w == "rather" && next == "than":
		from, end := s.after(i + 2)
		to := s.before(i)
		if len(to) == 0 {
			to, _ = s.after(end)
		}
		if len(from) > 0 && !endsIn(s.text(i+2), "ing") {
			found = replaced(from, s.withoutVerb(to))
		}
	case isOneOf(" favor favour ", w) && next == "of" && s.text(i-1) == "in":
		from := s.before(i - 1)
		k, _, _ := s.verbs.at(from, 0)
		if k.axis == "" || k.axis == place || k == (kind{being, -1}) { // and not deprecated in favor of it
			to, _ := s.after(i + 2)
			found = replaced(s.withoutVerb(from), to)
		}
	case w == "->":
		to, _ := s.after(i + 1)
		found = replaced(s.withoutVerb(s.before(i)), to)
	case isOneOf(" become becomes became ", w) && next != "of":
		if to, _ := s.after(i + 1); len(to) > 0 {
			found = []change{{kind: kind{axis: "name"}, object: s.before(i), from: s.before(i), to: to}}
		}
	default:
		return nil, false
	}
	return found, true
}

// withObject sets the object of the verb at i and returns where that object ends. The verb has n particles after it or
// one particle at apart. The object follows the verb or precedes a passive verb.
func (s sentence) withObject(c change, i, n, apart int) (of change, end int) {
	c.object, end = s.after(i + 1 + n)
	switch {
	case s.words[i+n].pause:
		c.object, end = nil, i+1+n
	case apart > 0:
		c.object, end = nounPhrase(s.words[i+1:apart]), apart+1
	case n > 0 && s.text(i+n) == "out" && s.text(i+n+1) == "of": // thrown out of the parser
		c.object, c.where, end = nil, c.object, len(s.words)
	}
	at := i
	for isOneOf(beings+between, s.text(at-1)) {
		at--
	}
	passive := at < i && isOneOf(beings, s.text(at)) || s.was && len(s.before(i)) > 0
	if passive && c.axis == "name" { // A was renamed B
		c.to = c.object
	}
	if passive || len(c.object) == 0 && (!s.asks || c.sign < 0) {
		if c.object = s.before(at); len(c.object) == 0 {
			c.object = s.scope
		}
	}
	return c, end
}

// between lists the words that may separate a subject from its verb.
const between = " has have had now also not no longer finally never completely entirely "

// withSides reads the old and the new side that follow the object, which ends at end.
func (s sentence) withSides(c change, end int) []change {
	c.from = c.object
	if s.text(end) == "from" {
		c.from, end = s.after(end + 1)
		for s.text(end) == "and" {
			_, end = s.after(end + 1)
		}
	}
	by := " to into onto -> "
	if c.axis == place {
		by += "with by for "
	}
	if isOneOf(by, s.text(end)) {
		c.to, end = s.after(end + 1)
		c.to = s.withoutVerb(c.to)
	}
	if s.text(end) == "from" {
		c.from, _ = s.after(end + 1)
	}
	c.from, c.to = without(c.from, c.to)
	switch {
	case c.axis == place:
		return append([]change{c}, replaced(c.from, c.to)[1:]...)
	case c.axis == "form" && len(c.to) == 0:
		return nil
	case c.axis == "location" && len(c.object) == 0: // move to something
		return replaced(c.from, c.to)
	}
	return []change{c}
}

// placesAt returns the places that the phrases from end on name.
func (s sentence) placesAt(end int) (places phrase) {
	for isOneOf(joins, s.text(end)) {
		var more phrase
		if more, end = s.after(end + 1); len(more) == 0 {
			break
		}
		places = append(places, more...)
	}
	return places
}

// replaced returns a replacement together with the removal and the addition that it implies.
func replaced(from, to phrase) []change {
	from, to = without(from, to)
	out := []change{{kind: kind{axis: place}, object: from, from: from, to: to}}
	if len(from) > 0 {
		out = append(out, change{kind: kind{being, -1}, object: from})
	}
	if len(to) > 0 {
		out = append(out, change{kind: kind{being, +1}, object: to})
	}
	return out
}

// withoutVerb removes a verb of change from the start of a phrase.
func (s sentence) withoutVerb(p phrase) phrase {
	if len(p) > 1 {
		if k, n, _ := s.verbs.at(p, 0); k.axis != "" {
			return p[1+n:]
		}
	}
	return p
}
