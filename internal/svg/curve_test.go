package svg_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gitmem/gitmem/internal/svg"
)

func TestCurves(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	day := func(n int) time.Time { return now.AddDate(0, 0, n) }
	c := svg.Curves{
		Now: now, NowName: "today", First: day(-60), Last: day(60), Least: 0.1,
		List: []svg.Curve{
			{Label: `</text><script>alert(1)</script>`, Note: "0.50", Points: []svg.Point{{At: day(-30), Value: 1},
				{At: now, Value: 0.5}, {At: day(30), Value: 0.25}}},
			{Label: strings.Repeat("é", 200), Points: []svg.Point{{At: day(-600), Value: 7}, {At: day(600), Value: -1}}},
			{Label: "nothing"},
		},
	}
	s := c.Picture().HTML("Values <b>", "two\x00 & \xff")
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("no XML: %v\n%s", err, s)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "script" {
			t.Error("a label became an element")
		}
	}
	for _, want := range []string{
		`role="img"`, `<title>Values &lt;b&gt;</title>`, `<path d="M 124 20 L 240 31" class="past"/>`,
		`<path d="M 240 31 L 356 36.5" class="ahead"/>`, ">today<", ">+30 d<", ">-60 d<", ">20 Dec 26<",
		`<path d="M 240 20 V 42" class="now"/>`,
	} {
		if !strings.Contains(s, want) {
			t.Errorf("%s is not in\n%s", want, s)
		}
	}
}
