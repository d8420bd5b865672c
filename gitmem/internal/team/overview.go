package team

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// OverviewOptions say what an overview is of.
type OverviewOptions struct {
	Options
	Root   string                 // folder, "" for the whole tree
	Exists func(path string) bool // in the tree of today; nil: all do
	Made   func(path string) bool // by no one's hand: neither area nor hot spot; nil: none
	Limit  int                    // areas, hot spots and people of a list at most; 0: 10
}

// Overview is the state of a team's work on a tree.
type Overview struct {
	Commits, Merges, Bots int       // in the tree and time asked for; those of people, and left out
	Unknown               int       // commits of people of which the changed lines are not known
	People, Active        int       // who contributed, and who of them still does
	First, Last           time.Time // of the commits of people
	Window                time.Duration
	Activity              []Bucket // over time, without gaps
	Areas                 []AreaState
	Hot                   []HotSpot
	Joined, Left          []Member
	Reviews               int        // by people, of what lies in the tree
	Reviewers             []Reviewer // who reviewed most first
	MoreAreas             int        // that the limit left out
	Made                  int        // files of today that were left out since no one writes them
}

// Bucket is a stretch of time. Its JSON form is a public contract, as are those of hot
// spots, members and reviewers.
type Bucket struct {
	Start   time.Time `json:"start"`
	Commits int       `json:"commits"`
	People  int       `json:"people"`
}

// AreaState is what is known of a folder.
type AreaState struct {
	Folder
	Files     int
	Activity  float64 // share of all that is done in the tree, newer work weighing more
	Commits   int
	Lines     int
	People    int
	BusFactor int
	Lost      float64          // share held by people who no longer contribute
	Owner     ContributorStats // who has most of it
}

// HotSpot is a file that many change often: the likeliest place for them to collide.
type HotSpot struct {
	Path    string `json:"path"`
	Commits int    `json:"commits"` // within the last year of the history, as the lines
	Lines   int    `json:"lines"`
	People  int    `json:"people"`
}

// Member is somebody who came or went.
type Member struct {
	Person
	Commits int       `json:"commits"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`
}

// Reviewer is somebody who reviewed what others did.
type Reviewer struct {
	Person
	Reviews int       `json:"reviews"`
	Last    time.Time `json:"last"` // contribution of any kind
}

// Overview tells the state of a tree.
func (h *History) Overview(o OverviewOptions) Overview {
	h.finish()
	if o.Limit <= 0 {
		o.Limit = 10
	}
	if o.Root = strings.Trim(o.Root, "/"); o.Root != "" && o.Root != "." {
		o.Root += "/"
	} else {
		o.Root = ""
	}
	tree := h.Select(func(p string) bool { return strings.HasPrefix(p, o.Root) || p+"/" == o.Root })
	v := h.survey(tree, o)
	out := Overview{
		Commits: v.commits, Merges: v.merges, Bots: v.bots, Unknown: v.unknown, First: unixTime(v.first), Last: unixTime(v.last),
		Window: time.Duration(h.window) * time.Second, Activity: v.buckets(),
	}
	out.count(h, v, o.Limit)
	out.countReviews(h, v, o.Limit)
	out.Areas, out.MoreAreas = h.areas(v, o)
	out.Hot = v.hotSpots(h, o)
	out.Made = v.made
	return out
}

// survey is one pass over the history.
type survey struct {
	commits, merges, bots, unknown int
	first, last                    int64
	weight                         []float64 // by path, newer work weighing more
	times                          []stamped
	people                         map[int32]*Member
	reviews                        map[int32]int      // by person
	recent                         map[uint32]*recent // by path
	made                           int                // paths left out since no one writes them
}

type stamped struct {
	unix   int64
	person int32
}

type recent struct {
	commits int
	lines   int
	people  map[int32]bool
}

func (h *History) survey(tree Area, o OverviewOptions) *survey {
	v := &survey{weight: make([]float64, len(h.paths)), people: map[int32]*Member{}, reviews: map[int32]int{}, recent: map[uint32]*recent{}}
	counted := v.paths(h, tree, o)
	for i := range h.entries {
		e := &h.entries[i]
		if !o.covers(e.unix) {
			continue
		}
		if e.kind == isMerge {
			v.merges++
			continue
		}
		in, _, focus := h.within(i, tree)
		if in == 0 && (o.Root != "" || len(h.touches(i)) > 0) {
			continue
		}
		person := h.nameOf[e.who]
		if e.kind == isReview {
			v.reviewed(h, person)
			continue
		}
		if h.people[person].Bot {
			v.bots++
			continue
		}
		v.commits++
		if !e.linesKnown {
			v.unknown++
		}
		v.note(h, e, person)
		for _, p := range h.reviewers(i) {
			v.reviewed(h, p)
		}
		for _, p := range h.partners(i) {
			v.member(h, p, e.unix)
		}
		fresh := h.freshness(e.unix) * focus
		for _, t := range h.touches(i) {
			if !counted[t.path] {
				continue
			}
			lines := float64(t.lines)
			if !e.linesKnown {
				lines = unknownLines
			}
			v.weight[t.path] += fresh * (1 + size(lines))
			if h.newest-e.unix <= year {
				v.heat(t, person)
			}
		}
	}
	return v
}

// paths tells of each path whether it counts in areas and hot spots: it lies in the
// tree, still exists, and is somebody's work.
func (v *survey) paths(h *History, tree Area, o OverviewOptions) []bool {
	out := make([]bool, len(h.paths))
	for i, p := range h.paths {
		switch {
		case tree.weight(uint32(i)) == 0, o.Exists != nil && !o.Exists(p):
		case o.Made != nil && o.Made(p):
			v.made++
		default:
			out[i] = true
		}
	}
	return out
}

func (v *survey) reviewed(h *History, person int32) {
	if !h.people[person].Bot {
		v.reviews[person]++
	}
}

func (v *survey) note(h *History, e *entry, person int32) {
	v.member(h, person, e.unix)
	if e.unix == 0 {
		return
	}
	v.times = append(v.times, stamped{e.unix, person})
	if v.first == 0 || e.unix < v.first {
		v.first = e.unix
	}
	v.last = max(v.last, e.unix)
}

func (v *survey) member(h *History, person int32, unix int64) {
	m := v.people[person]
	if m == nil {
		m = &Member{Person: h.people[person], First: unixTime(h.first[person]), Last: unixTime(h.last[person])}
		v.people[person] = m
	}
	m.Commits++
}

func (v *survey) heat(t touch, person int32) {
	r := v.recent[t.path]
	if r == nil {
		r = &recent{people: map[int32]bool{}}
		v.recent[t.path] = r
	}
	r.commits++
	r.lines += int(t.lines)
	r.people[person] = true
}

// leastLeft is how many commits somebody must have made to be missed.
const leastLeft = 5

// count fills in how many people there are, who came and who went lately: within the
// time in which who is active has contributed, or the same time before that.
func (out *Overview) count(h *History, v *survey, limit int) {
	newest := unixTime(h.newest)
	out.People = len(v.people)
	for p, m := range v.people {
		if h.active(p) {
			out.Active++
			if m.First.After(newest.Add(-out.Window)) {
				out.Joined = append(out.Joined, *m)
			}
		} else if m.Last.After(newest.Add(-2*out.Window)) && m.Commits >= leastLeft {
			out.Left = append(out.Left, *m)
		}
	}
	for _, list := range []*[]Member{&out.Joined, &out.Left} {
		slices.SortFunc(*list, func(a, b Member) int {
			return cmp.Or(cmp.Compare(b.Commits, a.Commits), b.Last.Compare(a.Last), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Email, b.Email))
		})
		*list = (*list)[:min(len(*list), limit)]
	}
}

// countReviews fills in who reviewed.
func (out *Overview) countReviews(h *History, v *survey, limit int) {
	for p, n := range v.reviews {
		out.Reviews += n
		out.Reviewers = append(out.Reviewers, Reviewer{Person: h.people[p], Reviews: n, Last: unixTime(h.last[p])})
	}
	slices.SortFunc(out.Reviewers, func(a, b Reviewer) int {
		return cmp.Or(cmp.Compare(b.Reviews, a.Reviews), b.Last.Compare(a.Last), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Email, b.Email))
	})
	out.Reviewers = out.Reviewers[:min(len(out.Reviewers), limit)]
}

// areas describes the folders in which most is done.
func (h *History) areas(v *survey, o OverviewOptions) (out []AreaState, more int) {
	total := 0.0
	for _, w := range v.weight {
		total += w
	}
	if total == 0 {
		return nil, 0
	}
	folders := h.cutFolders(o.Root, v.weight)
	for _, f := range folders {
		s := AreaState{Folder: f}
		for i, w := range v.weight {
			if w > 0 && f.holds(h.paths[i]) {
				s.Files++
				s.Activity += w / total
			}
		}
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b AreaState) int {
		return cmp.Or(cmp.Compare(b.Activity, a.Activity), cmp.Compare(a.Path, b.Path))
	})
	more = max(0, len(out)-o.Limit)
	out = out[:min(len(out), o.Limit)]
	for i := range out {
		out[i].rank(h, v, o.Options)
	}
	return out, more
}

// rank fills in whose an area is.
func (s *AreaState) rank(h *History, v *survey, o Options) {
	area := make(Area, len(h.paths))
	for i, w := range v.weight {
		if w > 0 && s.holds(h.paths[i]) {
			area[i] = 1
		}
	}
	r := h.Rank(area, o)
	s.Commits, s.People, s.BusFactor = r.Commits, len(r.People), r.BusFactor
	for i, p := range r.People {
		if i == 0 {
			s.Owner = p
		}
		s.Lines += p.Lines
		if !p.Active {
			s.Lost += p.Share
		}
	}
}

// What makes a hot spot: so many people and commits within a year.
const (
	hotPeople  = 3
	hotCommits = 5
)

func (v *survey) hotSpots(h *History, o OverviewOptions) []HotSpot {
	var out []HotSpot
	for p, r := range v.recent {
		if len(r.people) >= hotPeople && r.commits >= hotCommits {
			out = append(out, HotSpot{Path: h.paths[p], Commits: r.commits, Lines: r.lines, People: len(r.people)})
		}
	}
	slices.SortFunc(out, func(a, b HotSpot) int {
		return cmp.Or(cmp.Compare(b.Commits*b.People, a.Commits*a.People), cmp.Compare(a.Path, b.Path))
	})
	return out[:min(len(out), o.Limit)]
}
