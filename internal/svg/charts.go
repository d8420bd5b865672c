package svg

import (
	"fmt"
	"math"
	"slices"
)

// Colours is the number of colour classes, c0 and on; crest is the class of the rest.
const Colours = 8

// Colour returns the class of the nth element of a list.
func Colour(n int) string {
	if n < 0 || n >= Colours {
		return "crest"
	}
	return fmt.Sprintf("c%d", n)
}

// Column is a column of [Columns]: parts on top of each other, in the order of their classes.
type Column struct {
	Label string
	Tip   string
	Parts []float64
}

// Columns draws columns next to each other, with a scale at the side.
func Columns(columns []Column) *Picture {
	const width, height, left, bottom, top = 760.0, 240.0, 60.0, 22.0, 12.0
	p := &Picture{width: width, height: height}
	most := 1.0
	for _, c := range columns {
		most = max(most, sum(c.Parts))
	}
	most = roundUp(most)
	scale := (height - bottom - top) / most
	for i := range 5 {
		y := height - bottom - scale*most*float64(i)/4
		p.path("grid", "M", left, y, "H", width)
		p.text(left-6, y+4, "small end", number(most*float64(i)/4))
	}
	each, free := (width-left)/float64(max(len(columns), 1)), 0.0
	for n, c := range columns {
		x, y := left+each*float64(n), height-bottom
		p.open("", "column", c.Tip)
		for i, v := range c.Parts {
			y -= v * scale
			p.rect(box{x + each*0.1, y, min(each*0.8, 60), v * scale}, 0, "part "+Colour(i))
		}
		p.close()
		if wide := float64(cells(c.Label)) * glyph; x >= free && x+wide <= width {
			p.text(x, height-6, "small", c.Label)
			free = x + wide + 8
		}
	}
	return p
}

func sum(list []float64) (all float64) {
	for _, v := range list {
		all += v
	}
	return all
}

// roundUp returns the next number that four lines divide well.
func roundUp(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 4, 6, 8} {
		if v <= m*unit {
			return max(m*unit, 4)
		}
	}
	return 10 * unit
}

// Area is a cell of [Areas].
type Area struct {
	Label string
	Note  string // a second line
	Tip   string
	Size  float64
	Parts []Part
	Href  string
	Risk  bool
}

// Part is a share of an area, 0 to 1, in the colour of a class.
type Part struct {
	Share float64
	Class string
}

// Areas draws areas by their size, the largest first in the list, each divided into the shares of its parts.
func Areas(areas []Area) *Picture {
	const width, height = 960.0, 480.0
	p := &Picture{width: width, height: height}
	sizes := make([]float64, len(areas))
	for i, a := range areas {
		sizes[i] = max(a.Size, 0)
	}
	for i, b := range tiles(sizes, box{0, 0, width, height}) {
		a := areas[i]
		p.open(a.Href, "area", a.Tip)
		p.rect(b, 0, "part crest")
		from := b.x
		for _, part := range a.Parts {
			w := min(b.w*part.Share, b.x+b.w-from)
			p.rect(box{from, b.y, w, b.h}, 0, "part "+part.Class)
			from += w
		}
		frame := "frame"
		if a.Risk {
			frame += " risk"
		}
		p.rect(b, 0, frame)
		if b.h >= 20 {
			p.text(b.x+6, b.y+16, "said", clippedPath(a.Label, b.w-12))
		}
		if b.h >= 38 {
			p.text(b.x+6, b.y+32, "small", clipped(a.Note, b.w-12))
		}
		p.close()
	}
	return p
}

// tiles divides a box by sizes: along its longer side into two parts of about the same size, and these
// recursively.
func tiles(sizes []float64, in box) []box {
	if len(sizes) < 2 {
		return slices.Repeat([]box{in}, len(sizes))
	}
	n, first, total := 1, sizes[0], sum(sizes)
	for ; n < len(sizes)-1 && first+sizes[n]/2 < total/2; n++ {
		first += sizes[n]
	}
	one, other := in, in
	if share := first / max(total, 1e-9); in.w >= in.h {
		one.w *= share
		other.x, other.w = in.x+one.w, in.w-one.w
	} else {
		one.h *= share
		other.y, other.h = in.y+one.h, in.h-one.h
	}
	return append(tiles(sizes[:n], one), tiles(sizes[n:], other)...)
}
