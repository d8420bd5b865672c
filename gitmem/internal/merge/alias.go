package merge

import (
	"cmp"
	"slices"
	"strings"
)

// aliases finds in whole files the parts that replaced one of base, see alias.
type aliases struct{ ours, theirs map[string]*node } // the parts with a block id

func aliasAll(b, x, y *version) {
	ids := func(v *version) map[string]*node {
		out := map[string]*node{}
		var visit func(in *node)
		visit = func(in *node) {
			for _, n := range slices.Concat(in.units, in.sections) {
				if n.id != "" {
					out[n.key] = n
				}
				visit(n)
			}
		}
		visit(v.root)
		return out
	}
	aliases{ids(x), ids(y)}.inside(b.root, x.root, y.root)
}

func (a aliases) inside(b, x, y *node) {
	alias(b.units, x.units, y.units)
	find := func(in *node, ids map[string]*node) func(n *node) *node {
		local := siblings{slices.Concat(in.units, in.sections), nil}.byKey()
		return func(n *node) *node {
			if n.id != "" {
				return cmp.Or(ids[n.key], &node{})
			}
			return cmp.Or(local[n.key], &node{})
		}
	}
	ours, theirs := find(x, a.ours), find(y, a.theirs)
	for _, n := range slices.Concat(b.units, b.sections) {
		a.inside(n, ours(n), theirs(n))
	}
}

// alias gives parts that replaced one of base the key of that one: a paragraph or an item without
// an id that a side rewrote is the same part with another text. What it replaced is the first part
// of its kind, among those of base that are gone between two that stay, that shares half of its words.
func alias(base, x, y []*node) {
	inBase, inX, inY := keysOf(base), keysOf(x), keysOf(y)
	for _, side := range []struct {
		list       []*node
		own, other map[string]bool
	}{{x, inX, inY}, {y, inY, inX}} {
		gone, added := gaps(base, side.list, inBase, side.own)
		for at, removed := range gone {
			match(removed, added[at], side.other)
		}
	}
}

func keysOf(list []*node) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, n := range list {
		out[n.key] = true
	}
	return out
}

// gaps are the parts that a version lacks and those that it added, by the part of base before them
// that both have.
func gaps(base, list []*node, inBase, inList map[string]bool) (gone, added map[string][]*node) {
	gone, added = map[string][]*node{}, map[string][]*node{}
	at, rank := "", map[string]int{}
	for i, n := range base {
		rank[n.key] = i + 1
		if inList[n.key] {
			at = n.key
		} else if n.id == "" && n.key != proseKey {
			gone[at] = append(gone[at], n)
		}
	}
	at = ""
	for _, n := range list {
		if inBase[n.key] && rank[n.key] > rank[at] {
			at = n.key
		} else if !inBase[n.key] && n.id == "" && !strings.HasPrefix(n.text, conflictMark) {
			added[at] = append(added[at], n)
		}
	}
	return gone, added
}

// match gives added parts the keys of those that they replaced. Where the other side lacks the
// latter, too, what both added comes first; where it does not, what both added is no replacement.
func match(gone, added []*node, other map[string]bool) {
	const near = 8 // parts further on are others
	taken := 0
	for _, old := range gone {
		found := -1
		for i := taken; i < min(len(added), taken+near); i++ {
			n := added[i]
			both := other[n.key]
			if n.kind != old.kind || both && other[old.key] || !alike(old, n) {
				continue
			}
			if both || found < 0 {
				found = i
			}
			if both {
				break
			}
		}
		if found >= 0 {
			added[found].key = old.key
			taken = found + 1
		}
	}
}

// alike reports whether two texts share half of the words of the longer one.
func alike(a, b *node) bool {
	x, y := strings.Fields(a.text), strings.Fields(b.text)
	count := map[string]int{}
	for _, word := range x {
		count[word]++
	}
	shared := 0
	for _, word := range y {
		if count[word] > 0 {
			count[word]--
			shared++
		}
	}
	return 2*shared >= max(len(x), len(y))
}
