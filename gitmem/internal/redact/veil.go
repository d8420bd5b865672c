package redact

import (
	"cmp"
	"slices"
	"strings"
)

// veiled returns s without what nobody sees of it, if there is any: the
// sequences that colour a terminal, also as they stand in JSON, other control
// characters and blanks of no width. They stand between a name and its value in
// the output of many tools. at has the place in s of each byte, and the end.
func veiled(s string) (shown string, at []int, ok bool) {
	first := firstVeil(s)
	if first < 0 {
		return s, nil, false
	}
	var b strings.Builder
	b.Grow(len(s))
	at = make([]int, 0, len(s)+1)
	for i := 0; i < len(s); {
		if i >= first {
			if width := veil(s, i); width > 0 {
				i += width
				continue
			}
		}
		b.WriteByte(s[i])
		at = append(at, i)
		i++
	}
	return b.String(), append(at, len(s)), true
}

// Plain drops the control characters of s with the sequences that they begin, which
// would make a file binary for git and could steer a terminal that shows it; line
// ends and tabs stay, carriage returns do not.
func Plain(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	last := byte(0) // that stayed
	for i := 0; i < len(s); {
		c := s[i]
		if width := veil(s, i); width > 0 && (c < ' ' || c == 0x7f || c == 0xc2 && s[i+1] < 0xa0) {
			i += width
			continue
		}
		joined := last == 0xc2 && c >= 0x80 && c < 0xa0 // by what was dropped between, to a control of 8 bits
		if c != '\r' && !joined {
			b.WriteByte(c)
			last = c
		}
		i++
	}
	return b.String()
}

// firstVeil returns the place of the first byte that may begin what nobody
// sees, -1 for none. Most text has none, and pays for this look alone.
func firstVeil(s string) int {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == 0x7f || c == '\\' || c >= 0xc2 {
			if veil(s, i) > 0 {
				return i
			}
		}
	}
	return -1
}

// veil returns the length of what nobody sees at at, 0 for what is seen.
func veil(s string, at int) int {
	switch c := s[at]; {
	case c == 0x1b:
		return 1 + sequence(s, at+1)
	case c < ' ' && c != '\n' && c != '\t' && c != '\r', c == 0x7f:
		return 1
	case c == '\\':
		for _, escape := range [...]string{`\u001b`, `\x1b`, `\033`, `\e[`} {
			if !hasPrefixFold(s[at:], escape) {
				continue
			}
			end := at + len(strings.TrimSuffix(escape, "["))
			if n := sequence(s, end); n > 0 {
				return end + n - at
			}
		}
	case c == 0xc2 && at+1 < len(s) && s[at+1] >= 0x80 && s[at+1] < 0xa0: // controls of 8 bits
		return 2
	case c >= 0xc2:
		for _, blank := range [...]string{"\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad"} {
			if strings.HasPrefix(s[at:], blank) {
				return len(blank)
			}
		}
	}
	return 0
}

// maxSequence is more than a sequence for a terminal has.
const maxSequence = 32

// sequence returns the length of a sequence's rest behind its escape character:
// [, parameters and a letter. A mark of ours is none.
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

// find looks at s as it is, and as it is seen.
func (r *Redactor) find(s string) []Finding {
	found := r.look(s)
	shown, at, ok := veiled(s)
	if !ok {
		return found
	}
	for _, f := range r.look(shown) {
		found = append(found, Finding{f.Kind, at[f.Start], at[f.End-1] + 1})
	}
	return united(found)
}

// united puts findings in order, and those that overlap together.
func united(found []Finding) []Finding {
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
