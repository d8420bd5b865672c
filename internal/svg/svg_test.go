package svg_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/internal/svg"
)

// hostile is a text that would do harm if it were not escaped.
const hostile = "</title><script>alert(1)</script>\"'&\x00\x1b\xff<a href=\"javascript:x\">"

type rect struct{ x, y, w, h float64 }

// read returns the names of the elements of a picture, and the boxes with a class. It fails if the picture is
// not valid XML.
func read(t *testing.T, picture, class string) (names map[string]int, boxes []rect) {
	t.Helper()
	names = map[string]int{}
	d := xml.NewDecoder(strings.NewReader(picture))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return names, boxes
		}
		if err != nil {
			t.Fatalf("%v in %s", err, picture)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		names[e.Name.Local]++
		at := map[string]string{}
		for _, a := range e.Attr {
			at[a.Name.Local] = a.Value
			if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "style" {
				t.Errorf("<%s %s>", e.Name.Local, a.Name.Local)
			}
		}
		if e.Name.Local == "rect" && at["class"] == class {
			var r rect
			for to, name := range map[*float64]string{&r.x: "x", &r.y: "y", &r.w: "width", &r.h: "height"} {
				if *to, err = strconv.ParseFloat(at[name], 64); err != nil || math.IsNaN(*to) || *to < 0 {
					t.Errorf("%s=%q", name, at[name])
				}
			}
			boxes = append(boxes, r)
		}
	}
}

// apart fails if two boxes overlap.
func apart(t *testing.T, boxes []rect) {
	t.Helper()
	for i, a := range boxes {
		for _, b := range boxes[:i] {
			if a.x+0.11 < b.x+b.w && b.x+0.11 < a.x+a.w && a.y+0.11 < b.y+b.h && b.y+0.11 < a.y+a.h {
				t.Errorf("%v and %v overlap", a, b)
			}
		}
	}
}

func day(n int) time.Time { return time.Date(2026, 1, n, 9, 0, 0, 0, time.UTC) }

// TestEscapes: all text is escaped, in a page as in a file.
func TestEscapes(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]*svg.Picture{
		"chains": svg.Chains([]svg.Lane{{
			Events: []svg.Event{
				{At: day(1), Head: hostile, Text: hostile, Class: hostile, Href: hostile}, {At: day(2), Text: hostile},
			},
			Arrows: []svg.Arrow{{From: 0, To: 1, Label: hostile}},
		}}),
		"network": svg.Network([]svg.Node{{Label: hostile, Tip: hostile, Class: hostile, Href: hostile}, {Label: "b"}},
			[]svg.Edge{{From: 0, To: 1, Class: hostile, Tip: hostile}}),
		"columns": svg.Columns([]svg.Column{{Label: hostile, Tip: hostile, Parts: []float64{1}}}),
		"areas": svg.Areas([]svg.Area{{Label: hostile, Note: hostile, Tip: hostile, Size: 1, Href: hostile,
			Parts: []svg.Part{{Share: 1, Class: hostile}}}}),
	} {
		names, _ := read(t, p.HTML(hostile, hostile), "")
		if names["script"] > 0 || names["style"] > 0 || names["a"] > 0 {
			t.Errorf("%s holds %v", name, names)
		}
		names, _ = read(t, p.Document(hostile, hostile, "a > b { fill: red } </style><script>"), "")
		if names["script"] > 0 || names["style"] != 1 {
			t.Errorf("%s as a file holds %v", name, names)
		}
	}
}

// TestEmpty: empty input gives a valid picture.
func TestEmpty(t *testing.T) {
	t.Parallel()
	for _, p := range []*svg.Picture{
		svg.Chains(nil), svg.Network(nil, nil), svg.Columns(nil), svg.Areas(nil), svg.Areas([]svg.Area{{}, {Size: -1}}),
		svg.Columns([]svg.Column{{}}), svg.Stack(),
	} {
		if s := p.HTML("nothing", "nothing"); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
			t.Error(s)
		}
		read(t, p.HTML("", ""), "node")
	}
}

// graph returns a network in which some nodes have many edges.
func graph(n int) (nodes []svg.Node, edges []svg.Edge) {
	for i := range n {
		nodes = append(nodes, svg.Node{Label: fmt.Sprintf("node %d %s", i, strings.Repeat("word ", i%7))})
		edges = append(edges, svg.Edge{From: i, To: i / 3}, svg.Edge{From: i, To: i % 5})
	}
	return nodes, edges
}

// TestNetwork: nodes don't overlap, and the picture is always the same.
func TestNetwork(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 10, 150} {
		one := svg.Network(graph(n)).HTML("a", "b")
		if svg.Network(graph(n)).HTML("a", "b") != one {
			t.Errorf("two pictures of %d nodes differ", n)
		}
		_, boxes := read(t, one, "node")
		if len(boxes) != n {
			t.Errorf("%d boxes of %d", len(boxes), n)
		}
		apart(t, boxes)
	}
}

// TestChains: later events are further to the right, and nothing overlaps.
func TestChains(t *testing.T) {
	t.Parallel()
	var lanes []svg.Lane
	for n := range 4 {
		var l svg.Lane
		for i := range 6 {
			l.Events = append(l.Events, svg.Event{At: day(1 + i*(n*i+1)), Head: "decision",
				Text: "We use the ten ampere relay since the pump draws seven"})
			if i > 0 {
				l.Arrows = append(l.Arrows, svg.Arrow{From: i - 1, To: i, Label: "replaced by"})
			}
		}
		lanes = append(lanes, l)
	}
	_, boxes := read(t, svg.Chains(lanes).HTML("a", "b"), "node")
	apart(t, boxes)
	for i, b := range boxes {
		if i%6 > 0 && b.x <= boxes[i-1].x {
			t.Errorf("%d is not right of the one before it", i)
		}
	}
}

// TestChainsOfAges: an event has a position even if its distance exceeds the range of a time.Duration.
func TestChainsOfAges(t *testing.T) {
	t.Parallel()
	var l svg.Lane
	for _, year := range []int{1, 1000, 2026, 9999} {
		l.Events = append(l.Events, svg.Event{At: time.Date(year, 6, 1, 0, 0, 0, 0, time.UTC), Text: "a"})
	}
	picture := svg.Chains([]svg.Lane{l}).HTML("a", "b")
	_, boxes := read(t, picture, "node")
	for i, b := range boxes {
		if i > 0 && b.x <= boxes[i-1].x {
			t.Errorf("%d is not right of the one before it", i)
		}
	}
	if !strings.Contains(picture, "9999-06-01") {
		t.Errorf("the axis does not reach the end: %.500s", picture)
	}
}

// TestAreaNames: a path that does not fit is truncated at its beginning.
func TestAreaNames(t *testing.T) {
	t.Parallel()
	areas := []svg.Area{{Label: "cmd/", Size: 9}}
	for range 9 {
		areas = append(areas, svg.Area{Label: "providers/internal/remote/", Size: 1})
	}
	if s := svg.Areas(areas).HTML("a", "b"); !strings.Contains(s, ">…/internal/remote/<") || !strings.Contains(s,
		">cmd/<") {
		t.Error(s)
	}
}

// TestAreas: the areas fill the picture in proportion to their sizes.
func TestAreas(t *testing.T) {
	t.Parallel()
	var areas []svg.Area
	total, filled := 0.0, 0.0
	for i := range 30 {
		areas = append(areas, svg.Area{Label: fmt.Sprint(i), Size: float64(30 - i)})
		total += float64(30 - i)
	}
	_, boxes := read(t, svg.Areas(areas).HTML("a", "b"), "frame")
	apart(t, boxes)
	for i, b := range boxes {
		filled += b.w * b.h
		if share := areas[i].Size / total; math.Abs(b.w*b.h/(960*480)-share) > 0.002 {
			t.Errorf("area %d has %v of all, want %v", i, b.w*b.h/(960*480), share)
		}
	}
	if math.Abs(filled-960*480) > 500 {
		t.Errorf("%v filled", filled)
	}
}

func TestColumns(t *testing.T) {
	t.Parallel()
	linked := svg.Areas([]svg.Area{{Label: "a", Size: 1, Href: "/people?path=a&b"}}).HTML("Areas", "One")
	if names, _ := read(t, linked, ""); names["a"] != 1 || !strings.Contains(linked, `role="group"`) ||
		!strings.Contains(linked, `href="/people?path=a&amp;b"`) {
		t.Errorf("no link in %s", linked)
	}
	s := svg.Columns([]svg.Column{{"2026-01", "January", []float64{10, 30}}, {"2026-02", "February", []float64{0,
		20}}}).HTML("Work", "Two months")
	_, first := read(t, s, "part c1")
	if len(first) != 2 || math.Abs(first[0].h-1.5*first[1].h) > 0.2 {
		t.Errorf("columns %v of %s", first, s)
	}
	for _, want := range []string{`role="img"`, `aria-label="Work"`, "<desc>Two months</desc>", ">40<", ">2026-02<"} {
		if !strings.Contains(s, want) {
			t.Errorf("%s is not in %s", want, s)
		}
	}
}
