package index

import "unicode/utf8"

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

// dense emits the run of a dense script at i and returns its end: each pair of
// neighbouring characters, and each ideograph and Hangul syllable by itself,
// which a question may consist of. A question of several characters asks for
// the pairs only.
func (a *analyzer) dense(text string, i int, emit emitFunc) int {
	start, end, count, katakana := i, i, 0, 0
	for i < len(text) {
		r, n := denseChar(text, i)
		if n == 0 {
			break
		}
		if katakana = katakanaRun(katakana, r); isLong(r) && katakana > 3 && !katakanaAt(text, i+n) {
			i += n // サーバー is サーバ
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

// denseChar returns the rune at i and the length of the character that it
// begins, with the sound marks or the parts of a syllable behind it; 0 where no
// dense script goes on.
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

// isSoundMark tells the marks that turn か into が or は into ぱ.
func isSoundMark(r rune) bool { return r == 0x3099 || r == 0x309A || r == 0xFF9E || r == 0xFF9F }

func isLong(r rune) bool { return r == 'ー' || r == 0xFF70 }

func isKatakana(r rune) bool { return r >= 0x30A1 && r <= 0x30FF || r >= 0xFF66 && r <= 0xFF9F }

func katakanaRun(n int, r rune) int {
	if isKatakana(r) {
		return n + 1
	}
	return 0
}

func katakanaAt(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	return isKatakana(r)
}

// emitAlone emits a character of a longer run by itself, where it may be a word.
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

// foldDense appends a character in its composed, full-width form.
func foldDense(dst []byte, char string) []byte {
	r, n := utf8.DecodeRuneInString(char)
	if r >= 0xFF66 && r <= 0xFF9D {
		at := (r - 0xFF66) * 3
		r, _ = utf8.DecodeRuneInString(halfWidth[at:])
	}
	if n == len(char) {
		return foldRune(dst, r)
	}
	last, _ := utf8.DecodeLastRuneInString(char)
	if isSoundMark(last) {
		return foldRune(dst, voiced(r, last == 0x309A || last == 0xFF9F))
	}
	return append(dst, syllable(char)...)
}

// halfWidth holds the full-width forms of U+FF66 to U+FF9D.
const halfWidth = "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"

// voiced joins a kana with a sound mark, of which half says that it is the one
// that turns は into ぱ.
func voiced(r rune, half bool) rune {
	h := r
	if r >= 0x30A1 && r <= 0x30F6 {
		h -= 0x60 // as in Hiragana
	}
	switch {
	case h >= 0x306F && h <= 0x307B && (h-0x306F)%3 == 0 && half:
		return r + 2
	case half:
	case h >= 0x304B && h <= 0x3062 && (h-0x304B)%2 == 0, h == 0x3064, h == 0x3066, h == 0x3068,
		h >= 0x306F && h <= 0x307B && (h-0x306F)%3 == 0, r == 'ゝ', r == 'ヽ':
		return r + 1
	case h == 0x3046:
		return r + 0x4E
	}
	return r
}

// syllable composes the parts of a Hangul syllable; what is none stays.
func syllable(parts string) string {
	var lead, vowel, tail rune
	count := 0
	for i, r := range parts {
		switch {
		case i == 0:
			lead = r - 0x1100
		case count == 1:
			vowel = r - 0x1161
		case count == 2:
			tail = r - 0x11A7
		}
		count++
	}
	if lead > 18 || count < 2 || count > 3 || vowel < 0 || vowel > 20 || tail < 0 || tail > 27 || count == 3 && tail == 0 {
		return parts
	}
	return string(0xAC00 + (lead*21+vowel)*28 + tail)
}
