package team

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/gitmem/gitmem/providers/git/diffterms"
)

// OverviewOptions select the content of an overview.
type OverviewOptions struct {
	Options
	Root   string                 // folder, "" for the whole tree
	Exists func(path string) bool // in the current tree; nil: all do
	Limit  int                    // maximum of areas, hot spots and people in a list; 0: 10
}

// Overview is the state of a team's work on a tree. Its JSON form is a public contract, as are those of its elements.
type Overview struct {
	Path       string      `json:"path"`    // "" for the whole tree
	Commits    int         `json:"commits"` // by people, without merges
	Merges     int         `json:"merges"`
	Bots       int         `json:"bots"` // commits by bots, not counted
	First      time.Time   `json:"first"`
	Last       time.Time   `json:"last"`
	People     int         `json:"people"`
	Active     int         `json:"active"`      // number of people who still contribute
	ActiveDays int         `json:"active_days"` // the window for that, in days before the last commit
	Activity   []Bucket    `json:"activity"`    // over time, without gaps
	Areas      []AreaState `json:"folders"`     // most active first
	MoreAreas  int         `json:"more_folders"`
	// files that nobody writes by hand (lock, generated, vendored), excluded from folders and hot spots
	Generated int        `json:"made"`
	Risks     []Risk     `json:"risks"`
	HotSpots  []HotSpot  `json:"hot_spots"` // files changed often by many people within the last year of the history
	Joined    []Member   `json:"joined"`
	Left      []Member   `json:"left"`
	Reviews   int        `json:"reviews"`   // from forges and from commit messages
	Reviewers []Reviewer `json:"reviewers"` // by descending number of reviews
	Caveats   []string   `json:"caveats"`
	Unknown   int        `json:"-"` // commits of people with unknown line counts
}

// Bucket is a period of time.
type Bucket struct {
	Start   time.Time `json:"start"`
	Commits int       `json:"commits"`
	People  int       `json:"people"`
}

// AreaState is the state of a part of the tree.
type AreaState struct {
	// a folder ends with a slash; a * after it: only its direct files
	Path        string    `json:"path"`
	Activity    float64   `json:"activity"` // share of all work in the tree, with a higher weight for newer work
	Files       int       `json:"files"`
	Commits     int       `json:"commits"`
	Lines       int       `json:"lines"` // changed; also 0 if unknown
	People      int       `json:"people"`
	BusFactor   int       `json:"bus_factor"`
	Lost        float64   `json:"lost"`  // share of people who no longer contribute
	Owner       string    `json:"owner"` // person with the largest share
	OwnerEmail  string    `json:"owner_email"`
	OwnerShare  float64   `json:"owner_share"`
	OwnerActive bool      `json:"owner_active"`
	OwnerLast   time.Time `json:"owner_last"`
	Holders     []Holder  `json:"-"` // people with the largest shares, the owner first
	OverTime    []int     `json:"-"` // commits in each period of [Overview].Activity
}

// Holder is a person with a share of an area.
type Holder struct {
	Person
	Share  float64
	Active bool
}

// mostHolders is the maximum number of listed people of an area.
const mostHolders = 5

// HotSpot is a file that many people change often, where conflicts are most likely.
type HotSpot struct {
	Path    string `json:"path"`
	Commits int    `json:"commits"` // within the last year of the history, like the lines
	Lines   int    `json:"lines"`
	People  int    `json:"people"`
}

// Member is a person who joined or left.
type Member struct {
	Person
	Commits int       `json:"commits"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`
}

// Reviewer is a person who reviewed others' work.
type Reviewer struct {
	Person
	Reviews int       `json:"reviews"`
	Last    time.Time `json:"last"` // contribution of any kind
}

// Overview reports the state of a tree.
func (h *History) Overview(o OverviewOptions) Overview {
	o.Limit = cmp.Or(max(o.Limit, 0), 10)
	out := Overview{Path: strings.Trim(o.Root, "/")}
	var tree Area
	if o.Root = ""; out.Path != "" && out.Path != "." {
		o.Root, tree = out.Path+"/", h.Under(out.Path)
	}
	v := &overviewSums{weight: make([]float64, len(h.paths)), recent: map[uint32]*recent{}}
	counted := v.paths(h, tree, o)
	people, sums := h.tallies(tree, o.Options, func(i int, author int32, fresh float64) {
		v.add(h, i, author, fresh, counted)
	})
	slices.SortFunc(v.times, func(a, b commitTime) int { return cmp.Compare(a.unix, b.unix) })
	out.Commits, out.Bots, out.Unknown, out.Generated = sums.Commits, sums.Bots, sums.Unknown, v.generated
	for _, e := range h.entries {
		if e.kind == isMerge && o.covers(e.unix) {
			out.Merges++
		}
	}
	out.Activity = v.buckets()
	if len(v.times) > 0 {
		out.First, out.Last = unixTime(v.times[0].unix), unixTime(v.times[len(v.times)-1].unix)
	}
	out.count(h, people, o.Limit)
	h.areas(&out, v, o)
	v.hotSpots(h, &out, o)
	return out
}

// overviewSums sums the commits by people.
type overviewSums struct {
	weight    []float64          // by path, with a higher weight for newer work
	times     []commitTime       // of commits, in order
	recent    map[uint32]*recent // by path
	generated int                // paths excluded because nobody writes them by hand
}

type commitTime struct {
	unix   int64
	person int32
}

// recent is the work on a file within the last year.
type recent struct {
	commits int
	lines   int
	people  map[int32]bool
}

// add adds a commit of a person, weighted over its counted paths.
func (v *overviewSums) add(h *History, i int, author int32, fresh float64, counted []bool) {
	e := &h.entries[i]
	if e.unix != 0 {
		v.times = append(v.times, commitTime{e.unix, author})
	}
	for _, t := range e.touched {
		if !counted[t.path] {
			continue
		}
		lines := float64(t.lines)
		if !e.linesKnown {
			lines = unknownLines
		}
		v.weight[t.path] += fresh * (1 + size(lines))
		if h.newest-e.unix <= year {
			v.addRecent(t, author)
		}
	}
}

// paths reports for each path whether it counts in areas and hot spots: it is in the tree, still exists, and is written
// by hand.
func (v *overviewSums) paths(h *History, tree Area, o OverviewOptions) []bool {
	out := make([]bool, len(h.paths))
	for i, p := range h.paths {
		switch {
		case tree.weight(uint32(i)) == 0, o.Exists != nil && !o.Exists(p):
		case diffterms.IsGenerated(p):
			v.generated++
		default:
			out[i] = true
		}
	}
	return out
}

func (v *overviewSums) addRecent(t touch, person int32) {
	r := v.recent[t.path]
	if r == nil {
		r = &recent{people: map[int32]bool{}}
		v.recent[t.path] = r
	}
	r.commits++
	r.lines += int(t.lines)
	r.people[person] = true
}

// leastLeft is the minimum number of commits of a person whose leaving is reported.
const leastLeft = 5

// count sets the reviewers, the number of people, and those who recently joined or left: within the window that defines
// active people, or the same time before that.
func (out *Overview) count(h *History, people []*tally, limit int) {
	out.ActiveDays = int(h.window / (24 * 3600))
	for p, t := range people {
		if t == nil {
			continue
		}
		if t.reviews > 0 {
			out.Reviews += t.reviews
			out.Reviewers = append(out.Reviewers, Reviewer{h.people[p], t.reviews, unixTime(h.last[p])})
		}
		if t.commits == 0 {
			continue
		}
		out.People++
		m := Member{h.people[p], t.commits, unixTime(h.first[p]), unixTime(h.last[p])}
		switch {
		case h.active(int32(p)):
			out.Active++
			if h.first[p] > h.newest-h.window {
				out.Joined = append(out.Joined, m)
			}
		case h.last[p] > h.newest-2*h.window && m.Commits >= leastLeft:
			out.Left = append(out.Left, m)
		}
	}
	byCommits := func(m Member) (int, time.Time, Person) { return m.Commits, m.Last, m.Person }
	out.Joined, out.Left = topOf(out.Joined, limit, byCommits), topOf(out.Left, limit, byCommits)
	out.Reviewers = topOf(out.Reviewers, limit, func(r Reviewer) (int, time.Time, Person) {
		return r.Reviews, r.Last, r.Person
	})
}

// topOf returns the first n people, sorted by their counts and last contribution.
func topOf[T any](list []T, n int, of func(T) (did int, last time.Time, who Person)) []T {
	slices.SortFunc(list, func(a, b T) int {
		didA, lastA, whoA := of(a)
		didB, lastB, whoB := of(b)
		return cmp.Or(cmp.Compare(didB, didA), lastB.Compare(lastA), cmp.Compare(whoA.Name, whoB.Name),
			cmp.Compare(whoA.Email, whoB.Email))
	})
	return list[:min(len(list), n)]
}

// areas describes the most active folders and their risks.
func (h *History) areas(out *Overview, v *overviewSums, o OverviewOptions) {
	total := 0.0
	for _, w := range v.weight {
		total += w
	}
	if total == 0 {
		return
	}
	folders := h.cutFolders(o.Root, v.weight)
	slices.SortFunc(folders, func(a, b folder) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.path, b.path))
	})
	out.MoreAreas = max(0, len(folders)-o.Limit)
	for _, f := range folders[:min(len(folders), o.Limit)] {
		s := h.areaState(f, o.Options, out.Activity)
		s.Activity = rounded(f.weight / total)
		out.Areas = append(out.Areas, s)
		if risk, ok := riskOf(s); ok {
			out.Risks = append(out.Risks, risk)
		}
	}
}

// areaState returns who knows a folder.
func (h *History) areaState(f folder, o Options, over []Bucket) AreaState {
	s := AreaState{Path: f.path, Files: len(f.files), Holders: []Holder{}, OverTime: make([]int, len(over))}
	if f.filesOnly {
		s.Path = cmp.Or(f.path, "./") + "*"
	}
	area := make(Area, len(h.paths))
	for _, i := range f.files {
		area[i] = 1
	}
	r := h.Rank(area, o)
	h.tallies(area, o, func(i int, _ int32, _ float64) {
		later := sort.Search(len(over), func(n int) bool { return over[n].Start.After(unixTime(h.entries[i].unix)) })
		if later > 0 {
			s.OverTime[later-1]++
		}
	})
	s.Commits, s.People, s.BusFactor = r.Commits, len(r.People), r.BusFactor
	for i, p := range r.People {
		if i == 0 {
			s.Owner, s.OwnerEmail, s.OwnerShare, s.OwnerActive, s.OwnerLast = p.Name, p.Email, rounded(p.Share), p.Active, p.Last
		}
		if i < mostHolders {
			s.Holders = append(s.Holders, Holder{p.Person, rounded(p.Share), p.Active})
		}
		s.Lines += p.Lines
		if !p.Active {
			s.Lost += p.Share
		}
	}
	s.Lost = rounded(s.Lost)
	return s
}

// Risk is a possible loss of the team's knowledge.
type Risk struct {
	Kind string `json:"kind"` // owner gone, one person, or knowledge lost
	Path string `json:"path"`
	Text string `json:"text"`
}

// lostShare is the share of an area held by former members from which it is a risk.
const lostShare = 0.5

// riskOf returns the greatest risk of an area.
func riskOf(a AreaState) (Risk, bool) {
	r := Risk{Path: a.Path}
	switch {
	case a.BusFactor == 1 && !a.OwnerActive:
		r.Kind, r.Text = "owner gone", fmt.Sprintf("%s holds %.0f %% of it and last contributed on %s", a.Owner,
			100*a.OwnerShare, a.OwnerLast.Format(time.DateOnly))
	case a.Lost >= lostShare:
		r.Kind, r.Text = "knowledge lost", fmt.Sprintf("people who no longer contribute hold %.0f %% of it", 100*a.Lost)
	case a.BusFactor == 1 && a.People > 1:
		r.Kind, r.Text = "one person", fmt.Sprintf("%s holds %.0f %% of it", a.Owner, 100*a.OwnerShare)
	case a.BusFactor == 1:
		r.Kind, r.Text = "one person", fmt.Sprintf("nobody but %s ever worked on it", a.Owner)
	default:
		return r, false
	}
	return r, true
}

func rounded(share float64) float64 { return math.Round(1000*share) / 1000 }

// A hot spot has at least this number of people and commits within a year.
const (
	hotPeople  = 3
	hotCommits = 5
)

func (v *overviewSums) hotSpots(h *History, out *Overview, o OverviewOptions) {
	for p, r := range v.recent {
		if len(r.people) >= hotPeople && r.commits >= hotCommits {
			out.HotSpots = append(out.HotSpots, HotSpot{Path: h.paths[p], Commits: r.commits, Lines: r.lines,
				People: len(r.people)})
		}
	}
	slices.SortFunc(out.HotSpots, func(a, b HotSpot) int {
		return cmp.Or(cmp.Compare(b.Commits*b.People, a.Commits*a.People), cmp.Compare(a.Path, b.Path))
	})
	out.HotSpots = out.HotSpots[:min(len(out.HotSpots), o.Limit)]
}
