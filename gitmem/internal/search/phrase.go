package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// Phrase is a sequence of words that a document must, or with Not must not, contain.
//
// The words must follow each other and be the same except for case, accents and kinds of apostrophes: endings count,
// unlike those of single words. Between two words there may be any non-word characters; if the phrase has a mark there,
// such as the hyphen of "long-term" or the operator of "err != nil", the same marks are required. Marks that end a
// sentence don't count at either end of a phrase. A phrase without words, such as "==", is searched literally.
type Phrase struct {
	Text  string
	Not   bool
	words []phraseWord
}

type phraseWord struct {
	word string // folded
	gap  string // marks before it, without spaces
}

// NewPhrase parses the words of a phrase.
func NewPhrase(text string, not bool) Phrase {
	p := Phrase{Text: text, Not: not, words: phraseWords(text)}
	// Scripts without spaces are indexed in pairs of characters; a single one is searched literally.
	if len(p.words) == 1 && utf8.RuneCountInString(p.words[0].word) == 1 && firstRune(p.words[0].word) >= 0x0E00 {
		p.words = nil
	}
	return p
}

// Terms returns the index terms that a document with the phrase must have. Stop words among others are omitted, since
// nearly every document contains them.
func (p Phrase) Terms() []string {
	if len(p.words) == 0 && !unicode.Is(unicode.Han, firstRune(strings.TrimSpace(p.Text))) {
		return nil // a single kana is indexed only if it stands alone
	}
	var all, kept []string
	for _, t := range plainWords(p.Text) {
		if slices.Contains(all, t.Term) {
			continue
		}
		all = append(all, t.Term)
		if !index.IsStopword(strings.ToLower(p.Text[t.Start:t.End])) {
			kept = append(kept, t.Term)
		}
	}
	if len(kept) > 0 {
		return kept
	}
	return all
}

// In reports whether a text contains the phrase.
func (p Phrase) In(text string) bool {
	if len(p.words) == 0 {
		return strings.Contains(squeezed(text), squeezed(p.Text))
	}
	words := phraseWords(text)
	for i := 0; i+len(p.words) <= len(words); i++ {
		if words[i].word == p.words[0].word && p.at(words[i:]) {
			return true
		}
	}
	return false
}

func (p Phrase) at(words []phraseWord) bool {
	for i, w := range p.words {
		if words[i].word != w.word {
			return false
		}
		if i > 0 && !sameGap(w.gap, words[i].gap) {
			return false
		}
	}
	return true
}

// sameGap compares the text between two words.
func sameGap(want, got string) bool {
	if want != "" {
		return want == got
	}
	return !strings.ContainsFunc(got, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

func phraseWords(text string) []phraseWord {
	var out []phraseWord
	end := 0
	for _, t := range plainWords(text) {
		w := phraseWord{word: index.Folded(text[t.Start:t.End])}
		if t.Start > end {
			w.gap = marks(text[end:t.Start])
		}
		end = t.End
		out = append(out, w)
	}
	return out
}

// marks returns the text between two words, without spaces.
func marks(s string) string {
	if strings.TrimLeft(s, " ") == "" {
		return ""
	}
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return -1
		case r == '’':
			return '\''
		}
		return r
	}, s)
}

// squeezed returns a text in lower case with runs of spaces collapsed.
func squeezed(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// plainWords returns the words of a text in order: the parts of compounds instead of the wholes, and identifiers
// without splitting.
func plainWords(text string) []index.Token {
	var out []index.Token
	end := 0
	for _, t := range index.Words(text) {
		if t.End <= end || strings.ContainsAny(text[t.Start+1:t.End], `_./-@#\`) {
			continue
		}
		out = append(out, t)
		end = t.End
	}
	return out
}

// Verified contains the hits whose texts contain the phrases, in their order.
type Verified struct {
	Hits    []Hit
	Checked int  // number of documents read
	More    bool // the bound was reached before the end
}

// Verify checks hits in rank order until limit of them contain the phrases, or bound were checked. texts reads a
// document: its text, title and paths.
func Verify(hits []Hit, phrases []Phrase, limit, bound int, texts func(Hit) ([]string, error)) (Verified, error) {
	var v Verified
	for i, h := range hits {
		if len(v.Hits) == limit {
			break
		}
		if i == bound {
			v.More = true
			break
		}
		v.Checked++
		in, err := texts(h)
		if err != nil {
			return v, err
		}
		if holdsAll(phrases, in) {
			v.Hits = append(v.Hits, h)
		}
	}
	return v, nil
}

func holdsAll(phrases []Phrase, texts []string) bool {
	return !slices.ContainsFunc(phrases, func(p Phrase) bool { return slices.ContainsFunc(texts, p.In) == p.Not })
}
