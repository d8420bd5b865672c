package markdown

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentence is a sentence of a paragraph of a Markdown text.
type Sentence struct {
	Kind  LineKind // of its paragraph
	First bool     // of its paragraph
	Line  int      // that it begins on, from 1
	Text  string   // white space folded, otherwise verbatim
}

// Sentences yields the sentences of the paragraphs of a text.
func Sentences(text string) iter.Seq[Sentence] {
	return func(yield func(Sentence) bool) {
		for p := range Paragraphs(text) {
			line := 0
			for from, to := range sentences(p.Text) {
				for line+1 < len(p.starts) && p.starts[line+1] <= from {
					line++
				}
				if !yield(Sentence{Kind: p.Kind, First: from == 0, Line: p.Line + line, Text: p.Text[from:to]}) {
					return
				}
			}
		}
	}
}

// longest is the number of bytes after which a sentence ends at the next space: such a text has no real
// sentences.
const longest = 16 << 10

// sentences yields the start and end offsets of the sentences of a paragraph. A sentence ends with . ! or ?
// before a space and the possible start of a new one, outside code spans; East Asian full stops end it at
// once.
func sentences(paragraph string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		from, code := 0, false
		lastTick := strings.LastIndexByte(paragraph, '`')
		for i, r := range paragraph {
			end := i
			switch {
			case i < from || r == utf8.RuneError:
				continue
			case r == ' ' && i-from >= longest:
			case r == '`':
				code = !code
				continue
			case code && i < lastTick:
				continue
			case r == '。' || r == '！' || r == '？':
				end, _ = closed(paragraph, i+len("。"))
			case r == '.' || r == '!' || r == '?':
				var begins bool
				if end, begins = closed(paragraph, i+1); !begins || abbreviated(paragraph[from:i+1]) {
					continue
				}
			default:
				continue
			}
			if !yield(from, end) {
				return
			}
			from = end + len(paragraph[end:]) - len(strings.TrimLeft(paragraph[end:], " "))
		}
		if from < len(paragraph) {
			yield(from, len(paragraph))
		}
	}
}

// closed returns the end of the closing punctuation after a full stop, and whether the text after it can
// begin a sentence.
func closed(s string, at int) (end int, begins bool) {
	rest := strings.TrimLeft(s[at:], `"')]*_”’」』`)
	end = len(s) - len(rest)
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, ` "'([*_“‘`))
	return end, rest == "" || rest[0] == ' ' && !unicode.IsLower(next)
}

// abbreviated reports whether a text ends in a full stop that belongs to an abbreviation or a number.
func abbreviated(s string) bool {
	word := s[strings.LastIndexByte(s, ' ')+1:]
	switch strings.ToLower(strings.TrimLeft(word, "(\"'*_")) {
	case "mr.", "mrs.", "ms.", "dr.":
		return word != strings.ToLower(word) // ms. is a unit at the end of a sentence
	case "e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "ca.", "no.", "nos.", "fig.", "sec.", "ch.", "p.", "pp.", "vol.",
		"st.", "al.", "resp.", "incl.":
		return true
	}
	number := strings.TrimRight(word, ".")
	return number != word && number == s[:len(number)] && strings.Trim(number, "0123456789") == "" // "1." at the beginning
}
