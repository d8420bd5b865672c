package ask

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/templates"
)

// script is the script of a language that [templates.Languages] supports.
type script int

const (
	none     script = iota // English or an unsupported language
	latin                  // German
	cyrillic               // Russian
	dense                  // Chinese and Japanese
)

// The letters and punctuation marks of Chinese and Japanese.
const denseRows, denseMarks = `\p{Han}\p{Hiragana}\p{Katakana}ー々`, `?!。、，；：（）「」『』？！`

var (
	apartInDense = lazy.Pattern(`[\p{Katakana}ー]+|[\p{Han}\p{Hiragana}々]+|[` + denseMarks + `.,;:]|[^\s` + denseRows +
		denseMarks + `]*[^\s` + denseRows + denseMarks + `.,;:]`)
	hiragana = lazy.Pattern(`\p{Hiragana}+`) // mostly grammatical words in Japanese
)

// translator returns the script of a text and a function that translates the function words of a question into English.
// Quoted text and English text are unchanged.
func translator(text string) (in script, english func(part string) string) {
	known := map[string]string{}
	templates.Languages(func(english, word string) {
		if _, twice := known[word]; !twice && !strings.HasPrefix(english, "*") {
			known[word] = english
		}
	})
	if in = scriptOf(text, known); in == none {
		return in, func(part string) string { return part }
	}
	var pairs []string
	for _, w := range slices.SortedFunc(maps.Keys(known), func(a, b string) int {
		return cmp.Or(len(b)-len(a), cmp.Compare(a, b))
	}) {
		switch letters := lettersOf(w); {
		case letters != in:
		case in == dense:
			pairs = append(pairs, w, "  "+known[w]+"  ")
		default:
			for _, form := range []string{w, strings.ToLower(w), upperFirst(w)} {
				pairs = append(pairs, " "+strings.ReplaceAll(form, " ", "  ")+" ", " "+known[w]+" ")
			}
		}
	}
	replace := strings.NewReplacer(pairs...)
	return in, func(part string) string {
		quotes := strings.Split(part, `"`)
		for i := 0; i < len(quotes); i += 2 {
			padded := " " + strings.Join(apartInDense().FindAllString(quotes[i], -1), "  ") + " "
			quotes[i] = strings.Join(strings.Fields(hiragana().ReplaceAllString(replace.Replace(padded), " ")), " ")
		}
		return strings.TrimSpace(strings.Join(quotes, ` " `))
	}
}

// scriptOf detects the script by its letters. A text is German if it has more German than English function words and at
// least one of them does not occur in English.
func scriptOf(text string, known map[string]string) script {
	if in := lettersOf(text); in != latin {
		return in
	}
	words, german := 0, false
	for _, w := range plainWords(text) {
		stop := index.IsStopword(w)
		if stop {
			words--
		}
		if _, ok := known[w]; ok {
			words++
			terms := index.Terms(w)
			german = german || !stop && len(terms) == 1 && !isEnglish(terms[0])
		}
	}
	if german && words > 0 {
		return latin
	}
	return none
}

// lettersOf returns the script of the letters in a text, preferring scripts other than Latin.
func lettersOf(text string) script {
	for _, r := range text {
		switch {
		case r < 0x400:
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			return dense
		case unicode.Is(unicode.Cyrillic, r):
			return cyrillic
		}
	}
	return latin
}

// isQuestion reports whether a passage ends with a question mark.
func isQuestion(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, `"')」”`))
	return last == '?' || last == '？'
}

// mostForms is the maximum number of terms whose word forms are looked up.
const mostForms = 20

// formsOf returns other forms of the question's terms, each with the index of its term. It returns none for questions
// with many terms.
func (e *Engine) formsOf(ctx context.Context, in script, terms []string) (out []search.QueryTerm) {
	if len(terms) > mostForms {
		return nil
	}
	for i, family := range e.Vocabulary.WordForms(ctx, terms, in != none) {
		for _, k := range family {
			if k.For = i; !slices.Contains(terms, k.Text) {
				out = append(out, k)
			}
		}
	}
	return out
}
