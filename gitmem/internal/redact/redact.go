package redact

import "strings"

// Redactor replaces secrets by marks. It is safe for concurrent use.
// Use New; the zero value finds only private blocks.
type Redactor struct {
	rules [256][]rule // by the lower-case first byte of the rule's word
}

// New returns a Redactor with the built-in rules.
func New() *Redactor {
	r := new(Redactor)
	for _, rule := range builtin() {
		first := lower(rule.word[0])
		r.rules[first] = append(r.rules[first], rule)
	}
	return r
}

// Finding is one secret: its kind and its byte range in the text that was
// given to [Redactor.Text].
type Finding struct {
	Kind       string
	Start, End int
}

// Text returns s with every secret and every private block replaced by a mark
// [redacted:<kind>], and what was replaced, in order and without overlap.
// Text of its own result is that result.
func (r *Redactor) Text(s string) (string, []Finding) {
	found := r.scan(s)
	if len(found) == 0 {
		return s, nil
	}
	return apply(s, found), found
}

// apply replaces each finding of s by its mark.
func apply(s string, found []Finding) string {
	var b strings.Builder
	b.Grow(len(s))
	at := 0
	for _, f := range found {
		b.WriteString(s[at:f.Start])
		b.WriteString(mark(f.Kind))
		at = f.End
	}
	b.WriteString(s[at:])
	return b.String()
}

func mark(kind string) string { return "[redacted:" + kind + "]" }
