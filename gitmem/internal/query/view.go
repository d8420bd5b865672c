package query

import (
	"context"
	"sync"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// View is everything one question needs, opened.
type View struct {
	ingest.Opened
	Cache  *cite.Resolver // reads each file once: for fetching hits
	fresh  *cite.Resolver // reads anew: for checking what is cited
	Reader *Reader

	Place      *workspace.Place
	InScope    func(string) bool
	strategies []answer.Strategy // how those that were run went
	only       []string          // the strategies that are run, all for none
	text       string            // of the question
	read       parsedQuery       // the question with its filters
	filter     Filter            // of the question
	passage    string            // that may answer it, "" for none: to search by, and not to be shown
	expand     search.Expansion
	synonyms   *search.Thesaurus // nil until it is needed
	Damaged    *bool             // set where a strategy found an index damaged
	caughtUp   bool              // texts of before there was a model were embedded, as far as time allowed
	graph      *graph.Graph      // nil until it is needed
	takenBack  sync.Map          // by transcript: which lines were taken back since it was indexed
	shortened  string            // what was left of a very long query, in words
}

// Query is the query that the view was opened for: the filters, without words to search by.
func (v *View) Query() search.Query { return v.read.query }

// SearchBy adds a passage to search by, which is not shown.
func (v *View) SearchBy(passage string) { v.passage = passage }

// Strategies are the ways of searching that were tried so far, and how they went.
func (v *View) Strategies() []answer.Strategy { return v.strategies }

// View opens what a question in scope is answered from, brought up to date.
func (rd *Reader) View(ctx context.Context, inScope func(string) bool) (*View, error) {
	v, err := rd.Begin(ctx, inScope)
	if err == nil {
		err = v.Refresh(ctx)
	}
	return v, err
}

// ViewOf opens what a question about a project is answered from, "" for the current one.
func (rd *Reader) ViewOf(ctx context.Context, project string) (*View, error) {
	inScope, err := rd.ws.ScopeOf(ctx, project)
	if err != nil {
		return nil, err
	}
	return rd.View(ctx, inScope)
}

// Begin opens what a question in scope is answered from as it lies there: nothing
// can be searched before it has been refreshed. The rules and the history of the
// current repository belong to its project.
func (rd *Reader) Begin(ctx context.Context, inScope func(string) bool) (*View, error) {
	p, err := rd.ws.Place(ctx)
	if err != nil {
		return nil, err
	}
	rd.ws.ReportCapture(p)
	rd.src.ForgetFrozen(ctx)
	rd.src.StartFetches(ctx, p)
	v := &View{Reader: rd, Place: p, InScope: inScope}
	if v.Cache, err = rd.src.Resolver(p, true); err != nil {
		return nil, err
	}
	if v.fresh, err = rd.src.Resolver(p, false); err != nil {
		return nil, err
	}
	v.Shards, err = rd.src.ShardsFor(ctx, p, inScope)
	return v, err
}

// Refresh brings the shards up to date.
func (v *View) Refresh(ctx context.Context) (err error) {
	v.Opened, err = v.Reader.src.OpenSomewhere(ctx, v.Place, v.InScope, v.Shards)
	return err
}
