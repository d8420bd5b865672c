package redact

import "strings"

// judged is the number of bytes of a value that decide whether it is a secret. The finding then extends to the value's
// end; the limit keeps rejections cheap, so that a long run full of prefixes cannot make the work quadratic.
const judged = 320

// token is a credential with a fixed part, mostly at its beginning.
type token struct {
	kind     string
	prefixes []string // in their exact case, at least two bytes
	class    class    // the characters that follow
	min      int      // minimum length
	// max: a longer run is something else. 0 means no limit.
	max int
	// bound: the byte before must not be a letter or a digit, because the prefix is short enough to occur inside other
	// words.
	bound bool
	// alone: no base64 character may precede it either, because a short prefix occurs inside hashes.
	alone bool
	// keep: the fixed part is an address and stays readable.
	keep bool
	// left is the class of the characters before the fixed part, if lmin is not 0, and lmin and lmax limit their number.
	left       class
	lmin, lmax int
	// check checks the text after the fixed part, or the whole if left is used.
	check func(body string) bool
}

func (t *token) match(_ *Redactor, s, prefix string, at, floor int) (Finding, bool) {
	if at > floor && (t.bound && isAlnum(s[at-1]) || t.alone && (joined.has(s[at-1]) && s[at-1] != '=' ||
		s[at-1] == '.')) {
		return Finding{}, false
	}
	from := at + len(prefix)
	end := t.class.run(s, from, from+judged)
	if n := end - from; n < t.min || t.max > 0 && n > t.max || n > 0 && filler(s[from:end]) {
		return Finding{}, false
	}
	start := at
	if t.lmin > 0 {
		start = t.left.runBack(s, at, max(floor, at-t.lmax-1))
		if at-start < t.lmin || at-start > t.lmax {
			return Finding{}, false
		}
		from = start
	}
	if t.check != nil && !t.check(s[from:end]) {
		return Finding{}, false
	}
	if t.keep {
		start = from
	}
	return Finding{t.kind, start, t.class.run(s, end, len(s))}, true
}

// filler reports whether s is only filler in place of a secret, such as xxxx.
func filler(s string) bool {
	return strings.Trim(s, "xX*.0_-") == "" || strings.Contains(s, "xxxxxxxx") || strings.Contains(s, "XXXXXXXX")
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func longOrDigit(s string) bool { return len(s) >= 32 || hasDigit(s) }

// mixedCase distinguishes random tokens from the hyphenated words of package names.
func mixedCase(s string) bool {
	return count(s, isLower) > 0 && count(s, isUpper) > 0
}

// randomMixed reports whether s has letters of both cases and digits, and alternates
// between them more often than identifiers do. It is for formats whose prefix alone is weak
// evidence.
func randomMixed(s string) bool {
	if !hasDigit(s) || !mixedCase(s) || entropy(s) < 3.5 {
		return false
	}
	return alternating(s)
}

// alternating reports whether s switches between lower-case letters and others more often than names do.
func alternating(s string) bool { return turns(s)*8 >= len(s)*3 }

func turns(s string) int {
	turns := 0
	for i := 1; i < len(s); i++ {
		if isLower(s[i]) != isLower(s[i-1]) || isDigit(s[i]) != isDigit(s[i-1]) {
			turns++
		}
	}
	return turns
}

func hexOnly(s string) bool { return hex.all(s) && entropy(s) >= 2.5 }

// uuid reports whether s begins with a UUID.
func uuid(s string) bool {
	return len(s) >= 36 && parts(s[:36], "-", 8, 4, 4, 4, 12) && hex.all(strings.ReplaceAll(s[:36], "-", ""))
}

// parts reports whether s consists of runs of these lengths, joined by the separator. A length of 0 matches any.
func parts(s, sign string, lengths ...int) bool {
	for i, n := range lengths {
		part, rest, more := strings.Cut(s, sign)
		if more != (i+1 < len(lengths)) || n > 0 && len(part) != n || part == "" {
			return false
		}
		s = rest
	}
	return true
}
