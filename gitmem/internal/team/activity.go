package team

import "time"

// mostBuckets is the maximum number of periods of a history.
const mostBuckets = 64

// buckets divides the time of the commits into weeks, months, quarters or years without gaps: the finest division with
// at most mostBuckets periods.
func (v *overviewSums) buckets() []Bucket {
	if len(v.times) == 0 {
		return nil
	}
	var out []Bucket
	for _, months := range []int{0, 1, 3, 12, 120} {
		if out = v.grid(months); len(out) <= mostBuckets {
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

// grid returns the periods of a number of months, or of a week for 0, from the first commit to the last, starting at
// calendar boundaries. It stops once there are too many.
func (v *overviewSums) grid(months int) (out []Bucket) {
	first, last := unixTime(v.times[0].unix), unixTime(v.times[len(v.times)-1].unix)
	start, days := time.Date(first.Year(), first.Month(), first.Day()-(int(first.Weekday())+6)%7, 0, 0, 0, 0, time.UTC), 7
	if months > 0 {
		since := 12*first.Year() + int(first.Month()) - 1
		start, days = time.Date(0, time.Month(since-since%months+1), 1, 0, 0, 0, 0, time.UTC), 0
	}
	for ; !start.After(last) && len(out) <= mostBuckets; start = start.AddDate(0, months, days) {
		out = append(out, Bucket{Start: start})
	}
	return out
}
