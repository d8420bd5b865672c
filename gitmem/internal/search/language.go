package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/internal/slice"
)

// Sign states whether a part of a query is required or excluded.
type Sign byte

// The signs of the parts of a query.
const (
	Plain    Sign = 0
	Required Sign = '+'
	Excluded Sign = '-'
)

// Item is one part of a query: a word, a phrase in quotes or a field with values.
type Item struct {
	Sign   Sign
	Phrase bool
	Field  string   // one of [FieldNames], "" for a word or a phrase
	Values []string // of a field; at least one, none empty
	Text   string   // the word as typed, or the words of a phrase
}

// Parsed is a parsed query. Every text is valid: anything but a phrase, a sign or a known field is a word.
type Parsed struct {
	Items []Item
	// Named resolves named times in words; nil knows none.
	Named    ReferenceTimes
	question bool
}

// FieldNames returns the fields that a query can name, as in author:ann.
func FieldNames() []string {
	return []string{"author", "path", "layer", "type", "role", "tool", "project", "since", "until", "session",
		"agent", "intent"}
}

// ParseQuery parses a query as typed for search:
//
//	word          ranks results with the word
//	"a phrase"    only results with these words in a row, see [Phrase]
//	+word         only results with the word
//	-word -"a b"  only results without it
//	field:value   only results with the value; several with commas or by repetition
//	-field:value  only results without it
//
// A quote opens a phrase at the beginning of a word, and only if it is closed. A hyphen or plus is a sign directly
// before a word of two letters or more that begins with a letter, so that -10, --flag, -m and a single hyphen are
// words. A field is one of [FieldNames] with a value directly after its colon; http://x, std::vector and path::join are
// words.
func ParseQuery(text string) Parsed { return parse(text, false) }

// ParseQuestion parses a question as typed for ask. It is ParseQuery, except for -word: questions quote command lines,
// so it is a sign only before the first or after the last plain word, and not before a punctuation mark that ends a
// sentence.
func ParseQuestion(text string) Parsed {
	p := parse(text, true)
	first, last := -1, -1
	for i, it := range p.Items {
		if it.Sign == Plain && it.Field == "" {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	for i, it := range p.Items {
		if it.isExcludedWord() && i > first && i < last {
			p.Items[i] = Item{Text: "-" + it.Text}
		}
	}
	return p
}

// isExcludedWord reports whether an item is an excluded word without quotes.
func (it Item) isExcludedWord() bool { return it.Sign == Excluded && !it.Phrase && it.Field == "" }

func parse(text string, question bool) Parsed {
	p := Parsed{question: question}
	// Invalid UTF-8 has no words; replacing it in one way keeps the form stable.
	s := scanner{text: strings.ToValidUTF8(text, "\uFFFD"), question: question}
	for s.skipSpace(); s.at < len(s.text); s.skipSpace() {
		p.Items = append(p.Items, s.item())
	}
	return p
}

type scanner struct {
	text     string
	at       int
	question bool
}

func (s *scanner) skipSpace() {
	s.at = len(s.text) - len(strings.TrimLeftFunc(s.text[s.at:], unicode.IsSpace))
}

// until returns the text from the position to a character that ends it.
func (s *scanner) until(ends func(rune) bool) string {
	rest := s.text[s.at:]
	if end := strings.IndexFunc(rest, ends); end >= 0 {
		return rest[:end]
	}
	return rest
}

// item parses the item at the position, which is not a space.
func (s *scanner) item() Item {
	sign := Sign(s.text[s.at])
	if sign != Required && sign != Excluded {
		sign = Plain
	}
	from := s.at
	if sign != Plain {
		s.at++
	}
	if phrase, ok := s.phrase(); ok {
		return Item{Sign: sign, Phrase: true, Text: phrase}
	}
	if name, values, ok := s.field(); ok {
		if sign == Required {
			sign = Plain // a field has no plus sign
		}
		return Item{Sign: sign, Field: name, Values: values}
	}
	if sign != Plain {
		if w, ok := s.signed(); ok {
			return Item{Sign: sign, Text: w}
		}
	}
	s.at = from
	return Item{Text: s.word()}
}

// word reads up to the next space, or up to a quote after opening brackets.
func (s *scanner) word() string {
	word := s.until(unicode.IsSpace)
	if n := len(word) - len(strings.TrimLeft(word, "([{")); n > 0 && n < len(word) {
		probe := scanner{text: s.text, at: s.at + n}
		if _, ok := probe.phrase(); ok {
			word = word[:n]
		}
	}
	s.at += len(word)
	return word
}

// signed reads a word after a sign, without trailing punctuation.
func (s *scanner) signed() (string, bool) {
	word := s.until(unicode.IsSpace)
	if !unicode.IsLetter(firstRune(word)) {
		return "", false
	}
	w := strings.TrimRight(word, sentenceMarks+")]}")
	letters := 0
	for _, r := range w {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters++
		}
	}
	if letters < 2 || strings.ContainsAny(w, `="`) || len(index.Terms(w)) == 0 || s.question && w != word {
		return "", false
	}
	s.at += len(word)
	return w, true
}

const sentenceMarks = ".,;:!?"

// phrase reads words in quotes, straight or curly ones.
func (s *scanner) phrase() (string, bool) {
	rest := s.text[s.at:]
	for _, q := range [][2]string{{`"`, `"`}, {"“", "”"}} {
		inner, ok := strings.CutPrefix(rest, q[0])
		if !ok {
			continue
		}
		end := closing(inner, q[1])
		if end < 0 {
			return "", false
		}
		words := strings.Join(strings.Fields(strings.ReplaceAll(inner[:end], `"`, " ")), " ")
		if words == "" || unicode.IsSpace(firstRune(inner)) {
			return "", false
		}
		s.at += len(q[0]) + end + len(q[1])
		return words, true
	}
	return "", false
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// closing returns the index of the closing quote, -1 if there is none: the next quote may open another phrase.
func closing(inner, mark string) int {
	end := strings.Index(inner, mark)
	if end < 0 {
		return -1
	}
	before, _ := utf8.DecodeLastRuneInString(inner[:end])
	after := inner[end+len(mark):]
	if unicode.IsSpace(before) && after != "" && !unicode.IsSpace(firstRune(after)) {
		return -1
	}
	// A word that continues after its quotes, as in "pre"-commit, is one word.
	if r := firstRune(strings.TrimLeft(after, "-+")); r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) ||
		r == '"' || r == '“') {
		return -1
	}
	return end
}

// field reads a known name, a colon and values.
func (s *scanner) field() (name string, values []string, ok bool) {
	rest := s.text[s.at:]
	name, _, found := strings.Cut(rest[:min(len(rest), 16)], ":")
	name = strings.ToLower(name)
	if !found || !slices.Contains(FieldNames(), name) {
		return "", nil, false
	}
	if value := rest[len(name)+1:]; strings.HasPrefix(value, ":") || strings.HasPrefix(value, "//") {
		return "", nil, false
	}
	v := scanner{text: s.text, at: s.at + len(name) + 1, question: s.question}
	values = v.values()
	if len(values) == 0 {
		return "", nil, false
	}
	s.at = v.at
	return name, values, true
}

// values reads values separated by commas, up to a space.
func (s *scanner) values() []string {
	var out []string
	for s.at < len(s.text) && !unicode.IsSpace(firstRune(s.text[s.at:])) {
		if s.text[s.at] == ',' {
			s.at++
			continue
		}
		v, ok := s.phrase()
		if !ok {
			v = s.value()
		}
		if v != "" {
			out = append(out, v)
		}
	}
	return out
}

// value reads an unquoted value; the question mark at the end of a question is not part of its last value.
func (s *scanner) value() string {
	all := s.until(func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	s.at += len(all)
	v := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`"“”`, r) {
			return -1
		}
		return r
	}, all)
	if s.question && strings.TrimSpace(s.text[s.at:]) == "" {
		v = strings.TrimRight(v, "?!.")
	}
	return v
}

// String returns the query in a form that parses as the same query.
func (p Parsed) String() string {
	parts := slice.Map(p.Items, Item.String)
	return strings.Join(parts, " ")
}

// String returns the item in the form in which it is typed.
func (it Item) String() string {
	sign := ""
	if it.Sign != Plain {
		sign = string(rune(it.Sign))
	}
	switch {
	case it.Field != "":
		values := slice.Map(it.Values, quoteValue)
		return sign + it.Field + ":" + strings.Join(values, ",")
	case it.Phrase:
		return sign + `"` + it.Text + `"`
	}
	return sign + it.Text
}

// quoteValue quotes a value that would be parsed differently without quotes.
func quoteValue(v string) string {
	if strings.ContainsFunc(v, func(r rune) bool {
		return r == ',' || unicode.IsSpace(r)
	}) || strings.HasPrefix(v, "“") || strings.HasPrefix(v, ":") || strings.HasPrefix(v, "//") ||
		strings.TrimRight(v, "?!.") != v {
		return `"` + v + `"`
	}
	return v
}
