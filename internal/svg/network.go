package svg

import (
	"cmp"
	"math"
	"math/cmplx"
	"slices"
)

// Node is a node of a [Network].
type Node struct {
	Label string
	Tip   string // the full text of Label
	Class string // CSS class of its colour
	Gone  bool   // it no longer holds
	Href  string
}

// Edge joins two nodes, given by their indexes.
type Edge struct {
	From, To int
	Class    string
	Tip      string
}

// The sizes of [Network].
const (
	nodeHeight = 24.0
	nodeLabel  = 190.0 // maximum
	nodeGap    = 8.0
	rounds     = 220 // of the layout
)

// Network draws nodes and their edges. Nodes never overlap, and the same nodes and edges give the same
// picture.
func Network(nodes []Node, edges []Edge) *Picture {
	boxes := placed(nodes, edges)
	p := &Picture{width: 2 * nodeGap, height: 2 * nodeGap}
	for _, b := range boxes {
		p.width, p.height = max(p.width, b.x+b.w+nodeGap), max(p.height, b.y+b.h+nodeGap)
	}
	for _, e := range edges {
		a, b := boxes[e.From].middle(), boxes[e.To].middle()
		p.open("", "join "+e.Class, e.Tip)
		p.path("edge", "M", a.x, a.y, "L", b.x, b.y)
		p.close()
	}
	for i, n := range nodes {
		class := "event " + n.Class
		if n.Gone {
			class += " gone"
		}
		b := boxes[i]
		p.open(n.Href, class, cmp.Or(n.Tip, n.Label))
		p.rect(b, nodeHeight/2, "node")
		p.text(b.x+nodeHeight/2, b.y+16, "said", clipped(n.Label, nodeLabel))
		p.close()
	}
	return p
}

// placed returns a position for each node: nodes repel each other and edges attract them, and nodes that
// still overlap move down.
func placed(nodes []Node, edges []Edge) []box {
	at := settled(len(nodes), edges)
	boxes, order := make([]box, len(nodes)), make([]int, len(nodes))
	least := point{math.Inf(1), math.Inf(1)}
	for i, n := range nodes {
		w := float64(cells(clipped(n.Label, nodeLabel)))*glyph + nodeHeight
		order[i], boxes[i] = i, box{math.Round(real(at[i])*190 - w/2), math.Round(imag(at[i]) * 62), w, nodeHeight}
		least = point{min(least.x, boxes[i].x), min(least.y, boxes[i].y)}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(boxes[a].y, boxes[b].y), a-b) })
	for n, i := range order {
		b := &boxes[i]
		b.x, b.y = b.x-least.x+nodeGap, b.y-least.y+nodeGap
		for again := true; again; {
			again = false
			for _, other := range order[:n] {
				if o := boxes[other]; b.meets(o, nodeGap) {
					b.y, again = o.y+o.h+nodeGap, true
				}
			}
		}
	}
	return boxes
}

// settled returns the positions x+iy of n nodes, with a distance of about one unit between joined nodes. They
// start on a spiral.
func settled(n int, edges []Edge) []complex128 {
	at, push := make([]complex128, n), make([]complex128, n)
	for i := range at {
		at[i] = cmplx.Rect(math.Sqrt(float64(i)+0.5), float64(i)*2.399963) // the golden angle: no two start near each other
	}
	apart := func(i, j int, force func(distance float64) float64) {
		way := at[i] - at[j]
		d := max(cmplx.Abs(way), 0.05)
		way *= complex(force(d)/d, 0)
		push[i] += way
		push[j] -= way
	}
	for round := range rounds {
		clear(push)
		for i := range at {
			for j := range at[:i] {
				apart(i, j, func(d float64) float64 { return max(0, 1/d-0.25) }) // no effect over a large distance
			}
			push[i] -= at[i] * 0.06 // keeps unconnected parts near
		}
		for _, e := range edges {
			if e.From != e.To {
				apart(e.From, e.To, func(d float64) float64 { return -d * d / 3 })
			}
		}
		most := 0.6 * (1 - float64(round)/rounds)
		for i, f := range push {
			if d := cmplx.Abs(f); d > 0 {
				at[i] += f * complex(min(d, most)/d, 0)
			}
		}
	}
	return at
}
