package browse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/internal/svg"
)

// TeamArgs select the folder and the time of the team's work.
type TeamArgs struct {
	Path  string // a folder, "" for the whole tree
	Since string // in the format of gitmem team --since
}

// TeamView is the state of a team's work on a folder.
type TeamView struct {
	Args                                    TeamArgs
	Commits, People, Active, ActiveDays     int32
	Bots, Merges, Reviews, Files, MoreAreas int32
	First, Last                             string
	Periods                                 []PeriodView
	Areas                                   []AreaView // the most active ones first
	Risks                                   []RiskView
	HotSpots                                []HotSpotView
	Joined, Left, Reviewers                 []PersonView
	Colours                                 []PersonView // people with their own colour in the picture of areas
	Caveats                                 []string
}

// PeriodView is a period with its commits.
type PeriodView struct {
	Start           string
	Commits, People int32
	Areas           []int32 // commits in each of the areas
}

// AreaView is a part of the tree, and the people who hold it.
type AreaView struct {
	Path, Folder                             string // Folder has no suffix for files directly in it
	Activity, Lost                           float64
	Files, Commits, Lines, People, BusFactor int32
	Risk                                     bool
	Holders                                  []PersonView
}

// RiskView is a risk that the team loses knowledge.
type RiskView struct{ Kind, Path, Folder, Text string }

// HotSpotView is a file that many people change often.
type HotSpotView struct {
	Path                   string
	Commits, Lines, People int32
}

// PersonView is a person with their work in an area.
type PersonView struct {
	Name, Email, First, Last           string
	Commits, Lines, Reviews, Surviving int32
	Score, Share                       float64
	Active                             bool
	Areas, Citations                   []string
}

func personView(p gitmem.Person) PersonView {
	return PersonView{
		Name: p.Name, Email: p.Email, Last: day(p.Last), Commits: int32(p.Commits), Lines: int32(p.Lines),
		Reviews: int32(p.Reviews), Surviving: int32(p.Surviving), Score: p.Score, Share: p.Share, Active: p.Active,
		Areas: p.Areas, Citations: p.Citations,
	}
}

// team returns the state of the team's work. Outside a repository the error explains what to do.
func (s *site) team(ctx context.Context, a TeamArgs) (TeamView, error) {
	f := gitmem.Filter{Since: a.Since, Limit: 24}
	if a.Path != "" {
		f.Path = []string{a.Path}
	}
	st, err := s.m.Team().State(ctx, f)
	if err != nil {
		return TeamView{Args: a}, outside(err)
	}
	v := TeamView{
		Args: a, Commits: int32(st.Commits), People: int32(st.People), Active: int32(st.Active),
		ActiveDays: int32(st.ActiveDays), Bots: int32(st.Bots),
		Merges: int32(st.Merges), Reviews: int32(st.Reviews), Files: int32(st.Generated),
		MoreAreas: int32(st.MoreAreas), First: day(st.First), Last: day(st.Last), Caveats: st.Caveats,
	}
	for n, b := range st.Activity {
		p := PeriodView{Start: day(b.Start), Commits: int32(b.Commits), People: int32(b.People)}
		for _, area := range st.Areas {
			p.Areas = append(p.Areas, int32(area.OverTime[n]))
		}
		v.Periods = append(v.Periods, p)
	}
	for _, r := range st.Risks {
		v.Risks = append(v.Risks, RiskView{r.Kind, r.Path, folderOf(r.Path), r.Text})
	}
	for _, area := range st.Areas {
		v.Areas = append(v.Areas, areaView(area, v.Risks))
	}
	for _, h := range st.HotSpots {
		v.HotSpots = append(v.HotSpots, HotSpotView{h.Path, int32(h.Commits), int32(h.Lines), int32(h.People)})
	}
	v.Joined, v.Left = slice.Map(st.Joined, memberView), slice.Map(st.Left, memberView)
	for _, r := range st.Reviewers {
		p := PersonView{Name: r.Name, Email: r.Email, Reviews: int32(r.Reviews), Last: day(r.Last)}
		v.Reviewers = append(v.Reviewers, p)
	}
	v.Colours = coloured(v.Areas)
	return v, nil
}

// outside explains an error outside a repository, for pages that need one.
func outside(err error) error {
	if errors.Is(err, gitmem.ErrNoRepository) {
		const reason = "the folder that gitmem browse was started in is in no git repository"
		return refusal(err, reason, "start gitmem browse in a clone of the project")
	}
	return err
}

func folderOf(area string) string {
	return cmp.Or(strings.Trim(strings.TrimSuffix(area, "*"), "/"), ".")
}

func areaView(a gitmem.TeamArea, risks []RiskView) AreaView {
	v := AreaView{
		Path: a.Path, Folder: folderOf(a.Path), Activity: a.Activity, Lost: a.Lost, Files: int32(a.Files),
		Commits: int32(a.Commits), Lines: int32(a.Lines), People: int32(a.People), BusFactor: int32(a.BusFactor),
		Risk: slices.ContainsFunc(risks, func(r RiskView) bool { return r.Path == a.Path }),
	}
	for _, h := range a.Holders {
		v.Holders = append(v.Holders, PersonView{Name: h.Name, Email: h.Email, Share: h.Share, Active: h.Active})
	}
	return v
}

func memberView(m gitmem.TeamMember) PersonView {
	return PersonView{Name: m.Name, Email: m.Email, Commits: int32(m.Commits), First: day(m.First), Last: day(m.Last)}
}

// coloured returns the people who hold most of the areas.
func coloured(areas []AreaView) (list []PersonView) {
	for _, a := range areas {
		for _, h := range a.Holders {
			n := slices.IndexFunc(list, h.same)
			if n < 0 {
				n, list = len(list), append(list, PersonView{Name: h.Name, Email: h.Email, Active: h.Active})
			}
			list[n].Share += h.Share * a.Activity
		}
	}
	slices.SortStableFunc(list, func(a, b PersonView) int { return cmp.Compare(b.Share, a.Share) })
	return list[:min(len(list), svg.Colours)]
}

func (p PersonView) same(o PersonView) bool { return p.Name == o.Name && p.Email == o.Email }

// AreaPicture draws the areas by activity, each in the colours of those who hold it.
func (v TeamView) AreaPicture() template.HTML {
	var areas []svg.Area
	for _, a := range v.Areas {
		cell := svg.Area{
			Label: a.Path, Note: fmt.Sprintf("%s, %.0f %% of the work", plural(a.People, "author"), 100*a.Activity),
			Size: a.Activity, Href: "/people?path=" + url.QueryEscape(a.Folder), Risk: a.Risk,
		}
		cell.Tip = a.Path + ": " + cell.Note
		for _, h := range a.Holders {
			cell.Tip += fmt.Sprintf(", %s %.0f %%", h.Name, 100*h.Share)
			class := svg.Colour(slices.IndexFunc(v.Colours, h.same))
			cell.Parts = append(cell.Parts, svg.Part{Share: h.Share, Class: class})
		}
		areas = append(areas, cell)
	}
	return template.HTML(svg.Areas(areas).HTML("Areas and who holds them",
		"The larger an area, the more is done in it. The table below has the same figures."))
}

// ActivityPicture draws the commits over time, divided by area.
func (v TeamView) ActivityPicture() template.HTML {
	var columns []svg.Column
	for _, p := range v.Periods {
		c := svg.Column{
			Label: p.Start, Parts: make([]float64, svg.Colours+1),
			Tip: fmt.Sprintf("from %s: %s by %s", p.Start, plural(p.Commits, "commit"), plural(p.People, "author")),
		}
		all := 0.0
		for _, did := range p.Areas {
			all += float64(did)
		}
		for n, did := range p.Areas {
			c.Parts[min(n, svg.Colours)] += float64(p.Commits) * float64(did) / max(all, 1)
			if did > 0 && n < svg.Colours {
				c.Tip += fmt.Sprintf(", %s %d", v.Areas[n].Path, did)
			}
		}
		if all == 0 {
			c.Parts[svg.Colours] = float64(p.Commits)
		}
		columns = append(columns, c)
	}
	return template.HTML(svg.Columns(columns).HTML("Commits over time",
		"A column is cut by how often each area was changed. The tables below have the figures."))
}

func (s *site) teamPage(ctx context.Context, _ *http.Request, q url.Values) (page, error) {
	v, err := s.team(ctx, TeamArgs{q.Get("path"), q.Get("since")})
	return page{"Team", "team", v}, err
}

// PeopleView lists who knows an area or a subject.
type PeopleView struct {
	Asked, By     string // By is how it was found: path, words, commits, or all
	Files         int32
	Paths         []string // of the area, the first ones
	People        []PersonView
	Others        int32
	Commits, Bots int32
	BusFactor     int32
	Owners        []string // as in CODEOWNERS
	Caveats       []string
	Areas         *TeamView // of the folder, nil for other paths
	Parent        string    // the parent folder, or ""
}

// Survivors reports whether surviving lines were counted.
func (v PeopleView) Survivors() bool {
	return slices.ContainsFunc(v.People, func(p PersonView) bool { return p.Surviving > 0 })
}

// people returns who knows a folder, a file or a subject; "" is the whole tree.
func (s *site) people(ctx context.Context, asked string) (PeopleView, error) {
	e, err := s.m.Team().Who(ctx, asked, gitmem.Filter{Limit: 30})
	if err != nil {
		return PeopleView{}, outside(err)
	}
	v := PeopleView{
		Asked: asked, By: e.By, Files: int32(e.Files), Paths: e.Area, Others: int32(e.Others),
		Commits: int32(e.Commits), Bots: int32(e.Bots), BusFactor: int32(e.BusFactor),
		Owners: e.Owners, Caveats: e.Caveats,
	}
	for _, p := range e.People {
		p.Share = p.Score // of the surviving lines
		v.People = append(v.People, personView(p))
	}
	if e.By == "path" {
		v.Parent = path.Dir(strings.Trim(asked, "/"))
	} else if e.By != "all" {
		return v, nil
	}
	switch areas, err := s.team(ctx, TeamArgs{Path: asked}); {
	case err == nil && len(areas.Areas) > 0:
		v.Areas = &areas
	case err != nil && !errors.Is(err, gitmem.ErrNotFound): // a file has no areas
		return v, err
	}
	return v, nil
}

func (s *site) peoplePage(ctx context.Context, _ *http.Request, q url.Values) (page, error) {
	v, err := s.people(ctx, q.Get("path"))
	return page{"People", "people", v}, err
}

// SliderView is the data of the date slider.
type SliderView struct {
	First, Last, Day string
	Days, At         int32
}

// sliderOf returns a slider from the first day of a page to today.
func (s *site) sliderOf(first time.Time, asOf string) *SliderView {
	today := s.now().UTC().Truncate(24 * time.Hour)
	first = first.UTC().Truncate(24 * time.Hour)
	if first.IsZero() || !first.Before(today) {
		return nil
	}
	v := SliderView{First: day(first), Last: day(today), Days: daysTo(first, today)}
	v.At = v.Days
	if at, err := time.Parse(time.DateOnly, asOf); err == nil && at.Before(today) {
		v.Day, v.At = asOf, max(0, daysTo(first, at))
	}
	return &v
}

// daysTo counts days. A [time.Duration] is limited to 292 years.
func daysTo(first, last time.Time) int32 { return int32((last.Unix() - first.Unix()) / (24 * 60 * 60)) }
