package ask

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

const (
	whoHits     = 3000 // commits looked at for one area
	halfLife    = 365 * 24 * time.Hour
	areaSupport = 0.6 // share of the area's words that a commit must hold to count
)

// who ranks the people whose commits touch an area: by paths first, since a path
// says what was worked on and a message only mentions it; newer work weighs more.
func (e *Engine) who(ctx context.Context, q Question, o Options, a *Answer) error {
	if !allows(o.Query.Layers, cite.LayerTeam) {
		a.Caveats = append(a.Caveats, "People are known from the commits only, and those were not asked for.")
		return nil
	}
	query := o.Query
	query.Layers = []string{cite.LayerTeam}
	query.Limit = whoHits
	query.Weights = search.DefaultWeights()
	query.Weights.Paths, query.Weights.Text = 2, 0.5
	if len(q.Terms) == 0 && q.Range.IsZero() && o.Query.Path == "" {
		a.Caveats = append(a.Caveats, "The question names no area; people are ranked over the whole history.")
	}
	res, err := e.Search(ctx, query)
	if err != nil {
		return err
	}
	crowd := gather(res, len(q.Terms), e.Now)
	people := crowd.ranked()
	if len(people) == 0 {
		return nil
	}
	a.Confidence = crowd.confidence(len(q.Terms))
	lost := &losses{}
	for _, p := range people[:min(len(people), o.Limit)] {
		person, citations := e.person(p, crowd.total, lost)
		a.People = append(a.People, person)
		a.Citations = append(a.Citations, citations...)
	}
	if crowd.bots > 0 {
		a.Caveats = append(a.Caveats, fmt.Sprintf("%d commits by bots were left out.", crowd.bots))
	}
	a.Caveats = append(a.Caveats, lost.caveats()...)
	a.Answer = composePeople(a.People)
	return nil
}

type contributor struct {
	name, email string
	score       float64
	commits     int
	last        time.Time
	areas       map[string]int
	hits        []search.Hit // best first
}

type crowd struct {
	people map[string]*contributor
	total  float64
	best   float64 // highest coverage of any commit
	bots   int
}

// gather adds up the commits of each author that belong to the area: those that
// cover its words, and those that touch the files which such commits show to be it.
func gather(res search.Result, terms int, now time.Time) *crowd {
	c := &crowd{people: map[string]*contributor{}}
	area := areaOf(res)
	for _, h := range res.Hits {
		if h.Doc.Role == "merge" {
			continue
		}
		c.best = max(c.best, h.Coverage)
		if terms > 0 && h.Coverage < areaSupport && !touches(h, area.files) {
			continue
		}
		name, email := splitAuthor(h.Doc.Author)
		if isBot(name, email) {
			c.bots++
			continue
		}
		key := strings.ToLower(name)
		p := c.people[key]
		if p == nil {
			p = &contributor{name: name, email: email, areas: map[string]int{}}
			c.people[key] = p
		}
		weight := freshness(now.Sub(h.Doc.Time))
		if terms > 0 {
			weight *= h.Coverage * focus(h.Doc.Paths, res.Terms)
		}
		p.add(h, weight, area)
		c.total += weight
	}
	return c
}

// area is what a question about people names.
type area struct {
	terms []search.Term
	mass  float64         // rarity of all terms
	best  float64         // most that a path of a covering commit names
	files map[string]bool // paths whose own names say so much of it that they are it
}

// areaOf finds the area in the covering commits.
func areaOf(res search.Result) area {
	a := area{terms: res.Terms, files: map[string]bool{}}
	for _, t := range res.Terms {
		a.mass += t.Rarity
	}
	named := map[string]float64{}
	for _, h := range res.Hits {
		if h.Coverage < areaSupport {
			continue
		}
		for _, p := range h.Doc.Paths {
			if _, seen := named[p]; !seen {
				named[p] = nameShare(p, res.Terms)
				a.best = max(a.best, named[p])
			}
		}
	}
	for p, share := range named {
		a.files[p] = share >= 0.2*a.mass && share >= 0.8*a.best && share > 0
	}
	return a
}

// names tells whether a path says most of what the best path says of the area. Any
// one word of it would not do: bash completions are no part of fish completions.
func (a area) names(file string) bool {
	if len(a.terms) == 0 {
		return true
	}
	share := nameShare(file, a.terms)
	return share > 0 && share >= areaSupport*a.best
}

// nameShare adds the rarity of the terms that a path holds.
func nameShare(p string, terms []search.Term) float64 {
	sum := 0.0
	for _, t := range terms {
		if mentions(p, []search.Term{t}) {
			sum += t.Rarity
		}
	}
	return sum
}

func touches(h search.Hit, files map[string]bool) bool {
	for _, p := range h.Doc.Paths {
		if files[p] {
			return true
		}
	}
	return false
}

// freshness weighs a commit by age. Half of what somebody knew of an area fades
// with a half-life of one year; the other half stays, or else one passing commit
// of last week would outrank the author of it all.
func freshness(age time.Duration) float64 {
	return 0.5 + 0.5*math.Exp2(-max(0, float64(age)/float64(halfLife)))
}

// focus is the share of a commit that lies in the area: a sweep over the whole
// tree says little about any one part of it.
func focus(paths []string, terms []search.Term) float64 {
	in := 0
	for _, p := range paths {
		if mentions(p, terms) {
			in++
		}
	}
	return float64(1+in) / float64(1+len(paths))
}

func (p *contributor) add(h search.Hit, weight float64, a area) {
	p.score += weight
	p.commits++
	p.hits = append(p.hits, h)
	if h.Doc.Time.After(p.last) {
		p.last = h.Doc.Time
	}
	for _, file := range h.Doc.Paths {
		if a.names(file) {
			p.areas[file]++
		}
	}
}

func mentions(file string, terms []search.Term) bool {
	lower := strings.ToLower(file)
	for _, t := range terms {
		if strings.Contains(lower, t.Text) {
			return true
		}
	}
	return len(terms) == 0
}

func splitAuthor(s string) (name, email string) {
	name, email, _ = strings.Cut(s, " <")
	return name, strings.TrimSuffix(email, ">")
}

// isBot tells automatic committers by the marks that forges and services give them.
func isBot(name, email string) bool {
	n, m := strings.ToLower(name), strings.ToLower(email)
	for _, mark := range []string{"[bot]", "dependabot", "renovate", "github-actions", "greenkeeper", "codecov", "-bot"} {
		if strings.Contains(n, mark) || strings.Contains(m, mark) {
			return true
		}
	}
	return false
}

func (c *crowd) ranked() []*contributor {
	var out []*contributor
	for _, p := range c.people {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *contributor) int {
		return cmp.Or(cmp.Compare(b.score, a.score), b.last.Compare(a.last), cmp.Compare(a.name, b.name))
	})
	return out
}

// confidence is high when commits cover the whole area and there are enough of
// them to tell people apart.
func (c *crowd) confidence(terms int) Confidence {
	commits := 0
	for _, p := range c.people {
		commits += p.commits
	}
	switch {
	case terms > 0 && c.best < areaSupport:
		return None
	case commits >= 5 && (terms == 0 || c.best >= 0.95):
		return High
	case commits >= 2:
		return Medium
	}
	return Low
}

// person cites up to two commits of a contributor, each looked up again.
func (e *Engine) person(p *contributor, total float64, lost *losses) (Person, []Citation) {
	out := Person{Name: p.name, Email: p.email, Commits: p.commits, Last: p.last.UTC(), Areas: p.topAreas(3), Citations: []string{}}
	if total > 0 {
		out.Score = math.Round(1000*p.score/total) / 1000
	}
	var citations []Citation
	for _, h := range p.hits {
		if len(citations) == 2 {
			break
		}
		src, err := e.Resolve(h.Doc.ID)
		if err != nil {
			lost.add(err)
			continue
		}
		c := NewCitation(src, h.Score)
		c.Excerpt = lead(src).Text
		citations = append(citations, c)
		out.Citations = append(out.Citations, c.ID)
	}
	return out, citations
}

// topAreas are the matching files touched most, at most n, and their folder where
// all lie in one.
func (p *contributor) topAreas(n int) []string {
	areas := make([]string, 0, len(p.areas))
	for a := range p.areas {
		areas = append(areas, a)
	}
	slices.SortFunc(areas, func(a, b string) int { return cmp.Or(cmp.Compare(p.areas[b], p.areas[a]), cmp.Compare(a, b)) })
	if len(areas) > n {
		if dir := commonDir(areas); dir != "" {
			return append([]string{dir + "/"}, areas[:n-1]...)
		}
		areas = areas[:n]
	}
	return areas
}

func commonDir(files []string) string {
	dir := path.Dir(files[0])
	for _, f := range files[1:] {
		for dir != "." && !strings.HasPrefix(f, dir+"/") {
			dir = path.Dir(dir)
		}
	}
	if dir == "." {
		return ""
	}
	return dir
}

func composePeople(people []Person) string {
	var b strings.Builder
	for _, p := range people {
		fmt.Fprintf(&b, "- **%s** · %s, last %s", p.Name, count(p.Commits, "commit"), p.Last.Format(time.DateOnly))
		if len(p.Areas) > 0 {
			fmt.Fprintf(&b, " · %s", strings.Join(p.Areas, ", "))
		}
		for _, id := range p.Citations {
			fmt.Fprintf(&b, " [%s]", id)
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
