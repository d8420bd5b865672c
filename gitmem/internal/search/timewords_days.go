package search

import (
	"slices"
	"strings"
	"time"
)

// sprint returns the two weeks up to now, or those before: the start of sprints is unknown.
func sprint(m []string, now time.Time) (Range, bool) {
	r := untilToday(back(now, 14, "day"), now)
	if m[1] != "this" && m[1] != "current" {
		return Range{Since: r.Since.AddDate(0, 0, -14), Until: r.Since}, true
	}
	return r, true
}

// weekend returns the latest weekend that has begun; the last one is over.
func weekend(m []string, now time.Time) (Range, bool) {
	saturday := around(now, "week").Since.AddDate(0, 0, 5)
	if saturday.After(now) || m[1] == "last" || m[1] == "previous" {
		saturday = saturday.AddDate(0, 0, -7)
	}
	return Range{Since: saturday, Until: saturday.AddDate(0, 0, 2)}, true
}

// weekday returns the latest such day before today.
func weekday(m []string, now time.Time) (Range, bool) {
	day := slices.Index(strings.Split(weekdays, "|"), m[1])
	ago := (int(now.Weekday()) - day + 7) % 7
	if ago == 0 {
		ago = 7
	}
	return around(back(now, ago, "day"), "day"), true
}

// Hours at which parts of a day begin or end.
const noon, lunchEnds, eveningBegins, nightEnds = 12, 13, 18, 6

// partOfDay returns some hours of today or yesterday. A night begins in the evening.
func partOfDay(m []string, now time.Time) (Range, bool) {
	part := m[2]
	if m[3] != "" {
		part = "evening"
	}
	if m[1] == "yesterday" || m[1] == "last" {
		now = back(now, 1, "day")
	}
	from, to := map[string]int{"afternoon": noon, "evening": eveningBegins, "night": eveningBegins}[part], 24
	switch part {
	case "morning":
		to = noon
	case "afternoon":
		to = eveningBegins
	case "night":
		to = 24 + nightEnds
	}
	return hours(now, from, to), true
}

// besideNoon returns the part of today before or after lunch.
func besideNoon(m []string, now time.Time) (Range, bool) {
	if m[2] != "" {
		return hours(now, noon, 24), true
	}
	return hours(now, 0, map[string]int{"lunch": lunchEnds, "noon": noon}[m[1]]), true
}

// hours returns the hours of a day from one to another, which may be in the next day.
func hours(day time.Time, from, to int) Range {
	at := func(hour int) time.Time {
		return time.Date(day.Year(), day.Month(), day.Day(), hour, 0, 0, 0, day.Location())
	}
	return Range{Since: at(from), Until: at(to)}
}
