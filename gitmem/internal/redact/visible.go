package redact

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// visible returns s as a reader sees it: without terminal colour sequences, also in JSON-escaped form, other control
// characters and zero-width blanks, which many tools print between a name and its value; and with escapes decoded, as
// in a URL. at contains the position in s of each byte, and the end.
func visible(s string) (shown string, at []int) {
	var b strings.Builder
	b.Grow(len(s))
	at = make([]int, 0, len(s)+1)
	for i := 0; i < len(s); {
		if width := invisible(s, i); width > 0 {
			i += width
			continue
		}
		c, width := escape(s, i)
		b.WriteByte(c)
		at = append(at, i)
		i += width
	}
	return b.String(), append(at, len(s))
}

// contextBytes is the length of the text on both sides of an invisible sequence that is scanned with it.
const contextBytes = 512

// window returns the next part of s, starting at floor, that differs when displayed: invisible sequences, and the text
// around them up to a blank. to is 0 if there is none.
func window(s string, floor int) (from, to int) {
	last := firstInvisible(s, floor, len(s))
	if last < 0 {
		return 0, 0
	}
	from = max(floor, last-contextBytes)
	from = floor + strings.LastIndexAny(s[floor:from], " \n") + 1
	for next := last; next >= 0; next = firstInvisible(s, last+1, last+2*contextBytes) {
		last = next
	}
	return from, blankFrom(s, last+contextBytes)
}

// blankFrom returns the position of the first blank at or after at, or the end.
func blankFrom(s string, at int) int {
	at = min(len(s), at)
	if blank := strings.IndexAny(s[at:], " \n"); blank >= 0 {
		return at + blank
	}
	return len(s)
}

// Plain removes the control characters of s with the sequences that they begin, which would make a file binary for git
// and could control a terminal that shows it; it keeps line ends and tabs, but not carriage returns.
func Plain(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	last := byte(0) // the last byte kept
	for i := 0; i < len(s); {
		c := s[i]
		if width := invisible(s, i); width > 0 && (c < ' ' || c == 0x7f || c == 0xc2 && s[i+1] < 0xa0) {
			i += width
			continue
		}
		joined := last == 0xc2 && c >= 0x80 && c < 0xa0 // joined to an 8-bit control by the removal of the bytes in between
		if c != '\r' && !joined {
			b.WriteByte(c)
			last = c
		}
		i++
	}
	return b.String()
}

// firstInvisible returns the position of the first byte, between from and limit, that begins an invisible sequence or
// an escape; -1 if there is none. Most text has none, so that its only cost is this search.
func firstInvisible(s string, from, limit int) int {
	for i := from; i < min(len(s), limit); i++ {
		if c := s[i]; invisibleStarts[c>>6]>>(c&63)&1 != 0 {
			if _, width := escape(s, i); width > 1 || invisible(s, i) > 0 {
				return i
			}
		}
	}
	return -1
}

// invisibleStarts has a bit for each byte with which invisible or escape may match: controls except line ends and tabs,
// % and \, and the first bytes of multi-byte characters.
var invisibleStarts = [...]uint64{
	(1<<' '-1)&^(1<<'\n'|1<<'\t'|1<<'\r') | 1<<'%',
	1<<('\\'-64) | 1<<(0x7f-64),
	0,
	^uint64(3),
}

// invisible returns the length of the invisible sequence at at, 0 for none.
func invisible(s string, at int) int {
	switch c := s[at]; {
	case c == 0x1b:
		return 1 + sequence(s, at+1)
	case c < ' ' && c != '\n' && c != '\t' && c != '\r', c == 0x7f:
		return 1
	case c == '\\' && at+1 < len(s) && strings.IndexByte("ux0e", lower(s[at+1])) >= 0:
		rest, _ := cutAny(s[at:], `\u001b`, `\x1b`, `\033`, `\e`)
		end := len(s) - len(rest)
		if n := sequence(s, end); n > 0 && end > at {
			return end + n - at
		}
	case c == 0xc2 && at+1 < len(s) && s[at+1] >= 0x80 && s[at+1] < 0xa0: // 8-bit controls
		return 2
	case c >= 0xc2:
		return hasPrefix(s[at:], "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad")
	}
	return 0
}

// escape returns the character at at and its width: for an escape such as %3d, \u003d or
// \x3d, the ASCII character that it encodes.
func escape(s string, at int) (c byte, width int) {
	rest, ok := "", s[at] == '%' || s[at] == '\\' && at+1 < len(s) && (lower(s[at+1]) == 'u' || lower(s[at+1]) == 'x')
	if ok {
		rest, ok = cutAny(s[at:], "%", `\u00`, `\x`)
	}
	if !ok || len(rest) < 2 || !hex.all(rest[:2]) {
		return s[at], 1
	}
	code, _ := strconv.ParseUint(rest[:2], 16, 8)
	c = byte(code)
	end := len(s) - len(rest) + 2
	switch {
	case c == '<' && hasPrefixFold(s[end:], kindPrivate): // a link that names a private block does not begin one
	// part of a multi-byte character
	case c >= 0x80 && s[at] == '%' && (strings.HasPrefix(s[end:], "%") || at >= 3 && s[at-3] == '%'):
		return c, end - at
	case c <= '~' && (c >= ' ' || c == '\n' || c == '\r' || c == '\t'):
		return c, end - at
	}
	return s[at], 1
}

// maxSequence limits the length of a terminal sequence.
const maxSequence = 32

// sequence returns the length of a sequence after its escape character: [, parameters and a letter. A mask is not a
// sequence.
func sequence(s string, at int) int {
	if at >= len(s) || s[at] != '[' || markWidth(s[at:]) > 0 {
		return 0
	}
	end := at + 1
	for limit := min(len(s), at+maxSequence); end < limit && (isDigit(s[end]) || strings.IndexByte(";:?", s[end]) >= 0); {
		end++
	}
	if end < len(s) && isLetter(s[end]) {
		return end + 1 - at
	}
	return 0
}

// find scans s in its original form, as displayed, and decoded.
func (r *Redactor) find(s string) []Finding {
	found := r.scanParts(s)
	plain := len(found)
	found = r.encoded(found, s, true)
	for from, to := window(s, 0); to > 0; from, to = window(s, to) {
		found, to = r.findVisible(found, s, from, to)
	}
	if len(found) == plain {
		return found
	}
	return joinOverlaps(found)
}

// findVisible appends the findings in a part of s as displayed, and returns the end of the part, which is extended if a
// finding reaches it.
func (r *Redactor) findVisible(found []Finding, s string, from, to int) ([]Finding, int) {
	shown, at := visible(s[from:to])
	more := r.encoded(r.scanParts(shown), shown, false)
	if cut := func(f Finding) bool { return f.End == len(shown) }; to < len(s) && slices.ContainsFunc(more, cut) {
		return r.findVisible(found, s, from, blankFrom(s, 2*to-from))
	}
	for _, f := range more {
		last := from + at[f.End-1]
		_, width := escape(s, last)
		found = append(found, Finding{f.Kind, from + at[f.Start], last + width})
	}
	return found, to
}

// joinOverlaps sorts findings and joins those that overlap.
func joinOverlaps(found []Finding) []Finding {
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(a.Start, b.Start) })
	out := found[:0]
	for _, f := range found {
		if n := len(out); n > 0 && f.Start < out[n-1].End {
			out[n-1].End = max(out[n-1].End, f.End)
			continue
		}
		out = append(out, f)
	}
	return out
}
