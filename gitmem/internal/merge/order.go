package merge

import (
	"cmp"
	"slices"
)

// arranger puts parts of two versions into one order.
//
// A list is seen as a tree: the parent of a part is the nearest one before it that is greater, and
// a part comes before its siblings that are greater. Parts of base are greater than all that is
// added, and ordered as they stand there; added ones are ordered by key. Each list is one such tree
// and each such tree one list, so two lists are merged by taking for each part the greater one of
// its two parents. That does not depend on who merges with whom first: the lines that somebody
// added in one place stay together in their order, a part that was moved has its new place, and
// the order is the same on every machine.
type arranger struct {
	level  map[string]int    // of sections: behind a lesser one a deeper one would be below it
	rank   map[string]int    // of the parts of base, from 1
	parent map[string]string // "" at the top
	kept   map[string]*node
	before []string // by rank: the nearest part of base that is kept, that one or one before
}

func newArranger(base []*node, kept map[string]*node) *arranger {
	a := &arranger{level: map[string]int{}, rank: map[string]int{}, parent: map[string]string{}, kept: kept,
		before: []string{""}}
	for i, n := range base {
		a.rank[n.key] = i + 1
		a.before = append(a.before, a.before[i])
		if kept[n.key] != nil {
			a.before[i+1] = n.key
		}
	}
	return a
}

func (a *arranger) compare(x, y string) int {
	return cmp.Or(cmp.Compare(a.level[y], a.level[x]), cmp.Compare(a.rank[x], a.rank[y]), cmp.Compare(x, y))
}

// list takes over the order of a version, once it is known what is kept.
func (a *arranger) list(nodes []*node) {
	for _, n := range nodes {
		a.level[n.key] = level(cmp.Or(a.kept[n.key], n))
	}
	var above []string
	parents := map[string]string{}
	for _, n := range nodes {
		for len(above) > 0 && a.compare(above[len(above)-1], n.key) < 0 {
			above = above[:len(above)-1]
		}
		if len(above) > 0 {
			parents[n.key] = above[len(above)-1]
		}
		above = append(above, n.key)
	}
	for _, n := range nodes {
		parent := a.keptParent(n.key, parents)
		if was := a.parent[n.key]; was == "" || parent != "" && a.compare(was, parent) < 0 {
			a.parent[n.key] = parent
		}
	}
}

// put adds a part that neither version has, behind another one.
func (a *arranger) put(n *node, behind string) {
	if a.kept[n.key] != nil {
		return
	}
	a.kept[n.key] = n
	if _, known := a.parent[n.key]; !known {
		a.parent[n.key] = behind
		a.parent[n.key] = a.keptParent(n.key, a.parent)
	}
}

// ordered are the parts that are kept.
func (a *arranger) ordered() []*node {
	below := map[string][]*node{}
	for key, n := range a.kept {
		below[a.parent[key]] = append(below[a.parent[key]], n)
	}
	var out []*node
	var visit func(key string)
	visit = func(key string) {
		list := below[key]
		slices.SortFunc(list, func(x, y *node) int { return a.compare(x.key, y.key) })
		for _, n := range list {
			out = append(out, n)
			visit(n.key)
		}
	}
	visit("")
	return out
}

// keptParent is the parent of a part in a list: where that one is gone, the part before it.
func (a *arranger) keptParent(key string, parents map[string]string) string {
	for parent := parents[key]; parent != ""; parent = parents[parent] {
		rank := a.rank[parent]
		switch kept := a.kept[parent] != nil; {
		case kept && a.compare(parent, key) > 0:
			return parent
		case kept || rank == 0:
		case a.before[rank] != "" && a.compare(a.before[rank], key) > 0:
			return a.before[rank]
		default:
			return ""
		}
	}
	return ""
}
