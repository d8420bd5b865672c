package merge

import (
	"maps"
	"slices"
)

// index locates the parts of a version.
type index struct {
	root  *node
	nodes map[string]*node // by name, see nameIn
	ids   map[string]*node // the parts with a block id, by key
	home  map[*node]string // the name of each part's parent
	above map[*node]*node
	gone  map[*node]bool // parts moved elsewhere
}

// nameIn returns the name of a part in all versions: its key if it has an id, else its key and the name of its parent.
func nameIn(home string, n *node) string {
	if n.id != "" {
		return n.key
	}
	return home + "\x01" + string(n.kind) + n.key
}

func indexOf(v *version) *index {
	x := &index{v.root, map[string]*node{"": v.root}, map[string]*node{}, map[*node]string{}, map[*node]*node{},
		map[*node]bool{}}
	x.add(v.root, "")
	return x
}

func (x *index) add(in *node, home string) {
	for _, list := range [][]*node{in.units, in.sections} {
		for _, n := range list {
			name := nameIn(home, n)
			x.nodes[name], x.home[n], x.above[n] = n, home, in
			if n.id != "" {
				x.ids[n.key] = n
			}
			x.add(n, name)
		}
	}
}

// relocate puts each part with an id that a side moved, such as a task from one section to another, at the same
// position in all three versions, so that changes of it by the other side are kept.
func relocate(b, x, y *version) {
	all := [3]*index{indexOf(b), indexOf(x), indexOf(y)}
	keys := maps.Clone(all[1].ids)
	maps.Copy(keys, all[2].ids)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		bn, xn, yn := all[0].ids[key], all[1].ids[key], all[2].ids[key]
		to := ""
		switch {
		case yn == nil:
			to = all[1].home[xn]
		case xn == nil:
			to = all[2].home[yn]
		default:
			to = pick(all[0].home[bn], all[1].home[xn], all[2].home[yn])
		}
		for i, n := range []*node{bn, xn, yn} {
			if n != nil && all[i].home[n] != to {
				all[i].move(n, to, all[:])
			}
		}
	}
	for _, v := range all {
		if len(v.gone) > 0 {
			v.sweep(v.root)
		}
	}
}

// move removes a part from its list and adds it where other versions have it.
func (x *index) move(n *node, to string, all []*index) {
	in := x.ensure(to, all)
	for up := in; up != nil; up = x.above[up] {
		if up == n {
			return // below itself
		}
	}
	in.takeIn(n)
	x.gone[n], x.above[n] = true, in
}

func (n *node) takeIn(moved *node) {
	if moved.kind == kindSection {
		n.movedSections = append(n.movedSections, moved)
	} else {
		n.movedUnits = append(n.movedUnits, moved)
	}
}

// ensure returns the part with a name; it is absent if only another version has it.
func (x *index) ensure(name string, all []*index) *node {
	if n := x.nodes[name]; n != nil {
		return n
	}
	var n *node
	home := ""
	for _, other := range all {
		if o := other.nodes[name]; o != nil && !o.absent {
			n, home = &node{key: o.key, id: o.id, kind: o.kind, absent: true}, other.home[o]
		}
	}
	in := x.ensure(home, all)
	in.takeIn(n)
	x.nodes[name], x.home[n], x.above[n] = n, home, in
	return n
}

// sweep removes the moved parts from their lists.
func (x *index) sweep(in *node) {
	gone := func(n *node) bool { return x.gone[n] }
	for _, n := range slices.Concat(in.units, in.sections, in.movedUnits, in.movedSections) {
		x.sweep(n)
	}
	in.units, in.sections = slices.DeleteFunc(in.units, gone), slices.DeleteFunc(in.sections, gone)
}
