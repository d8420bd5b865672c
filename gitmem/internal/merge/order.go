package merge

import (
	"cmp"
	"slices"
)

// arranger merges the order of parts of two versions.
//
// It treats a list as a tree: the parent of a part is the nearest preceding part that is greater, and a part comes
// before its greater siblings. Parts of base are greater than all added ones, and keep their order; added ones are
// ordered by key. Lists and such trees correspond one to one, so two lists are merged by taking the greater of the two
// parents of each part. The result does not depend on the order of merges: lines that somebody added in one place stay
// together in their order, a moved part has its new place, and the order is the same on every machine.
type arranger struct {
	level  map[string]int    // of sections: after a section of lower level a deeper one would become its child
	rank   map[string]int    // of the parts of base, from 1
	parent map[string]string // "" at the top
	kept   map[string]*node
	before []string // by rank: the nearest kept part of base at or before it
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

// list adds the order of a version, after the set of kept parts is known.
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

// put adds a part that neither version has, after another one.
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

// ordered returns the kept parts in order.
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

// keptParent returns the parent of a part in a list: if that one is deleted, the part before it.
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
