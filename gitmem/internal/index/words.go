package index

import (
	"unicode"
	"unicode/utf8"
)

const (
	// analyzerVersion is part of a generation's options: raise it whenever
	// the terms of any text change.
	analyzerVersion = "1"
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
	a := analyzer{}
	a.scan(text, func(term, word []byte, _, _ int) {
		t := string(term)
		if seen[t] {
			return
		}
		// A term is marked as seen only where it counts: "being" is a stop
		// word and "beings" is not, and both have the same stem.
		if IsStopword(string(word)) {
			all = append(all, t)
			return
		}
		seen[t] = true
		kept = append(kept, t)
	})
	if len(kept) > 0 {
		return kept
	}
	return dedupe(all)
}

func dedupe(terms []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, t := range terms {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

// emitFunc receives a term, the lower-case word before stemming, and the bytes
// of the text they came from. Both slices are valid only during the call.
type emitFunc func(term, word []byte, start, end int)

// analyzer splits text into terms. It keeps its buffers between calls; it is
// for one goroutine. stems, where set, remembers stems.
type analyzer struct {
	word  []byte
	runes []rune
	stem  []byte
	parts []span
	humps []span
	stems map[string]string
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
		r, n := runeAt(text, i)
		switch {
		case isDense(r):
			i = a.dense(text, i, emit)
		case isWordRune(r):
			i = a.compound(text, i, emit)
		default:
			i += n
		}
	}
}

func runeAt(s string, i int) (rune, int) {
	if s[i] < utf8.RuneSelf {
		return rune(s[i]), 1
	}
	return utf8.DecodeRuneInString(s[i:])
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.Nd, unicode.M)
}

// isDense tells scripts written without spaces between words.
func isDense(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r <= 0x0EFF, r >= 0x1000 && r <= 0x109F, r >= 0x1100 && r <= 0x11FF,
		r >= 0x1780 && r <= 0x17FF, r >= 0x3040 && r <= 0x30FF, r >= 0x3400 && r <= 0x4DBF,
		r >= 0x4E00 && r <= 0x9FFF, r >= 0xAC00 && r <= 0xD7AF, r >= 0xF900 && r <= 0xFAFF,
		r >= 0xFF66 && r <= 0xFF9F, r >= 0x20000 && r <= 0x3FFFF:
		return isWordRune(r)
	}
	return r == '々'
}

// dense emits each pair of neighbouring characters of the run at i, or the
// character itself where it stands alone, and returns the run's end.
func (a *analyzer) dense(text string, i int, emit emitFunc) int {
	prev, count := i, 0
	start := i
	for i < len(text) {
		r, n := runeAt(text, i)
		if !isDense(r) {
			break
		}
		if count > 0 {
			a.emitPlain(text, prev, i+n, emit)
		}
		prev, i = i, i+n
		count++
	}
	if count == 1 {
		a.emitPlain(text, start, i, emit)
	}
	return i
}

func (a *analyzer) emitPlain(text string, start, end int, emit emitFunc) {
	a.word = fold(a.word[:0], text[start:end])
	if len(a.word) > 0 {
		emit(a.word, a.word, start, end)
	}
}

// compound reads the words at i that connectors join without a space, emits
// the whole and each word, and returns the end.
func (a *analyzer) compound(text string, i int, emit emitFunc) int {
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
	if len(a.parts) > 1 && isWhole(text, a.parts) {
		a.emitWhole(text, emit)
	}
	for _, p := range a.parts {
		a.emitWord(text, p.start, p.end, emit)
	}
	return i
}

// wordEnd returns the end of the word at i and the position to go on from: an
// English contraction's tail belongs to neither.
func wordEnd(text string, i int) (end, next int) {
	for i < len(text) {
		r, n := runeAt(text, i)
		if !isWordRune(r) || isDense(r) {
			break
		}
		i += n
	}
	tail, isNot := contraction(text, i)
	if isNot {
		return i + tail, i + tail
	}
	return i, i + tail
}

// contraction returns the length of an apostrophe and the English ending after
// it at i, or 0; isNot says that it is the t of "don't", which stays.
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

// connector reads what joins two words at i: underscores, or one of . / -
// with a word right after it.
func connector(text string, i int) (joint byte, next int, ok bool) {
	if i >= len(text) {
		return 0, i, false
	}
	joint = text[i]
	switch joint {
	case '_':
		for i < len(text) && text[i] == '_' {
			i++
		}
	case '.', '/', '-':
		i++
	default:
		return 0, i, false
	}
	if i >= len(text) {
		return 0, i, false
	}
	r, _ := runeAt(text, i)
	return joint, i, isWordRune(r) && !isDense(r)
}

// isWhole tells whether a compound is also a term of its own. Words joined by
// hyphens alone are so only with a digit among them, as in ABC-12.
func isWhole(text string, parts []span) bool {
	for _, p := range parts[1:] {
		if p.joint != '-' {
			return true
		}
	}
	for i := parts[0].start; i < parts[len(parts)-1].end; i++ {
		if '0' <= text[i] && text[i] <= '9' {
			return true
		}
	}
	return false
}

func (a *analyzer) emitWhole(text string, emit emitFunc) {
	start, end := a.parts[0].start, a.parts[len(a.parts)-1].end
	a.word = a.word[:0]
	for _, p := range a.parts {
		if p.joint != 0 {
			a.word = append(a.word, p.joint)
		}
		if a.word = fold(a.word, text[p.start:p.end]); len(a.word) > maxTerm {
			break
		}
	}
	a.word = cut(a.word)
	emit(a.word, a.word, start, end)
}

// emitWord emits a word and, where it is written in camelCase, its parts.
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
