package svg

import (
	"slices"
	"strings"
	"time"
)

// Event is a statement at a time.
type Event struct {
	At    time.Time
	Head  string // a short line above the text
	Text  string
	Class string // CSS class of its colour
	Gone  bool   // it no longer holds
	Href  string
}

// Arrow leads from an event of a lane to a later one.
type Arrow struct {
	From, To int
	Label    string
}

// Lane is a group of related events.
type Lane struct {
	Events []Event // in chronological order
	Arrows []Arrow
}

// The sizes of [Chains].
const (
	chainsWidth   = 1080.0
	eventWidth    = 216.0
	eventHeight   = 52.0
	labelHeight   = 16.0
	laneRow       = labelHeight + eventHeight + 8
	laneAxis      = 26.0
	betweenEvents = 30.0
)

// Chains draws lanes below each other along a time axis. Events that would overlap are in separate rows of
// their lane. The label of an arrow is above the event that it leads to.
func Chains(lanes []Lane) *Picture {
	p := &Picture{width: chainsWidth, height: laneAxis}
	var times []time.Time
	for _, l := range lanes {
		for _, e := range l.Events {
			times = append(times, e.At)
		}
	}
	if len(times) == 0 {
		return p
	}
	first, last := slices.MinFunc(times, time.Time.Compare), slices.MaxFunc(times, time.Time.Compare)
	x := func(t time.Time) float64 { // in seconds: a Duration is limited to 292 years
		all := max(1, last.Unix()-first.Unix())
		return 8 + (chainsWidth-eventWidth-16)*float64(t.Unix()-first.Unix())/float64(all)
	}
	p.axis(first, last, x)
	for n, l := range lanes {
		var rows []float64 // the end of each row
		boxes := make([]box, len(l.Events))
		for i, e := range l.Events {
			at := x(e.At)
			row := slices.IndexFunc(rows, func(end float64) bool { return end+betweenEvents <= at })
			if row < 0 {
				row, rows = len(rows), append(rows, 0)
			}
			rows[row] = at + eventWidth
			boxes[i] = box{at, p.height + float64(row)*laneRow + labelHeight, eventWidth, eventHeight}
		}
		height := float64(len(rows)) * laneRow
		p.rect(box{0, p.height, chainsWidth, height}, 0, []string{"lane", "lane odd"}[n%2])
		p.lane(l, boxes)
		p.height += height
	}
	return p
}

// axis writes dates along the top.
func (p *Picture) axis(first, last time.Time, x func(time.Time) float64) {
	const most = 8
	before := ""
	for i := range most {
		at := time.Unix(first.Unix()+(last.Unix()-first.Unix())*int64(i)/(most-1), 0).In(first.Location())
		if day := at.Format(time.DateOnly); day != before {
			p.text(x(at), 17, "small", day)
			before = day
		}
	}
}

func (p *Picture) lane(l Lane, boxes []box) {
	labels := make([][]string, len(boxes))
	for _, a := range l.Arrows {
		from, to := boxes[a.From], boxes[a.To]
		start, end := point{from.x + from.w, from.middle().y}, point{to.x, to.middle().y}
		if start.x > end.x { // one is above the other
			start, end = point{from.x, from.middle().y + 8}, point{to.x, to.middle().y - 8}
		}
		p.arrow(start, end)
		if !slices.Contains(labels[a.To], a.Label) {
			labels[a.To] = append(labels[a.To], a.Label)
		}
	}
	for i, e := range l.Events {
		b, class := boxes[i], "event "+e.Class
		if e.Gone {
			class += " gone"
		}
		p.open(e.Href, class, e.Head+": "+e.Text)
		p.rect(b, 6, "node")
		p.text(b.x+8, b.y+14, "small", clipped(e.Head, b.w-16))
		line, rest := fit(strings.Join(strings.Fields(e.Text), " "), b.w-16)
		p.text(b.x+8, b.y+30, "said", line)
		p.text(b.x+8, b.y+45, "said", clipped(rest, b.w-16))
		p.close()
		p.text(b.x+2, b.y-4, "small", clipped(strings.Join(labels[i], ", "), b.w))
	}
}
