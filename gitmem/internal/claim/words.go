package claim

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/internal/lazy"
)

// word is a word of a sentence.
type word struct {
	text  string // lower case, without the punctuation around it
	stem  string // as in the index; for a name, the text without code marks
	name  bool   // its form marks it as an identifier, as --flag or readFile
	pause bool   // a mark that ends a clause follows it
}

var (
	reference = lazy.Pattern(`\s*\((?:[\w.-]+/[\w.-]+)?[#!]\d+\)`)
	link      = lazy.Pattern(`\[([^\]]*)\]\([^)]*\)`)
)

// split cuts a text into words. It drops references such as (#12) and keeps only the text of links.
func split(text string) (out []word) {
	if strings.ContainsAny(text, "#!") { // skip the regular expressions for most texts
		text = reference().ReplaceAllString(text, " ")
	}
	if strings.Contains(text, "](") {
		text = link().ReplaceAllString(text, "$1")
	}
	for _, w := range strings.Fields(text) {
		bare, sign := trim(w), strings.Trim(w, "`'\"?,.")
		switch {
		case bare != "":
			out = append(out, newWord(w, bare))
		case isOneOf(" -> => → --> ", w):
			out = append(out, word{text: "->"})
		case sign != "" && (sign != w || len(sign) > 1 && sign != "--"): // as `:=`
			out = append(out, word{text: sign, stem: sign, name: true, pause: strings.HasSuffix(w, "?")})
		case len(out) > 0:
			out[len(out)-1].pause = true
		}
		if len(out) > 1 && strings.HasPrefix(w, "(") {
			out[len(out)-2].pause = true
		}
	}
	return out
}

// newWord makes a word of the text between blanks; bare is that text without the marks around it.
func newWord(w, bare string) word {
	n := word{text: strings.ToLower(bare), name: isCode(bare)}
	n.stem = stemOf(n.text)
	if n.name {
		n.stem = strings.ToLower(strings.Trim(bare, "-$()@*<>."))
	}
	n.pause = strings.ContainsAny(strings.TrimPrefix(w[strings.Index(w, bare)+len(bare):], "()"), ".,;:?!)")
	return n
}

// isCode reports whether a word has the form of an identifier: it contains a digit, a mark or an inner capital, begins
// with the hyphens of a flag, or ends in the parentheses of a call.
func isCode(w string) bool {
	for i := range len(w) {
		within := i > 0 && i+1 < len(w)
		switch c := w[i]; {
		case isDigit(c), c == '_', c == '/', c == '\\', c == '@',
			isUpper(c) && i > 0 && isLower(w[i-1]),
			c == '.' && within && inWord(w[i-1]) && inWord(w[i+1]):
			return true
		}
	}
	call := strings.TrimSuffix(w, "()")
	if call != w && call != "" && inWord(call[len(call)-1]) {
		return true
	}
	flag := strings.TrimPrefix(strings.TrimPrefix(w, "-"), "-")
	return flag != w && flag != "" && inWord(flag[0])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func inWord(c byte) bool  { return isDigit(c) || isLower(c) || isUpper(c) || c == '_' }

// trim removes the marks around a word and a possessive ending.
func trim(w string) string {
	w = strings.Trim(w, "?!.,;:\"'()[]{}`“”‘’„«»*~>")
	if strings.Trim(w, "-=–—&+|") == "" {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
}

// The words that end the object of a verb.
const (
	joins = " to into onto with by for in on at from of off under inside within via per over as about like " +
		"regarding concerning across between after before until "
	clauses = " and or but when while because since so that which who if unless why how what where than then " +
		"instead rather " + beings + auxiliary + pronouns
	beings   = " is was were are be been being got gets get getting isn't wasn't aren't weren't "
	articles = " a an the this that these those our its their his her my your all any some every each whole " +
		"entire also now just completely entirely fully finally still "

	auxiliary = " do does did has have had can could should would will may might must "
	pronouns  = " we you i they it he she us them me someone somebody anybody anyone people everyone "
)

// isPronoun reports whether a word is a pronoun, also with a contracted verb, as in we'll.
func isPronoun(w string) bool {
	bare, _, _ := strings.Cut(strings.ReplaceAll(w, "’", "'"), "'")
	return isOneOf(pronouns, bare)
}

func isOneOf(list, w string) bool { return w != "" && strings.Contains(list, " "+w+" ") }

// phrase is a noun phrase; its head is the last word.
type phrase []word

func (p phrase) String() string {
	words := make([]string, len(p))
	for i, w := range p {
		words[i] = w.text
	}
	return strings.Join(words, " ")
}

// nounPhrase removes words without meaning and rewrites "A of B" and "support for B" as B A.
func nounPhrase(words []word) phrase {
	for i, w := range words {
		if i > 0 && i+1 < len(words) && (w.text == "of" || w.text == "for" && words[i-1].stem == "support") {
			return append(nounPhrase(words[i+1:]), nounPhrase(words[:i])...)
		}
	}
	return slices.DeleteFunc(slices.Clone(phrase(words)), func(w word) bool {
		return isOneOf(articles, w.text) || !w.name && index.IsStopword(w.text)
	})
}

// is reports whether two words name the same thing. A name also matches the end of a qualified name, as HasCaller in
// Entry.HasCaller.
func (w word) is(other word) bool {
	if w.stem == other.stem {
		return true
	}
	within := func(a, b word) bool {
		at := len(a.stem) - len(b.stem)
		return a.name && len(b.stem) > 2 && at > 0 && strings.HasSuffix(a.stem, b.stem) &&
			strings.ContainsAny(a.stem[at-1:at], "./:#")
	}
	return within(w, other) || within(other, w)
}

// without removes the common words from two phrases.
func without(a, b phrase) (onlyA, onlyB phrase) {
	minus := func(p, other phrase) phrase {
		return slices.DeleteFunc(slices.Clone(p), func(w word) bool {
			return slices.ContainsFunc(other, func(o word) bool { return o.stem == w.stem })
		})
	}
	return minus(a, b), minus(b, a)
}
