package items

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/providers"
)

// Graph contains the links between the items of logs, and the positions of the items.
type Graph struct {
	places map[string]span
	out    map[string][]providers.Link
	in     map[string][]providers.Link
}

type span struct {
	log            *Log
	offset, length int64
}

// NewGraph reads the links of the logs, which must stay open while it is used. For duplicate ids the item of the first
// log counts.
func NewGraph(logs ...*Log) (*Graph, error) {
	g := &Graph{places: map[string]span{}, out: map[string][]providers.Link{}, in: map[string][]providers.Link{}}
	for _, l := range slices.Backward(logs) {
		for r, err := range l.Records(0) {
			if err != nil {
				return nil, err
			}
			g.places[r.ID] = span{l, r.Offset, r.Length}
			g.out[r.ID] = r.Links
		}
	}
	for from, links := range g.out {
		for _, l := range links {
			g.in[l.ID] = append(g.in[l.ID], providers.Link{Rel: inverse(l.Rel), ID: from})
		}
	}
	for _, links := range g.in { // maps have no order
		slices.SortFunc(links, func(a, b providers.Link) int { // numbers by value
			return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), strings.Compare(a.ID, b.ID))
		})
	}
	return g, nil
}

// Has reports whether there is an item with this id.
func (g *Graph) Has(id string) bool {
	_, ok := g.places[id]
	return ok
}

// Links returns the links of an item and, inverted, those of other items to it, without duplicates. The item itself
// need not exist here.
func (g *Graph) Links(id string) []providers.Link {
	out := slices.Clone(g.out[id])
	for _, l := range g.in[id] {
		if !slices.ContainsFunc(out, func(have providers.Link) bool {
			return have.ID == l.ID && (have.Rel == l.Rel || l.Rel == providers.Mentions)
		}) {
			out = append(out, l)
		}
	}
	return out
}

// Item reads an item. The error wraps [providers.ErrNotFound] if there is none.
func (g *Graph) Item(id string) (providers.Item, error) {
	s, ok := g.places[id]
	if !ok {
		return providers.Item{}, fmt.Errorf("%s: %w", id, providers.ErrNotFound)
	}
	return s.log.At(id, s.offset, s.length)
}

// inverse returns the relation of a link seen from its other end.
func inverse(r providers.Rel) providers.Rel {
	for _, pair := range [...][2]providers.Rel{{providers.PartOf, providers.Contains},
		{providers.Closes, providers.ClosedBy}, {providers.Supersedes, providers.SupersededBy}} {
		if i := slices.Index(pair[:], r); i >= 0 {
			return pair[1-i]
		}
	}
	return providers.Mentions
}
