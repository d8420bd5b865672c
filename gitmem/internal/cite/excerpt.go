package cite

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Status is that of a quoted excerpt in its source at the time of answering.
type Status string

// The states of a citation.
const (
	StatusHolds   Status = "holds"   // the words stand where the citation says
	StatusMoved   Status = "moved"   // the words stand elsewhere in the source
	StatusChanged Status = "changed" // other words took the place of those that were cited
	StatusGone    Status = "gone"    // the words, or the source, are no longer there
)

// Check looks the excerpt up again in the text of its source. line is the 1-based
// line of the text at which the excerpt was found; the line it has now is returned.
// White space is folded, since a quote on one line may be wrapped in its source.
func Check(text, excerpt string, line int) (Status, int) {
	want := strings.Join(strings.Fields(excerpt), " ")
	if want == "" {
		return StatusGone, line
	}
	now := foldedLine(text, want)
	switch {
	case now == 0:
		return StatusGone, line
	case now == line:
		return StatusHolds, line
	default:
		return StatusMoved, now
	}
}

// foldedLine is the 1-based line of text at which the white-space-folded words
// begin, 0 when they don't occur.
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
	// Blank lines share the offset of the line behind them and a line starts with
	// the space that joins it, so the last line starting at or before the match holds it.
	return n
}

// Quote is a verbatim passage of a source with the line it starts at.
type Quote struct {
	Text  string // white space folded, at most the asked length
	Line  int    // 1-based line within the source's text
	Score float64
}

// Weigh tells how much a passage is worth for the question; 0 leaves it out.
type Weigh func(passage string) float64

// Quotes picks up to n passages of the text that weigh most, in order of weight
// (ties: earlier first). A passage is a sentence or a list item; headings, rules,
// fences and passages without a letter are never quoted.
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
		best[i].Text = clip(best[i].Text, maxRunes)
	}
	return best
}

// Lead is the first passage of the text, for sources quoted without a question.
func Lead(text string, maxRunes int) Quote {
	for p := range passages(text) {
		p.Text, p.Score = clip(p.Text, maxRunes), 1
		return p
	}
	return Quote{}
}

// Paragraph is the first paragraph below the first line of a text that tells says
// something, with white space folded. A list item goes on into the next one.
func Paragraph(text string, maxRunes int, tells func(paragraph string) bool) Quote {
	var words []string
	start, n, fenced := 0, 0, false
	for line := range strings.Lines(text + "\n\n") {
		n++
		t := strings.TrimSpace(line)
		fence := strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~")
		fenced = fenced != fence
		if n > 1 && t != "" && !fenced && !fence && !strings.HasPrefix(t, "#") && !strings.HasPrefix(t, "<!--") && !isRule(t) {
			if len(words) == 0 {
				start = n
			}
			words = append(words, strings.Fields(t)...)
			continue
		}
		if all := strings.Join(words, " "); all != "" && tells(all) {
			return Quote{Text: clip(all, maxRunes), Line: start, Score: 1}
		}
		words = nil
	}
	return Quote{}
}

// passages cuts text into sentences and list items with white space folded, one at a
// time: a text may be very long. Wrapped lines of one paragraph belong together; a
// list item, a blank line and a fence end a paragraph.
func passages(text string) iter.Seq[Quote] {
	return func(yield func(Quote) bool) {
		var s sentence
		fenced, fenceIndent := false, 0
		n := 0
		for line := range strings.Lines(text) {
			n++
			t := strings.TrimSpace(line)
			indent := len(line) - len(strings.TrimLeft(line, " \t"))
			if t != "" && indent < fenceIndent { // a fence inside a list item ends with the item
				fenced, fenceIndent = false, 0
			}
			fence := strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~")
			apart := fence || t == "" || fenced || isRule(t) || strings.HasPrefix(t, "#")
			if (apart || isItem(t)) && !s.flush(yield) {
				return
			}
			switch {
			case fence:
				fenced = !fenced
				fenceIndent = 0
				if fenced {
					fenceIndent = indent
				}
			case apart:
			default:
				if isItem(t) {
					t = strings.TrimLeft(t[1:], " ")
				}
				if !s.add(t, n, yield) {
					return
				}
			}
		}
		s.flush(yield)
	}
}

// sentence is one in the making.
type sentence struct {
	words []byte
	line  int
	ended bool // by its last word, if the next one begins another
}

// longest is from how many bytes on a sentence ends at the next word: nobody wrote it
// as one, and what is weighed is quoted from its beginning.
const longest = 16 << 10

// add takes the words of a line and yields the sentences that end before the last of
// them. Abbreviations with inner dots and version numbers don't end one, since the
// dot must close the word and the next word must start with an upper-case letter, a
// digit or a quote.
func (s *sentence) add(line string, n int, yield func(Quote) bool) bool {
	for w := range strings.FieldsSeq(line) {
		if (s.ended && startsSentence(w) || len(s.words) >= longest) && !s.flush(yield) {
			return false
		}
		if len(s.words) == 0 {
			s.line = n
		} else {
			s.words = append(s.words, ' ')
		}
		s.words, s.ended = append(s.words, w...), endsSentence(w)
	}
	return true
}

// flush yields what there is, if it holds a letter, and tells whether more is wanted.
func (s *sentence) flush(yield func(Quote) bool) bool {
	text, line := string(s.words), s.line
	s.words, s.ended = s.words[:0], false
	return strings.IndexFunc(text, unicode.IsLetter) < 0 || yield(Quote{Text: text, Line: line})
}

func endsSentence(w string) bool {
	w = strings.TrimRight(w, `"')]*_`)
	if w == "" || strings.HasSuffix(w, "e.g.") || strings.HasSuffix(w, "i.e.") || strings.HasSuffix(w, "etc.") {
		return false
	}
	switch r, _ := utf8.DecodeLastRuneInString(w); r {
	case '.', '!', '?', '。', '！', '？':
		return true
	}
	return false
}

func startsSentence(w string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(w, `"'([*_`))
	return unicode.IsUpper(r) || unicode.IsDigit(r) || !unicode.IsLetter(r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

func isItem(t string) bool {
	return len(t) > 1 && (t[0] == '-' || t[0] == '*' || t[0] == '+') && t[1] == ' '
}

func isRule(t string) bool { return len(t) >= 3 && strings.Trim(t, "-=*_ ") == "" }

// clip cuts at a word end before the limit of runes, without a mark, so that the
// excerpt stays verbatim.
func clip(s string, maxRunes int) string {
	if maxRunes <= 0 || utf8.RuneCountInString(s) <= maxRunes {
		return s
	}
	end := 0
	for end = range s {
		if maxRunes--; maxRunes < 0 {
			break
		}
	}
	if sp := strings.LastIndexByte(s[:end], ' '); sp > end/2 {
		end = sp
	}
	return s[:end]
}
