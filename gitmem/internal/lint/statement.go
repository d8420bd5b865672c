package lint

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
)

// Statement is a list item or a paragraph of a file.
type Statement struct {
	File string
	Line int    // of its first line, 1-based
	Text string // on one line, without bullet or checkbox
}

// Statements returns the statements of a Markdown file, without headings, code, tables, comments and lines that only
// import other files.
func Statements(path string, src []byte) (out []Statement) {
	body := markdown.Parse(src).Body
	before := bytes.Count(src[:body.Start], []byte("\n"))
	for p := range markdown.Paragraphs(string(body.Of(src))) {
		switch text := markdown.TrimCheckbox(p.Text); p.Kind {
		case markdown.LineText, markdown.LineItem, markdown.LineIndented, markdown.LineQuote:
			imports := !slices.ContainsFunc(strings.Fields(text), func(w string) bool { return w[0] != '@' })
			if text != "" && !imports {
				out = append(out, Statement{File: path, Line: before + p.Line, Text: text})
			}
		}
	}
	return out
}

// sameShare is the minimum share of common words for equal statements.
const sameShare = 0.8

// Comparer compares statements, and parses each one once.
type Comparer struct {
	exclusives []exclusiveTerms
	read       map[string]prepared
}

// NewComparer returns a comparer that knows groups of mutually exclusive terms.
func NewComparer(exclusives [][]string) *Comparer {
	return &Comparer{newExclusiveTerms(exclusives), map[string]prepared{}}
}

func (c *Comparer) prepare(text string) prepared {
	p, known := c.read[text]
	if !known {
		p = prepare(Statement{Text: text})
		c.read[text] = p
	}
	return p
}

// Same reports whether two statements are equivalent with nearly the same words. Different numbers make them different.
func (c *Comparer) Same(a, b string) bool { return same(c.prepare(a), c.prepare(b)) }

// same is [Comparer.Same]. One statement may have a few more words than the other, unless such a word is a negation, a
// place or time, a number or a name with signs. The common words must have the same order.
func same(a, b prepared) bool {
	return jaccard(a.words, b.words) >= sameShare && (within(a.words, b.words) || within(b.words, a.words)) &&
		slices.Equal(shared(a.said, b.said), shared(b.said, a.said))
}

// shared returns the words of a that are also in b, and those marked with "=".
func shared(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(w string) bool { return w[0] != '=' && !slices.Contains(b, w) })
}

// Contradict reports whether one of two statements wants what the other one rejects, or whether they want different
// ones of mutually exclusive terms.
func (c *Comparer) Contradict(a, b string) bool {
	x, y := c.prepare(a), c.prepare(b)
	if jaccard(x.words, y.words) >= sameShare && turned(a, b) {
		return true
	}
	return len(x.words) >= leastWords && len(y.words) >= leastWords && contradicts(x.claims, y.claims, c.exclusives)
}

// Same is [Comparer.Same] for two statements without a comparer.
func Same(a, b string) bool { return NewComparer(nil).Same(a, b) }

// Likeness returns how similar the subjects of two statements are, from 0 to 1, whatever they want.
func Likeness(a, b string) float64 { return jaccard(subject(a), subject(b)) }

var between = lazy.Pattern(`(?i)\s(?:instead of|rather than|in place of|over|before|after|not|than|to)\s`)

// turned reports whether two statements want the same two things in opposite order.
func turned(a, b string) bool {
	x, y := between().Split(a, 2), between().Split(b, 2)
	if len(x) < 2 || len(y) < 2 {
		return false
	}
	return jaccard(subject(x[0]), subject(y[1])) > jaccard(subject(x[0]), subject(y[0]))
}

// inOrder returns the terms of a statement in order. "=" marks the words that both statements must have: negations, all
// as "=not", words that change the meaning, and words that are compared letter by letter.
func inOrder(text string) (all []string) {
	for w := range strings.FieldsSeq(text) {
		switch word := plainWord(w); {
		case word == "":
		case isOneOf(denials, word) || transcript.AssertionOf(word, nil) == transcript.Denied:
			all = append(all, "=not")
		case exact(word) || isOneOf(changesMeaning, word):
			all = append(all, "="+word)
		case !index.IsStopword(word):
			all = append(all, index.QueryTerms(w)...)
		}
	}
	return all
}

// subject returns the words of a statement except its negations, which have many forms.
func subject(text string) map[string]bool {
	return wordSet(strings.Join(slices.DeleteFunc(strings.Fields(text), func(w string) bool {
		return isOneOf(denials, plainWord(w))
	}), " "))
}

func wordSet(text string) map[string]bool {
	return slice.Set(index.QueryTerms(text))
}

// jaccard returns the Jaccard index: the number of common words divided by that of all words.
func jaccard(a, b map[string]bool) float64 {
	common := 0
	for w := range a {
		if b[w] {
			common++
		}
	}
	all := len(a) + len(b) - common
	if all == 0 {
		return 0
	}
	return float64(common) / float64(all)
}
