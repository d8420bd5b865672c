package search_test

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The following code derives terms from text as documented in package index, by independent means: patterns over the
// text, where the index uses a scanner. It supports the scripts, letters and stop words of the reference corpora;
// Russian words in them are too short to have a stem.

var (
	// A contraction is an apostrophe and an ending with no letter after it.
	referenceTail  = regexp.MustCompile(`^['’](?i:s|ll|re|ve|d|m|t)($|[^\p{L}\p{Nd}\p{M}'])`)
	referenceJoint = regexp.MustCompile(`^(_+|[./@-]|\\{1,2})[\p{L}\p{Nd}\p{M}]`)
	referenceIssue = regexp.MustCompile(`^(#)[0-9]+($|[^\p{L}\p{Nd}\p{M}])`)
	referenceHump  = regexp.MustCompile(`\p{Lu}+s$|\p{Lu}*[^\p{Lu}]+|\p{Lu}+`)
	referenceSigil = regexp.MustCompile(`^(?:[#@]|\.[A-Za-z])`)
	referenceHex   = regexp.MustCompile(`^[0-9a-fA-F]{8,40}$`)
	referenceSigns = regexp.MustCompile(`^(?:\+\+($|[^+A-Za-z])|#($|[^A-Za-z0-9]))`)
	version        = regexp.MustCompile(`^[vV][0-9]+$`)
)

// referenceTerms returns the terms of a text; a question has fewer.
func referenceTerms(text string, question bool) (out []string) {
	before := " "
	for text != "" {
		first, size := utf8.DecodeRuneInString(text)
		n := size
		switch {
		case denseRune(first):
			var terms []string
			terms, n = densePairs(text, question)
			out = append(out, terms...)
		case wordRune(first):
			c := compoundAt(text)
			out, n = append(out, c.terms(question)...), c.size
		case opensWith(before, text):
			c := compoundAt(text[1:])
			out = append(append(out, c.sigil(text[:1])), c.terms(question)...)
			n = 1 + c.size
		}
		before, text = text[:n], text[n:]
	}
	return out
}

func wordRune(r rune) bool { return unicode.In(r, unicode.L, unicode.Nd, unicode.M) }

func denseRune(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// opensWith reports whether text begins with a sign that belongs to the following word.
func opensWith(before, text string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	if !referenceSigil.MatchString(text) || wordAt(text[1:]) == "" {
		return false
	}
	if text[0] == '.' {
		return strings.ContainsRune(" \t\n\"'`([{,=:/\\", last)
	}
	return !wordRune(last) && last != rune(text[0])
}

// densePairs splits a run of a script without spaces: pairs, and in documents also each Chinese character.
func densePairs(text string, question bool) (terms []string, size int) {
	end := strings.IndexFunc(text, func(r rune) bool { return !denseRune(r) })
	if end < 0 {
		end = len(text)
	}
	run := []rune(text[:end])
	if len(run) == 1 {
		return []string{text[:end]}, end
	}
	for i, r := range run {
		if i+1 < len(run) {
			terms = append(terms, string(run[i:i+2]))
		}
		if !question && unicode.Is(unicode.Han, r) {
			terms = append(terms, string(r))
		}
	}
	return terms, end
}

// compound is words joined without spaces, each with the joint before it.
type compound struct {
	words, joints []string
	behind        string // the text after the last word
	size          int
}

func compoundAt(text string) compound {
	var c compound
	joint, all := "", len(text)
	for {
		word := wordAt(text)
		text = text[len(word):]
		c.behind = text
		if m := referenceTail.FindStringSubmatch(text); m != nil {
			tail := m[0][:len(m[0])-len(m[1])]
			if strings.HasSuffix(strings.ToLower(tail), "t") {
				word, c.behind = word+tail, text[len(tail):]
			}
			text = text[len(tail):]
		}
		c.words, c.joints = append(c.words, word), append(c.joints, joint)
		m := referenceJoint.FindStringSubmatch(text)
		if m == nil {
			m = referenceIssue.FindStringSubmatch(text)
		}
		if m == nil || wordAt(text[len(m[1]):]) == "" {
			break
		}
		joint = strings.ReplaceAll(m[1][:1], `\`, "/")
		text = text[len(m[1]):]
	}
	for i := range len(c.words) - 1 {
		if next := c.words[i+1]; version.MatchString(c.words[i]) && c.joints[i] != "." && c.joints[i+1] == "." &&
			strings.Contains("0123456789", next[:1]) {
			c.words[i] = c.words[i][1:]
		}
	}
	c.size = all - len(text)
	return c
}

// wordAt returns the word at the beginning of text, "" if there is none.
func wordAt(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return denseRune(r) || !wordRune(r) })
	if end < 0 {
		return text
	}
	return text[:end]
}

// looseness returns the rank of a joint.
func looseness(joint string) int {
	return 1 + strings.Index("-./@#", strings.ReplaceAll(joint, "_", "-"))
}

// terms returns the terms of the whole, and of the parts between its loosest joints.
func (c compound) terms(question bool) []string {
	if len(c.words) == 1 {
		return c.single()
	}
	loosest := 0
	for _, j := range c.joints[1:] {
		loosest = max(loosest, min(looseness(j), 4))
	}
	var terms []string
	figures := strings.ContainsAny(strings.Join(c.words, ""), "0123456789")
	if hyphen := len(c.words) == 2 && c.joints[1] == "-"; loosest == 2 || loosest == 1 &&
		(!question || !hyphen || figures) {
		whole := c.whole()
		if loosest == 1 {
			whole = stemmed(whole)
		}
		terms = append(terms, whole)
	}
	for from := 0; from < len(c.words); {
		to := from + 1
		for to < len(c.words) && looseness(c.joints[to]) < loosest {
			to++
		}
		part := compound{words: c.words[from:to], joints: c.joints[from:to], behind: "-"}
		if to == len(c.words) {
			part.behind = c.behind
		}
		if from > 0 && part.joints[0] == "#" {
			rest := compound{words: c.words[from:], joints: c.joints[from:]}
			terms = append(terms, rest.sigil("#"))
		}
		terms = append(terms, part.within(question)...)
		from = to
	}
	return terms
}

// within returns the terms of a part of a larger compound, where commit ids are not recognised.
func (c compound) within(question bool) []string {
	if len(c.words) > 1 {
		return c.terms(question)
	}
	return append(c.signed(), wordTerms(c.words[0])...)
}

// single returns the terms of a single word; a commit id is represented by its prefix.
func (c compound) single() []string {
	word := c.words[0]
	if referenceHex.MatchString(word) && strings.ContainsAny(word, "0123456789") &&
		strings.ContainsAny(strings.ToLower(word), "abcdef") {
		return append(c.signed(), stemmed(folded(word)), folded(word[:7]))
	}
	return append(c.signed(), wordTerms(word)...)
}

// signed returns the name of a language that ends in signs.
func (c compound) signed() []string {
	word := c.words[0]
	m := referenceSigns.FindString(c.behind)
	if m == "" || len(word) > 12 || word[0] >= utf8.RuneSelf || !unicode.IsLetter(rune(word[0])) || m[0] == '#' &&
		len(word) > 1 {
		return nil
	}
	return []string{folded(word) + map[byte]string{'+': "++", '#': "#"}[m[0]]}
}

// whole returns the words joined; hyphens and underscores are removed.
func (c compound) whole() string {
	out := folded(c.words[0])
	for i, w := range c.words[1:] {
		out += strings.Trim(c.joints[i+1], "-_") + folded(w)
	}
	return shortened(out)
}

// sigil returns a sign with the following words up to a loose joint.
func (c compound) sigil(sign string) string {
	n := 1
	for n < len(c.words) && looseness(c.joints[n]) <= 2 {
		n++
	}
	c.words, c.joints = c.words[:n], c.joints[:n]
	return shortened(sign + c.whole())
}

// wordTerms returns a word and, in camelCase, its parts.
func wordTerms(word string) []string {
	terms := []string{stemmed(shortened(folded(word)))}
	parts := humpsOf(word)
	if len(word) > 64 || len(parts) < 2 || len(parts) > 8 {
		return terms
	}
	for _, p := range parts {
		if len(p) > 1 {
			terms = append(terms, stemmed(shortened(folded(p))))
		}
	}
	return terms
}

// humpsOf splits a word before each capital that follows something else, and before the last capital of a run that is
// followed by a small letter.
func humpsOf(word string) []string {
	var parts []string
	for _, run := range referenceHump.FindAllString(word, -1) {
		head := strings.TrimRightFunc(run, func(r rune) bool { return !unicode.IsUpper(r) })
		next, _ := utf8.DecodeRuneInString(run[len(head):])
		plural := strings.HasSuffix(word, run) && head+"s" == run
		if n := utf8.RuneCountInString(head); n > 1 && unicode.IsLower(next) && !plural {
			_, last := utf8.DecodeLastRuneInString(head)
			parts = append(parts, head[:len(head)-last], run[len(head)-last:])
			continue
		}
		parts = append(parts, run)
	}
	return parts
}

// shortened keeps the first 64 bytes of a term, whole characters only.
func shortened(term string) string {
	for len(term) > 64 {
		_, n := utf8.DecodeLastRuneInString(term)
		term = term[:len(term)-n]
	}
	return term
}

// folded returns a word in lower case without accents and apostrophes.
func folded(word string) string {
	plain := strings.NewReplacer(
		"'", "", "’", "", "\u0301", "", "\u0308", "", "ä", "a", "á", "a", "à", "a", "å", "a", "é", "e", "è", "e", "ê",
		"e", "ë", "e",
		"í", "i", "ï", "i", "ñ", "n", "ö", "o", "ó", "o", "ø", "o", "ü", "u", "ú", "u", "ç", "c", "ł", "l", "š", "s", "ž",
		"z", "ź", "z",
		"ß", "ss", "æ", "ae", "œ", "oe", "й", "и", "ё", "е", "ά", "α", "ή", "η", "ς", "σ",
	)
	return plain.Replace(strings.ToLower(word))
}

// referenceQuery returns the terms of a query: each once, without stop words unless there are no others.
func referenceQuery(text string) []string {
	var kept, all []string
	stop := referenceTerms("against the a of and is was dont in to for it we did how why what when who no", true)
	for _, t := range referenceTerms(text, true) {
		if slices.Contains(stop, t) {
			all = append(all, t)
		} else if !slices.Contains(kept, t) {
			kept = append(kept, t)
		}
	}
	if kept == nil {
		slices.Sort(all)
		return slices.Compact(all)
	}
	return kept
}
