package traces

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// charsPerToken estimates tokens. A model's own tokens are shorter in code and in scripts
// other than Latin.
const charsPerToken = 4

// Injected counts what hooks injected into models.
type Injected struct {
	Injections int `json:"injections"`
	Chars      int `json:"chars"`
	// Tokens is an estimate: a quarter of the characters, rounded up.
	Tokens int `json:"tokens_estimated"`
}

func injectedOf(t Injection) Injected {
	return Injected{Injections: t.Injections, Chars: t.Chars, Tokens: (t.Chars + charsPerToken - 1) / charsPerToken}
}

// Day counts what was injected on a day.
type Day struct {
	Day      string `json:"day"`
	Sessions int    `json:"sessions"`
	Injected
}

// Session counts what was injected into a session.
type Session struct {
	Session string `json:"session"`
	Last    string `json:"last"` // day of the last injection
	Injected
}

// HookTime contains the durations of a hook's runs, within its process.
type HookTime struct {
	Hook       string  `json:"hook"`
	Runs       int     `json:"runs"`
	Errors     int     `json:"errors"`
	Injections int     `json:"injections"`
	Seconds    float64 `json:"seconds"` // all runs together
	P50        float64 `json:"p50_ms"`
	P95        float64 `json:"p95_ms"`
}

// Injection is a number of injections and their total number of characters.
type Injection struct{ Injections, Chars int }

// Add adds another injection.
func (t *Injection) Add(o Injection) {
	t.Injections, t.Chars = t.Injections+o.Injections, t.Chars+o.Chars
}

// Sums are totals of the traces and of the archive, of constant size however many records there are.
type Sums struct {
	sessions map[string]map[string]Injection // by session and day
	hooks    map[string]*durations
	since    string // day
}

// NewSums returns empty sums from a day on, "" for all days.
func NewSums(since string) *Sums {
	return &Sums{sessions: map[string]map[string]Injection{}, hooks: map[string]*durations{}, since: since}
}

// Total returns what was injected since the day.
func (s *Sums) Total() Injected {
	var all Injection
	for _, d := range s.ByDay() {
		all.Add(Injection{d.Injections, d.Chars})
	}
	return injectedOf(all)
}

// Record adds a record of a trace.
func (s *Sums) Record(r Record) {
	day := r.Time.UTC().Format(time.DateOnly)
	if r.Chars > 0 {
		s.add(r.Session, day, Injection{1, r.Chars})
	}
	if day < s.since {
		return
	}
	if s.hooks[r.Hook] == nil {
		s.hooks[r.Hook] = &durations{}
	}
	d := s.hooks[r.Hook]
	d.runs = append(d.runs, r.MS)
	if r.Result == "error" {
		d.errors++
	}
	if r.Chars > 0 {
		d.injections++
	}
}

func (s *Sums) add(session, day string, t Injection) {
	if s.sessions[session] == nil {
		s.sessions[session] = map[string]Injection{}
	}
	sum := s.sessions[session][day]
	sum.Add(t)
	s.sessions[session][day] = sum
}

// Archived adds what only the archive has: everything of a session without traces, nothing of one with traces.
func (s *Sums) Archived(session, day string, t Injection) {
	var have Injection
	for _, sum := range s.sessions[session] {
		have.Add(sum)
	}
	if t.Chars > have.Chars {
		s.add(session, day, Injection{max(0, t.Injections-have.Injections), t.Chars - have.Chars})
	}
}

// BySession lists what was injected into each session since the day, newest first.
func (s *Sums) BySession() []Session {
	out := []Session{}
	for session, days := range s.sessions {
		c := Session{Session: session}
		var sum Injection
		for day, t := range days {
			if day >= s.since {
				sum.Add(t)
				c.Last = max(c.Last, day)
			}
		}
		if c.Injected = injectedOf(sum); sum.Chars > 0 {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b Session) int {
		return cmp.Or(strings.Compare(b.Last, a.Last), cmp.Compare(b.Chars, a.Chars), strings.Compare(a.Session, b.Session))
	})
	return out
}

// ByDay lists what was injected on each day since the day, newest first.
func (s *Sums) ByDay() []Day {
	sums, sessions := map[string]Injection{}, map[string]int{}
	for _, days := range s.sessions {
		for day, t := range days {
			if day >= s.since && t.Chars > 0 {
				sum := sums[day]
				sum.Add(t)
				sums[day], sessions[day] = sum, sessions[day]+1
			}
		}
	}
	out := []Day{}
	for _, day := range slices.Backward(slices.Sorted(maps.Keys(sums))) {
		out = append(out, Day{Day: day, Sessions: sessions[day], Injected: injectedOf(sums[day])})
	}
	return out
}

// ByHook lists the time that each hook took since the day, in descending order.
func (s *Sums) ByHook() []HookTime {
	out := []HookTime{}
	for name, d := range s.hooks {
		total := 0.0
		for _, ms := range d.runs {
			total += ms
		}
		slices.Sort(d.runs)
		out = append(out, HookTime{
			Hook: name, Runs: len(d.runs), Errors: d.errors, Injections: d.injections, Seconds: math.Round(total) / 1000,
			P50: d.percentile(50), P95: d.percentile(95),
		})
	}
	slices.SortFunc(out, func(a, b HookTime) int {
		return cmp.Or(cmp.Compare(b.Seconds, a.Seconds), strings.Compare(a.Hook, b.Hook))
	})
	return out
}

// durations are the durations of a hook's runs.
type durations struct {
	runs               []float64 // milliseconds
	errors, injections int
}

// percentile returns the smallest duration that p of 100 runs do not exceed, in milliseconds, to three digits. The runs
// are sorted.
func (d *durations) percentile(p int) float64 {
	return threeDigits(d.runs[max((len(d.runs)*p+99)/100, 1)-1])
}

// threeDigits rounds to three digits.
func threeDigits(v float64) float64 {
	if v < 0.001 {
		return 0
	}
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64) // a formatted number always parses
	return v
}
