package redact

import (
	"slices"
	"strings"
)

const kindPrivate = "private"

// scanParts scans each part of s between private blocks and existing masks separately, so that a mask has no meaning,
// like the end of the text. This keeps redaction stable.
func (r *Redactor) scanParts(s string) []Finding {
	var found []Finding
	if r.index == nil {
		r = New()
	}
	from, first := 0, 0
	places := r.index.candidates(s)
	for i, at := range places {
		if at < from {
			continue
		}
		width, kind := opaque(s, at)
		if width == 0 {
			continue
		}
		found = r.scan(found, s[from:at], from, places[first:i])
		if kind != "" {
			found = append(found, Finding{kind, at, at + width})
		}
		from, first = at+width, i
	}
	return r.scan(found, s[from:], from, places[first:])
}

// opaque returns the width of text at at that must not be read: a private block, which has a kind, or a mask, which has
// none.
func opaque(s string, at int) (width int, kind string) {
	switch s[at] {
	case '[':
		return markWidth(s[at:]), ""
	case '<', '\\':
		return privateWidth(s, at), kindPrivate
	}
	return 0, ""
}

// markWidth returns the length of the mask at the beginning of s. Only known kinds form a mask: a secret cannot hide in
// [redacted:…].
func markWidth(s string) int {
	rest, ok := strings.CutPrefix(s, markOpen)
	if !ok {
		return 0
	}
	end := strings.IndexByte(rest[:min(len(rest), maxKind)], ']')
	if end < 0 || !knownKind(rest[:end]) {
		return 0
	}
	return len(markOpen) + end + 1
}

// maxKind is more than the length of the longest kind.
const maxKind = 40

func knownKind(kind string) bool {
	return kind == kindPrivate || kind == kindRecovery ||
		slices.ContainsFunc(rules[:], func(r rule) bool { return r.kind == kind }) ||
		slices.ContainsFunc(vendors[:], func(v vendor) bool { return v.kind == kind }) ||
		slices.ContainsFunc(issued[:], func(t token) bool { return t.kind == kind })
}

// scan appends the findings of one part of the text, which begins at offset.
func (r *Redactor) scan(found []Finding, s string, offset int, places []int) []Finding {
	floor := 0
	cells := randomWords(nil, s) // and those in tables
	for _, at := range places {
		at -= offset
		if at < floor {
			continue
		}
		if at+3 > len(s) {
			break
		}
		f, ok := r.matchAt(s, at, floor)
		if !ok {
			cells = r.inserted(r.column(cells, s, at, floor), s, at)
			continue
		}
		floor = f.End
		f.Start += offset
		f.End += offset
		found = append(found, f)
	}
	if len(cells) == 0 {
		return found
	}
	for _, f := range cells {
		found = append(found, Finding{f.Kind, f.Start + offset, f.End + offset})
	}
	return joinOverlaps(found)
}

// matchAt returns the finding of the first matching rule at a position.
func (r *Redactor) matchAt(s string, at, floor int) (Finding, bool) {
	for e := range r.index.entriesAt(s, at) {
		if f, ok := e.match(r, s, e.word, at, floor); ok && f.End > f.Start {
			return f, true
		}
	}
	return Finding{}, false
}

// privateWidth returns the length of the private block that begins at start, 0 if there is none. Blocks nest; the
// outermost end counts.
func privateWidth(s string, start int) int {
	width, closing := privateTag(s, start)
	if width == 0 || closing {
		return 0
	}
	depth := 1
	for end, closing := range tags(s, start+width) {
		if depth++; closing {
			depth -= 2
		}
		if depth == 0 {
			return end - start
		}
	}
	return len(s) - start
}

// privateTag returns the length of the tag <private> or </private> at start. The angle
// brackets may be escaped as in JSON, since tool inputs are redacted as JSON. A tag in a
// code span of its own, `<private>`, is a mention and has no effect.
func privateTag(s string, start int) (width int, closing bool) {
	span := start > 0 && s[start-1] == '`'
	s = s[start:]
	at := bracket(s, "<", `\u003c`)
	if at == 0 {
		return 0, false
	}
	if strings.HasPrefix(s[at:], `\/`) {
		at++
	}
	if strings.HasPrefix(s[at:], "/") {
		at, closing = at+1, true
	}
	if !hasPrefixFold(s[at:], kindPrivate) {
		return 0, false
	}
	at += len(kindPrivate)
	at = skipAny(s, at, " \t", 64-at)
	end := bracket(s[at:], ">", `\u003e`)
	if end == 0 || span && strings.HasPrefix(s[at+end:], "`") {
		return 0, false
	}
	return at + end, closing
}

func bracket(s, plain, escaped string) int {
	if hasPrefixFold(s, escaped) {
		return len(escaped)
	}
	return hasPrefix(s, plain)
}

// hasPrefixFold reports whether s begins with word, which is lower case ASCII.
func hasPrefixFold(s, word string) bool {
	if len(s) < len(word) {
		return false
	}
	for i := range len(word) {
		if lower(s[i]) != word[i] {
			return false
		}
	}
	return true
}

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}
