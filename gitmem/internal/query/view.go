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

// View contains everything that one question needs, opened.
type View struct {
	ingest.Opened
	Cache  *cite.Resolver // reads each file once: for fetching hits
	fresh  *cite.Resolver // without a cache: for checking citations
	Reader *Reader

	Place      *workspace.Place
	InScope    func(string) bool
	strategies []answer.Strategy // outcomes of those that ran
	only       []string          // the strategies to run, none means all
	text       string            // of the question
	read       parsedQuery       // the question with its filters
	filter     Filter            // of the question
	passage    string            // hypothetical answer, "" for none: used to search, never shown
	expand     search.Expansion
	synonyms   *search.Thesaurus // nil until needed
	Damaged    *bool             // set if a strategy found an index damaged
	caughtUp   bool              // texts from before there was a model were embedded, within the time limit
	graph      *graph.Graph      // nil until needed
	takenBack  sync.Map          // by transcript: lines taken back since it was indexed
	shortened  string            // the part of a very long query that was used, as text
}

// Query returns the query for which the view was opened: the filters, without search words.
func (v *View) Query() search.Query { return v.read.query }

// SearchBy adds a passage to search by. It is never shown.
func (v *View) SearchBy(passage string) { v.passage = passage }

// Strategies returns the strategies tried so far, with their outcomes.
func (v *View) Strategies() []answer.Strategy { return v.strategies }

// View opens an up-to-date view for a question in scope.
func (rd *Reader) View(ctx context.Context, inScope func(string) bool) (*View, error) {
	v, err := rd.Begin(ctx, inScope)
	if err == nil {
		err = v.Refresh(ctx)
	}
	return v, err
}

// ViewOf opens a view for a question about a project, "" for the current one.
func (rd *Reader) ViewOf(ctx context.Context, project string) (*View, error) {
	inScope, err := rd.ws.ScopeOf(ctx, project)
	if err != nil {
		return nil, err
	}
	return rd.View(ctx, inScope)
}

// Begin opens a view for a question in scope without updating it: nothing can be searched before Refresh. The rules and
// the history of the current repository belong to its project.
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

// Refresh updates the shards.
func (v *View) Refresh(ctx context.Context) (err error) {
	v.Opened, err = v.Reader.src.OpenSomewhere(ctx, v.Place, v.InScope, v.Shards)
	return err
}
