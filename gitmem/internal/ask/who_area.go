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

// whoHits is the maximum number of commits that are read for one area.
const whoHits = 3000

// Parameters for finding an area. A file is about a word in its path or in many of its commit messages. A path shows
// what was changed; a message may only mention it.
const (
	messageShare    = 0.6  // weight of a word in messages relative to the path
	aboutShare      = 0.4  // share of a file's commits that must contain a word for its full weight
	areaLeast       = 0.36 // minimum idf share of the subject in the best file
	pathsLeast      = 0.27 // the same for a file with two of its words in the path
	incidentalLeast = 0.8  // the same if the repository does not contain all its words
	rarest          = 12   // words in fewer commits get the idf of this number
	areaNear        = 0.85
	auxiliaryShare  = 0.3  // factor for paths outside the repository's own work
	placeLeast      = 0.4  // minimum share of a word that is not incidental in a path
	commitsLeast    = 0.85 // the same for a commit, if no file reaches its minimum
	namesMost       = 3    // maximum number of words that each name a subject; more words describe it
	titlesLeast     = 3    // minimum number of commit titles about a word that no path contains
	fewCommits      = 25   // a smaller history needs only one such commit
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
	f, words := m.files(s, c, !s.event) // code may have moved since it was introduced
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

// commitMessages contains the matches of a subject in commits.
type commitMessages struct {
	rows  map[int64][]float64 // by row: share of each concept in the message
	paths map[int64][]string
	in    [][]float32         // by concept and path: share of the concept in the path
	about map[int64][]float64 // as rows, but only in titles
}

// messageArea searches paths and messages for the words of a subject and weighs them.
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
	named := false // the subject has a name that paths contain; other words only describe it
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

// titles counts for each concept the commits with it in their title, excluding commits that change only examples and
// copies.
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

// titlesFor returns how many titles must contain a word that no path contains, depending on the number of commits: a
// small history mentions each thing once.
func titlesFor(commits int) int { return min(titlesLeast, 1+commits/fewCommits) }

// conceptRows returns the concepts of each hit and the number of hits of each concept.
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

// terms returns all search terms of the concepts.
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

// pathConcepts returns, by concept, the share of the concept in each path.
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

// files finds the files that a subject is about, and the number of its words in the path of the best one.
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

// addFormer adds deleted files whose name and folder match an existing file of the area elsewhere: internal/fuse/dir.go
// was src/app/fuse/dir.go before.
func addFormer(area team.Area, h *team.History, gone func(n int) bool) {
	now, files := map[string]float32{}, map[string]int{}
	for n, p := range h.Paths() {
		if !gone(n) {
			now[lastTwo(p)] = area[n]
			files[lastTwo(p)]++
		}
	}
	for n, p := range h.Paths() {
		if key := lastTwo(p); gone(n) && files[key] == 1 && !isAuxiliary(p) { // an ambiguous name may belong to another part
			area[n] = max(area[n], now[key])
		}
	}
}

// lastTwo returns the last folder and the name of a file.
func lastTwo(p string) string { return path.Join(path.Base(path.Dir(p)), path.Base(p)) }

func (s topic) totalIDF() float64 {
	sum := 0.0
	for _, c := range s.concepts {
		sum += c.idf
	}
	return max(sum, 1e-9)
}

// enoughTitles reports whether enough commits are about the subject. The title must contain its rarest words, since a
// long message may mention anything. For an event one commit suffices.
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

// commits finds the commits whose message and paths contain nearly all of a subject.
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
