package gitmem

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// told is what models were told: how often, and how many characters in all.
type told struct{ injections, chars int }

func (t *told) add(o told) { t.injections, t.chars = t.injections+o.injections, t.chars+o.chars }

// costSums gathers what the traces and the archive say. It holds sums only, however
// many records there are.
type costSums struct {
	sessions map[string]map[string]told // by session and day
	hooks    map[string]*durations
	since    string // day
}

// record adds a record of a trace.
func (s *costSums) record(r traceRecord) {
	day := r.Time.UTC().Format(time.DateOnly)
	if r.Chars > 0 {
		s.tell(r.Session, day, told{1, r.Chars})
	}
	if day < s.since {
		return
	}
	if s.hooks[r.Hook] == nil {
		s.hooks[r.Hook] = &durations{counts: map[float64]int{}}
	}
	s.hooks[r.Hook].add(r)
}

func (s *costSums) tell(session, day string, t told) {
	if s.sessions[session] == nil {
		s.sessions[session] = map[string]told{}
	}
	sum := s.sessions[session][day]
	sum.add(t)
	s.sessions[session][day] = sum
}

// archived adds what the archive says beyond the traces: of a session whose traces
// are gone, all; of one whose traces are there, nothing.
func (s *costSums) archived(session, day string, t told) {
	var have told
	for _, sum := range s.sessions[session] {
		have.add(sum)
	}
	if t.chars > have.chars {
		s.tell(session, day, told{max(0, t.injections-have.injections), t.chars - have.chars})
	}
}

// bySession and byDay list the sums since the day, the newest first.
func (s *costSums) bySession() []CostSession {
	out := []CostSession{}
	for session, days := range s.sessions {
		c := CostSession{Session: session}
		var sum told
		for day, t := range days {
			if day >= s.since {
				sum.add(t)
				c.Last = max(c.Last, day)
			}
		}
		if c.Injected = injectedOf(sum); sum.chars > 0 {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b CostSession) int {
		return cmp.Or(strings.Compare(b.Last, a.Last), cmp.Compare(b.Chars, a.Chars), strings.Compare(a.Session, b.Session))
	})
	return out
}

func (s *costSums) byDay() []CostDay {
	sums, sessions := map[string]told{}, map[string]int{}
	for _, days := range s.sessions {
		for day, t := range days {
			if day >= s.since && t.chars > 0 {
				sum := sums[day]
				sum.add(t)
				sums[day], sessions[day] = sum, sessions[day]+1
			}
		}
	}
	out := []CostDay{}
	for _, day := range slices.Backward(slices.Sorted(maps.Keys(sums))) {
		out = append(out, CostDay{Day: day, Sessions: sessions[day], Injected: injectedOf(sums[day])})
	}
	return out
}

func (s *costSums) byHook() []HookTime {
	out := []HookTime{}
	for name, d := range s.hooks {
		out = append(out, HookTime{
			Hook: name, Runs: d.runs, Errors: d.errors, Injections: d.injections, Seconds: math.Round(d.total) / 1000, P50: d.percentile(50), P95: d.percentile(95),
		})
	}
	slices.SortFunc(out, func(a, b HookTime) int {
		return cmp.Or(cmp.Compare(b.Seconds, a.Seconds), strings.Compare(a.Hook, b.Hook))
	})
	return out
}

// durations counts how long runs of a hook took, to three digits each.
type durations struct {
	runs, errors, injections int
	total                    float64 // milliseconds
	counts                   map[float64]int
}

func (d *durations) add(r traceRecord) {
	d.runs++
	d.total += r.MS
	d.counts[threeDigits(r.MS)]++
	if r.Result == "error" {
		d.errors++
	}
	if r.Chars > 0 {
		d.injections++
	}
}

// percentile is the smallest duration that p of 100 runs do not exceed, in
// milliseconds; 0 of none.
func (d *durations) percentile(p int) float64 {
	rank, last := (d.runs*p+99)/100, 0.0
	for _, ms := range slices.Sorted(maps.Keys(d.counts)) {
		if rank -= d.counts[ms]; rank <= 0 {
			return ms
		}
		last = ms
	}
	return last
}

// threeDigits rounds to three digits, so that few different values are kept.
func threeDigits(v float64) float64 {
	if v < 0.001 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(v))-2)
	if unit >= 1 {
		return math.Round(v/unit) * unit
	}
	per := math.Round(1 / unit)
	return math.Round(v*per) / per
}
