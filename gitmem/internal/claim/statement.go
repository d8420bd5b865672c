package claim

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Told is a sentence that a source tells, the title of that source, the people who did what it tells, and what else
// is known of it, as its date and its release.
type Told struct{ Text, Title, By, Facts string }

// Source is what several sentences tell.
type Source []Told

// Unborne is the clause of a statement that nothing told bears out, "" for none. What is told bears out a clause
// if it tells the same changes, each of the same object, in the same place and by the named person, has the named
// things in one sentence or its title, and denies nothing that the clause says, nor the other way round. Of a
// clause that is about something else it says nothing.
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

// read splits a text, without words that only stress what follows them.
func read(text string) []word {
	return slices.DeleteFunc(split(text), func(w word) bool {
		return isOneOf(" only just simply ", w.text) && !w.pause
	})
}

// clauseEnd is where the clause that begins at i ends: behind a mark, or before a word that begins another one.
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

// statedChange is a change that a clause states as one that took place, or denies.
type statedChange struct {
	change
	by     phrase // who did it, where the clause says that
	denied bool
	hedged bool // it is a plan, a wish or a question
}

// stated is the change that the word at i states.
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

// isEvent reports whether the word at i says that something came, and not only that it is there, or tells it with
// no verb.
func (s sentence) isEvent(i int) bool {
	_, sides := s.sidesAt(i)
	return sides || ChangeOf(s.words[i].stem) != ""
}

// behindVerb is the part of a phrase behind the last verb of change in it.
func (s sentence) behindVerb(p phrase) phrase {
	for i := len(p) - 2; i >= 0; i-- {
		if k, n, _ := s.verbs.at(p, i); k.axis != "" && k.axis != place {
			return p[min(i+1+n, len(p)-1):]
		}
	}
	return p
}

// splitSubject finds the head of a subject with a preposition, which ends at the passive verb at i: in "the
// crash on empty files was fixed" it is the crash.
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

// bearsOut reports whether a sentence tells a change that another one states.
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

// tells reports whether one change is another one of the same object: all of that, or its head with the other
// words of it elsewhere in the sentence or the title.
func (t Told) tells(told, c change) bool {
	fit := Asked{c, true}.compare(told, nil)
	if fit.Event != Same || fit.Behind > 0 {
		return false
	}
	held := split(t.Title + " " + t.Text)
	isLost := func(w word) bool { return !slices.ContainsFunc(held, w.is) }
	return fit.Cover == 1 || fit.Head && !c.bothSides() && !slices.ContainsFunc(c.object, isLost)
}

// contrasts reports whether the sentence has on either side of instead what a replacement has there.
func (t Told) contrasts(c statedChange) bool {
	words := split(t.Text)
	at := slices.IndexFunc(words, func(w word) bool { return w.text == "instead" })
	has := func(words []word, p phrase) bool {
		return !slices.ContainsFunc(p, func(w word) bool { return !slices.ContainsFunc(words, w.is) })
	}
	return at > 0 && c.axis == place && c.bothSides() && has(words[:at], c.to) && has(words[at:], c.from)
}

// hasPlace reports whether the source says where a change took place.
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

// leastPlace is the share of the words for where that a source has that says so.
const leastPlace = 0.75

// toldIn are the changes that a sentence tells.
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
			if !undoes || c.sign != 0 || len(c.from)+len(c.to) > 0 { // what has no opposite is not told by its revert
				out = append(out, statedChange{change: c})
			}
		}
	}
	return out
}

// general are words for what any named thing may be: a flag is the same with and without that word.
const general = " support option flag feature setting command "

// plain is a change without general words for what its phrases name.
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

// narrows reports whether a change is only one of a part of what a statement says: the end of a part is not the
// end of the whole, and neither is what is named more closely.
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

// Names reports whether a text has a name, and not only within a longer one, in any case of its letters.
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

// hasNames reports whether some texts hold those of some words that are names.
func hasNames(words []word, names []string, texts ...string) bool {
	all := strings.Join(texts, " ")
	return !slices.ContainsFunc(words, func(w word) bool {
		named := slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, w.text) })
		return named && !Names(all, w.text)
	})
}

// agrees reports whether what is told nearest to a clause holds its names and denies what the clause denies.
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

// termsOf are the terms of some words that say something.
func termsOf(words []word) []string {
	return slices.DeleteFunc(index.QueryTerms(phrase(words).String()), index.IsStopword)
}

// predicateAt is where the predicate of a clause begins: behind its last form of do, be or the like, or at 0.
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

// shareOf is the share of some terms that words have.
func shareOf(terms []string, words []word) float64 {
	held, n := index.TermSet(phrase(words).String()), 0
	for _, term := range terms {
		if held[term] {
			n++
		}
	}
	return float64(n) / float64(max(len(terms), 1))
}

// leastAbout is the share of the words of a clause that another one has that is about the same.
const leastAbout = 0.34

// denies reports whether words deny what they say.
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

// Misplaced is the first number of a statement that a text has only in another place of its sentences, as in "from
// 10 to 30" for "to 10", "" for none. What facts hold may stand behind in and since.
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

// placed is the word before a number that says where it stands, "" for none.
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
