package svg

import (
	"fmt"
	"html"
	"strings"
	"time"
	"unicode"
)

// Point is a value between 0 and 1 at a time.
type Point struct {
	At    time.Time
	Value float64
}

// Curve is a value over time: what it is called and what is said beside it, some 60 characters together,
// and its points in order.
type Curve struct {
	Label, Note string
	Points      []Point
}

// Curves are values over the same time, each in a row of its own.
type Curves struct {
	Title, Description string
	Now                time.Time // a line across all rows; what comes later is drawn as a guess
	First, Last        time.Time // of the axis
	Least              float64   // a line in each row, below which a value counts no more
	Alone              bool      // the picture carries a style, for it stands in no page
	List               []Curve
}

// The sizes of a picture of curves, in its own units.
const (
	curvesWidth = 480
	curvesEdge  = 8
	curveRow    = 46
	curveTop    = 20 // within a row, below its label
	curveHeight = 22
	curveAxis   = 34
)

// SVG draws the curves.
func (c Curves) SVG() string {
	var b strings.Builder
	height := curveRow*len(c.List) + curveAxis
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="curves" viewBox="0 0 %d %d" role="img" `+
		`aria-labelledby="curves-title curves-desc">`+"\n", curvesWidth, height)
	fmt.Fprintf(&b, `<title id="curves-title">%s</title><desc id="curves-desc">%s</desc>`+"\n", text(c.Title), text(c.Description))
	if c.Alone {
		b.WriteString(curvesStyle)
	}
	for i, curve := range c.List {
		c.row(&b, curve, float64(i*curveRow))
	}
	c.axis(&b, height)
	b.WriteString("</svg>\n")
	return b.String()
}

// row draws one curve: its past, and how it would go on.
func (c Curves) row(b *strings.Builder, curve Curve, top float64) {
	fmt.Fprintf(b, `<g><text class="label" x="%d" y="%.0f">%s</text><text class="note" x="%d" y="%.0f">%s</text>`,
		curvesEdge, top+14, text(curve.Label), curvesWidth-curvesEdge, top+14, text(curve.Note))
	y := func(value float64) float64 { return top + curveTop + curveHeight*(1-min(max(value, 0), 1)) }
	fmt.Fprintf(b, `<path class="least" d="M%d %.1fH%d"/><path class="base" d="M%d %.1fH%d"/>`,
		curvesEdge, y(c.Least), curvesWidth-curvesEdge, curvesEdge, y(0), curvesWidth-curvesEdge)
	past, ahead := []string{}, []string{}
	for _, p := range curve.Points {
		at := fmt.Sprintf("%.1f,%.1f", c.x(p.At), y(p.Value))
		if !p.At.After(c.Now) {
			past = append(past, at)
		}
		if !p.At.Before(c.Now) {
			ahead = append(ahead, at)
		}
	}
	fmt.Fprintf(b, `<polyline class="past" points="%s"/><polyline class="ahead" points="%s"/></g>`+"\n",
		strings.Join(past, " "), strings.Join(ahead, " "))
}

// x is where a time lies.
func (c Curves) x(t time.Time) float64 {
	share := float64(t.Sub(c.First)) / float64(max(1, c.Last.Sub(c.First)))
	return curvesEdge + min(max(share, 0), 1)*(curvesWidth-2*curvesEdge)
}

// axis draws the line of now, and a mark every 30 days before and after it.
func (c Curves) axis(b *strings.Builder, height int) {
	const day, step = 24 * time.Hour, 30
	bottom := height - curveAxis
	fmt.Fprintf(b, `<path class="now" d="M%.1f 0V%d"/>`, c.x(c.Now), bottom+4)
	for n := -step * int(c.Now.Sub(c.First)/(step*day)); !c.Now.Add(time.Duration(n) * day).After(c.Last); n += step {
		t := c.Now.Add(time.Duration(n) * day)
		days := fmt.Sprintf("%+d d", n)
		if n == 0 {
			days = "today"
		}
		anchor, x := "middle", c.x(t)
		if x < 4*curvesEdge {
			anchor = "start"
		} else if x > curvesWidth-4*curvesEdge {
			anchor = "end"
		}
		fmt.Fprintf(b, `<path class="tick" d="M%.1f %dv4"/>`, x, bottom)
		for line, s := range []string{days, t.Format("2 Jan 06")} {
			fmt.Fprintf(b, `<text class="axis" text-anchor="%s" x="%.1f" y="%d">%s</text>`+"\n", anchor, x, bottom+16+13*line, s)
		}
	}
}

// text is a text within SVG, without the control characters that XML can't hold.
func text(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\uFFFE' || r == '\uFFFF' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD")))
}

const curvesStyle = `<style>
svg { background: #fff; color: #1d2421; font: 13px system-ui, sans-serif; }
text { fill: currentColor; } .note { text-anchor: end; } .note, .axis { fill: #59645f; font-size: 11px; }
path, polyline { fill: none; stroke: #d9deda; } .least { stroke: #8a4b00; stroke-dasharray: 2 3; }
.now, .tick { stroke: #59645f; }
.past, .ahead { stroke: #1f6a56; stroke-width: 2; } .ahead { stroke-dasharray: 4 3; }
</style>
`
