package search

import (
	"strings"
	"time"

	"github.com/gitmem/gitmem/internal/lazy"
)

// ReferenceTime is a time with a name, such as a release.
type ReferenceTime struct {
	At time.Time
	// Before is the time of the one before it: what is "in" a release is after that. Zero
	// for the first.
	Before time.Time
}

// ReferenceTimes finds a time by its name, in any case. Nil knows none.
type ReferenceTimes func(name string) (ReferenceTime, bool)

// ParseNamed is [ParseTime] that knows named times too. Such a time is the second after it:
// what a release holds is from before it, and not since.
func ParseNamed(s string, now time.Time, named ReferenceTimes) (Range, error) {
	r, err := ParseTime(s, now)
	if err == nil || named == nil {
		return r, err
	}
	if m, ok := named(strings.TrimSpace(s)); ok {
		after := m.At.Add(time.Second)
		return Range{Since: after, Until: after, Words: s}, nil
	}
	return r, err
}

// ParseSpan is [ParseNamed] for a time in which something was done: that of a release begins
// with the one before it.
func ParseSpan(s string, now time.Time, named ReferenceTimes) (Range, error) {
	r, err := ParseNamed(s, now, named)
	if err != nil || named == nil || !r.Since.Equal(r.Until) {
		return r, err
	}
	if m, ok := named(strings.TrimSpace(s)); ok {
		r.Since = m.span().Since
	}
	return r, nil
}

// span is the time that belongs to a named one: from the one before it on, and up to it.
func (m ReferenceTime) span() Range {
	r := Range{Since: m.Before, Until: m.At.Add(time.Second)}
	if !r.Since.IsZero() {
		r.Since = r.Since.Add(time.Second)
	}
	return r
}

// timeName is a name that a time may have, and what says of which kind it is.
const timeName = `((?:the )?(?:(?:release|version|tag) )?)((?:latest|last) (?:release|version|tag)\b|[a-z0-9][a-z0-9._/+-]*)`

var (
	betweenNames = lazy.Pattern(`\b(?:between|from)\s+` + timeName + `\s+(?:and|to|until)\s+` + timeName)
	besideName   = lazy.Pattern(`\b(since|after|before|until|up to|in|during)\s+` + timeName)
)

// FindNamed finds the words of a text that refer to a named time: "since v1.4", "between
// v1.2 and v1.3", "before 2.0", "in v1.2". It returns the span and the text without them.
// within: the words only name where something is, as "in" does, which need not be when it
// was done. A name has a digit, and is no date nor a plain number.
func FindNamed(text string, named ReferenceTimes) (r Range, rest string, within bool) {
	lower := asciiLower(text)
	if named == nil || !strings.ContainsAny(text, "0123456789") && !strings.Contains(lower, Latest) && !strings.Contains(lower, "last") {
		return Range{}, text, false
	}
	for _, at := range betweenNames().FindAllStringSubmatchIndex(lower, -1) {
		m := submatches(lower, at)
		from, ok := namedTime(m[1], m[2], named)
		to, okTo := namedTime(m[3], m[4], named)
		if ok && okTo && from.At.Before(to.At) {
			r = Range{Since: from.At.Add(time.Second), Until: to.At.Add(time.Second)}
			r.Words, rest = cutWords(text, at[0], at[1])
			return r, rest, false
		}
	}
	for _, at := range besideName().FindAllStringSubmatchIndex(lower, -1) {
		m := submatches(lower, at)
		found, ok := namedTime(m[2], m[3], named)
		if !ok {
			continue
		}
		after := found.At.Add(time.Second)
		switch m[1] {
		case "since", "after":
			r = Range{Since: after}
		case "before":
			r = Range{Until: found.At}
		case "until", "up to":
			r = Range{Until: after}
		default:
			r, within = found.span(), true
		}
		r.Words, rest = cutWords(text, at[0], at[1])
		return r, rest, within
	}
	return Range{}, text, false
}

// cutWords removes words from a text, with the mark that ends a sentence.
func cutWords(text string, from, to int) (words, rest string) {
	to = from + len(strings.TrimRight(text[from:to], ".-+/_"))
	return text[from:to], strings.TrimSpace(strings.TrimSpace(text[:from]) + " " + strings.TrimSpace(text[to:]))
}

// Latest is the name of the time of the last release.
const Latest = "latest"

var dateForm = lazy.Pattern(`^(?:19|20)\d{2}(?:-\d{2}(?:-\d{2})?|-q[1-4])?$`)

// namedTime looks a name up. Behind a word such as release even a plain number is one.
func namedTime(word, name string, named ReferenceTimes) (ReferenceTime, bool) {
	if strings.Contains(name, " ") {
		return named(Latest)
	}
	name = strings.TrimRight(name, ".-+/_")
	number := strings.Trim(name, "0123456789") == ""
	introduced := strings.TrimSpace(strings.TrimPrefix(word, "the ")) != ""
	date := dateForm().MatchString(name)
	if name == "" || !strings.ContainsAny(name, "0123456789") || (number || date) && !introduced {
		return ReferenceTime{}, false
	}
	return named(name)
}
