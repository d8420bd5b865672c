package query

import (
	"context"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/providers"
)

// Linked returns the links of an item and the inverted links of others to it, from fetched items and documents. For a
// commit id, its pull request is included if it was fetched or can be requested now.
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

// Referred returns the fetched threads and tickets that a reference in a text may mean.
func (v *View) Referred(ref string) []string {
	g, err := v.Reader.src.Forges(v.Place).Items()
	if err != nil {
		return nil // reported where links are followed
	}
	return slices.DeleteFunc(ingest.ThreadsOf(ref), func(id string) bool {
		return !g.Has(id) || v.Reader.src.Newer(g, id)
	})
}
