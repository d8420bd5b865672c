package team

import (
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/internal/slice"
)

// Entry is one contribution.
type Entry struct {
	Row    int64    // the caller's number of the contribution
	Who    string   // "Name <address>"
	Also   []string // others who share the work, in the same form
	Unix   int64    // time in seconds; 0: unknown
	Review bool     // a review of somebody else's work
	Merge  bool     // a merge, which is not work itself
	Paths  []string // with slashes, relative to the top
	// Reviewers are the reviewers named in a commit, in the form of Who.
	Reviewers []string
	// Change is the change that the contribution belongs to, such as a pull request; empty: unknown. A reviewer of the
	// change is counted once, whatever its commits say.
	Change string
	Lines  []uint32 // lines changed of each of Paths, 0: unknown; nil: all unknown
}

// History contains contributions in memory, about 20 bytes for each path of each. Add all of them before queries. It is
// safe for concurrent reads after the last Add.
type History struct {
	paths   []string
	pathNo  map[string]uint32
	names   []string
	nameNo  map[string]uint32
	entries []entry

	people   []Person // see finish
	nameOf   []int32  // person of each name
	finished bool
	newest   int64
	window   int64 // maximum age of the last contribution of active people
	last     []int64
	first    []int64
	reviewed map[reviewOf]bool // by reviews that are entries
}

// reviewOf is a person's review of a change.
type reviewOf struct {
	change string
	person int32
}

type entry struct {
	unix       int64
	row        int64
	who        uint32
	kind       uint8
	linesKnown bool
	touched    []touch
	also       []uint32
	reviewers  []uint32 // named in its message
	change     string   // "": unknown
}

type touch struct{ path, lines uint32 }

const (
	isCommit uint8 = iota
	isReview
	isMerge
)

// Add adds a contribution. For merges only time and author are kept.
func (h *History) Add(e Entry) {
	if h.pathNo == nil {
		h.pathNo, h.nameNo = map[string]uint32{}, map[string]uint32{}
	}
	h.finished = false
	in := entry{unix: e.Unix, row: e.Row, who: h.name(e.Who), linesKnown: e.Lines != nil, change: e.Change}
	switch {
	case e.Merge:
		in.kind = isMerge
	case e.Review:
		in.kind = isReview
	default:
		for _, who := range e.Reviewers {
			in.reviewers = append(in.reviewers, h.name(who))
		}
	}
	if !e.Merge {
		in.touched = make([]touch, len(e.Paths))
		for i, p := range e.Paths {
			in.touched[i].path = h.path(p)
			if i < len(e.Lines) {
				in.touched[i].lines = e.Lines[i]
			}
		}
		for _, a := range e.Also {
			if a != e.Who {
				in.also = append(in.also, h.name(a))
			}
		}
	}
	h.entries = append(h.entries, in)
}

func (h *History) path(p string) uint32 { return numberOf(p, &h.paths, h.pathNo) }

func (h *History) name(s string) uint32 { return numberOf(s, &h.names, h.nameNo) }

// numberOf returns the index of a string in a list, adding it if it is new.
func numberOf(s string, list *[]string, known map[string]uint32) uint32 {
	n, ok := known[s]
	if !ok {
		n = uint32(len(*list))
		*list = append(*list, s)
		known[s] = n
	}
	return n
}

// Len returns the number of contributions, including merges and those of bots.
func (h *History) Len() int { return len(h.entries) }

// Rows yields the caller's numbers of all contributions.
func (h *History) Rows() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for i := range h.entries {
			if !yield(h.entries[i].row) {
				return
			}
		}
	}
}

// Paths returns all paths that were ever touched. It is the history's own list: the index of a path is its number in an
// [Area].
func (h *History) Paths() []string { return h.paths }

// PathNumber returns the index of a path in Paths.
func (h *History) PathNumber(p string) (int, bool) {
	n, ok := h.pathNo[p]
	return int(n), ok
}

// reviewers returns the reviewers of the commit of entry i, each once, without people who shared the work, and without
// reviews that are entries of their own.
func (h *History) reviewers(i int) []int32 {
	e := &h.entries[i]
	if len(e.reviewers) == 0 {
		return nil
	}
	var out []int32
	done := slice.Set(append(h.partners(i), h.nameOf[e.who]))
	for _, name := range e.reviewers {
		p := h.nameOf[name]
		if done[p] || h.people[p].Bot || e.change != "" && h.reviewed[reviewOf{e.change, p}] {
			continue
		}
		done[p] = true
		out = append(out, p)
	}
	return out
}

// Area is a part of the tree: the degree to which each path of a history belongs to it, 0 to 1, by number. Nil is the
// whole tree.
type Area []float32

// Select returns the area of the accepted paths.
func (h *History) Select(in func(path string) bool) Area {
	a := make(Area, len(h.paths))
	for i, p := range h.paths {
		if in(p) {
			a[i] = 1
		}
	}
	return a
}

// Size returns the number of paths in the area.
func (a Area) Size() int {
	return slice.Count(a, func(w float32) bool { return w > 0 })
}

// Touching returns the number of contributions to an area.
func (h *History) Touching(a Area) int {
	n := 0
	for i := range h.entries {
		if slices.ContainsFunc(h.entries[i].touched, func(t touch) bool { return a.weight(t.path) > 0 }) {
			n++
		}
	}
	return n
}

// PathWork sums for each path the contributions that touched it, each weighted by 1/√n for the n paths that it touched.
func (h *History) PathWork() []float64 {
	out := make([]float64, len(h.paths))
	for i := range h.entries {
		list := h.entries[i].touched
		w := 1 / math.Sqrt(float64(len(list)))
		for _, t := range list {
			out[t.path] += w
		}
	}
	return out
}

func (a Area) weight(path uint32) float64 {
	if a == nil {
		return 1
	}
	return float64(a[path])
}

// Under returns the area of a file or of all files in a folder; "" and "." are the whole tree.
func (h *History) Under(p string) Area {
	p = strings.Trim(p, "/")
	if p == "" || p == "." {
		return h.Select(func(string) bool { return true })
	}
	return h.Select(func(s string) bool { return s == p || strings.HasPrefix(s, p+"/") })
}

// finish identifies people and their last contributions.
func (h *History) finish() {
	if h.finished {
		return
	}
	h.people, h.nameOf = identify(h.names, h.uses())
	h.finished = true
	h.first, h.last = make([]int64, len(h.people)), make([]int64, len(h.people))
	h.reviewed = map[reviewOf]bool{}
	for _, e := range h.entries {
		if e.kind == isReview && e.change != "" {
			h.reviewed[reviewOf{e.change, h.nameOf[e.who]}] = true
		}
	}
	var times []int64
	for i, e := range h.entries {
		if e.unix == 0 || h.people[h.nameOf[e.who]].Bot {
			continue
		}
		h.seen(h.nameOf[e.who], e.unix)
		for _, a := range e.also {
			h.seen(h.nameOf[a], e.unix)
		}
		for _, p := range h.reviewers(i) {
			h.seen(p, e.unix)
		}
		times = append(times, e.unix)
	}
	slices.Sort(times)
	h.newest, h.window = 0, halfYear
	if n := len(times); n > 0 {
		h.newest = times[n-1]
		h.window = min(max(halfYear, h.newest-times[max(0, n-paceCommits)]), 4*halfYear)
	}
}

// A contribution makes a person active if it is among the newest 50 of the repository or within its last half year, but
// not older than two years before the newest.
const (
	halfYear    = 365 * 24 * 3600 / 2
	paceCommits = 50
)

func (h *History) seen(person int32, unix int64) {
	if h.first[person] == 0 || unix < h.first[person] {
		h.first[person] = unix
	}
	h.last[person] = max(h.last[person], unix)
}

// Newest returns the time of the newest contribution, zero if no time is known.
func (h *History) Newest() time.Time {
	h.finish()
	if h.newest == 0 {
		return time.Time{}
	}
	return time.Unix(h.newest, 0).UTC()
}

func (h *History) active(person int32) bool {
	return h.last[person] != 0 && h.newest-h.last[person] <= h.window
}

// uses returns how often each name contributed.
func (h *History) uses() []int {
	n := make([]int, len(h.names))
	for _, e := range h.entries {
		n[e.who]++
	}
	return n
}

const year = 365 * 24 * 3600

// freshness returns the weight of a contribution by age; one without a time counts as old.
func (h *History) freshness(unix int64) float64 {
	if unix == 0 {
		return 0.5
	}
	return 0.5 + 0.5*math.Exp2(-float64(max(0, h.newest-unix))/year)
}

// Weights of lines. See the package comment.
const (
	plainLines   = 400 // up to here the square root
	unknownLines = 16  // for a path with unknown lines
	ownLines     = 200 // in an area: never treated as a small part of a large change
)

// size damps a number of lines. It is monotonic.
func size(lines float64) float64 {
	if lines <= plainLines {
		return math.Sqrt(lines)
	}
	root := math.Sqrt(plainLines)
	return root * (1 + 0.5*math.Log(lines/plainLines))
}
