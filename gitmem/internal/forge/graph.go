package forge

import (
	"fmt"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/items"
)

// teamGraph is what was fetched for a place, opened when it was first asked for.
type teamGraph struct {
	states []string // of the caches that it was read from
	logs   []*items.Log
	graph  *items.Graph
}

func (g *teamGraph) close() {
	if g != nil {
		for _, l := range g.logs {
			_ = l.Close() // read-only: nothing can be lost
		}
	}
}

// Items gives what was fetched, as it is now.
func (fg *Forges) Items() (*items.Graph, error) {
	fg.graphing.Lock()
	defer fg.graphing.Unlock()
	var states []string
	var caches []*items.Cache
	for _, r := range fg.Remotes {
		cache := fg.ItemsOf(r)
		st, err := cache.State()
		if err != nil {
			return nil, err
		}
		states, caches = append(states, fmt.Sprintf("%s %s %d", cache.Dir(), st.Log, st.Length)), append(caches, cache)
	}
	if fg.fetched != nil && slices.Equal(fg.fetched.states, states) {
		return fg.fetched.graph, nil
	}
	fg.fetched.close()
	fg.fetched = nil
	g := &teamGraph{states: states}
	for _, c := range caches {
		l, err := c.Read()
		if err != nil {
			g.close()
			return nil, err
		}
		g.logs = append(g.logs, l)
	}
	var err error
	if g.graph, err = items.NewGraph(g.logs...); err != nil {
		g.close()
		return nil, err
	}
	fg.fetched = g
	return g.graph, nil
}
