package query

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/store"
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
func (v *View) Refresh(ctx context.Context) error {
	m, caveats := v.Reader, slices.Clone(v.Reader.ws.Caveats)
	var err error
	v.Opened, err = m.src.UpToDate(ctx, v.Shards)
	m.src.Forges(v.Place).ReportFetches()
	if err == nil || ctx.Err() != nil || errors.Is(err, store.ErrLocked) {
		return err
	}
	if m.ws.Store != nil && !m.ws.CacheIndex { // a store on a read-only or a full disk can be read all the same
		m.ws.CacheIndex = true
		m.ws.Caveats = append(slices.Clone(caveats), fmt.Sprintf("The index can't be kept in the store, so one in the user's cache was used: %v", err))
		if err = v.reopen(ctx); err == nil || ctx.Err() != nil || errors.Is(err, store.ErrLocked) {
			return err
		}
	}
	return v.refreshElsewhere(ctx, caveats, err)
}

// refreshElsewhere brings shards up to date in a temporary folder, where neither the
// store nor the user's cache can keep any: it takes longer, but answers. why is what kept
// those from it, caveats are those from before.
func (v *View) refreshElsewhere(ctx context.Context, caveats []string, why error) (err error) {
	m := v.Reader
	if m.ws.Options.TempDir == "" || m.ws.ReadOnly || m.ws.TempIndex != "" {
		return why
	}
	if m.ws.TempIndex, err = os.MkdirTemp(m.ws.Options.TempDir, "gitmem-index-"); err != nil {
		m.ws.TempIndex = ""
		return why
	}
	m.ws.Caveats = append(caveats, fmt.Sprintf("No index can be kept in %s, so one was made for this question alone. A folder that can be written there makes questions faster.", m.ws.Clean(m.ws.Options.CacheDir)))
	err = v.reopen(ctx)
	m.ws.Shared.Unfinished = false // nobody could go on with it
	return err
}

// reopen opens the same shards anew, at the place where indexes lie now.
func (v *View) reopen(ctx context.Context) error {
	shards, err := v.Reader.src.ShardsFor(ctx, v.Place, v.InScope)
	if err != nil {
		return err
	}
	shards = slices.DeleteFunc(shards, func(s ingest.Shard) bool {
		return !slices.ContainsFunc(v.Shards, func(wanted ingest.Shard) bool { return wanted.Name == s.Name })
	})
	v.Opened, err = v.Reader.src.UpToDate(ctx, shards)
	return err
}
