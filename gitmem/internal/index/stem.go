package index

import (
	"strings"
	"unicode/utf8"

	porterstemmer "github.com/blevesearch/go-porterstemmer"
)

// maxStems limits the cache of stems.
const maxStems = 1 << 16

// newAnalyzer returns an analyzer with a cache of stems, for many texts.
func newAnalyzer() *analyzer { return &analyzer{stems: map[string]string{}} }

// emitStemmed emits the word text[start:end], folded, cut and stemmed.
func (a *analyzer) emitStemmed(text string, start, end int, emit emitFunc) {
	// Folding changes the length of a word by at most a factor of three, so the rest cannot reach the term.
	a.word = fold(a.word[:0], text[start:min(end, start+8*maxTerm)])
	if len(a.word) == 0 {
		return
	}
	a.word = cut(a.word)
	if isCyrillic(a.word) && end-start <= maxTerm {
		emit(a.stemmedRussian(text[start:end]), a.word, start, end)
		return
	}
	emit(a.stemmed(a.word), a.word, start, end)
}

// stemmed returns the Porter stem of an English-looking word, and any other word unchanged.
func (a *analyzer) stemmed(word []byte) []byte {
	if len(word) < 3 || len(word) > maxStem {
		return word
	}
	for _, b := range word {
		if b < 'a' || b > 'z' {
			return word
		}
	}
	if s, ok := a.stems[string(word)]; ok {
		return append(a.stem[:0], s...)
	}
	a.runes = a.runes[:0]
	for _, b := range word {
		a.runes = append(a.runes, rune(b))
	}
	a.stem = a.stem[:0]
	for _, r := range porterstemmer.StemWithoutLowerCasing(a.runes) {
		a.stem = append(a.stem, byte(r))
	}
	a.remember(word)
	return a.stem
}

func (a *analyzer) remember(word []byte) {
	if a.stems == nil {
		return
	}
	if len(a.stems) >= maxStems {
		clear(a.stems)
	}
	a.stems[string(word)] = string(a.stem)
}

// cut shortens a term to maxTerm bytes without splitting a character.
func cut(term []byte) []byte {
	if len(term) <= maxTerm {
		return term
	}
	n := maxTerm
	for n > 0 && !utf8.RuneStart(term[n]) {
		n--
	}
	return term[:n]
}

// IsStopword reports whether a lower-case word, before stemming, is an English function word, ignoring apostrophes.
func IsStopword(word string) bool {
	if strings.ContainsAny(word, "'’") {
		word = string(fold(nil, word))
	}
	switch word {
	case "a", "about", "above", "after", "again", "against", "all", "am", "an", "and", "any", "are",
		"arent", "as", "at", "be", "because", "been", "before", "being", "below", "between", "both",
		"but", "by", "can", "cannot", "cant", "could", "couldnt", "did", "didnt", "do", "does",
		"doesnt", "doing", "dont", "down", "during", "each", "few", "for", "from", "further", "had",
		"hadnt", "has", "hasnt", "have", "havent", "having", "he", "her", "here", "hers", "herself",
		"him", "himself", "his", "how", "i", "if", "in", "into", "is", "isnt", "it", "its", "itself",
		"just", "me", "more", "most", "my", "myself", "no", "nor", "not", "of", "off", "on", "once",
		"only", "or", "other", "ought", "our", "ours", "ourselves", "out", "over", "own", "same",
		"shall", "she", "should", "shouldnt", "so", "some", "such", "than", "that", "the", "their",
		"theirs", "them", "themselves", "then", "there", "these", "they", "this", "those", "through",
		"to", "too", "under", "until", "up", "us", "very", "was", "wasnt", "we", "were", "werent",
		"what", "when", "where", "which", "while", "who", "whom", "whose", "why", "will", "with",
		"wont", "would", "wouldnt", "you", "your", "yours", "yourself", "yourselves":
		return true
	}
	return false
}
