package ask

import (
	"context"
	"math"
	"path"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/team"
)

// whoHits is how many commits are looked at for one area.
const whoHits = 3000

// How an area is found. A file is about a word that its path has, or that many of the
// messages of its commits have; a path says what was worked on, and a message only
// mentions it.
const (
	messageShare    = 0.6  // what a word of messages counts beside one of the path
	aboutShare      = 0.4  // share of a file's commits that must have a word for all of that
	areaLeast       = 0.36 // share of the subject, by rarity, that the best file must have
	pathsLeast      = 0.27 // the same of a file whose path alone has two words of it
	incidentalLeast = 0.8  // the same where the repository does not know all words of it
	rarest          = 12   // a word of fewer commits is no rarer than one of so many
	areaNear        = 0.85
	auxiliaryShare  = 0.3  // what a path counts that is no work of the repository's own
	placeLeast      = 0.4  // how far a path must have a word that is not incidental
	commitsLeast    = 0.85 // the same of a commit, where no file has enough
	namesMost       = 3    // words of a subject that each name it; more describe it
	titlesLeast     = 3    // commits that must be about a word by their title, where no path has it
	fewCommits      = 25   // a history of fewer needs one such commit only
)

// findArea finds the area of a subject.
func (e *Engine) findArea(ctx context.Context, s topic, c *query.Contributions, o Options) (Area, error) {
	h := c.History
	switch {
	case len(s.named) > 0:
		return Area{Area: h.Select(func(p string) bool {
			return slices.ContainsFunc(s.named, func(w string) bool { return pathMatches(w, p) })
		}), held: 1, By: "path"}, nil
	case len(s.missing) > 0:
		return Area{}, nil
	}
	m, err := e.messageArea(ctx, &s, h, o)
	if err != nil {
		return Area{}, err
	}
	f, words := m.files(s, c, !s.event) // what began may lie elsewhere now
	if f.held < areaLeast {
		f, words = m.files(s, c, false)
	}
	least := areaLeast
	if words > 1 {
		least = pathsLeast
	}
	if slices.ContainsFunc(s.concepts, func(c concept) bool { return c.incidental }) {
		least = incidentalLeast
	}
	if f.held >= least {
		return f, nil
	}
	return m.commits(s), nil
}

// commitMessages is what the messages of commits say of a subject.
type commitMessages struct {
	rows  map[int64][]float64 // by row: how far its message has each concept
	paths map[int64][]string
	in    [][]float32         // by concept and path: how far the path has it
	about map[int64][]float64 // as rows, of titles alone
}

// messages looks for the words of a subject in paths and messages, and weighs them.
func (e *Engine) messageArea(ctx context.Context, s *topic, h *team.History, o Options) (commitMessages, error) {
	m := commitMessages{in: pathConcepts(*s, h.Paths())}
	wanted := o.Query
	wanted.Layers, wanted.Limit, wanted.Terms, wanted.Text = []string{cite.LayerTeam}, whoHits, s.terms(), ""
	wanted.Weights = search.DefaultWeights()
	wanted.Weights.Paths, wanted.Weights.Tool, wanted.Weights.DiffTerms = 0, 0, 0
	res, err := e.Evidence.Find(ctx, wanted)
	if err != nil {
		return m, err
	}
	var docs []int
	m.rows, docs = conceptRows(res, *s)
	m.paths = map[int64][]string{}
	for _, hit := range res.Hits {
		m.paths[query.RowOf(hit)] = hit.Doc.Paths
	}
	wanted.Weights.Text = 0
	if res, err = e.Evidence.Find(ctx, wanted); err != nil {
		return m, err
	}
	m.about, _ = conceptRows(res, *s)
	titles := m.titles(*s)
	placed := func(i int) bool {
		return slices.ContainsFunc(m.in[i], func(v float32) bool { return v >= placeLeast })
	}
	named := false // the subject has a name that paths have: plain words beside it describe it
	for i, c := range s.concepts {
		named = named || c.capital() && placed(i)
	}
	for i := range s.concepts {
		c := &s.concepts[i]
		n := max(docs[i], h.Touching(m.in[i]))
		mayBeIncidental := c.capital() || len(s.concepts) <= namesMost && !named
		c.incidental = n == 0 || mayBeIncidental && titles[i] < titlesFor(h.Len()) && !placed(i)
		if n > 0 {
			n = max(n, rarest)
		}
		c.idf = math.Log(1 + float64(h.Len())/(float64(n)+0.5))
	}
	return m, nil
}

// titles counts for each concept the commits that have it in their title, but for those of
// examples and copies.
func (m commitMessages) titles(s topic) []int {
	n := make([]int, len(s.concepts))
	for row, about := range m.about {
		if len(m.paths[row]) > 0 && !s.asksAuxiliary() && !slices.ContainsFunc(m.paths[row], func(p string) bool {
			return !isAuxiliary(p)
		}) {
			continue
		}
		for i, share := range about {
			if share > 0 {
				n[i]++
			}
		}
	}
	return n
}

// titlesFor is how many titles must have a word that no path has, in so many commits: a
// history of a few names each thing once.
func titlesFor(commits int) int { return min(titlesLeast, 1+commits/fewCommits) }

// conceptRows lists which concepts each hit has, and how many have each.
func conceptRows(res search.Result, s topic) (rows map[int64][]float64, docs []int) {
	rows, docs = map[int64][]float64{}, make([]int, len(s.concepts))
	for _, hit := range res.Hits {
		if hit.Doc.Role == "merge" {
			continue
		}
		row := make([]float64, len(s.concepts))
		any := false
		for i, c := range s.concepts {
			if row[i] = c.inMessage(hit.Matched); row[i] > 0 {
				any = true
				docs[i]++
			}
		}
		if any {
			rows[query.RowOf(hit)] = row
		}
	}
	return rows, docs
}

// terms are all that the concepts are looked for by.
func (s topic) terms() []search.QueryTerm {
	var list []string
	for _, c := range s.concepts {
		list = append(append(list, c.whole), c.parts...)
		for _, a := range c.near {
			list = append(list, a.terms...)
		}
	}
	slices.Sort(list)
	return search.PlainTerms(slices.Compact(list))
}

// pathConcepts lists by concept how far each path has it.
func pathConcepts(s topic, paths []string) [][]float32 {
	in := make([][]float32, len(s.concepts))
	for i := range in {
		in[i] = make([]float32, len(paths))
	}
	for n, p := range paths {
		terms, share := placeTerms(p), 1.0
		if isAuxiliary(p) && !s.asksAuxiliary() {
			share = auxiliaryShare
		}
		for i, c := range s.concepts {
			in[i][n] = float32(share * c.inPath(terms))
		}
	}
	return in
}

// files finds the files that a subject is about, and how many words of it the path of
// the best one has.
func (m commitMessages) files(s topic, c *query.Contributions, present bool) (f Area, words int) {
	h := c.History
	gone := func(n int) bool { return present && c.Exists != nil && !c.Exists(h.Paths()[n]) }
	evidence := make([][]float64, len(s.concepts))
	for i := range evidence {
		evidence[i] = make([]float64, len(h.Paths()))
	}
	for row, has := range m.rows {
		list := m.paths[row]
		w := 1 / math.Sqrt(float64(len(list)))
		for _, p := range list {
			n, ok := h.PathNumber(p)
			for i := range has {
				if ok {
					evidence[i][n] += w * has[i]
				}
			}
		}
	}
	all := h.PathWork()
	total := s.totalIDF()
	scores, best := make([]float64, len(all)), 0.0
	at := 0
	for n := range scores {
		if gone(n) {
			continue
		}
		for i, c := range s.concepts {
			about := min(1, evidence[i][n]/(all[n]+1)/aboutShare)
			scores[n] += c.idf / total * max(float64(m.in[i][n]), messageShare*about)
		}
		if scores[n] > best {
			best, at = scores[n], n
		}
	}
	for i := range s.concepts {
		if len(all) > 0 && m.in[i][at] >= shortShare {
			words++
		}
	}
	f = Area{held: best, By: "words", Area: make(team.Area, len(all))}
	for n, v := range scores {
		if v >= areaNear*best && v > 0 {
			f.Area[n] = float32(v / best)
		}
	}
	addFormer(f.Area, h, gone)
	return f, words
}

// addFormer gives the files that are gone the place of those of the area that go on under
// another folder: src/app/fuse/dir.go became internal/fuse/dir.go.
func addFormer(area team.Area, h *team.History, gone func(n int) bool) {
	now, files := map[string]float32{}, map[string]int{}
	for n, p := range h.Paths() {
		if !gone(n) {
			now[lastTwo(p)] = area[n]
			files[lastTwo(p)]++
		}
	}
	for n, p := range h.Paths() {
		if key := lastTwo(p); gone(n) && files[key] == 1 && !isAuxiliary(p) { // others of this name may be of another part
			area[n] = max(area[n], now[key])
		}
	}
}

// lastTwo is a file with its folder.
func lastTwo(p string) string { return path.Join(path.Base(path.Dir(p)), path.Base(p)) }

func (s topic) totalIDF() float64 {
	sum := 0.0
	for _, c := range s.concepts {
		sum += c.idf
	}
	return max(sum, 1e-9)
}

// enoughTitles reports whether enough of some commits are about the subject: a title has its
// rarest words, where a long message may mention anything. One commit is enough for what
// was done once.
func (m commitMessages) enoughTitles(s topic, cover map[int64]float64) bool {
	heaviest, titles := 0.0, 0
	for _, c := range s.concepts {
		heaviest = max(heaviest, c.idf)
	}
	for row := range cover {
		about, ok := m.about[row]
		for i, c := range s.concepts {
			ok = ok && (c.idf < heaviest-1e-9 || about[i] > 0)
		}
		if ok {
			titles++
		}
	}
	return titles >= 2 || titles == 1 && s.event
}

// commits finds the commits that have nearly all of a subject in their message and
// paths.
func (m commitMessages) commits(s topic) Area {
	total := s.totalIDF()
	cover := map[int64]float64{}
	best := 0.0
	for row, has := range m.rows {
		v := 0.0
		for i, c := range s.concepts {
			v += c.idf / total * has[i]
		}
		if v >= commitsLeast {
			cover[row] = v
		}
		best = max(best, v)
	}
	if len(cover) == 0 || !m.enoughTitles(s, cover) {
		return Area{held: best}
	}
	return Area{held: best, By: "commits", Relevance: func(row int64) float64 { return cover[row] }}
}
