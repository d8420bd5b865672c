package search

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gitmem/gitmem/internal/lazy"
)

// Range is a half-open span of time; a zero end is open.
type Range struct {
	Since, Until time.Time
	// From and To are the commits of the releases that bound the range, "" for none: in the history it contains the
	// commits in To, or in the current commit, and not in From, whatever their dates.
	From, To string
	// Package is the package of the releases, by the name of its folder; "" for the whole repository.
	Package string
	// Words are the words that named it, as in the text.
	Words string
	// NoYear means that the words named a month without a year.
	NoYear bool
}

// yearBack returns the same range a year before.
func (r Range) yearBack() Range {
	for _, t := range []*time.Time{&r.Since, &r.Until} {
		if !t.IsZero() {
			*t = t.AddDate(-1, 0, 0)
		}
	}
	return r
}

// from returns the beginning of the range, or its end if it has no beginning.
func (r Range) from() time.Time {
	if r.Since.IsZero() {
		return r.Until
	}
	return r.Since
}

// IsZero reports whether the range is unbounded.
func (r Range) IsZero() bool { return r.Since.IsZero() && r.Until.IsZero() }

// Begin returns the range with the beginning of another one.
func (r Range) Begin(o Range) Range {
	r.Since, r.From = o.Since, o.From
	return r
}

// End returns the range with the end of another one.
func (r Range) End(o Range) Range {
	r.Until, r.To = o.Until, o.To
	return r
}

// Contains reports whether t is in the range. Undated documents are only in an unbounded
// one.
func (r Range) Contains(t time.Time) bool {
	if r.IsZero() {
		return true
	}
	return !t.IsZero() && r.containsUnix(t.Unix())
}

// containsUnix reports whether a second is in the range. The first second of a day in UTC represents a day without a
// known hour, and counts as that day in the time zone of the range.
func (r Range) containsUnix(sec int64) bool {
	if in := r.from().Location(); sec%(24*60*60) == 0 && in != time.UTC && r.From+r.To == "" {
		y, m, d := time.Unix(sec, 0).UTC().Date()
		sec = time.Date(y, m, d, noon, 0, 0, 0, in).Unix()
	}
	return (r.Since.IsZero() || sec >= r.Since.Unix()) && (r.Until.IsZero() || sec < r.Until.Unix())
}

// String returns the range for people, by days, a part of a day with its hours, and a range of releases with the words
// that name it.
func (r Range) String() string {
	named := r.From != "" || r.To != ""
	switch {
	case named && r.Words != "":
		dates := Range{Since: r.Since, Until: r.Until}.String()
		dates = strings.TrimPrefix(strings.TrimPrefix(dates, "since "), "before ")
		return fmt.Sprintf("%s (%s)", strings.TrimRight(r.Words, "?!., "), dates)
	case r.isPartOfDay():
		return r.Since.Format("2006-01-02 15:04") + " to " + strings.Replace(r.Until.Format("15:04"), "00:00", "24:00", 1)
	case r.IsZero():
		return "any time"
	case r.Until.IsZero():
		return "since " + r.Since.Format(time.DateOnly)
	case r.Since.IsZero():
		return "before " + r.Until.Format(time.DateOnly)
	}
	return r.Since.Format(time.DateOnly) + " to " + r.Until.Add(-time.Second).Format(time.DateOnly)
}

// isPartOfDay reports whether the range is some hours within a day.
func (r Range) isPartOfDay() bool {
	bounded := !r.Since.IsZero() && !r.Until.IsZero()
	return bounded && r.Until.Sub(r.Since) < 23*time.Hour && !r.Until.After(around(r.Since, "day").Until)
}

var spanForm = lazy.Pattern(`^(\d+)(h|d|w|m|y)$`)

// ParseTime parses one time as in flags (1w, 3d, yesterday, last month, 2024-Q4, March 2024, 2024, ISO date or time)
// and returns the range it names. "1w" is the range from one week ago on.
func ParseTime(s string, now time.Time) (Range, error) {
	s = strings.TrimSpace(s)
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return Range{Since: t, Until: t, Words: s}, nil
	}
	if m := spanForm().FindStringSubmatch(s); m != nil {
		n, err := strconv.Atoi(m[1])
		if err != nil || n > 100_000 {
			return Range{}, fmt.Errorf("time %q: the number is too large", s)
		}
		return Range{Since: back(now, n, map[string]string{"h": "hour", "d": "day", "w": "week", "m": "month",
			"y": "year"}[m[2]]), Words: s}, nil
	}
	r, rest := FindRange(s, now)
	if r.IsZero() || strings.TrimSpace(rest) != "" {
		return Range{},
			fmt.Errorf("time %q is not understood: use 3d, 1w, yesterday, last month, 2024-Q4, March 2024 or 2024-03-15", s)
	}
	return r, nil
}

const (
	monthNames = `january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr` +
		`|jun|jul|aug|sept|sep|oct|nov|dec`
	seasons  = `spring|summer|autumn|fall|winter`
	weekdays = `sunday|monday|tuesday|wednesday|thursday|friday|saturday`
	dayParts = `morning|afternoon|evening|night`
)

// A timeRule finds one form of time words. Rules are tried in order: the more specific first, so that "March 2024" is
// not parsed as the year 2024.
type timeRule struct {
	pattern func() *regexp.Regexp
	span    func(m []string, now time.Time) (Range, bool)
	closed  bool // its words define both ends of the range
}

// timeTable contains the rules, which are built when a text is first parsed.
var timeTable = [...]func() []timeRule{sync.OnceValue(timeRules)}

func timeRules() []timeRule {
	return []timeRule{
		timed(`(\d{4}-\d{2}-\d{2})`, dated(time.DateOnly, "day")),
		timed(`(\d{4})-q([1-4])|\bq([1-4])(?: of)? (\d{4})`, quarter),
		timed(`(\d{4}-\d{2})`, dated("2006-01", "month")),
		timed(`(\d{1,2})(?:st|nd|rd|th)?(?: of)? (`+monthNames+`),? (\d{4})`, dated("2 Jan 2006", "day")),
		timed(`(`+monthNames+`) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})`, dated("Jan 2 2006", "day")),
		timed(`(`+monthNames+`),?(?: of)? (\d{4})`, dated("Jan 2006", "month")),
		timed(`(`+seasons+`)(?: of)? (\d{4})`, season),
		timed(`(last|past|this|previous) (`+seasons+`)`, seasonNear),
		closed(`before (lunch|noon)|after (lunch|noon)`, besideNoon),
		timed(`(this|yesterday|last) (`+dayParts+`)|(tonight)`, partOfDay),
		timed(`(today|yesterday)`, dayWord),
		timed(`(last|past|this|previous|(?:at|on|over|during) the) weekend`, weekend),
		timed(`(last|past|this|previous|current) (sprint)`, sprint),
		timed(`(last|past|this|previous|current) (week|month|quarter|year)`, relative),
		timed(`(?:last|past|previous) (\d{1,4}|few|couple of) (hour|day|week|month|year)s?`, lastN),
		timed(`(\d{1,4}|a|an|one|two|three) (hour|day|week|month|year)s? ago`, ago),
		timed(`(?:in|during|since|before|after|until|by|of) (`+monthNames+`)`, monthAlone),
		timed(`(?:in|on|during|since|before|after|until|by|of|last) (`+weekdays+`)`, weekday),
		timed(`(?:in|during|since|before|after|until|by|of|from)(?: the year)? ((?:19|20)\d{2})`, dated("2006", "year")),
		timed(`^((?:19|20)\d{2})$`, dated("2006", "year")),
		timed(`^(`+monthNames+`)$`, monthAlone),
		timed(`(recently|lately|these days)`, recently),
	}
}

// timed returns the rule of an expression, with the preposition before it.
func timed(expr string, span func(m []string, now time.Time) (Range, bool)) timeRule {
	lead := `(?:\b(in|on|during|since|before|after|until|from|by|of|within|over)\s+)?(?:the\s+)?`
	if strings.HasPrefix(expr, "(?:in|") { // it has its own, and one before it belongs to a verb: "worked on in May"
		lead = "()"
	}
	return timeRule{pattern: lazy.Pattern(lead + bounded(expr)), span: span}
}

// closed returns the rule of an expression that names both ends of a time.
func closed(expr string, span func(m []string, now time.Time) (Range, bool)) timeRule {
	rule := timed(expr, span)
	rule.closed = true
	return rule
}

// FindRange finds the time words of a text and returns the range they name and the text without them. Without time
// words the range is zero. A preposition determines the open end: "since March 2024", "before 2023".
func FindRange(text string, now time.Time) (Range, string) {
	lower := asciiLower(text)
	if !mayNameTime(lower) {
		return Range{}, text
	}
	if r, rest := findBetween(text, lower, now); !r.IsZero() {
		return r, rest
	}
	for _, rule := range timeTable[0]() {
		at := rule.pattern().FindStringSubmatchIndex(lower)
		if at == nil {
			continue
		}
		m := submatches(lower, at)
		prep := m[1]
		if prep == "" {
			prep, _, _ = strings.Cut(m[0], " ")
		}
		r, ok := rule.span(m[1:], now)
		if !ok {
			continue
		}
		if !rule.closed {
			r = direct(prep, r)
		}
		var rest string
		r.Words, rest = cutWords(text, at[0], at[1])
		return r, rest
	}
	return Range{}, text
}

var (
	betweenWord = lazy.Pattern(`\b(?:between|from)\s+`)
	jointWord   = lazy.Pattern(`^\s+(?:and|to|until|till|through)\s+`)
)

// findBetween finds a range by its first and its last part: "between March and May", "from 2022 to June 2023". A month
// without a year gets the year of the other one.
func findBetween(text, lower string, now time.Time) (Range, string) {
	for _, at := range betweenWord().FindAllStringIndex(lower, -1) {
		first, from, end := leadingTime(lower[at[1]:], now)
		joint := jointWord().FindString(lower[at[1]+end:])
		if first.Until.IsZero() || joint == "" {
			continue
		}
		start := at[1] + end + len(joint)
		last, _, end := leadingTime(lower[start:], now)
		if first.NoYear && !last.NoYear && !last.Until.IsZero() {
			first, _ = FindRange(fmt.Sprintf("%s %d", from, last.Since.Year()), now)
		}
		if first.NoYear && first.Since.After(last.Since) {
			first = first.yearBack()
		}
		if !first.Since.Before(last.Until) {
			continue
		}
		r := Range{Since: first.Since, Until: last.Until, NoYear: first.NoYear && last.NoYear}
		var rest string
		r.Words, rest = cutWords(text, at[0], start+end)
		return r, rest
	}
	return Range{}, text
}

var leadingWord = lazy.Pattern(`[\w,-]*\w`)

// leadingTime parses the time words at the beginning of a text, and returns where they end.
func leadingTime(text string, now time.Time) (r Range, words string, end int) {
	const most = 4 // "the 3rd of May 2024" has more, but is rare
	for _, at := range leadingWord().FindAllStringIndex(text, most) {
		if found, err := ParseTime(text[:at[1]], now); err == nil && !found.Until.IsZero() {
			r, words, end = found, text[:at[1]], at[1]
		}
	}
	return r, words, end
}

func bounded(expr string) string {
	if strings.HasPrefix(expr, "^") {
		return expr
	}
	return `\b(?:` + expr + `)\b`
}

// mayNameTime is a cheap filter before the rules' regular expressions compile.
func mayNameTime(s string) bool {
	parts := []string{
		"day", "week", "month", "quarter", "year", "recent", "late", "ago", "spring", "summer", "autumn", "fall", "winter",
		"sprint", "noon", "lunch", "morning", "evening", "night",
	}
	if strings.ContainsAny(s, "0123456789") || slices.ContainsFunc(parts, func(p string) bool {
		return strings.Contains(s, p)
	}) {
		return true
	}
	words := strings.FieldsFunc(s, func(r rune) bool { return r < 'a' || r > 'z' })
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(strings.Split(monthNames, "|"), w) })
}

// asciiLower preserves byte offsets, which strings.ToLower does not for all letters.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func submatches(s string, at []int) []string {
	m := make([]string, len(at)/2)
	for i := range m {
		if at[2*i] >= 0 {
			m[i] = s[at[2*i]:at[2*i+1]]
		}
	}
	return m
}

// direct opens one end of the range according to the preposition.
func direct(prep string, r Range) Range {
	switch prep {
	case "since", "from":
		r.Until = time.Time{}
	case "after":
		if !r.Until.IsZero() {
			r.Since = r.Until
		}
		r.Until = time.Time{}
	case "before", "until", "by":
		r.Since, r.Until = time.Time{}, r.Since
	}
	return r
}

// later returns a time n units later.
func later(t time.Time, n int, unit string) time.Time {
	switch unit {
	case "hour":
		return t.Add(time.Duration(n) * time.Hour)
	case "day":
		return t.AddDate(0, 0, n)
	case "week":
		return t.AddDate(0, 0, 7*n)
	case "month":
		return t.AddDate(0, n, 0)
	case "quarter":
		return t.AddDate(0, 3*n, 0)
	}
	return t.AddDate(n, 0, 0)
}

// around returns the calendar unit that contains a time; for an hour its day.
func around(t time.Time, unit string) Range {
	t = midnight(t)
	switch unit {
	case "hour":
		unit = "day"
	case "week":
		t = t.AddDate(0, 0, -(int(t.Weekday())+6)%7)
	case "month":
		t = date(t.Year(), t.Month(), 1, t.Location())
	case "quarter":
		t = date(t.Year(), (t.Month()-1)/3*3+1, 1, t.Location())
	case "year":
		t = date(t.Year(), 1, 1, t.Location())
	}
	return Range{Since: t, Until: later(t, 1, unit)}
}

// untilToday returns the range from a time to the end of the day.
func untilToday(t, now time.Time) Range { return Range{Since: t, Until: around(now, "day").Until} }

// dated parses a date by its layout, in which months have three letters.
func dated(layout, unit string) func(m []string, now time.Time) (Range, bool) {
	return func(m []string, now time.Time) (Range, bool) {
		var parts []string
		for _, part := range m[1:] {
			if part[0] > '9' {
				part = part[:3]
			}
			parts = append(parts, part)
		}
		t, err := time.ParseInLocation(layout, strings.Join(parts, " "), now.Location())
		return around(t, unit), err == nil
	}
}

func quarter(m []string, now time.Time) (Range, bool) {
	year, q := m[1], m[2]
	if year == "" {
		q, year = m[3], m[4]
	}
	return around(date(atoi(year), time.Month(3*atoi(q)), 1, now.Location()), "quarter"), true
}

// season returns the meteorological season of the northern hemisphere; winter of a year begins in its December.
func season(m []string, now time.Time) (Range, bool) {
	start := map[string]time.Month{"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}[m[1]]
	t := date(atoi(m[2]), start, 1, now.Location())
	return Range{Since: t, Until: t.AddDate(0, 3, 0)}, true
}

// seasonNear returns the season of this year, or the latest one that is over.
func seasonNear(m []string, now time.Time) (Range, bool) {
	r, ok := season([]string{"", m[2], strconv.Itoa(now.Year())}, now)
	if r.yearBack().Contains(now) { // a winter begins in the previous year
		r = r.yearBack()
	}
	if m[1] != "this" && r.Until.After(now) {
		r = r.yearBack()
	}
	return r, ok
}

func dayWord(m []string, now time.Time) (Range, bool) {
	if m[1] == "yesterday" {
		now = back(now, 1, "day")
	}
	return around(now, "day"), true
}

// relative returns the current calendar unit, or the previous one. A past week is the seven days up to now.
func relative(m []string, now time.Time) (Range, bool) {
	switch this := around(now, m[2]); {
	case m[1] == "this" || m[1] == "current":
		return this, true
	case m[1] == "past" && m[2] == "week":
		return untilToday(back(now, 1, "week"), now), true
	default:
		return around(later(this.Since, -1, m[2]), m[2]), true
	}
}

func lastN(m []string, now time.Time) (Range, bool) {
	return untilToday(back(now, number(m[1]), m[2]), now), true
}

func ago(m []string, now time.Time) (Range, bool) {
	t := midnight(back(now, number(m[1]), m[2]))
	if m[2] == "week" {
		return Range{Since: t.AddDate(0, 0, -3), Until: t.AddDate(0, 0, 4)}, true
	}
	return around(t, m[2]), true
}

// number parses digits, or a word for a small number.
func number(s string) int {
	if n, ok := map[string]int{"a": 1, "an": 1, "one": 1, "two": 2, "couple of": 2, "three": 3, "few": 3}[s]; ok {
		return n
	}
	return atoi(s)
}

// monthAlone returns the latest such month that has begun.
func monthAlone(m []string, now time.Time) (Range, bool) {
	month, err := time.Parse("Jan", m[1][:3])
	r := around(date(now.Year(), month.Month(), 1, now.Location()), "month")
	if r.Since.After(now) {
		r = around(later(r.Since, -1, "year"), "month")
	}
	r.NoYear = true
	return r, err == nil
}

func recently(_ []string, now time.Time) (Range, bool) {
	return untilToday(back(now, 14, "day"), now), true
}

func date(y int, m time.Month, d int, in *time.Location) time.Time {
	return time.Date(y, m, d, 0, 0, 0, 0, in)
}

// midnight returns the beginning of the day of a time in its own time zone.
func midnight(t time.Time) time.Time { return date(t.Year(), t.Month(), t.Day(), t.Location()) }

// back returns the time n units ago: days and longer units are counted from the last midnight.
func back(now time.Time, n int, unit string) time.Time {
	if unit != "hour" {
		now = midnight(now)
	}
	return later(now, -n, unit)
}

// atoi parses digits that a pattern has already matched.
func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
