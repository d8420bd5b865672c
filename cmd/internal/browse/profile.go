package browse

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/internal/svg"
)

// ProfileView is the profile as of a day.
type ProfileView struct {
	Slider *SliderView
	Day    string // day that is shown, "" for today
	Values []ProfileValue
	Words  string // in Markdown
	Chart  string // SVG, "" without values
	Edit   bool
}

// ProfileValue is a value of the profile.
type ProfileValue struct {
	ID, Path, Value, By     string
	Confidence              float64
	LastSeen, Vanishes, How string // dates, and a description of how long it stays
	DaysLeft                int32  // -1 for a pinned one
	Source, Said            string
	Pinned                  bool
}

func (s *site) profilePage(ctx context.Context, _ *http.Request, q url.Values) (page, error) {
	v, err := s.profile(ctx, q.Get("asof"))
	return page{"Profile", "profile", v}, err
}

// profile reads the profile as of a day, "" for today.
func (s *site) profile(ctx context.Context, asOf string) (v ProfileView, err error) {
	if v.Slider, v.Day, err = s.asOf(ctx, asOf); err != nil {
		return v, err
	}
	v.Edit = s.edit && v.Day == ""
	p, err := s.m.Profile().At(ctx, v.Day)
	v.Values, v.Words = slice.Map(p.Entries, profileValue), p.Words
	if len(p.Entries) > 0 {
		v.Chart = ProfileChart(p, s.endOf(v.Day), cmp.Or(v.Day, "today"), false)
	}
	return v, err
}

func profileValue(p gitmem.Preference) ProfileValue {
	v := ProfileValue{
		ID: p.ID, Path: p.Path, Value: p.Value, By: strings.TrimSpace(p.Trust.Mark()), Confidence: p.Confidence,
		DaysLeft: int32(p.DaysLeft), Source: p.Source, Said: p.Said, Pinned: p.Pinned,
		Vanishes: day(p.Vanishes()), How: stays(p),
	}
	v.LastSeen, _, _ = strings.Cut(p.LastSeen, "T")
	return v
}

// stays describes how long a value stays.
func stays(p gitmem.Preference) string {
	switch gone := day(p.Vanishes()); {
	case p.Pinned:
		return "pinned"
	case p.DaysLeft <= 0:
		return "until the next session begins"
	case gone == "":
		return plural(p.DaysLeft, "day") + " left"
	default:
		return "until " + gone
	}
}

// ProfileChart draws the confidence of each value since its last mention, and when it will be removed unless
// it is mentioned again. nowName is the label of now; alone is set for a standalone file.
func ProfileChart(p gitmem.Preferences, now time.Time, nowName string, alone bool) string {
	const month, least = 30 * 24 * time.Hour, 0.1
	c := svg.Curves{Now: now, NowName: nowName, First: now.Add(-month), Last: now.Add(month), Least: least}
	var told []string
	for _, e := range p.Entries {
		seen, _ := time.Parse(time.RFC3339, e.LastSeen)
		if gone := e.Vanishes(); !gone.IsZero() {
			c.Last = latest(c.Last, gone)
		}
		if !e.Pinned && !seen.IsZero() {
			c.First = latest(now.Add(-4*month), earliest(c.First, seen))
		}
	}
	for _, e := range p.Entries {
		from, to := c.First, c.Last
		if seen, err := time.Parse(time.RFC3339, e.LastSeen); err == nil {
			from = earliest(now, latest(from, seen))
		}
		if gone := e.Vanishes(); !gone.IsZero() {
			to = latest(now, gone)
		}
		curve := svg.Curve{Label: e.Path + ": " + e.Value, Note: fmt.Sprintf("%.2f, %s", e.At(now), stays(e))}
		curve.Points = append(samples(e, from, now), samples(e, now, to)...)
		c.List = append(c.List, curve)
		told = append(told, curve.Label+" "+curve.Note)
	}
	title, desc := "Confidence in each value of the profile", "As of "+day(now)+": "+strings.Join(told, "; ")
	if alone {
		return c.Picture().Document(title, desc, styles("app.css", "pictures.css", "memory.css"))
	}
	return c.Picture().HTML(title, desc)
}

// samples returns a value at regular steps between two times.
func samples(p gitmem.Preference, from, to time.Time) (out []svg.Point) {
	const steps = 16
	for i := range steps + 1 {
		at := from.Add(to.Sub(from) / steps * time.Duration(i))
		if i == steps {
			at = to
		}
		out = append(out, svg.Point{At: at, Value: p.At(at)})
	}
	return out
}

func latest(times ...time.Time) time.Time   { return slices.MaxFunc(times, time.Time.Compare) }
func earliest(times ...time.Time) time.Time { return slices.MinFunc(times, time.Time.Compare) }

// changeProfile pins, confirms or removes the values at a path.
func (s *site) changeProfile(ctx context.Context, form url.Values) (page, error) {
	p, at := s.m.Profile(), form.Get("path")
	if at == "" { // it would mean all
		return page{}, fmt.Errorf("%w: no path of the profile is named", gitmem.ErrUsage)
	}
	var done gitmem.ProfileChanged
	var err error
	switch op := form.Get("op"); op {
	case "pin", "unpin":
		done, err = p.Pin(ctx, at, op == "pin")
	case "confirm":
		done, err = p.Confirm(ctx, at)
	case "remove":
		done, err = p.Remove(ctx, at)
	default:
		err = fmt.Errorf("%w: op=%.40s: expected pin, unpin, confirm or remove", gitmem.ErrUsage, op)
	}
	did := done.Done
	if len(did) == 0 {
		did = []string{"nothing to change"}
	}
	return changed(Changed{Did: did, Commit: done.Commit, Back: "/profile"}), err
}
