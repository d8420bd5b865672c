package index

import (
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/russian"
)

// isCyrillic reports whether a folded word begins with a Cyrillic letter.
func isCyrillic(word []byte) bool {
	return len(word) > 1 && (word[0] == 0xD0 || word[0] == 0xD1)
}

// stemmedRussian returns the folded Snowball stem of a word of Russian letters, and any other word folded. Folding
// comes last, because endings such as -ий are recognised by the й, which folding turns into an и.
func (a *analyzer) stemmedRussian(text string) []byte {
	low, ok := a.lowRussian(text)
	if !ok {
		return a.word
	}
	if s, ok := a.stems[string(low)]; ok {
		a.stem = append(a.stem[:0], s...)
		return a.stem
	}
	env := snowballstem.NewEnv(string(low))
	russian.Stem(env)
	a.stem = fold(a.stem[:0], env.Current())
	if len(a.stem) == 0 {
		a.stem = append(a.stem, a.word...)
	}
	a.remember(low)
	return a.stem
}

// lowRussian converts a word to lower case in the 32 letters that the stemmer knows. It returns false if the word has
// other letters or is too short for an ending.
func (a *analyzer) lowRussian(text string) (low []byte, ok bool) {
	low = make([]byte, 0, maxTerm)
	n := 0
	for _, r := range text {
		switch r = unicode.ToLower(r); {
		case r >= 'а' && r <= 'я':
			low = utf8.AppendRune(low, r)
			n++
		case r == 'ё':
			low = append(low, "е"...)
			n++
		case r == 0x306 && len(low) > 1 && string(low[len(low)-2:]) == "и":
			low = append(low[:len(low)-2], "й"...)
		case r == 0x308 || r == 0x301: // decomposed ё, and the stress mark of dictionaries
		default:
			return nil, false
		}
	}
	return low, n > 3
}
