package forge

import (
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/items"
)

// teamGraph contains the fetched items of a workspace, opened on the first request.
type teamGraph struct {
	states []items.State // by remote source, at the time their logs were opened
	logs   []*items.Log
	graph  *items.Graph
}

func (g *teamGraph) close() {
	if g != nil {
		for _, l := range g.logs {
			_ = l.Close() // read-only, so errors do not matter
		}
	}
}

// Items returns the currently fetched items.
func (fg *Forges) Items() (*items.Graph, error) {
	fg.graphing.Lock()
	defer fg.graphing.Unlock()
	g := &teamGraph{}
	for _, r := range fg.Remotes {
		st, err := fg.ItemsOf(r).State()
		if err != nil {
			return nil, err
		}
		g.states = append(g.states, st)
	}
	same := func(a, b items.State) bool { return a.Log == b.Log && a.Length == b.Length }
	if fg.fetched != nil && slices.EqualFunc(g.states, fg.fetched.states, same) {
		return fg.fetched.graph, nil
	}
	fg.fetched.close()
	fg.fetched = nil
	for _, r := range fg.Remotes {
		l, err := fg.ItemsOf(r).Read()
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
