package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
)

// aliases finds, in whole files, the parts that replaced a part of base, see alias.
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

// alias gives a part that replaced one of base the key of that one: a paragraph or an item without an id that a side
// rewrote is the same part with another text.
func alias(base, x, y []*node) {
	inBase, inX, inY := keysOf(base), keysOf(x), keysOf(y)
	ours, theirs := replaced(base, x, inBase, inX, inY), replaced(base, y, inBase, inY, inX)
	for key := range ours {
		if inY[key] && ours[key] != theirs[key] {
			delete(ours, key) // both added it, so it is one part
			delete(theirs, key)
		}
	}
	for key := range theirs {
		if inX[key] && ours[key] != theirs[key] {
			delete(theirs, key)
		}
	}
	for _, n := range x {
		n.key = cmp.Or(ours[n.key], n.key)
	}
	for _, n := range y {
		n.key = cmp.Or(theirs[n.key], n.key)
	}
}

func keysOf(list []*node) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, n := range list {
		out[n.key] = true
	}
	return out
}

// gaps returns the parts that a version lacks and those that it added, by the preceding part of base that both have.
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
		} else if !inBase[n.key] && n.id == "" && !strings.HasPrefix(n.text, messages.ConflictMark) {
			added[at] = append(added[at], n)
		}
	}
	return gone, added
}

// replaced maps the keys of parts that a version added to the keys of the missing parts of base that they replaced. Two
// such parts have the same kind, are between the same kept parts, and are the most similar pair. A part that both sides
// added replaces nothing if the other side still has the part of base.
func replaced(base, list []*node, inBase, inList, inOther map[string]bool) map[string]string {
	const near = 8 // more distant parts are different
	out := map[string]string{}
	gone, added := gaps(base, list, inBase, inList)
	for at, old := range gone {
		scores := make([][]int, len(old))
		best := make([]int, len(added[at]))
		for i, was := range old {
			scores[i] = make([]int, 2*near+1)
			for j := max(0, i-near); j < min(len(added[at]), i+near+1); j++ {
				n := added[at][j]
				if n.kind == was.kind && !(inOther[n.key] && inOther[was.key]) {
					scores[i][j-i+near] = alike(was, n)
					best[j] = max(best[j], alike(was, n))
				}
			}
		}
		for i, was := range old {
			top := slices.Max(scores[i])
			j := slices.Index(scores[i], top) + i - near
			if top > 0 && best[j] == top && out[added[at][j].key] == "" {
				out[added[at][j].key] = was.key
			}
		}
	}
	return out
}

// alike returns how many of a thousand words two texts share, 0 if it is less than half of the longer one.
func alike(a, b *node) int {
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
	score := 1000 * shared / max(len(x), len(y), 1)
	if score < 500 {
		return 0
	}
	return score
}
