package claim

import (
	"slices"
	"strings"
)

// sentence parses the changes in one sentence.
type sentence struct {
	words []word
	verbs verbs
	scope phrase // the part of the project that prefixes the title, as in "parser: remove it"
	// question is set for a question. asks is set if the last form of do or be before a verb is a form of do, so that the
	// verb is in its base form; was is set if it is a form of be, so that the verb is passive.
	question, asks, was bool
}

func (s sentence) text(i int) string {
	if i < 0 || i >= len(s.words) {
		return ""
	}
	return s.words[i].text
}

// end returns where the phrase that begins at i ends. It continues across "of", and across "and" if no verb follows.
func (s sentence) end(i int) int {
	for end := i; end < len(s.words); end++ {
		w := s.words[end].text
		if end > i && s.joins(end) {
			continue
		}
		if end > i && s.words[end-1].pause || w != "that" && s.ends(end) {
			return end
		}
	}
	return len(s.words)
}

// begin returns where the phrase that ends before i begins.
func (s sentence) begin(i int) int {
	for begin := i; begin > 0; begin-- {
		if s.joins(begin - 1) {
			continue
		}
		if s.words[begin-1].pause || s.ends(begin-1) {
			return begin
		}
	}
	return 0
}

// joins reports whether the word at i joins two named things.
func (s sentence) joins(i int) bool {
	next := s.text(i + 1)
	if !isOneOf(" and or & ", s.text(i)) || i == 0 || s.words[i-1].pause || next == "" || isOneOf(clauses+joins, next) {
		return false
	}
	k, _, _ := s.verbs.at(s.words, i+1)
	return k.axis == ""
}

// ends reports whether the word at i ends a named thing.
func (s sentence) ends(i int) bool {
	w := s.text(i)
	return w == "->" || isOneOf(clauses, w) || isOneOf(joins, w) && w != "of" && !s.supports(i)
}

// supports reports whether the word at i continues a named thing, as in "support for B".
func (s sentence) supports(i int) bool {
	return s.text(i) == "for" && i > 0 && s.words[i-1].stem == "support"
}

func (s sentence) after(i int) (phrase, int) {
	i = min(i, len(s.words))
	end := s.end(i)
	return nounPhrase(s.words[i:end]), end
}

func (s sentence) before(i int) phrase { return nounPhrase(s.words[s.begin(i):i]) }

// isNoun reports whether a word that may be a verb is used as a noun: a base form that does not begin a clause, or any
// form after an article or a preposition, unless "of" follows it.
func (s sentence) isNoun(i int) bool {
	w, before := s.words[i].text, s.text(i-1)
	if i == 0 || s.words[i-1].pause || isPronoun(before) ||
		isOneOf(" who and or to also not never longer now finally please lets let's ", before) ||
		!s.asks && isAuxiliary(before) {
		return false
	}
	nominal := endsIn(strings.TrimSuffix(w, "s"), "ion", "al", "ment")
	switch {
	case isOneOf(" about with ", before), s.asks && (nominal || isAuxiliary(before)):
		return true
	case nominal || isOneOf(articles, before) || isOneOf(joins, before):
		return s.text(i+1) != "of" && (nominal || !endsIn(w, "ing"))
	case s.question && s.asks:
		return false
	}
	return !endsIn(w, "ed", "ing", "wn", "ut", "lit", "ok", "en", "one", "ent", "ost") || w == "new"
}

func endsIn(w string, endings ...string) bool {
	return slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(w, e) })
}

// asksItself reports whether the word at i is in an indirect question, which asserts nothing, as "why we dropped it".
func (s sentence) asksItself(i int) bool {
	const mostBefore = 4
	for k := i - 1; k >= max(0, i-mostBefore) && !s.words[k].pause; k-- {
		if isOneOf(" why whether if unless ", s.text(k)) {
			return true
		}
	}
	return false
}

func (s sentence) denied(i int) bool {
	for _, w := range []string{s.text(i - 1), s.text(i - 2)} {
		if isOneOf(" no not never longer ", w) || endsIn(w, "n't", "n’t") {
			return true
		}
	}
	return false
}
