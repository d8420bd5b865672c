package claim

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Told is a sentence of a source with the source's title, the people who made the change, and other known facts, such
// as its date and its release.
type Told struct{ Text, Title, By, Facts string }

// Source is a list of sentences from sources.
type Source []Told

// Unborne returns the first clause of a statement that no sentence of the source supports, or "". A sentence supports a
// clause if it describes the same changes of the same objects, in the same place and by the named person; if the
// sentence or its title contains the named things; and if neither denies what the other asserts. Sentences about
// something else are not compared.
func (src Source) Unborne(statement string, names []string) string {
	s := sentence{words: read(statement), verbs: lists[0]().verbs}
	for from := 0; from < len(s.words); {
		to := s.clauseEnd(from)
		if !src.bearsOut(s, from, to, names) {
			return phrase(s.words[from:to]).String()
		}
		from = to
	}
	return ""
}

func (src Source) bearsOut(s sentence, from, to int, names []string) bool {
	changed := false
	for i := from; i < to; i++ {
		c, known := s.stated(i)
		if known && !slices.ContainsFunc(src, func(t Told) bool { return t.bearsOut(s, c, names) }) {
			return false
		}
		changed = changed || known
	}
	return src.agrees(s, from, to, changed, names)
}

// read splits a text and drops words that only add emphasis.
func read(text string) []word {
	return slices.DeleteFunc(split(text), func(w word) bool {
		return isOneOf(" only just simply ", w.text) && !w.pause
	})
}

// clauseEnd returns where the clause that begins at i ends: after a punctuation mark or before a word that begins
// another clause.
func (s sentence) clauseEnd(i int) int {
	for end := i + 1; end < len(s.words); end++ {
		starts := isOneOf(clauseWords, s.text(end))
		if s.words[end-1].pause || starts && !s.joins(end) && !numbered(s.text(end+1)) {
			return end
		}
	}
	return len(s.words)
}

// clauseWords begin a clause.
const clauseWords = " and or but when while because since so that which who if unless why how what where "

func numbered(w string) bool { return strings.ContainsAny(w, "0123456789") }

// statedChange is a change that a clause asserts or denies.
type statedChange struct {
	change
	by     phrase // the person who made it, if the clause names one
	denied bool
	hedged bool // it is a plan, a wish or a question
}

// stated returns the change that the word at i states.
func (s sentence) stated(i int) (c statedChange, known bool) {
	asked, known := premise(s.changesAt(i))
	asNoun := isOneOf(" for of ", s.text(i+1)) && (i == 0 || s.words[i-1].pause) // as in support for it
	brings := asked.change.axis == being && (asked.change.sign > 0) != s.denied(i)
	if inUse := brings && !s.isEvent(i); !known || asNoun || inUse { // as in it uses 40 GB
		return c, false
	}
	c = statedChange{change: asked.change, denied: s.denied(i)}
	if isOneOf(" instead rather ", s.text(i)) && len(s.before(i)) == 1 && isOneOf(beings, s.text(i-2)) {
		// it is used instead
		c.to = s.before(i - 2)
	}
	c.from, c.to = s.behindVerb(c.from), s.behindVerb(c.to)
	if s.words[i].pause {
		c.where = nil
	}
	at := i
	for isOneOf(beings+between, s.text(at-1)) {
		at--
	}
	c.hedged = isOneOf(" should could would might may will shall can ", s.text(at-1)) || s.text(at-1) == "to" && at > 1
	if at == i || !isOneOf(beings, s.text(at)) && !isOneOf(beings, s.text(i-1)) {
		c.by = s.before(at)
		return c, true
	}
	for j := i; j < len(s.words) && !s.words[j].pause; j++ {
		if s.text(j) == "by" && c.axis != place {
			c.by, _ = s.after(j + 1)
		}
	}
	s.splitSubject(&c.change, at)
	return c, true
}

// isEvent reports whether the word at i describes an addition and not only existence, or is part of a replacement
// without a verb.
func (s sentence) isEvent(i int) bool {
	_, sides := s.sidesAt(i)
	return sides || ChangeOf(s.words[i].stem) != ""
}

// behindVerb returns the part of a phrase after its last verb of change.
func (s sentence) behindVerb(p phrase) phrase {
	for i := len(p) - 2; i >= 0; i-- {
		if k, n, _ := s.verbs.at(p, i); k.axis != "" && k.axis != place {
			return p[min(i+1+n, len(p)-1):]
		}
	}
	return p
}

// splitSubject finds the head of a subject that contains a preposition and ends at the passive verb at i: "the crash"
// in "the crash on empty files was fixed".
func (s sentence) splitSubject(c *change, i int) {
	subject := c.object.String()
	begin := s.begin(i)
	for begin > 1 && !s.words[begin-1].pause && isOneOf(joins, s.text(begin-1)) {
		head := s.begin(begin - 1)
		object := nounPhrase(s.words[head : begin-1])
		if len(object) == 0 {
			return
		}
		c.where = append(c.where, nounPhrase(s.words[begin:i])...)
		if c.from.String() == subject {
			c.from = object
		}
		c.object, begin = object, head
	}
}

// bearsOut reports whether the sentence supports a stated change.
func (t Told) bearsOut(said sentence, c statedChange, names []string) bool {
	if !t.hasPlace(c) || !hasNames(c.by, names, t.By, t.Text) {
		return false
	}
	placed := c // with its place as a part of its name
	placed.object = slices.Concat(c.object, c.where)
	return t.contrasts(c) || slices.ContainsFunc(toldIn(t.Text), func(told statedChange) bool {
		holds := told.denied == c.denied && (!told.hedged || c.hedged) && !told.narrows(said)
		return holds && (t.tells(told.plain(), c.plain()) || t.tells(told.plain(), placed.plain()))
	})
}

// tells reports whether one change equals another one of the same object: all words of the object match, or its head
// matches and the other words occur elsewhere in the sentence or the title.
func (t Told) tells(told, c change) bool {
	fit := Asked{c, true}.compare(told, nil)
	if fit.Event != Same || fit.Behind > 0 {
		return false
	}
	held := split(t.Title + " " + t.Text)
	isLost := func(w word) bool { return !slices.ContainsFunc(held, w.is) }
	return fit.Cover == 1 || fit.Head && !c.bothSides() && !slices.ContainsFunc(c.object, isLost)
}

// contrasts reports whether the two sides of a replacement occur on the two sides of "instead" in the sentence.
func (t Told) contrasts(c statedChange) bool {
	words := split(t.Text)
	at := slices.IndexFunc(words, func(w word) bool { return w.text == "instead" })
	has := func(words []word, p phrase) bool {
		return !slices.ContainsFunc(p, func(w word) bool { return !slices.ContainsFunc(words, w.is) })
	}
	return at > 0 && c.axis == place && c.bothSides() && has(words[:at], c.to) && has(words[at:], c.from)
}

// hasPlace reports whether the source names the place of a change.
func (t Told) hasPlace(c statedChange) bool {
	text := strings.Join([]string{t.Title, t.Text, t.Facts}, " ")
	held, n := index.TermSet(text), 0
	for _, w := range c.where {
		switch {
		case held[stemOf(w.text)], w.name && Names(text, w.text), slices.ContainsFunc(c.by, w.is), numbered(w.text):
			n++
		case w.name:
			return false
		}
	}
	return float64(n) >= leastPlace*float64(len(c.where))
}

// leastPlace is the minimum share of the words for the place that a source must contain.
const leastPlace = 0.75

// toldIn returns the changes that a sentence states.
func toldIn(text string) (out []statedChange) {
	s := sentence{words: read(text), verbs: lists[0]().verbs}
	undoes, denied := reverts().MatchString(text), false
	for i := range s.words {
		if undoes {
			break
		}
		if c, known := s.stated(i); known {
			c.hedged = c.hedged || strings.HasSuffix(strings.TrimSpace(text), "?")
			out, denied = append(out, c), denied || c.denied || c.hedged
		}
	}
	if !denied {
		for _, c := range changesIn(text) {
			if !undoes || c.sign != 0 || len(c.from)+len(c.to) > 0 { // the revert of a change without an opposite states nothing
				out = append(out, statedChange{change: c})
			}
		}
	}
	return out
}

// general lists words that fit any named thing: a flag is the same with and without them.
const general = " support option flag feature setting command "

// plain returns the change without general words in its phrases.
func (c statedChange) plain() change {
	less := func(p phrase) phrase {
		kept := slices.DeleteFunc(slices.Clone(p), func(w word) bool { return isOneOf(general, w.text) })
		if len(kept) == 0 {
			return p
		}
		return kept
	}
	out := c.change
	out.object, out.from, out.to = less(c.object.withoutAge()), less(c.from), less(c.to)
	return out
}

// narrows reports whether a change affects only a part of the object that a statement names. The removal of a part is
// not the removal of the whole, and a more specific name is not the same object.
func (c statedChange) narrows(said sentence) bool {
	unsaid := func(w word) bool {
		return !isOneOf(general, w.text) && !slices.ContainsFunc(said.words, w.is)
	}
	of := slices.Concat(c.object, c.from, c.to).withoutAge()
	if c.sign >= 0 {
		return slices.ContainsFunc(of, func(w word) bool { return w.name && unsaid(w) })
	}
	isSaid := func(w word) bool { return !unsaid(w) }
	return slices.ContainsFunc(of, unsaid) || len(c.where) > 0 && !slices.ContainsFunc(c.where, isSaid)
}

// Names reports whether a text contains a name as a separate word, ignoring case.
func Names(text, name string) bool {
	text, name = strings.ToLower(text), strings.ToLower(name)
	for at := 0; name != ""; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at+i])
		behind, _ := utf8.DecodeRuneInString(text[at+i+len(name):])
		inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
		if !inWord(before) && !inWord(behind) {
			return true
		}
		at += i + len(name)
	}
	return true
}

// hasNames reports whether the texts contain all words that are names.
func hasNames(words []word, names []string, texts ...string) bool {
	all := strings.Join(texts, " ")
	return !slices.ContainsFunc(words, func(w word) bool {
		named := slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, w.text) })
		return named && !Names(all, w.text)
	})
}

// agrees reports whether the sentences closest to a clause contain its names and deny what the clause denies.
func (src Source) agrees(s sentence, from, to int, changed bool, names []string) bool {
	clause := s.words[from:to]
	terms, predicate := termsOf(clause), termsOf(clause[predicateAt(clause):])
	best, agreed := leastAbout, true
	for _, t := range src {
		told := sentence{words: split(t.Text)}
		undone := !changed && reverts().MatchString(t.Text)
		for a := 0; a < len(told.words); {
			b := told.clauseEnd(a)
			inverse := Negated(phrase(clause).String(), phrase(told.words[a:b]).String())
			about, said := 0.0, shareOf(predicate, told.words[a:b])
			if inverse {
				said = 1
			}
			if said > 0 {
				about = (shareOf(terms, told.words[a:b]) + said) / 2
			}
			same := denies(clause) == (denies(told.words[a:b]) != (undone != inverse)) &&
				(changed || hasNames(clause, names, t.Title, t.Text, t.By, t.Facts))
			if about > best || about == best && same {
				best, agreed = about, same
			}
			a = b
		}
	}
	return agreed
}

// termsOf returns the terms of the words without stopwords.
func termsOf(words []word) []string {
	return slices.DeleteFunc(index.QueryTerms(phrase(words).String()), index.IsStopword)
}

// predicateAt returns where the predicate of a clause begins: after its last form of do, be or another auxiliary, or 0.
func predicateAt(clause []word) (at int) {
	for i, w := range clause[:len(clause)-1] {
		if isOneOf(beings+auxiliary, w.text) || endsIn(w.text, "n't", "n’t") {
			at = i + 1
		}
	}
	if len(termsOf(clause[at:])) == 0 {
		return 0
	}
	return at
}

// shareOf returns the share of the terms that the words contain.
func shareOf(terms []string, words []word) float64 {
	held, n := index.TermSet(phrase(words).String()), 0
	for _, term := range terms {
		if held[term] {
			n++
		}
	}
	return float64(n) / float64(max(len(terms), 1))
}

// leastAbout is the minimum share of words that two clauses about the same subject have in common.
const leastAbout = 0.34

// denies reports whether the words contain an odd number of negations.
func denies(words []word) bool {
	n := 0
	for _, w := range words {
		isDenial := isOneOf(" no not never nobody nothing none neither nor without cannot ", w.text)
		if isDenial || endsIn(w.text, "n't", "n’t") {
			n++
		}
	}
	return n%2 == 1
}

// Misplaced returns the first number of a statement that the text has only after another preposition, as in "from 10 to
// 30" for "to 10", or "". Numbers among the facts may follow "in" and "since".
func Misplaced(statement, text, facts string) string {
	said, told, known := split(statement), split(text), split(facts)
	for i, w := range said {
		at := placed(said, i)
		if !numbered(w.text) || at == "" || isOneOf(" in since ", at) && slices.ContainsFunc(known, w.isNumber) {
			continue
		}
		elsewhere := false
		for j, t := range told {
			if !w.isNumber(t) {
				continue
			}
			if before := placed(told, j); before == "" || before == at {
				elsewhere = false
				break
			}
			elsewhere = true
		}
		if elsewhere {
			return w.text
		}
	}
	return ""
}

// placed returns the word before a number that gives its role, or "".
func placed(words []word, i int) string {
	for j := i - 1; j >= max(0, i-2) && !words[j].pause; j-- {
		if isOneOf(" from to in since before until after instead ", words[j].text) {
			return words[j].text
		}
	}
	return ""
}

func (w word) isNumber(other word) bool {
	return strings.TrimPrefix(w.text, "v") == strings.TrimPrefix(other.text, "v")
}
