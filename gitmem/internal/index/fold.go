package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Folded returns a word as in terms before stemming: in lower case, without accents and apostrophes.
func Folded(word string) string { return string(fold(nil, word)) }

// fold appends s in lower case, without accents and apostrophes.
func fold(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		if b := s[i]; b < utf8.RuneSelf {
			if 'A' <= b && b <= 'Z' {
				b += 'a' - 'A'
			}
			if b != '\'' {
				dst = append(dst, b)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r != '’' && r != utf8.RuneError {
			dst = foldRune(dst, r)
		}
		i += n
	}
	return dst
}

// letters contains letters without a Unicode decomposition, each followed by its ASCII spelling.
const letters = " æae œoe øo đd ðd þth ßss łl ıi ħh ŋn ŧt " +
	"ĸk ƀb ƃb ƈc ƌd ƒf ƙk ƚl ƞn ƥp ƫt ƭt ƴy ƶz ǥg ǝe ȼc ɨi ʉu ςσ " +
	"ٱا ىي یي ةه کك"

// foldRune appends a non-ASCII letter in lower case and without its marks, by Unicode's compatibility decomposition, so
// that composed and decomposed spellings of a word give one term. A mark alone folds to nothing.
func foldRune(dst []byte, r rune) []byte {
	r = unicode.ToLower(r)
	if _, rest, ok := strings.Cut(letters, " "+string(r)); ok && r >= utf8.RuneSelf {
		plain, _, _ := strings.Cut(rest, " ")
		return append(dst, plain...)
	}
	parts := norm.NFKD.PropertiesString(string(r)).Decomposition()
	if parts == nil {
		return foldPart(dst, r)
	}
	for len(parts) > 0 {
		part, n := utf8.DecodeRune(parts)
		dst = foldPart(dst, unicode.ToLower(part))
		parts = parts[n:]
	}
	return dst
}

// foldPart appends a part of a letter, unless it is a mark or invisible.
func foldPart(dst []byte, r rune) []byte {
	switch {
	case r >= 0x300 && r <= 0x36F, isPointing(r), isInvisible(r):
		return dst
	case r >= 0x660 && r <= 0x669:
		return append(dst, byte('0'+r-0x660))
	case r >= 0x6F0 && r <= 0x6F9:
		return append(dst, byte('0'+r-0x6F0))
	}
	return utf8.AppendRune(dst, r)
}

// isPointing reports whether a rune is an optional vowel sign of Hebrew or Arabic, which is rarely typed, or a mark of
// an Arabic letter that decomposes into other letters.
func isPointing(r rune) bool {
	return r >= 0x591 && r <= 0x5C7 && unicode.Is(unicode.Mn, r) ||
		r >= 0x64B && r <= 0x65F || r == 0x670 || r == 0x640
}
