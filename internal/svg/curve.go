package svg

import (
	"fmt"
	"time"
)

// Point is a value between 0 and 1 at a time.
type Point struct {
	At    time.Time
	Value float64
}

// Curve is a value over time, with its name, a note next to it, and its points in order.
type Curve struct {
	Label, Note string
	Points      []Point
}

// Curves are values over the same time, each in a separate row.
type Curves struct {
	First, Last time.Time // of the axis
	Now         time.Time // a line in each row; later points are drawn as a forecast
	NowName     string    // for instance "today"
	Least       float64   // a line in each row, below which a value no longer counts
	List        []Curve
}

// The sizes of a picture of curves, in pixels.
const (
	curvesWidth = 480.0
	curvesEdge  = 8.0
	curvesRight = curvesWidth - curvesEdge
	curveRow    = 46.0
	curveTop    = 20.0 // within a row, below its label
	curveHeight = 22.0
	curveNote   = 150.0
	curveAxis   = 34.0
)

// Picture draws the curves.
func (c Curves) Picture() *Picture {
	p := &Picture{width: curvesWidth, height: curveRow*float64(len(c.List)) + curveAxis}
	for i, curve := range c.List {
		c.row(p, curve, curveRow*float64(i))
	}
	c.axis(p, curveRow*float64(len(c.List)))
	return p
}

// row draws one curve: its past and its forecast.
func (c Curves) row(p *Picture, curve Curve, top float64) {
	y := func(value float64) float64 { return top + curveTop + curveHeight*(1-min(max(value, 0), 1)) }
	p.text(curvesEdge, top+14, "", clipped(curve.Label, curvesWidth-curveNote))
	p.text(curvesRight, top+14, "small end", clipped(curve.Note, curveNote))
	p.path("grid", "M", curvesEdge, y(0), "H", curvesRight)
	p.path("least", "M", curvesEdge, y(c.Least), "H", curvesRight)
	p.path("now", "M", c.x(c.Now), y(1), "V", y(0))
	for i := 1; i < len(curve.Points); i++ {
		from, to := curve.Points[i-1], curve.Points[i]
		class := "past"
		if to.At.After(c.Now) {
			class = "ahead"
		}
		p.path(class, "M", c.x(from.At), y(from.Value), "L", c.x(to.At), y(to.Value))
	}
}

// x returns the x coordinate of a time.
func (c Curves) x(t time.Time) float64 {
	share := float64(t.Sub(c.First)) / float64(max(1, c.Last.Sub(c.First)))
	return curvesEdge + min(max(share, 0), 1)*(curvesRight-curvesEdge)
}

// axis draws a mark every 30 days before and after now, and labels it if there is room.
func (c Curves) axis(p *Picture, top float64) {
	const day, step, wide = 24 * time.Hour, 30, 60
	for n := -step * int(c.Now.Sub(c.First)/(step*day)); !c.Now.Add(time.Duration(n) * day).After(c.Last); n += step {
		t := c.Now.Add(time.Duration(n) * day)
		days, x := fmt.Sprintf("%+d d", n), c.x(t)
		if n == 0 {
			days = c.NowName
		}
		p.path("tick", "M", x, top, "V", top+4)
		if x < curvesWidth-wide {
			p.text(x, top+16, "small", days)
			p.text(x, top+29, "small", t.Format("2 Jan 06"))
		}
	}
}
