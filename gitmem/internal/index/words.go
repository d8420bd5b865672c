// # Terms
//
// Text is read once from left to right as UTF-8; a byte that is none separates.
//
// A word character is a letter (L), a mark (M) or a decimal digit (Nd), or one
// of U+00AD, U+200C and U+200D. The dense characters among them are those of
// scripts written without spaces: U+0E00–0EFF, 1000–109F, 1100–11FF, 1780–17FF,
// 3040–30FF, 3400–4DBF, 4E00–9FFF, AC00–D7AF, F900–FAFF, FF66–FF9F, 20000–3FFFF
// and 々. A run of other word characters is a word. Everything else separates,
// apart from what follows.
//
// Folding makes lower case of a word, drops accents (U+0300–036F, the points of
// Hebrew, the vowel signs and U+0640 of Arabic, and those that composed letters
// of Latin, Greek and Cyrillic contain: é e, ё е, й и), apostrophes and the
// invisible characters above; writes ß ss, æ ae, ø o, ł l, þ th, ı i; joins
// Arabic letters that are typed for one another; writes full-width letters and
// Arabic figures as ASCII. A term is cut after the last character that ends
// within maxTerm bytes. Nothing is emitted for a word that folds to nothing.
//
// Stemming follows: a folded word of 3 to maxStem bytes, all of them a–z,
// becomes its Porter stem. A word of at most maxTerm bytes as written, whose
// folded form begins with a Cyrillic letter of U+0400–047F, and that consists
// in lower case of at least 4 letters а–я and ё (ё counts as е; и followed by
// U+0306 as й; U+0301 and U+0308 are dropped first) becomes its Russian
// Snowball stem, which is folded then. Other words stay as they are.
//
// An apostrophe (' or U+2019) behind a word followed by s, ll, re, ve, d or m
// in either case, not followed by a word character or ', is
// skipped with these letters; followed by t it belongs to the word with the t:
// don't is dont. Any other apostrophe separates.
//
// A compound is words joined, each with a word of no dense script right behind
// it, by one of . / - @, by a run of underscores, by one or two backslashes,
// which count as /, or by a # with a number and no other word character right
// behind. Its joints rank from close to loose: 1 _ and -, 2 the dot, 3 the
// slash, 4 @ and #. In a compound, a part that is v or V and ASCII digits, is
// not itself joined by a dot to the part before it, and is followed by a dot
// and an ASCII digit, loses its v before all else. The terms of a compound of
// one word are those of the word. Those of a compound of several words, in this
// order:
//
//  1. Its whole where no joint ranks above 2, unless they all rank 1 and the
//     text is a question and there are two words, joined by hyphens, without an
//     ASCII digit. The whole is the folded words one after the other with their
//     dots between them, _ and - leave no trace; it is stemmed where all joints
//     rank 1.
//  2. For each of the compounds that its loosest joints part it into, from
//     left to right: where a # joins it to what is before it, the term of
//     the sigil #, see below; then its own terms by these same rules.
//
// The terms of a word, in this order:
//
//  1. Where nothing joins another word behind it, it begins with an ASCII
//     letter and has at most 12 bytes: the folded word with ++, if ++ is
//     right behind it and then neither + nor an ASCII letter; or with #, if
//     it has one byte and # is right behind it and then no ASCII letter
//     or digit.
//  2. The word, folded, cut and stemmed.
//  3. Its humps, if it has at most maxTerm bytes as written and 2 to maxHumps
//     humps: those of more than one byte, folded, cut and stemmed. A hump
//     begins at a capital that follows a small letter or a character that is
//     neither, and at the last capital of a run of them that a small letter
//     follows, other than a single s that ends the word.
//  4. Instead of humps its first 7 characters, if it is the only word of its
//     compound and has 8 to 40 bytes, all of them hexadecimal digits and among
//     them both letters and figures.
//
// A sigil is one of # @ and the dot, right before a word of no dense script.
// No word character and not the same sigil may be before # and @; an ASCII
// letter must be behind the dot, and before it nothing, a space, tab, line
// feed or one of " ' ` ( [ { , = : / \. Its term comes before those of the
// compound behind it: the sigil, then the words of the compound up to the first
// joint that ranks 3 or 4, written as a whole that is not stemmed.
//
// In a run of dense characters, one character is a code point with one sound
// mark (U+3099, 309A, FF9E, FF9F) right behind it, or a Hangul initial
// (U+1100–115F) with the vowels and finals (U+1160–11FF) right behind it. They
// are folded, half-width Katakana and composed forms made of the parts. A long
// vowel mark (ー or its half-width form) that ends a stretch of more than three
// Katakana (U+30A1–30FF, FF66–FF9F; counted in characters, the mark included)
// is passed over. The terms are each pair of neighbours; in documents also,
// after the pair that it begins, each character that is 々, of U+3400–9FFF,
// F900–FAFF or from U+20000 on, or Hangul; a run of one character is a term by
// itself.
//
// [QueryTerms] drops those terms whose folded form before stemming is a stop
// word, unless no others are left, and then all repetitions but the first.
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
	// maxStem is the longest word that is stemmed; nothing beyond is English.
	maxStem = 40
	// maxHumps is the number of camelCase parts above which a run is taken
	// for encoded bytes rather than for an identifier.
	maxHumps = 8
)

// Token is a term and the bytes of the text that it came from.
type Token struct {
	Term       string
	Start, End int
}

// Words returns the terms of text in the order in which they start, the whole
// of a compound before its parts, each with its byte offsets in text.
func Words(text string) []Token {
	var out []Token
	a := analyzer{}
	a.scan(text, func(term, _ []byte, start, end int) {
		out = append(out, Token{Term: string(term), Start: start, End: end})
	})
	return out
}

// TermSet is the set of the terms of some texts: see [Terms].
func TermSet(texts ...string) map[string]bool {
	set := map[string]bool{}
	for _, text := range texts {
		for _, t := range Terms(text) {
			set[t] = true
		}
	}
	return set
}

// Terms returns the terms under which text is found: its words in lower case,
// without accents and stemmed; an identifier, dotted name or path both whole
// and in parts; scripts written without spaces as pairs of characters.
func Terms(text string) []string {
	var out []string
	a := analyzer{}
	a.scan(text, func(term, _ []byte, _, _ int) {
		out = append(out, string(term))
	})
	return out
}

// QueryTerms is Terms without stop words and repetitions, in order. A text
// made of nothing but stop words keeps them.
func QueryTerms(text string) []string {
	var all, kept []string
	seen := map[string]bool{}
	a := analyzer{query: true}
	a.scan(text, func(term, word []byte, _, _ int) {
		t := string(term)
		if seen[t] {
			return
		}
		// A term is marked as seen only where it counts: "being" is a stop
		// word and "beings" is not, and both have the same stem.
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

// emitFunc receives a term, the lower-case word before stemming, and the bytes
// of the text they came from. Both slices are valid only during the call.
type emitFunc func(term, word []byte, start, end int)

// analyzer splits text into terms. It reuses its buffers; it is for one goroutine. stems,
// if set, is a cache. query leaves out the terms that only documents have.
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

// span is a word's bytes in the text; joint is the connector before it within
// a compound, 0 for the first.
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

// opens reports whether the sigil at i belongs to the word behind it: #123, @person, .NET.
// A dot does so only where a word could begin.
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

// compound reads the words at i that connectors join without a space, emits the wholes and
// each word, and returns the end. sigil is the character before i that belongs to the word,
// or 0.
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

// wordEnd returns the end of the word at i and the position to go on from: an
// English contraction's tail belongs to neither.
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

// contraction returns the length of an apostrophe and the English ending after it at i, or
// 0; isNot means the t of "don't", which stays.
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

// humps splits text[start:end] where a capital follows a small letter or a
// digit, and before the last capital of a run: parseHTTPHeader → parse HTTP
// Header. The s of a plural such as IDs is no part.
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
