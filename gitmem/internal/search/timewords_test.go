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
		{"last week ESP32", "2024-05-08 to 2024-05-15", "ESP32"},
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

func TestParseTime(t *testing.T) {
	t.Parallel()
	now := time.Date(2024, 5, 15, 10, 30, 0, 0, time.UTC)
	for in, want := range map[string]string{
		"1w": "since 2024-05-08", "3d": "since 2024-05-12", "2m": "since 2024-03-15", "1y": "since 2023-05-15",
		"yesterday": "2024-05-14 to 2024-05-14", "2024-Q4": "2024-10-01 to 2024-12-31", "2023": "2023-01-01 to 2023-12-31",
		"March 2024": "2024-03-01 to 2024-03-31", "2024-03": "2024-03-01 to 2024-03-31", "december": "2023-12-01 to 2023-12-31",
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
	for _, s := range []string{"in March 2022", "since 2024-Q4", "last 3 weeks", "Ⅳ 31 feb 2020", "9999-99-99", "4294967296 years ago"} {
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
