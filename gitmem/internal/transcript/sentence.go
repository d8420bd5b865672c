package transcript

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sentences yields the sentences of a Markdown text, each with its white space
// collapsed and otherwise verbatim. A list item and a heading end what was
// before them. Code blocks, tables and quotations are no one's sentences here
// and are left out.
func sentences(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for paragraph := range paragraphs(text) {
			for s := range split(paragraph) {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// paragraphs yields runs of lines that belong together, on one line each.
func paragraphs(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		var words []string
		flush := func() bool {
			whole := strings.Join(words, " ")
			words = words[:0]
			return whole == "" || yield(whole)
		}
		fence, gap := "", true
		for line := range strings.SplitSeq(text, "\n") {
			kind, rest := classify(line, fence, gap)
			gap = strings.TrimSpace(line) == ""
			if kind != lineText && !flush() {
				return
			}
			switch kind {
			case lineFence:
				if fence != "" {
					rest = ""
				}
				fence = rest
			case lineHeading:
				if !yield(rest) {
					return
				}
			case lineText, lineItem:
				words = append(words, strings.Fields(rest)...)
			}
		}
		flush()
	}
}

type lineKind int

const (
	lineText    lineKind = iota
	lineItem             // begins a list item
	lineHeading          // stands by itself
	lineFence            // opens or closes a code block
	lineNone             // blank, or not to be quoted
)

// classify tells what a line is and returns its words without the signs that
// make it so. fence is the mark of the code block around it, if any; gap says
// that the line before was blank.
func classify(line, fence string, gap bool) (lineKind, string) {
	s := strings.TrimSpace(line)
	if mark := fenceMark(s); mark != "" && (fence == "" || strings.HasPrefix(mark, fence) && mark == s) {
		return lineFence, mark
	}
	switch {
	case fence != "" || s == "" || s[0] == '|' || s[0] == '>':
		return lineNone, ""
	case gap && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")) && !isItem(s):
		return lineNone, ""
	case s[0] == '#':
		return lineHeading, strings.Join(strings.Fields(strings.TrimLeft(s, "#")), " ")
	case isItem(s):
		_, rest, _ := strings.Cut(s, " ")
		rest = strings.TrimLeft(rest, " ")
		if len(rest) > 3 && rest[0] == '[' && rest[2] == ']' { // a task's box
			rest = rest[3:]
		}
		return lineItem, rest
	}
	return lineText, s
}

// fenceMark returns the backticks or tildes that begin a line, if there are
// three at least.
func fenceMark(s string) string {
	n := 0
	for n < len(s) && (s[0] == '`' || s[0] == '~') && s[n] == s[0] {
		n++
	}
	if n < 3 {
		return ""
	}
	return s[:n]
}

// isItem reports whether a trimmed line begins with a bullet or a number.
func isItem(s string) bool {
	sign, _, ok := strings.Cut(s, " ")
	if !ok {
		return false
	}
	if sign == "-" || sign == "*" || sign == "+" {
		return true
	}
	number := strings.TrimRight(sign, ".)")
	return number != sign && number != "" && strings.Trim(number, "0123456789") == ""
}

// split yields the sentences of one paragraph. A sentence ends with . ! or ?
// before a blank and what can begin a new one, outside code spans; the full
// stops of East Asian scripts end it at once.
func split(paragraph string) iter.Seq[string] {
	return func(yield func(string) bool) {
		from, code := 0, false
		lastTick := strings.LastIndexByte(paragraph, '`')
		for i, r := range paragraph {
			end := i + utf8.RuneLen(r)
			switch {
			case r == '`':
				code = !code
				continue
			case r == utf8.RuneError || code && i < lastTick:
				continue
			case r == '。' || r == '！' || r == '？':
			case (r == '.' || r == '!' || r == '?') && ends(paragraph, from, end):
			default:
				continue
			}
			if s := strings.TrimSpace(paragraph[from:end]); s != "" && !yield(s) {
				return
			}
			from = end
		}
		if s := strings.TrimSpace(paragraph[from:]); s != "" {
			yield(s)
		}
	}
}

// ends reports whether the mark before end closes a sentence that began at
// from.
func ends(s string, from, end int) bool {
	rest := strings.TrimLeft(s[end:], `"')]*_”’`)
	if rest == "" {
		return rest == s[end:] // otherwise the closing signs would be cut off
	}
	if s[end] != ' ' {
		return false
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " "))
	return !unicode.IsLower(next) && !abbreviated(s[from:end])
}

// abbreviated reports whether a text ends in a full stop that shortens a word
// or numbers something.
func abbreviated(s string) bool {
	word := s[strings.LastIndexByte(s, ' ')+1:]
	switch strings.ToLower(strings.TrimLeft(word, "(\"'*_")) {
	case "mr.", "mrs.", "ms.", "dr.":
		return word != strings.ToLower(word) // ms. is a unit at the end of a sentence
	case "e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "ca.", "no.", "nos.", "fig.", "sec.", "ch.", "p.", "pp.", "vol.", "st.", "al.", "resp.", "incl.":
		return true
	}
	number := strings.TrimRight(word, ".")
	return number != word && number == s[:len(number)] && strings.Trim(number, "0123456789") == "" // "1." at the beginning
}
