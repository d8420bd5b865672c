package search_test

import (
	"testing"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/search"
)

func TestFindRange(t *testing.T) {
	t.Parallel()
	now := time.Date(2024, 5, 15, 10, 30, 0, 0, time.UTC) // a Wednesday
	tests := []struct{ in, want, rest string }{
		{"what did we do in March 2022?", "2022-03-01 to 2022-03-31", "what did we do ?"},
		{"what did we do in march of 2022", "2022-03-01 to 2022-03-31", "what did we do"},
		{"what did we work on in october?", "2023-10-01 to 2023-10-31", "what did we work on ?"},
		{"why in autumn 2020 did we", "2020-09-01 to 2020-11-30", "why did we"},
		{"changes in 2024-Q1", "2024-01-01 to 2024-03-31", "changes"},
		{"changes in Q4 2023", "2023-10-01 to 2023-12-31", "changes"},
		{"what happened on 2024-03-15", "2024-03-15 to 2024-03-15", "what happened"},
		{"on 3 March 2024", "2024-03-03 to 2024-03-03", ""},
		{"on March 3rd, 2024", "2024-03-03 to 2024-03-03", ""},
		{"last week ESP32", "2024-05-06 to 2024-05-12", "ESP32"},
		{"in the past week", "2024-05-08 to 2024-05-15", ""},
		{"the current month", "2024-05-01 to 2024-05-31", ""},
		{"what did I do this weekend?", "2024-05-11 to 2024-05-12", "what did I do ?"},
		{"over the weekend", "2024-05-11 to 2024-05-12", ""},
		{"why does the weekend rate differ", "any time", "why does the weekend rate differ"},
		{"most active areas this sprint", "2024-05-01 to 2024-05-15", "most active areas"},
		{"last sprint", "2024-04-17 to 2024-04-30", ""},
		{"the sprint board", "any time", "the sprint board"},
		{"on Monday", "2024-05-13 to 2024-05-13", ""},
		{"last wednesday", "2024-05-08 to 2024-05-08", ""},
		{"since Friday", "since 2024-05-10", ""},
		{"this morning", "2024-05-15 00:00 to 12:00", ""},
		{"yesterday afternoon", "2024-05-14 12:00 to 18:00", ""},
		{"last night", "2024-05-14 to 2024-05-15", ""},
		{"I was working on what before lunch?", "2024-05-15 00:00 to 13:00", "I was working on what ?"},
		{"after lunch", "2024-05-15 12:00 to 24:00", ""},
		{"this week", "2024-05-13 to 2024-05-19", ""},
		{"last month", "2024-04-01 to 2024-04-30", ""},
		{"last quarter", "2024-01-01 to 2024-03-31", ""},
		{"in the last year", "2023-01-01 to 2023-12-31", ""},
		{"in the past 3 days", "2024-05-12 to 2024-05-15", ""},
		{"yesterday", "2024-05-14 to 2024-05-14", ""},
		{"two weeks ago", "2024-04-28 to 2024-05-04", ""},
		{"3 months ago", "2024-02-01 to 2024-02-29", ""},
		{"since March 2022", "since 2022-03-01", ""},
		{"before 2021", "before 2021-01-01", ""},
		{"after 2021", "since 2022-01-01", ""},
		{"in December", "2023-12-01 to 2023-12-31", ""},
		{"in April", "2024-04-01 to 2024-04-30", ""},
		{"recently", "2024-05-01 to 2024-05-15", ""},
		{"in 2021", "2021-01-01 to 2021-12-31", ""},
		{"what happened last autumn?", "2023-09-01 to 2023-11-30", "what happened ?"},
		{"this spring", "2024-03-01 to 2024-05-31", ""},
		{"last winter", "2023-12-01 to 2024-02-29", ""},
		{"what was done between March and May?", "2024-03-01 to 2024-05-31", "what was done ?"},
		{"between November and February", "2023-11-01 to 2024-02-29", ""},
		{"what changed from January to March 2022 in the parser", "2022-01-01 to 2022-03-31", "what changed in the parser"},
		{"between 2021 and 2022", "2021-01-01 to 2022-12-31", ""},
		{"between 2021-05-03 and last month", "2021-05-03 to 2024-04-30", ""},
		{"the bridge from Java to Go", "any time", "the bridge from Java to Go"},
		{"why may the parser fail", "any time", "why may the parser fail"},
		{"RFC 2024 says", "any time", "RFC 2024 says"},
		{"the marching band of 31 people", "any time", "the marching band of 31 people"},
		{"who knows the parser", "any time", "who knows the parser"},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			t.Parallel()
			r, rest := search.FindRange(tt.in, now)
			if r.String() != tt.want || rest != tt.rest {
				t.Errorf("FindRange(%q) = %s, %q; want %s, %q", tt.in, r, rest, tt.want, tt.rest)
			}
		})
	}
}

// TestRangesOfTheClock checks that days, weeks and months are those of the caller's time zone, also if an hour is
// skipped or repeated.
func TestRangesOfTheClock(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	for in, want := range map[string]string{
		"yesterday": "2024-03-30T23:00:00Z 2024-03-31T22:00:00Z", "last week": "2024-03-24T23:00:00Z 2024-03-31T22:00:00Z",
		"last month":    "2024-02-29T23:00:00Z 2024-03-31T22:00:00Z",
		"this year":     "2023-12-31T23:00:00Z 2024-12-31T23:00:00Z",
		"on 2024-03-15": "2024-03-14T23:00:00Z 2024-03-15T23:00:00Z", "2024-Q2": "2024-03-31T22:00:00Z 2024-06-30T22:00:00Z",
		"in May": "2023-04-30T22:00:00Z 2023-05-31T22:00:00Z", "last autumn": "2023-08-31T22:00:00Z 2023-11-30T23:00:00Z",
		"two days ago": "2024-03-29T23:00:00Z 2024-03-30T23:00:00Z",
	} {
		now := time.Date(2024, 3, 31, 22, 30, 0, 0, time.UTC).In(berlin) // Monday there, half past midnight
		r, _ := search.FindRange(in, now)
		if got := r.Since.UTC().Format(time.RFC3339) + " " + r.Until.UTC().Format(time.RFC3339); got != want {
			t.Errorf("%q is %s, want %s", in, got, want)
		}
	}
}

// TestDaysWithoutAnHour checks that a day without a known hour is in the range of that day, in any time zone.
func TestDaysWithoutAnHour(t *testing.T) {
	t.Parallel()
	for _, hours := range []int{-11, -5, 0, 2, 13} {
		now := time.Date(2024, 5, 15, 10, 30, 0, 0, time.FixedZone("", hours*3600))
		r, _ := search.FindRange("yesterday", now)
		for day, want := range map[int]bool{13: false, 14: true, 15: false} {
			if got := r.Contains(time.Date(2024, 5, day, 0, 0, 0, 0, time.UTC)); got != want {
				t.Errorf("%d hours from UTC: yesterday holds May %d: %v", hours, day, got)
			}
		}
	}
}

func TestParseTime(t *testing.T) {
	t.Parallel()
	now := time.Date(2024, 5, 15, 10, 30, 0, 0, time.UTC)
	for in, want := range map[string]string{
		"1w": "since 2024-05-08", "3d": "since 2024-05-12", "2m": "since 2024-03-15", "1y": "since 2023-05-15",
		"yesterday": "2024-05-14 to 2024-05-14", "2024-Q4": "2024-10-01 to 2024-12-31", "2023": "2023-01-01 to 2023-12-31",
		"March 2024": "2024-03-01 to 2024-03-31", "2024-03": "2024-03-01 to 2024-03-31",
		"december": "2023-12-01 to 2023-12-31",
	} {
		r, err := search.ParseTime(in, now)
		if err != nil || r.String() != want {
			t.Errorf("ParseTime(%q) = %s, %v; want %s", in, r, err, want)
		}
	}
	for _, in := range []string{"", "soon", "99999999999d", "last parser", "31 February 2024"} {
		if r, err := search.ParseTime(in, now); err == nil {
			t.Errorf("ParseTime(%q) = %s, want an error", in, r)
		}
	}
}

func FuzzFindRange(f *testing.F) {
	for _, s := range []string{"in March 2022", "since 2024-Q4", "last 3 weeks", "Ⅳ 31 feb 2020", "9999-99-99",
		"4294967296 years ago"} {
		f.Add(s)
	}
	now := time.Date(2024, 5, 15, 10, 30, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, s string) {
		r, rest := search.FindRange(s, now)
		if r.IsZero() && rest != s {
			t.Errorf("FindRange(%q) took words away without naming a time: %q", s, rest)
		}
		if !r.Since.IsZero() && !r.Until.IsZero() && !r.Since.Before(r.Until) {
			t.Errorf("FindRange(%q) = %s, which is empty", s, r)
		}
	})
}
