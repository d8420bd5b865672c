package cite

import (
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/internal/clip"
	"github.com/gitmem/gitmem/markdown"
)

// Check looks up an excerpt in the text of its source. line is the 1-based line at which the excerpt was found earlier;
// Check returns its current line. White space is folded, since a quote on one line may be wrapped in its source.
func Check(text, excerpt string, line int) (answer.Status, int) {
	want := fold(excerpt)
	if want == "" {
		return answer.StatusGone, line
	}
	now := foldedLine(text, want)
	switch {
	case now == 0:
		return answer.StatusGone, line
	case now == line:
		return answer.StatusHolds, line
	default:
		return answer.StatusMoved, now
	}
}

// foldedLine returns the 1-based line of the text at which the words begin after folding white space, or 0 if they do
// not occur.
func foldedLine(text, want string) int {
	var b strings.Builder
	var starts []int // byte offset in the folded text at which line i+1 begins
	for line := range strings.Lines(text) {
		starts = append(starts, b.Len())
		for _, w := range strings.Fields(line) {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w)
		}
	}
	at := strings.Index(b.String(), want)
	if at < 0 {
		return 0
	}
	n := 0
	for n < len(starts) && starts[n] <= at {
		n++
	}
	// A blank line has the same offset as the next line, and a line starts with the space that joins it to the previous
	// one. So the last line that starts at or before the match contains it.
	return n
}

// Quote is a verbatim passage of a source with its first line.
type Quote struct {
	Text  string // white space folded, limited to the requested length
	Cut   bool   // the passage is longer
	Line  int    // 1-based line within the source's text
	Score float64
}

// clipped returns the quote limited to maxRunes characters.
func (q Quote) clipped(maxRunes int) Quote {
	text := clip.Words(q.Text, maxRunes, "")
	q.Text, q.Cut = text, text != q.Text
	return q
}

// Weigh returns the weight of a passage for the question; 0 excludes it.
type Weigh func(passage string) float64

// Quotes returns up to n passages of the text with the largest weights, in order of weight; ties keep the order of the
// text. A passage is a sentence or a list item. Headings, rules, fences and passages without a letter are never quoted.
func Quotes(text string, n, maxRunes int, weigh Weigh) []Quote {
	var best []Quote
	for p := range passages(text) {
		score := weigh(p.Text)
		if score <= 0 {
			continue
		}
		p.Score = score
		i := len(best)
		for i > 0 && best[i-1].Score < score {
			i--
		}
		best = slices.Insert(best, i, p)
		best = best[:min(len(best), n)]
	}
	for i := range best {
		best[i] = best[i].clipped(maxRunes)
	}
	return best
}

// Lead returns the first passage of the text, for sources quoted without a question.
func Lead(text string, maxRunes int) Quote {
	for p := range passages(text) {
		p.Score = 1
		return p.clipped(maxRunes)
	}
	return Quote{}
}

// Paragraph returns the first paragraph below the first line of a text that accept accepts, with white space folded.
// Adjacent list items count as one paragraph.
func Paragraph(text string, maxRunes int, accept func(paragraph string) bool) Quote {
	var words []string
	start := 0
	for line := range markdown.ProseLines(text + "\n\n") {
		switch line.Kind {
		case markdown.LineText, markdown.LineItem, markdown.LineIndented, markdown.LineTable, markdown.LineQuote:
			if line.Number > 1 {
				if len(words) == 0 {
					start = line.Number
				}
				words = append(words, strings.Fields(line.Text)...)
				continue
			}
		}
		if all := strings.Join(words, " "); all != "" && accept(all) {
			return Quote{Text: all, Line: start, Score: 1}.clipped(maxRunes)
		}
		words = nil
	}
	return Quote{}
}

// passages yields the sentences of a text that contain a letter, one at a time, since a text may be very long. It skips
// headings, rules and code blocks.
func passages(text string) iter.Seq[Quote] {
	return func(yield func(Quote) bool) {
		for s := range markdown.Sentences(text) {
			if s.Kind != markdown.LineHeading && strings.ContainsFunc(s.Text, unicode.IsLetter) &&
				!yield(Quote{Text: s.Text, Line: s.Line}) {
				return
			}
		}
	}
}
