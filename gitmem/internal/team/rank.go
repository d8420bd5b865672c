package team

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/internal/slice"
)

// Options select the contributions of a history that count.
type Options struct {
	Since, Until time.Time // inclusive, and exclusive; zero: no bound
	// Relevance returns the weight of a contribution, given by the caller's number; 0 excludes it. Nil weighs all equally.
	Relevance func(row int64) float64
	// Surviving is the number of lines of the area that are still as a contribution wrote them, by the caller's number. If
	// given, people are ranked by these lines, and by the worth of their contributions if equal; if nil, by the latter
	// alone.
	Surviving map[int64]float64
	Unowned   float64 // lines of the area with unknown authors
}

// ContributorStats is a person's part in an area.
type ContributorStats struct {
	Person
	Score   float64 // ranking criterion: see the package comment, and Options.Surviving
	Share   float64 // share of the sum of all scores, 0 to 1
	Commits int     // their own, and those that they share in
	Lines   int     // changed in the area; half of the lines of shared commits
	// Surviving is the number of lines of the area that are still as they wrote them; for shared commits half for each.
	Surviving int
	Reviews   int
	First     time.Time // of their contributions to the area, zero: unknown
	Last      time.Time
	Active    bool     // still contributes to the repository, in any area
	Paths     []string // of the area, by descending amount of work
	Rows      []int64  // their contributions, by descending worth
}

// Ranking contains the people of an area, best first.
type Ranking struct {
	People    []ContributorStats
	Commits   int // by people, of the area
	Bots      int // commits by bots, not counted
	Unknown   int // commits with unknown line counts
	BusFactor int // smallest number of people with more than half of the total; 0: no such people

	// Introduced is the row of the oldest commit, and Introducer its author, "" if no time is known.
	Introduced int64
	Introducer string
}

// tally sums ContributorStats.
type tally struct {
	score, lines     int64
	surviving        int64 // thousandths
	commits, reviews int
	first, last      int64
	paths            map[uint32]int64
	rows             []worth
}

type worth struct {
	row   int64
	value float64
	unix  int64
}

// Rank ranks the people of an area. An empty result is not an error.
func (h *History) Rank(a Area, o Options) Ranking {
	oldest := entry{unix: math.MaxInt64}
	found, out := h.tallies(a, o, func(i int, _ int32, _ float64) {
		if e := h.entries[i]; e.unix != 0 && cmp.Or(cmp.Compare(e.unix, oldest.unix), cmp.Compare(e.row, oldest.row)) < 0 {
			oldest = e
		}
	})
	if oldest.unix != math.MaxInt64 {
		out.Introduced, out.Introducer = oldest.row, h.people[h.nameOf[oldest.who]].Name
	}
	total := int64(0)
	for _, s := range found {
		if s != nil {
			total += s.score
		}
	}
	for p, s := range found {
		if s != nil {
			out.People = append(out.People, h.stats(int32(p), s, float64(total)))
		}
	}
	slices.SortFunc(out.People, func(a, b ContributorStats) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), b.Last.Compare(a.Last), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.Email, b.Email))
	})
	if o.Surviving != nil {
		rankBySurviving(out.People, o.Unowned)
	}
	out.BusFactor = busFactor(out.People)
	return out
}

// rankBySurviving ranks people by their surviving lines; equal ones keep their order.
func rankBySurviving(people []ContributorStats, unowned float64) {
	total := unowned
	for i, p := range people {
		people[i].Score = float64(p.Surviving)
		total += people[i].Score
	}
	for i := range people {
		people[i].Share = people[i].Score / max(total, 1)
	}
	slices.SortStableFunc(people, func(a, b ContributorStats) int { return cmp.Compare(b.Score, a.Score) })
}

// tallies sums each person's work in an area, nil for people without work, and counts the commits. It calls visit for
// each commit, with its author and its weight by age and focus.
func (h *History) tallies(a Area, o Options, visit func(i int, author int32, fresh float64)) (found []*tally,
	out Ranking) {
	h.finish()
	found = make([]*tally, len(h.people))
	for i := range h.entries {
		h.share(i, a, o, found, &out, visit)
	}
	return found, out
}

// share adds entry i to its authors and reviewers.
func (h *History) share(i int, a Area, o Options, found []*tally, out *Ranking, visit func(int, int32, float64)) {
	e := &h.entries[i]
	author, surviving := h.nameOf[e.who], o.Surviving[e.row]
	if e.kind == isMerge && surviving == 0 || !o.covers(e.unix) {
		return
	}
	relevance := 1.0
	if o.Relevance != nil {
		relevance = o.Relevance(e.row)
	}
	in, lines, focus := h.within(i, a)
	if in == 0 && surviving == 0 || relevance <= 0 { // it may have written lines under an earlier name of the file
		return
	}
	if h.people[author].Bot {
		if e.kind == isCommit {
			out.Bots++
		}
		return
	}
	fresh := focus * h.freshness(e.unix)
	value := relevance * fresh
	review := credit{entry: i, value: 2 * value, review: true} // like a commit of one line
	if e.kind == isReview {
		h.add(author, a, review, found)
		return
	}
	visit(i, author, fresh)
	out.Commits++
	if !e.linesKnown {
		out.Unknown++
		value *= 1 + size(float64(in)*unknownLines)
	} else {
		value *= 1 + size(lines)
	}
	h.add(author, a, credit{entry: i, value: value, lines: lines, surviving: surviving}, found)
	for _, p := range h.partners(i) {
		h.add(p, a, credit{entry: i, value: value / 2, lines: lines / 2, surviving: surviving / 2}, found)
	}
	for _, p := range h.reviewers(i) {
		h.add(p, a, review, found)
	}
}

// credit is the worth of an entry for one person.
type credit struct {
	entry        int
	value, lines float64
	surviving    float64
	review       bool
}

// partners returns the people who share entry i with its author, each once and without bots.
func (h *History) partners(i int) []int32 {
	var out []int32
	for _, name := range h.entries[i].also {
		p := h.nameOf[name]
		if p != h.nameOf[h.entries[i].who] && !h.people[p].Bot && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// within returns the part of entry i in an area: number of paths, lines, and the focus. An entry without paths, such as
// a review, is in the whole tree only, and in a selection by row.
func (h *History) within(i int, a Area) (in, lines, focus float64) {
	list := h.entries[i].touched
	if len(list) == 0 {
		if a == nil {
			return 1, 0, 1
		}
		return 0, 0, 0
	}
	all := 0.0
	for _, t := range list {
		w := a.weight(t.path)
		in += w
		lines += w * float64(t.lines)
		all += float64(t.lines)
	}
	share := in / float64(len(list))
	if all > 0 {
		share = max(share, lines/all, min(1, lines/ownLines))
	}
	return in, lines, math.Sqrt(share)
}

func (o Options) covers(unix int64) bool {
	return (o.Since.IsZero() || unix >= o.Since.Unix()) && (o.Until.IsZero() || unix < o.Until.Unix())
}

func (h *History) add(person int32, a Area, c credit, found []*tally) {
	s := found[person]
	if s == nil {
		s = &tally{paths: map[uint32]int64{}}
		found[person] = s
	}
	e := &h.entries[c.entry]
	s.score += millionths(c.value)
	s.lines += int64(math.Round(1000 * c.lines))
	s.surviving += int64(math.Round(1000 * c.surviving))
	if c.review {
		s.reviews++
	} else {
		s.commits++
	}
	if e.unix != 0 && (s.first == 0 || e.unix < s.first) {
		s.first = e.unix
	}
	s.last = max(s.last, e.unix)
	for _, t := range e.touched {
		if w := a.weight(t.path); w > 0 {
			s.paths[t.path] += millionths(w * c.value / float64(len(e.touched)))
		}
	}
	s.rows = append(s.rows, worth{e.row, c.value, e.unix})
}

func millionths(v float64) int64 { return int64(math.Round(1e6 * v)) }

// statsPaths and statsRows limit the data kept for each person.
const (
	statsPaths = 8
	statsRows  = 8
)

func (h *History) stats(person int32, s *tally, total float64) ContributorStats {
	out := ContributorStats{
		Person: h.people[person], Score: float64(s.score) / 1e6, Commits: s.commits, Lines: int((s.lines + 500) / 1000),
		Surviving: int((s.surviving + 500) / 1000), Reviews: s.reviews,
		First: unixTime(s.first), Last: unixTime(s.last), Active: h.active(person), Paths: h.top(s.paths),
	}
	if total > 0 {
		out.Share = float64(s.score) / total
	}
	slices.SortFunc(s.rows, func(a, b worth) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(b.unix, a.unix), cmp.Compare(a.row, b.row))
	})
	for _, w := range s.rows[:min(len(s.rows), statsRows)] {
		out.Rows = append(out.Rows, w.row)
	}
	return out
}

// top returns the paths with the highest worth.
func (h *History) top(worth map[uint32]int64) []string {
	list := slices.SortedFunc(maps.Keys(worth), func(a, b uint32) int {
		return cmp.Or(cmp.Compare(worth[b], worth[a]), strings.Compare(h.paths[a], h.paths[b]))
	})
	return slice.Map(list[:min(len(list), statsPaths)], func(p uint32) string { return h.paths[p] })
}

// busFactor returns the smallest number of people with more than half of the scores; people are sorted by score.
func busFactor(people []ContributorStats) int {
	total, held := 0.0, 0.0
	for _, p := range people {
		total += p.Score
	}
	for i, p := range people {
		if held += p.Score; held > total/2 {
			return i + 1
		}
	}
	return 0
}

func unixTime(unix int64) time.Time {
	if unix == 0 {
		return time.Time{}
	}
	return time.Unix(unix, 0).UTC()
}
