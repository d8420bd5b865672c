// # Terms
//
// Text is read once from left to right as UTF-8; an invalid byte separates words.
//
// A word character is a letter (L), a mark (M) or a decimal digit (Nd), or one of U+00AD, U+200C and U+200D. The dense
// characters among them belong to scripts written without spaces: U+0E00–0EFF, 1000–109F, 1100–11FF, 1780–17FF,
// 3040–30FF, 3400–4DBF, 4E00–9FFF, AC00–D7AF, F900–FAFF, FF66–FF9F, 20000–3FFFF and 々. A run of other word characters
// is a word. Everything else separates words, with the exceptions below.
//
// Folding converts a word to lower case and drops accents (U+0300–036F, the points of Hebrew, the vowel signs and
// U+0640 of Arabic, and those in composed letters of Latin, Greek and Cyrillic: é e, ё е, й и), apostrophes and the
// invisible characters above. It writes ß as ss, æ ae, ø o, ł l, þ th, ı i. It unifies Arabic letters that are typed
// for one another, and converts full-width letters and Arabic digits to ASCII. A term is cut after the last character
// that ends within maxTerm bytes. A word that folds to nothing emits nothing.
//
// Stemming follows. A folded word of 3 to maxStem bytes, all of them a–z, becomes its Porter stem. A word becomes its
// Russian Snowball stem, folded afterwards, if it has at most maxTerm bytes as written, its folded form begins with a
// Cyrillic letter of U+0400–047F, and it consists in lower case of at least 4 letters а–я and ё. There ё counts as е,
// and и followed by U+0306 as й; U+0301 and U+0308 are dropped first. Other words are unchanged.
//
// An apostrophe (' or U+2019) after a word is skipped together with a following s, ll, re, ve, d or m in either case,
// unless a word character or ' follows. An apostrophe followed by t belongs to the word with the t: don't becomes dont.
// Any other apostrophe separates words.
//
// A compound consists of joined words: each is directly followed by one of . / - @, a run of underscores, one or two
// backslashes, which count as /, or a # with a number that no other word character follows, and then directly by a word
// of no dense script. Joints have ranks from close to loose: 1 for _ and -, 2 for the dot, 3 for the slash, 4 for @ and
// #. A part of a compound first loses its v if it is v or V and ASCII digits, no dot joins it to the preceding part,
// and a dot and an ASCII digit follow it. The terms of a compound of one word are those of the word. The terms of a
// compound of several words are, in this order:
//
//  1. The whole, if no joint ranks above 2, except for two hyphenated words without an ASCII digit in a question. The
//     whole is the concatenation of the folded words with the dots between them, without _ and -; it is stemmed if all
//     joints rank 1.
//  2. For each of the compounds between its loosest joints, from left to right: the term of the sigil #, see below, if
//     a # joins it to the preceding part; then its own terms by these same rules.
//
// The terms of a word are, in this order:
//
//  1. If no other word is joined after it, it begins with an ASCII letter and it has at most 12 bytes: the folded word
//     with ++, if ++ follows directly and then neither + nor an ASCII letter; or with #, if the word has one byte and #
//     follows directly and then no ASCII letter or digit.
//  2. The word, folded, cut and stemmed.
//  3. Its humps, if it has at most maxTerm bytes as written and 2 to maxHumps humps: those of more than one byte,
//     folded, cut and stemmed. A hump begins at a capital after a small letter or a character that is neither, and at
//     the last capital of a run before a small letter, except before a single s that ends the word.
//  4. Instead of humps its first 7 characters, if it is the only word of its compound and has 8 to 40 bytes, all of
//     them hexadecimal digits, with both letters and digits.
//
// A sigil is one of # @ and the dot, directly before a word of no dense script. Before # and @ there must be neither a
// word character nor the same sigil. An ASCII letter must follow the dot, and before it must be nothing, a space, tab,
// line feed or one of " ' ` ( [ { , = : / \. The sigil's term precedes those of the compound after it: the sigil and
// the words of the compound up to the first joint that ranks 3 or 4, in the form of a whole without stemming.
//
// In a run of dense characters, one character is a code point directly followed by at most one sound mark (U+3099,
// 309A, FF9E, FF9F), or a Hangul initial (U+1100–115F) directly followed by vowels and finals (U+1160–11FF). They are
// folded: half-width Katakana become full-width, and parts are composed. A long vowel mark (ー or its half-width form)
// is skipped if it ends a stretch of more than three Katakana (U+30A1–30FF, FF66–FF9F; counted in characters including
// the mark). The terms are all pairs of adjacent characters. In documents, each pair is followed by its first character
// if that is 々, in U+3400–9FFF or F900–FAFF, from U+20000 on, or Hangul. A run of one character is itself a term.
//
// [QueryTerms] drops the terms whose folded form before stemming is a stop word, unless no others remain, and then all
// repetitions after the first.
package index

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	bleveindex "github.com/blevesearch/bleve_index_api"
)

const (
	// analyzerVersion is part of a generation's options: raise it whenever
	// the terms of any text change.
	analyzerVersion = "5"
	// maxTerm is the longest term kept, in bytes; longer ones are cut.
	maxTerm = 64
	// maxStem is the longest word that is stemmed; longer words are not English.
	maxStem = 40
	// maxHumps is the number of camelCase parts above which a run is probably encoded bytes and not an identifier.
	maxHumps = 8
)

// Token is a term with the byte range that it came from.
type Token struct {
	Term       string
	Start, End int
}

// Words returns the terms of text in the order in which they start, the whole of a compound before its parts, each with
// its byte offsets in text.
func Words(text string) []Token {
	var out []Token
	a := analyzer{}
	a.scan(text, func(term, _ []byte, start, end int) {
		out = append(out, Token{Term: string(term), Start: start, End: end})
	})
	return out
}

// TermSet returns the set of the terms of some texts: see [Terms].
func TermSet(texts ...string) map[string]bool {
	set := map[string]bool{}
	for _, text := range texts {
		for _, t := range Terms(text) {
			set[t] = true
		}
	}
	return set
}

// Terms returns the terms under which text is found: its words in lower case, without accents and stemmed; an
// identifier, dotted name or path both whole and in parts; scripts written without spaces as pairs of characters.
func Terms(text string) []string {
	var out []string
	a := analyzer{}
	a.scan(text, func(term, _ []byte, _, _ int) {
		out = append(out, string(term))
	})
	return out
}

// QueryTerms returns Terms without stop words and repetitions, in order. If a text contains only stop words, it keeps
// them.
func QueryTerms(text string) []string {
	var all, kept []string
	seen := map[string]bool{}
	a := analyzer{query: true}
	a.scan(text, func(term, word []byte, _, _ int) {
		t := string(term)
		if seen[t] {
			return
		}
		// A term is marked as seen only if it is kept: "being" is a stop word and "beings" is not, and both have the same
		// stem.
		if IsStopword(string(word)) {
			if !slices.Contains(all, t) {
				all = append(all, t)
			}
			return
		}
		seen[t] = true
		kept = append(kept, t)
	})
	if len(kept) > 0 {
		return kept
	}
	return all
}

// emitFunc receives a term, the lower-case word before stemming, and the byte range that they came from. Both slices
// are valid only during the call.
type emitFunc func(term, word []byte, start, end int)

// analyzer splits text into terms. It reuses its buffers and is not safe for concurrent use. stems, if set, is a cache.
// query omits the terms that only documents have.
type analyzer struct {
	query bool
	word  []byte
	runes []rune
	stem  []byte
	parts []span
	humps []span
	stems map[string]string
	names map[string]string
	once  *bleveindex.TokenFreq
}

// span is a word's byte range in the text; joint is the connector before it within a compound, 0 for the first.
type span struct {
	start, end int
	joint      byte
}

// scan calls emit for each term of text.
func (a *analyzer) scan(text string, emit emitFunc) {
	for i := 0; i < len(text); {
		if b := text[i]; b < utf8.RuneSelf {
			switch {
			case isASCIIWord(b):
				i = a.compound(text, i, 0, emit)
			case isSigil(b) && opens(text, i):
				i = a.compound(text, i+1, b, emit)
			default:
				i++
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case isDense(r):
			i = a.dense(text, i, emit)
		case isWordRune(r):
			i = a.compound(text, i, 0, emit)
		default:
			i += n
		}
	}
}

func isSigil(b byte) bool { return b == '#' || b == '@' || b == '.' }

// opens reports whether the sigil at i belongs to the following word: #123, @person, .NET. A dot does so only where a
// word could begin.
func opens(text string, i int) bool {
	if i+1 == len(text) {
		return false
	}
	next, _ := runeAt(text, i+1)
	if !isWordRune(next) || isDense(next) || text[i] == '.' && !isASCIILetter(text[i+1]) {
		return false
	}
	if i == 0 {
		return true
	}
	prev, _ := utf8.DecodeLastRuneInString(text[:i])
	if text[i] == '.' {
		return unicode.IsSpace(prev) || strings.ContainsRune("\"'`([{,=:/\\", prev)
	}
	return prev != rune(text[i]) && !isWordRune(prev)
}

func runeAt(s string, i int) (rune, int) {
	if s[i] < utf8.RuneSelf {
		return rune(s[i]), 1
	}
	return utf8.DecodeRuneInString(s[i:])
}

func isASCIIWord(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isASCIIWord(byte(r))
	}
	return unicode.In(r, unicode.L, unicode.Nd, unicode.M) || isInvisible(r)
}

// isInvisible reports whether a character may occur invisibly within a word: the soft
// hyphen and the joiners of scripts.
func isInvisible(r rune) bool { return r == 0xAD || r == 0x200C || r == 0x200D }

// compound reads the words at i that connectors join without a space, emits the wholes and each word, and returns the
// end. sigil is the character before i that belongs to the word, or 0.
func (a *analyzer) compound(text string, i int, sigil byte, emit emitFunc) int {
	a.parts = a.parts[:0]
	joint := byte(0)
	for {
		start := i
		end, next := wordEnd(text, i)
		a.parts = append(a.parts, span{start, end, joint})
		i = next
		var ok bool
		if joint, i, ok = connector(text, next); !ok {
			i = next
			break
		}
	}
	a.dropVersionMarks(text)
	if sigil != 0 {
		a.emitSigil(text, sigil, 0, emit)
	}
	a.group(text, 0, len(a.parts), emit)
	return i
}

// wordEnd returns the end of the word at i and the position at which to continue: the tail of an English contraction
// belongs to neither.
func wordEnd(text string, i int) (end, next int) {
	for i < len(text) {
		if b := text[i]; b < utf8.RuneSelf {
			if !isASCIIWord(b) {
				break
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if !isWordRune(r) || isDense(r) {
			break
		}
		i += n
	}
	if i == len(text) || text[i] != '\'' && text[i] < utf8.RuneSelf {
		return i, i
	}
	tail, isNot := contraction(text, i)
	if isNot {
		return i + tail, i + tail
	}
	return i, i + tail
}

// contraction returns the length of an apostrophe and the English ending after it at i, or 0; isNot means the t of
// "don't", which is kept.
func contraction(text string, i int) (n int, isNot bool) {
	r, n := utf8.DecodeRuneInString(text[i:])
	if r != '\'' && r != '’' {
		return 0, false
	}
	j := i + n
	for j < len(text) && j-i-n < 3 && isASCIILetter(text[j]) {
		j++
	}
	if j < len(text) {
		if r, _ := runeAt(text, j); isWordRune(r) || r == '\'' {
			return 0, false
		}
	}
	switch text[i+n : j] {
	case "s", "S", "ll", "LL", "re", "RE", "ve", "VE", "d", "D", "m", "M":
		return j - i, false
	case "t", "T":
		return j - i, true
	}
	return 0, false
}

func isASCIILetter(b byte) bool {
	b |= 0x20
	return 'a' <= b && b <= 'z'
}

// emitWord emits a word and, if it is camelCase, its parts.
func (a *analyzer) emitWord(text string, start, end int, emit emitFunc) {
	a.emitStemmed(text, start, end, emit)
	if end-start > maxTerm {
		return
	}
	a.humps = humps(a.humps[:0], text, start, end)
	if len(a.humps) < 2 || len(a.humps) > maxHumps {
		return
	}
	for _, h := range a.humps {
		if h.end-h.start > 1 {
			a.emitStemmed(text, h.start, h.end, emit)
		}
	}
}

// humps splits text[start:end] where a capital follows a small letter or a digit, and before the last capital of a run:
// parseHTTPHeader → parse HTTP Header. The s of a plural such as IDs is not a part.
func humps(out []span, text string, start, end int) []span {
	const lower, upper, other = 1, 2, 3
	from, last, lastAt := start, 0, start
	for i := start; i < end; {
		r, n := runeAt(text, i)
		class := other
		if unicode.IsUpper(r) {
			class = upper
		} else if unicode.IsLower(r) {
			class = lower
		}
		at := -1
		if class == upper && (last == lower || last == other) {
			at = i
		} else if class == lower && last == upper && !(i+1 == end && text[i] == 's') {
			at = lastAt
		}
		if at > from {
			out = append(out, span{start: from, end: at})
			from = at
		}
		last, lastAt, i = class, i, i+n
	}
	return append(out, span{start: from, end: end})
}
