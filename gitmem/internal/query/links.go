package query

import (
	"context"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/providers"
)

// Linked are the links of an item and those of others to it, turned round, from what
// was fetched and from the documents. The id may be that of a commit: then its pull
// request is among them, where it was fetched or can be asked for now.
func (v *View) Linked(ctx context.Context, id string) []providers.Link {
	if parsed, err := cite.Parse(id); err == nil && parsed.Kind == cite.KindIdea {
		return v.settled(id)
	}
	links := v.Reader.src.Linked(v.Place, id)
	if !slices.ContainsFunc(links, ingest.PartOfThread) {
		links = append(links, v.Reader.src.ThreadOfCommit(ctx, v.Place, id)...)
	}
	return links
}

// Referred are the fetched threads and tickets that a reference in a text may mean.
func (v *View) Referred(ref string) []string {
	g, err := v.Reader.src.Forges(v.Place).Items()
	if err != nil {
		return nil // reported where links are followed
	}
	return slices.DeleteFunc(ingest.ThreadsOf(ref), func(id string) bool {
		return !g.Has(id) || v.Reader.src.Newer(g, id)
	})
}
