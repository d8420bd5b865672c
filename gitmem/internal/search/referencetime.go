package search

import (
	"strings"
	"time"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/providers"
)

// ReferenceTime is a time with a name, such as a release.
type ReferenceTime struct {
	At time.Time
	// Before is the time of the previous one: the content of a release is after that. Zero for the first.
	Before time.Time
	// Commit is that of a release, and Previous that of the previous release; "" for none.
	Commit, Previous string
	// Package is the package of a release, by the name of its folder; "" for the whole repository.
	Package string
}

// History contains the commits of ranges bounded by releases.
type History struct {
	// Commits contains the commits of a range by its From and To.
	Commits map[[2]string]map[string]bool
	// Tags maps names of tags to their commits.
	Tags map[string]string
}

// Holds reports whether a commit, given by citation id, or a release's notes belong to a range; known is false for
// anything else, and for a range not bounded by releases.
func (h *History) Holds(r Range, id, release string) (held, known bool) {
	if h == nil || r.From == "" && r.To == "" {
		return false, false
	}
	if release == providers.Unreleased {
		return r.To == "", true
	}
	commits := h.Commits[[2]string{r.From, r.To}]
	hash, isCommit := strings.CutPrefix(id, providers.CommitID)
	if !isCommit {
		hash, known = h.Tags[release]
	}
	return commits[hash], commits != nil && (isCommit || known)
}

// ReferenceTimes finds a time by its name, case-insensitively, and by the surrounding text, which may name its package.
// Nil knows none.
type ReferenceTimes func(name, about string) (ReferenceTime, bool)

// ParseNamed is [ParseTime] extended by named times. A named time is the second after it: the content of a release is
// from before it.
func ParseNamed(s string, now time.Time, named ReferenceTimes) (Range, error) {
	r, err := ParseTime(s, now)
	if err == nil || named == nil {
		return r, err
	}
	if m, ok := named(strings.TrimSpace(s), ""); ok {
		after := m.At.Add(time.Second)
		return Range{Since: after, Until: after, From: m.Commit, To: m.Commit, Package: m.Package, Words: s}, nil
	}
	return r, err
}

// ParseSpan is [ParseNamed] for a period: that of a release begins with the previous one.
func ParseSpan(s string, now time.Time, named ReferenceTimes) (Range, error) {
	r, err := ParseNamed(s, now, named)
	if err != nil || named == nil || !r.Since.Equal(r.Until) {
		return r, err
	}
	if m, ok := named(strings.TrimSpace(s), ""); ok {
		r = m.span()
	}
	return r, nil
}

// span returns the range of a named time: from the previous one up to it.
func (m ReferenceTime) span() Range {
	r := Range{Since: m.Before, Until: m.At.Add(time.Second), From: m.Previous, To: m.Commit, Package: m.Package}
	if !r.Since.IsZero() {
		r.Since = r.Since.Add(time.Second)
	}
	return r
}

// timeName matches a name that a time may have, and an introductory word with its kind.
const timeName = `((?:the )?(?:(?:release|version|tag) )?)((?:latest|last) (?:release|version|tag)\b|` +
	`[a-z0-9@][a-z0-9._/+@-]*(?: v?[0-9][a-z0-9._+-]*)?)`

// bareName matches a name without an introductory word.
const bareName = `(?:^|[\s(])((?:latest|last|newest) (?:release|version|tag)(?: (?:of|in) [a-z@][a-z0-9._/@-]*)?|` +
	`[a-z@][a-z0-9._/+@-]* v?[0-9][a-z0-9._+-]*|v?[0-9]+\.[0-9]+[a-z0-9._+-]*|` +
	`[a-z@][a-z0-9._/+@-]*[-/@]v?[0-9]+\.[0-9][a-z0-9._+-]*)`

var (
	nameAlone    = lazy.Pattern(bareName)
	betweenNames = lazy.Pattern(`\b(?:between|from)\s+` + timeName + `\s+(?:and|to|until)\s+` + timeName)
	besideName   = lazy.Pattern(`\b(since|after|before|until|up to|in|during)\s+` + timeName)
)

// FindNamed finds the words of a text that refer to a named time: "since v1.4", "between v1.2 and v1.3", "before 2.0",
// "in v1.2". It returns the range and the text without them. within means that the words only state where something is,
// as "in" does, which need not be when it was done. A name has a digit, and is neither a date nor a plain number.
func FindNamed(text string, named ReferenceTimes) (r Range, rest string, within bool) {
	lower := asciiLower(text)
	if named == nil || !strings.ContainsAny(text, "0123456789") && !strings.Contains(lower, Latest) &&
		!strings.Contains(lower, "last") {
		return Range{}, text, false
	}
	for _, at := range betweenNames().FindAllStringSubmatchIndex(lower, -1) {
		m := submatches(lower, at)
		from, _, ok := namedTime(m[1], m[2], lower, named)
		to, end, okTo := namedTime(m[3], m[4], lower, named)
		if ok && okTo && (from.At.Before(to.At) || from.Commit != to.Commit) {
			r = Range{Since: from.At.Add(time.Second), Until: to.At.Add(time.Second)}
			r.From, r.To, r.Package = from.Commit, to.Commit, to.Package
			at[1] -= len(m[4]) - end
			r.Words, rest = cutWords(text, at[0], at[1])
			return r, rest, false
		}
	}
	for _, at := range besideName().FindAllStringSubmatchIndex(lower, -1) {
		m := submatches(lower, at)
		found, end, ok := namedTime(m[2], m[3], lower, named)
		if !ok {
			continue
		}
		at[1] -= len(m[3]) - end
		after := found.At.Add(time.Second)
		switch m[1] {
		case "since", "after":
			r = Range{Since: after, From: found.Commit, Package: found.Package}
		case "before":
			r = Range{Until: found.At, To: found.Previous, Package: found.Package}
		case "until", "up to":
			r = Range{Until: after, To: found.Commit, Package: found.Package}
		default:
			r, within = found.span(), true
		}
		r.Words, rest = cutWords(text, at[0], at[1])
		return r, rest, within
	}
	return Range{}, text, false
}

// FindRelease finds a release that a text names without "before" or "after", and the text without it: "in v1.2", "does
// cli 1.2 have it?".
func FindRelease(text string, named ReferenceTimes) (r Range, rest string) {
	if r, rest, within := FindNamed(text, named); named == nil || !r.IsZero() {
		if within {
			return r, rest
		}
		return Range{}, text
	}
	lower := asciiLower(text)
	for _, at := range nameAlone().FindAllStringSubmatchIndex(lower, -1) {
		start := at[2]
		found, end, ok := namedTime("", lower[start:at[3]], lower, named)
		if _, version, two := strings.Cut(lower[start:at[3]], " "); !ok && two { // the previous word is not a package
			start = at[3] - len(version)
			found, end, ok = namedTime("", version, lower, named)
		}
		if ok {
			r = found.span()
			r.Words, rest = cutWords(text, start, start+end)
			return r, rest
		}
	}
	return Range{}, text
}

// cutWords removes words from a text, with the mark that ends a sentence.
func cutWords(text string, from, to int) (words, rest string) {
	to = from + len(strings.TrimRight(text[from:to], ".-+/_"))
	return text[from:to], strings.TrimSpace(strings.TrimSpace(text[:from]) + " " + strings.TrimSpace(text[to:]))
}

// Latest is the name of the time of the last release.
const Latest = "latest"

var dateForm = lazy.Pattern(`^(?:19|20)\d{2}(?:-\d{2}(?:-\d{2})?|-q[1-4])?$`)

// namedTime looks up a name, with or without a following version, and returns where it ends. After a word such as
// release even a plain number is a version.
func namedTime(word, name, about string, named ReferenceTimes) (found ReferenceTime, end int, ok bool) {
	first, version, two := strings.Cut(name, " ")
	switch {
	case first == "latest" || first == "last" || first == "newest":
		found, ok = named(Latest, about)
		return found, len(name), ok
	case two:
		version = strings.TrimRight(version, ".-+/_")
		if found, ok = named(first+" "+version, about); ok {
			return found, len(first) + 1 + len(version), true
		}
	}
	name = strings.TrimRight(first, ".-+/_")
	number := strings.Trim(name, "0123456789") == ""
	introduced := strings.TrimSpace(strings.TrimPrefix(word, "the ")) != ""
	date := dateForm().MatchString(name)
	if name == "" || !strings.ContainsAny(name, "0123456789") || (number || date) && !introduced {
		return ReferenceTime{}, 0, false
	}
	found, ok = named(name, about)
	return found, len(first), ok
}
