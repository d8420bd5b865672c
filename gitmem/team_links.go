package gitmem

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/items"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/providers"
)

// teamItem looks an item of a forge, a tracker or the documents up for citations. line
// is where a document's text begins in its file.
func (m *Memory) teamItem(p *place, id cite.ID) (it providers.Item, line int, err error) {
	if id.Kind == cite.KindDocument {
		return m.document(p, id)
	}
	g, err := m.forges(p).items()
	if err != nil {
		return providers.Item{}, 0, err
	}
	it, err = g.Item(id.String())
	switch {
	case errors.Is(err, providers.ErrNotFound):
		return providers.Item{}, 0, fmt.Errorf("it was not fetched: %w", cite.ErrNotFound)
	case err == nil && m.past != nil && it.Time.After(m.past.until):
		return providers.Item{}, 0, fmt.Errorf("newer than %s: %w", m.asOfText(), cite.ErrNotFound)
	}
	return it, 0, err
}

// linked are the links of an item and those of others to it, turned round, from what
// was fetched and from the documents. The id may be that of a commit: then its pull
// request is among them, where it was fetched or can be asked for now.
func (v *view) linked(ctx context.Context, id string) []providers.Link {
	if parsed, err := cite.Parse(id); err == nil && parsed.Kind == cite.KindIdea {
		var links []providers.Link
		for _, later := range v.cache.Superseding(parsed, v.inScope) {
			if v.m.hides(later) {
				continue
			}
			links = append(links, providers.Link{Rel: providers.SupersededBy, ID: later})
		}
		return links
	}
	links := v.m.linked(v.place, id)
	if !slices.ContainsFunc(links, partOfThread) {
		links = append(links, v.m.brought(ctx, v.place, id)...)
	}
	return links
}

// referred are the fetched threads and tickets that a reference in a text may mean.
func (v *view) referred(ref string) []string {
	g, err := v.m.forges(v.place).items()
	if err != nil {
		return nil // whoever follows links tells
	}
	return slices.DeleteFunc(threadsOf(ref), func(id string) bool { return !g.Has(id) || v.m.newer(g, id) })
}

// threadsOf are the ids that a reference may stand for: #12 a pull request or an issue,
// !12 a merge request, ABC-1 a ticket. Those of other repositories stand for none.
func threadsOf(ref string) []string {
	if number, ok := strings.CutPrefix(ref, "#"); ok {
		return []string{"github:pr:" + number, "github:issue:" + number, "gitlab:issue:" + number}
	}
	if number, ok := strings.CutPrefix(ref, "!"); ok {
		return []string{"gitlab:mr:" + number}
	}
	if strings.Contains(ref, "#") {
		return nil
	}
	return []string{"jira:" + ref}
}

func (m *Memory) linked(p *place, id string) []providers.Link {
	parsed, err := cite.Parse(id)
	if err != nil {
		return nil
	}
	g, err := m.forges(p).items()
	if err != nil {
		m.notice("What was fetched could not be read: %v", m.clean(plain.Text(err)))
		return nil
	}
	links := slices.Clone(g.Links(parsed.String()))
	if parsed.Kind == cite.KindDocument {
		it, _, err := m.document(p, parsed)
		if err != nil {
			return nil
		}
		for _, ref := range it.Refs {
			for _, id := range threadsOf(ref) {
				if g.Has(id) {
					links = append(links, providers.Link{Rel: providers.Mentions, ID: id})
				}
			}
		}
		links = append(slices.Clone(it.Links), links...)
	}
	if parsed.Kind == cite.KindCommit && !slices.ContainsFunc(links, func(l providers.Link) bool { return l.Rel == providers.PartOf }) {
		links = append(links, m.namedBy(p, g, parsed)...)
	}
	return slices.DeleteFunc(links, func(l providers.Link) bool { return m.newer(g, l.ID) })
}

// newer tells an item that came after the moment that is asked about.
func (m *Memory) newer(g *items.Graph, id string) bool {
	if m.past == nil || !g.Has(id) {
		return false
	}
	it, err := g.Item(id)
	return err != nil || it.Time.After(m.past.until)
}

// namedBy is the pull request that a commit's subject names, as forges write it when
// they merge or squash.
func (m *Memory) namedBy(p *place, g *items.Graph, id cite.ID) []providers.Link {
	repo, err := m.repository(p)
	if err != nil || repo == nil {
		return nil
	}
	c, err := repo.Commit(id.Name)
	if err != nil {
		return nil
	}
	for _, r := range m.forges(p).remotes {
		if thread := threadOf(r.kind, c.Subject, c.Body); thread != "" && g.Has(thread) {
			return []providers.Link{{Rel: providers.PartOf, ID: thread}}
		}
	}
	return nil
}

// threadOf is the id of the pull or merge request that a message says it came by, "" for none.
func threadOf(kind, subject, body string) string {
	switch kind {
	case providers.GitHub:
		for _, form := range []string{`\(#([1-9][0-9]{0,8})\)$`, `^Merge pull request #([1-9][0-9]{0,8}) `} {
			if m := regexp.MustCompile(form).FindStringSubmatch(subject); m != nil {
				return string(cite.KindPullRequest) + ":" + m[1]
			}
		}
	case providers.GitLab:
		if m := regexp.MustCompile(`(?m)^See merge request (?:[^\s!]+)?!([1-9][0-9]{0,8})$`).FindStringSubmatch(body); m != nil {
			return string(cite.KindMergeRequest) + ":" + m[1]
		}
	}
	return ""
}

func partOfThread(l providers.Link) bool { return l.Rel == providers.PartOf }

// brought is the pull or merge request of a commit of which none was fetched, asked of
// the forges of a place.
func (m *Memory) brought(ctx context.Context, p *place, commit string) (links []providers.Link) {
	id, err := cite.Parse(commit)
	if m.past != nil || err != nil || id.Kind != cite.KindCommit || len(id.Name) != 40 {
		return nil
	}
	m.forges(p).bring(ctx, id.Name, func() bool {
		links = m.linked(p, id.String())
		return slices.ContainsFunc(links, partOfThread)
	})
	return links
}
