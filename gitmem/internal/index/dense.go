package index

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// isDense reports whether a character belongs to a script written without spaces.
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

// dense emits the run of a dense script at i and returns its end: each pair of adjacent characters, and each ideograph
// and Hangul syllable alone, which may be a whole question. A question of several characters uses only the pairs.
func (a *analyzer) dense(text string, i int, emit emitFunc) int {
	start, end, count, katakana := i, i, 0, 0
	for i < len(text) {
		r, n := denseChar(text, i)
		if n == 0 {
			break
		}
		if katakana++; !isKatakana(r) {
			katakana = 0
		}
		if isLong(r) && katakana > 3 && !katakanaAt(text, i+n) {
			i += n // サーバー becomes サーバ
			continue
		}
		if count > 0 {
			a.word = foldDense(a.word[:0], text[start:end])
			a.word = foldDense(a.word, text[i:i+n])
			a.emitFolded(start, i+n, emit)
			a.emitAlone(text, start, end, emit)
		}
		start, end, i = i, i+n, i+n
		count++
	}
	if count == 1 {
		a.word = foldDense(a.word[:0], text[start:end])
		a.emitFolded(start, end, emit)
	} else {
		a.emitAlone(text, start, end, emit)
	}
	return i
}

func (a *analyzer) emitFolded(start, end int, emit emitFunc) {
	if a.word = cut(a.word); len(a.word) > 0 {
		emit(a.word, a.word, start, end)
	}
}

// denseChar returns the rune at i and the length of the character that it begins, including sound marks and parts of a
// syllable; 0 if no dense script continues.
func denseChar(text string, i int) (rune, int) {
	r, n := runeAt(text, i)
	if !isDense(r) {
		return r, 0
	}
	for i+n < len(text) && text[i+n] >= utf8.RuneSelf {
		next, m := utf8.DecodeRuneInString(text[i+n:])
		if !isSoundMark(next) && (r < 0x1100 || r > 0x115F || next < 0x1160 || next > 0x11FF) {
			break
		}
		n += m
		if isSoundMark(next) {
			break
		}
	}
	return r, n
}

// isSoundMark reports whether a rune is a voicing mark that turns か into が or は into ぱ.
func isSoundMark(r rune) bool { return r == 0x3099 || r == 0x309A || r == 0xFF9E || r == 0xFF9F }

func isLong(r rune) bool { return r == 'ー' || r == 0xFF70 }

func isKatakana(r rune) bool { return r >= 0x30A1 && r <= 0x30FF || r >= 0xFF66 && r <= 0xFF9F }

func katakanaAt(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	return isKatakana(r)
}

// emitAlone emits a single character of a longer run if it may be a word.
func (a *analyzer) emitAlone(text string, start, end int, emit emitFunc) {
	if a.query || start == end {
		return
	}
	r, _ := utf8.DecodeRuneInString(text[start:])
	if r == '々' || r >= 0x3400 && r <= 0x9FFF || r >= 0xF900 && r <= 0xFAFF || r >= 0x20000 ||
		r >= 0xAC00 && r <= 0xD7AF || r >= 0x1100 && r <= 0x11FF {
		a.word = foldDense(a.word[:0], text[start:end])
		a.emitFolded(start, end, emit)
	}
}

// foldDense appends a character, which may be decomposed or half-width.
func foldDense(dst []byte, char string) []byte { return norm.NFKC.AppendString(dst, char) }
