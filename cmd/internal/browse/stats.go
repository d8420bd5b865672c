package browse

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/internal/svg"
)

// StatsView has statistics about the sources for answers, and the cost of hooks and models.
type StatsView struct {
	Root, Folder, Project, LastCommit, Capture, Meaning string
	Store                                               bool
	Sessions, Open, Topics, Files                       int32
	Sizes                                               []SizeView
	Kinds                                               []KindView
	Ideas, Entities                                     []CountView
	Indexes                                             []IndexView
	Days                                                []DayView // of injections, newest first
	Hooks                                               []HookView
	Models                                              []ModelView
	DailyTokens                                         int32
	Traced, LastHook                                    string
	Caveats                                             []string
}

// SizeView is the size of something on disk.
type SizeView struct {
	Name  string
	Bytes float64
}

// KindView counts the items of a layer and a type.
type KindView struct {
	Layer, Type, Oldest, Newest string
	Items                       int32
}

// CountView is a count with a name.
type CountView struct {
	Name  string
	Count int32
}

// IndexView is the state of an index.
type IndexView struct {
	Name, State   string
	Docs, Pending int32
	Busy          bool
}

// DayView is the sum of the injections on a day.
type DayView struct {
	Day                                 string
	Sessions, Injections, Chars, Tokens int32
}

// HookView has the run times of a hook.
type HookView struct {
	Hook                     string
	Runs, Errors, Injections int32
	Seconds, P50, P95        float64 // P50 and P95 in milliseconds
}

// ModelView is the cost of models on a day.
type ModelView struct {
	Day          string
	Runs, Tokens int32
	Dollars      float64
}

// stats returns what is indexed, and the cost of hooks and models.
func (s *site) stats(ctx context.Context) (StatsView, error) {
	held, err := s.m.Stats(ctx, gitmem.Filter{})
	if err != nil {
		return StatsView{}, err
	}
	st, err := s.m.Status(ctx)
	if err != nil {
		return StatsView{}, err
	}
	cost, err := s.m.Cost(ctx, gitmem.CostOptions{})
	if err != nil {
		return StatsView{}, err
	}
	v := StatsView{
		Root: st.Root, Folder: st.Folder, Project: st.Project, LastCommit: st.LastCommit, Capture: st.Capture.Detail,
		Meaning: st.Meaning, Store: st.Store, Sessions: int32(held.Sessions),
		Open: int32(held.Open), Topics: int32(held.Topics), Files: int32(st.Files), Ideas: counts(held.Ideas),
		Entities: counts(held.Entities), DailyTokens: int32(cost.DailyTokens), Traced: cost.Traced,
		Sizes: []SizeView{
			{"memory's files", float64(st.Bytes)}, {"their history", float64(st.RepositoryBytes)},
			{"indexes", float64(st.IndexBytes)},
			{"kept transcripts", float64(st.KeptBytes)}, {"traces of hooks", float64(st.TraceBytes)},
		},
	}
	if st.LastHook.Time != "" {
		v.LastHook = st.LastHook.Hook + " " + st.LastHook.Time + ": " + st.LastHook.Result
	}
	for _, c := range slices.Concat(held.Caveats, st.Caveats, cost.Caveats) {
		if !slices.Contains(v.Caveats, c) {
			v.Caveats = append(v.Caveats, c)
		}
	}
	for _, k := range held.Kinds {
		v.Kinds = append(v.Kinds, KindView{k.Layer, k.Type, k.Oldest, k.Newest, int32(k.Items)})
	}
	for _, i := range st.Shards {
		v.Indexes = append(v.Indexes, IndexView{i.Name, i.State, int32(i.Docs), int32(i.Pending), i.Busy})
	}
	for _, d := range cost.Days {
		v.Days = append(v.Days, DayView{d.Day, int32(d.Sessions), int32(d.Injections), int32(d.Chars), int32(d.Tokens)})
	}
	for _, h := range cost.Hooks {
		runs, errors, injections := int32(h.Runs), int32(h.Errors), int32(h.Injections)
		v.Hooks = append(v.Hooks, HookView{h.Hook, runs, errors, injections, h.Seconds, h.P50, h.P95})
	}
	for _, d := range cost.Models {
		v.Models = append(v.Models, ModelView{d.Day, int32(d.Runs), int32(d.Tokens), d.Dollars})
	}
	return v, nil
}

// counts converts a map of counts to a list, the largest first.
func counts(of map[string]int) (list []CountView) {
	for name, n := range of {
		list = append(list, CountView{name, int32(n)})
	}
	slices.SortFunc(list, func(a, b CountView) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// mostDays is how many days of injections are drawn.
const mostDays = 60

// DaysPicture draws the number of injected characters per day.
func (v StatsView) DaysPicture() template.HTML {
	var columns []svg.Column
	for _, d := range slices.Backward(v.Days[:min(len(v.Days), mostDays)]) {
		tip := fmt.Sprintf("%s: %d characters in %s", d.Day, d.Chars, plural(d.Injections, "injection"))
		columns = append(columns, svg.Column{Label: d.Day, Tip: tip, Parts: []float64{float64(d.Chars)}})
	}
	return template.HTML(svg.Columns(columns).HTML("Characters injected a day",
		"The table below has the same figures."))
}

// KindsPicture draws the number of items of each kind.
func (v StatsView) KindsPicture() template.HTML {
	var areas []svg.Area
	most := func(a, b KindView) int { return cmp.Compare(b.Items, a.Items) }
	for n, k := range slices.SortedFunc(slices.Values(v.Kinds), most) {
		name, items := k.Layer+" "+k.Type, plural(k.Items, "item")
		areas = append(areas, svg.Area{
			Label: name, Note: items, Tip: name + ": " + items, Size: float64(k.Items),
			Parts: []svg.Part{{Share: 1, Class: svg.Colour(n)}},
		})
	}
	return template.HTML(svg.Areas(areas).HTML("What there is to answer from",
		"The larger an area, the more items it has. The table below has the same figures."))
}

func (s *site) statsPage(ctx context.Context, _ *http.Request, _ url.Values) (page, error) {
	v, err := s.stats(ctx)
	return page{"Stats", "stats", v}, err
}
