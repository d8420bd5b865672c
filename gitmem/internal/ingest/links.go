package ingest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/items"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/providers"
)

// teamItem returns an item of a forge, a tracker or the documents for a citation. line is the line in its file at which
// a document's text begins.
func (src *Sources) teamItem(p *workspace.Place, id cite.ID) (it providers.Item, line int, err error) {
	if id.Kind == cite.KindDocument {
		return src.document(p, id)
	}
	g, err := src.Forges(p).Items()
	if err != nil {
		return providers.Item{}, 0, err
	}
	it, err = g.Item(id.String())
	switch {
	case errors.Is(err, providers.ErrNotFound):
		return providers.Item{}, 0, fmt.Errorf("it was not fetched: %w", cite.ErrNotFound)
	case err == nil && src.ws.Newer(it.Time):
		return providers.Item{}, 0, fmt.Errorf("newer than %s: %w", src.ws.AsOfText(), cite.ErrNotFound)
	}
	return it, 0, err
}

// ThreadsOf returns the ids that a reference may denote: #12 a pull request or an issue, !12 a merge request, ABC-1 a
// ticket. References to other repositories give none.
func ThreadsOf(ref string) []string {
	if !strings.ContainsAny(ref, "#!") {
		return []string{providers.Jira + ":" + ref}
	}
	var ids []string
	for _, f := range providers.Forges() {
		for _, t := range f.Threads {
			if number, ok := strings.CutPrefix(ref, t.Sign); ok {
				ids = append(ids, f.Kind+":"+t.What+":"+number)
			}
		}
	}
	return ids
}

// Linked returns the links of an item, including those of other items to it.
func (src *Sources) Linked(p *workspace.Place, id string) []providers.Link {
	parsed, err := cite.Parse(id)
	if err != nil {
		return nil
	}
	g, err := src.Forges(p).Items()
	if err != nil {
		src.ws.Caveat("What was fetched could not be read: %v", src.ws.Clean(plain.Text(err)))
		return nil
	}
	links := slices.Clone(g.Links(parsed.String()))
	if parsed.Kind == cite.KindDocument {
		it, _, err := src.document(p, parsed)
		if err != nil {
			return nil
		}
		for _, ref := range it.Refs {
			for _, id := range ThreadsOf(ref) {
				if g.Has(id) {
					links = append(links, providers.Link{Rel: providers.Mentions, ID: id})
				}
			}
		}
		links = append(slices.Clone(it.Links), links...)
	}
	if parsed.Kind == cite.KindCommit && !slices.ContainsFunc(links, func(l providers.Link) bool {
		return l.Rel == providers.PartOf
	}) {
		links = append(links, src.namedBy(p, g, parsed)...)
	}
	return slices.DeleteFunc(links, func(l providers.Link) bool { return src.Newer(g, l.ID) })
}

// Newer reports whether an item is from after the reference time.
func (src *Sources) Newer(g *items.Graph, id string) bool {
	if src.ws.Present() || !g.Has(id) {
		return false
	}
	it, err := g.Item(id)
	return err != nil || src.ws.Newer(it.Time)
}

// namedBy returns a link to the pull request in a commit's subject, as forges write it for merges and squashes.
func (src *Sources) namedBy(p *workspace.Place, g *items.Graph, id cite.ID) []providers.Link {
	repo, err := src.ws.Repository(p)
	if err != nil || repo == nil {
		return nil
	}
	c, err := repo.Commit(id.Name)
	if err != nil {
		return nil
	}
	for _, r := range src.Forges(p).Remotes {
		f, _ := providers.ForgeOf(r.Kind) // the zero value for a tracker
		if _, thread := f.MergedBy(c.Subject, c.Body); thread != "" && g.Has(thread) {
			return []providers.Link{{Rel: providers.PartOf, ID: thread}}
		}
	}
	return nil
}

// PartOfThread reports whether a link points to the thread that contains an item.
func PartOfThread(l providers.Link) bool { return l.Rel == providers.PartOf }

// ThreadOfCommit asks the workspace's forges for the pull or merge request of a commit if none was fetched.
func (src *Sources) ThreadOfCommit(ctx context.Context, p *workspace.Place, commit string) (links []providers.Link) {
	id, err := cite.Parse(commit)
	if !src.ws.Present() || err != nil || id.Kind != cite.KindCommit || len(id.Name) != 40 {
		return nil
	}
	src.Forges(p).FindThread(ctx, id.Name, func() bool {
		links = src.Linked(p, id.String())
		return slices.ContainsFunc(links, PartOfThread)
	})
	return links
}
