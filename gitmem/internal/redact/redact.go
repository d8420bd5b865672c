package redact

import "strings"

// Redactor replaces secrets by masks. It is safe for concurrent use: it is immutable after New. The zero value works
// too, but costs a New for each call.
type Redactor struct{ index *index }

// New returns a Redactor with the built-in rules. It costs microseconds.
func New() *Redactor { return &Redactor{newIndex()} }

// Finding is one secret: its kind and its byte range in the text passed to [Redactor.Text].
type Finding struct {
	Kind       string
	Start, End int
}

// maxRounds limits how often a text is scanned again because a mask changed the meaning of its neighbour. Two rounds
// are usual for texts with secrets; the limit only matters for hostile text.
const maxRounds = 16

// Text returns s with every secret and every private block replaced by a mask [redacted:<kind>], and the findings, in
// order and without overlap. Text of its own result returns that result, without findings.
//
// In a URL only the password is replaced, in an assignment or a header only the value. A private block is
// <private>…</private> in any case, over any number of lines; an unclosed one extends to the end of s.
func (r *Redactor) Text(s string) (string, []Finding) {
	found := r.find(s)
	if len(found) == 0 {
		return s, nil
	}
	out := apply(s, found, "")
	for range maxRounds {
		more := r.find(out)
		if len(more) == 0 {
			break
		}
		found = merge(found, more)
		out = apply(s, found, "")
	}
	return out, found
}

// Lines is [Redactor.Text] for files: a mask is followed by as many line ends as it replaced, so that line numbers do
// not change.
func (r *Redactor) Lines(s string) string {
	_, found := r.Text(s)
	return apply(s, found, "\n")
}

// apply replaces each finding of s by its mask, with lineEnd for each line end in it.
func apply(s string, found []Finding, lineEnd string) string {
	var b strings.Builder
	b.Grow(len(s))
	at := 0
	for _, f := range found {
		b.WriteString(s[at:f.Start])
		b.WriteString(mark(f.Kind))
		b.WriteString(strings.Repeat(lineEnd, strings.Count(s[f.Start:f.End], "\n")))
		at = f.End
	}
	b.WriteString(s[at:])
	return b.String()
}

// merge adds to the findings of a text those of its redacted form.
func merge(found, more []Finding) []Finding {
	for i := range more {
		more[i].Start = origin(found, more[i].Start, false)
		more[i].End = origin(found, more[i].End, true)
	}
	return joinOverlaps(append(found, more...))
}

// origin translates a position in the redacted text to one in the original. A position inside a mask becomes an edge of
// the replaced text.
func origin(found []Finding, pos int, end bool) int {
	shift := 0 // original minus redacted position, after the findings so far
	for _, f := range found {
		from := f.Start - shift
		to := from + len(mark(f.Kind))
		switch {
		case pos < to && pos > from && end:
			return f.End
		case pos < to && pos > from:
			return f.Start
		case pos < to:
			return pos + shift
		}
		shift = f.End - to
	}
	return pos + shift
}

func mark(kind string) string { return markOpen + kind + "]" }

const markOpen = "[redacted:"
