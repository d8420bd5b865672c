package query

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/search"
)

// scanned is a document that was read and contains terms of a query.
type scanned struct {
	id, file string
	team     bool
	terms    []int // indexes of the terms
	score    float64
}

// scan searches the documents of all shards except that of transcripts, read from their sources, for a query that no
// index answers. It returns the sources that contain terms of the query, those with rare terms first, and whether the
// time limit ended the search.
func (v *View) scan(ctx context.Context, q search.Query, limit int) (out []cite.Source, late bool) {
	ctx, cancel := deadline.After(ctx, v.Reader.ws.Options.Now, grepTime)
	defer cancel()
	terms := index.QueryTerms(q.Text)
	var found []scanned
	seen, held := 0, make([]int, len(terms))
	for _, s := range v.Shards {
		if s.Name == cite.LayerTranscripts {
			continue
		}
		for d := range s.Documents(ctx) {
			if late = ctx.Err() != nil; late {
				break
			}
			seen++
			r := scanned{id: d.ID, file: d.File, team: d.Layer == cite.LayerTeam, terms: v.termsIn(d, q, terms)}
			if len(r.terms) > 0 {
				found = append(found, r)
				for _, t := range r.terms {
					held[t]++
				}
			}
		}
	}
	for i, r := range found {
		for _, t := range r.terms {
			found[i].score += math.Log(1 + float64(seen)/float64(held[t]))
		}
	}
	slices.SortStableFunc(found, func(a, b scanned) int { return cmp.Compare(b.score, a.score) })
	for _, r := range found[:min(len(found), 2*limit)] { // some may be withheld
		if src, err := v.scannedSource(r); err == nil && len(out) < limit && !v.Reader.src.Hides(src.ID) {
			out = append(out, src)
		}
	}
	return out, late
}

// termsIn returns the indexes of the terms that a document contains, none if the query excludes it.
func (v *View) termsIn(d index.Doc, q search.Query, terms []string) (out []int) {
	row := index.Row{
		ID: d.ID, Layer: d.Layer, Type: d.Type, Role: d.Role, Project: d.Project, Session: d.Session, Author: d.Author,
		File: d.File, Paths: d.Paths, Time: d.Time, Release: d.Release, Also: d.Also, Reviewers: d.Reviewers,
	}
	if !q.Admits(row, []string{d.Tool}) || strings.HasPrefix(d.ID, string(cite.KindPrompt)+":") {
		return nil
	}
	have := index.TermSet(d.Title, d.Text, strings.Join(d.Paths, " "))
	for i, t := range terms {
		if have[t] {
			out = append(out, i)
		}
	}
	return out
}

func (v *View) scannedSource(r scanned) (cite.Source, error) {
	id, _, _ := strings.Cut(r.id, ingest.IdFile)
	if r.team {
		return v.Cache.Resolve(id)
	}
	return v.Reader.src.Attributed(v.Cache.ResolveIn(id, r.file))
}
