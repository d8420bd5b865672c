package ask

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// mostReverts is how many commits that take something back are read for a question.
const mostReverts = 20

// reverts answers who took something back, or whose commit had to be taken back: that
// is all a history tells of who broke it. Without such a commit there is no answer.
func (w *inquiry) reverts(ctx context.Context) error {
	query := w.o.Query
	query.Layers, query.Limit = []string{cite.LayerTeam}, mostReverts*10
	terms := index.QueryTerms("revert")
	for _, c := range w.subject.concepts {
		terms = append(terms, c.whole)
	}
	query.Terms, query.Text = search.PlainTerms(terms), ""
	res, err := w.e.Search(ctx, query)
	if err != nil {
		return err
	}
	lost := &losses{}
	read := 0
	for _, hit := range res.Hits {
		if !slices.Contains(hit.Matched, terms[0]) || !w.holds(hit) || read == mostReverts {
			continue
		}
		read++
		src, err := w.e.Fetch(hit)
		if err != nil {
			lost.add(err)
			continue
		}
		w.takenBack(src, lost)
	}
	w.a.Caveats = append(w.a.Caveats, lost.caveats()...)
	if len(w.a.People) > 0 {
		w.a.Confidence = Medium
		for i := range w.a.People {
			w.a.People[i].Score = math.Round(1000/float64(len(w.a.People))) / 1000
		}
		w.a.Answer = composePeople(w.a.People)
	} else if w.form == whoBroke {
		w.a.Caveats = append(w.a.Caveats, "No commit that took it back is recorded; who broke it is told by nothing else.")
	}
	return nil
}

// holds tells whether a commit is about the subject: its files are of a named area, or
// it has every word.
func (w *inquiry) holds(hit search.Hit) bool {
	for _, c := range w.subject.concepts {
		if c.inMessage(hit.Matched) == 0 && c.inPath(hit.Matched) == 0 {
			return false
		}
	}
	if len(w.subject.named) == 0 {
		return true
	}
	return slices.ContainsFunc(hit.Doc.Paths, func(p string) bool {
		return slices.ContainsFunc(w.subject.named, func(name string) bool { return pathMatches(name, p) })
	})
}

// takenBack adds whoever a commit that takes another one back tells of.
func (w *inquiry) takenBack(src cite.Source, lost *losses) {
	m := regexp.MustCompile(`This reverts commit ([0-9a-f]{40})`).FindStringSubmatch(src.Text)
	if m == nil && !strings.HasPrefix(src.Title, "Revert") {
		return
	}
	if w.form == whoBroke {
		if m == nil {
			return
		}
		var err error
		if src, err = w.e.Resolve(string(cite.KindCommit) + ":" + m[1]); err != nil {
			lost.add(err)
			return
		}
	}
	c := NewCitation(src, 1)
	c.Excerpt = lead(src).Text
	if len(w.a.People) >= w.o.Limit || slices.ContainsFunc(w.a.Citations, func(k Citation) bool { return k.ID == c.ID }) {
		return
	}
	w.a.Citations = append(w.a.Citations, c)
	w.addAuthor(src.Author, src.Time, c.ID)
}

func (w *inquiry) addAuthor(name string, at time.Time, id string) {
	for i := range w.a.People {
		if p := &w.a.People[i]; p.Name == name {
			p.Commits++
			p.Citations = append(p.Citations, id)
			if at.After(p.Last) {
				p.Last = at.UTC()
			}
			return
		}
	}
	w.a.People = append(w.a.People, Person{Name: name, Commits: 1, Last: at.UTC(), Areas: []string{}, Citations: []string{id}, Active: true})
}
