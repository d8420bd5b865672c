package team

import (
	"time"
)

// mostBuckets is how many stretches a history is cut into at most.
const mostBuckets = 64

// step is the length of a stretch.
type step struct{ years, months, days int }

func (s step) after(t time.Time) time.Time { return t.AddDate(s.years, s.months, s.days) }

// buckets cuts the time of the commits into weeks, months, quarters or years, whatever
// gives the most stretches of no more than mostBuckets, without gaps.
func (v *survey) buckets() []Bucket {
	if len(v.times) == 0 {
		return nil
	}
	var out []Bucket
	for _, s := range []step{{days: 7}, {months: 1}, {months: 3}, {years: 1}, {years: 10}} {
		if out = v.grid(s); len(out) <= mostBuckets {
			break
		}
	}
	at, people := 0, map[int32]bool{}
	for _, t := range v.times { // in order
		for at+1 < len(out) && !out[at+1].Start.After(unixTime(t.unix)) {
			at++
			clear(people)
		}
		people[t.person] = true
		out[at].Commits++
		out[at].People = len(people)
	}
	return out
}

// grid is the stretches of one length from the first commit to the last, beginning
// where the calendar does. It stops once there are too many.
func (v *survey) grid(s step) []Bucket {
	first := unixTime(v.times[0].unix)
	start := time.Date(first.Year(), first.Month(), first.Day(), 0, 0, 0, 0, time.UTC)
	switch {
	case s.days > 0:
		start = start.AddDate(0, 0, -(int(start.Weekday())+6)%7)
	case s.months > 0:
		start = time.Date(first.Year(), first.Month()-(first.Month()-1)%time.Month(s.months), 1, 0, 0, 0, 0, time.UTC)
	default:
		start = time.Date(first.Year()-first.Year()%s.years, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	var out []Bucket
	for last := unixTime(v.times[len(v.times)-1].unix); !start.After(last) && len(out) <= mostBuckets; start = s.after(start) {
		out = append(out, Bucket{Start: start})
	}
	return out
}
