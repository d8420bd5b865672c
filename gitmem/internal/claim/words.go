package claim

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/internal/lazy"
)

// word is one of a sentence.
type word struct {
	text  string // in lower case, without the marks of a sentence around it
	stem  string // as the index has it; of a name the text without what marks it as code
	name  bool   // it names one thing by its form, as --flag or readFile
	pause bool   // a mark that ends a clause follows it
}

var (
	reference = lazy.Pattern(`\s*\((?:[\w.-]+/[\w.-]+)?[#!]\d+\)`)
	link      = lazy.Pattern(`\[([^\]]*)\]\([^)]*\)`)
)

// split cuts a text into words. References such as (#12) are none, and of links the text is.
func split(text string) (out []word) {
	if strings.ContainsAny(text, "#!") { // most texts are not worth an expression
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

// newWord makes a word of what stands between blanks, and is bare without the marks around it.
func newWord(w, bare string) word {
	n := word{text: strings.ToLower(bare), name: isCode(bare)}
	n.stem = stemOf(n.text)
	if n.name {
		n.stem = strings.ToLower(strings.Trim(bare, "-$()@*<>."))
	}
	n.pause = strings.ContainsAny(strings.TrimPrefix(w[strings.Index(w, bare)+len(bare):], "()"), ".,;:?!)")
	return n
}

// isCode reports whether a word names one thing by its form: it has a digit, a mark or a capital within, a
// flag's hyphens before it or a call's brackets behind it.
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

// trim is a word without the marks around it and the ending of a genitive.
func trim(w string) string {
	w = strings.Trim(w, "?!.,;:\"'()[]{}`“”‘’„«»*~>")
	if strings.Trim(w, "-=–—&+|") == "" {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
}

// stops are words that end what a verb acts on.
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

// isPronoun reports whether a word is one, also with a verb drawn to it, as in we'll.
func isPronoun(w string) bool {
	bare, _, _ := strings.Cut(strings.ReplaceAll(w, "’", "'"), "'")
	return isOneOf(pronouns, bare)
}

func isOneOf(list, w string) bool { return w != "" && strings.Contains(list, " "+w+" ") }

// phrase is what a noun phrase names, its head last.
type phrase []word

func (p phrase) String() string {
	words := make([]string, len(p))
	for i, w := range p {
		words[i] = w.text
	}
	return strings.Join(words, " ")
}

// nounPhrase leaves out of words what names nothing and puts "A of B" and "support for B" in the order B A.
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

// is reports whether two words name the same: a name may stand in another one behind a mark, as HasCaller in
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

// without leaves out of two phrases what both have.
func without(a, b phrase) (onlyA, onlyB phrase) {
	minus := func(p, other phrase) phrase {
		return slices.DeleteFunc(slices.Clone(p), func(w word) bool {
			return slices.ContainsFunc(other, func(o word) bool { return o.stem == w.stem })
		})
	}
	return minus(a, b), minus(b, a)
}
