package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/internal/svg"
)

// page is the output of publish: the figures of each section, and where and when they were measured.
type page struct {
	Sections []section `json:"sections"`
	// Earlier are statements that were measured by other means, with their commit and day. A run keeps them.
	Earlier []statement `json:"earlier,omitempty"`
}

// statement is a Markdown paragraph about something that publish does not measure.
type statement struct {
	Section string `json:"section"`
	Commit  string `json:"commit"`
	Date    string `json:"date"`
	Text    string `json:"text"`
}

// section is a group of figures that were measured together.
type section struct {
	Name    string     `json:"name"`
	Title   string     `json:"title"`
	About   string     `json:"about"`
	Commit  string     `json:"commit"`
	Date    string     `json:"date"`
	Machine string     `json:"machine"`
	Peers   []string   `json:"peers,omitempty"` // other memories with their reported versions
	Quick   bool       `json:"quick,omitempty"` // sizes for a test, not for citing
	Missing []string   `json:"not_measured,omitempty"`
	Figures []figure   `json:"figures"`
	Asked   []verdicts `json:"asked,omitempty"`
}

// figure is one measurement of gitmem and of its peers in the same run.
type figure struct {
	Name  string `json:"name"`
	Text  string `json:"text"`
	Unit  string `json:"unit"` // share, ms, s, MB or "" for a number
	More  bool   `json:"more"` // more is better
	Sides []side `json:"sides"`
	Note  string `json:"note,omitempty"`
	// Goal is the maximum wanted ratio of the first side to the second, 0 for none.
	Goal float64 `json:"goal,omitempty"`
}

// side is the value of one program. The first side of a figure is gitmem.
type side struct {
	Who   string   `json:"who"`
	Value *float64 `json:"value,omitempty"`
	Low   *float64 `json:"low,omitempty"` // of the 95% interval
	High  *float64 `json:"high,omitempty"`
	Part  int      `json:"part,omitempty"` // numerator of a share
	Of    int      `json:"of,omitempty"`
	Runs  int      `json:"runs,omitempty"`
	// Only marks a side that is shown for comparison and is not a competitor.
	Only bool `json:"only,omitempty"`
	// Missing is why there is no value.
	Missing string `json:"not_measured,omitempty"`
}

// only marks a side as not a competitor.
func (s side) only() side {
	s.Only = true
	return s
}

// verdicts are the results of one judged question. A sealed question is only identified by its hash.
type verdicts struct {
	ID       string `json:"id,omitempty"`
	Hash     string `json:"sha256,omitempty"`
	Question string `json:"question,omitempty"`
	Verdict  string `json:"verdict"`
	Rank     int    `json:"rank"`
}

const (
	measured                         = "gitmem"
	unitShare, unitMS, unitS, unitMB = "share", "ms", "s", "MB"
)

// shareOf returns a side that is right in part of of cases.
func shareOf(who string, part, of int) side {
	if of == 0 {
		return side{Who: who, Missing: "nothing was asked"}
	}
	in := wilson(part, of)
	return side{Who: who, Value: number(float64(part) / float64(of)), Low: number(in.Low), High: number(in.High),
		Part: part, Of: of}
}

// medianOf returns a side with the median of some runs.
func medianOf(who string, values []float64) side {
	if len(values) == 0 {
		return side{Who: who, Missing: "it was not run"}
	}
	in := medianInterval(values)
	return side{Who: who, Value: number(median(values)), Low: number(in.Low), High: number(in.High), Runs: len(values)}
}

// reason returns why something was not measured, as one short line.
func reason(err error) string {
	if errors.Is(err, errLocked) {
		return "refused: " + errLocked.Error()
	}
	const most = 200
	text := []rune(strings.Join(strings.Fields(err.Error()), " "))
	return string(text[:min(most, len(text))])
}

// single returns a side with one value.
func single(who string, value *float64, missing string) side {
	if value == nil {
		return side{Who: who, Missing: cmp.Or(missing, "it was not run")}
	}
	return side{Who: who, Value: value, Runs: 1}
}

// ratio returns the first side's value relative to that of another, NaN without one.
func (f figure) ratio(other side) float64 {
	if len(f.Sides) == 0 || f.Sides[0].Value == nil || other.Value == nil || *other.Value == 0 {
		return math.NaN()
	}
	return *f.Sides[0].Value / *other.Value
}

// against returns the outcome of the comparison with another side, "" if there is none: a win or a loss, or
// even, which is a difference within 5%, or shares with overlapping intervals.
func (f figure) against(other side) string {
	mine := f.Sides[0]
	if mine.Value == nil || other.Value == nil || other.Only {
		return ""
	}
	a, b := mine, other
	if !f.More {
		a, b = other, mine
	}
	switch overlap := a.Low != nil && b.High != nil && *a.Low <= *b.High && *b.Low <= *a.High; {
	case f.Unit == unitShare && overlap, f.Unit != unitShare && math.Abs(*a.Value-*b.Value) <= 0.05*math.Abs(*b.Value):
		return "even"
	case *a.Value > *b.Value:
		return "gitmem wins"
	}
	return "**gitmem loses**"
}

// value formats a value in the unit of a figure.
func (f figure) value(v *float64) string {
	switch {
	case v == nil:
		return "–"
	case f.Unit == unitShare:
		return fmt.Sprintf("%.1f %%", 100**v)
	case math.Abs(*v) >= 100:
		return strings.TrimSpace(fmt.Sprintf("%.0f %s", *v, f.Unit))
	case math.Abs(*v) < 0.1 && f.Unit == unitS:
		return fmt.Sprintf("%.3f s", *v)
	}
	return strings.TrimSpace(fmt.Sprintf("%.3g %s", *v, f.Unit))
}

func (s section) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "## %s\n\n%s\n\nMeasured on %s at %s, %s.\n\n", s.Title, s.About, s.Date, s.Commit, s.Machine)
	if len(s.Peers) > 0 {
		fmt.Fprintf(b, "Other memories: %s.\n\n", strings.Join(s.Peers, "; "))
	}
	if s.Quick {
		b.WriteString("These are the small sizes of a test (`-quick`): no figures to cite.\n\n")
	}
	for _, m := range s.Missing {
		fmt.Fprintf(b, "Not measured: %s\n\n", m)
	}
	if len(s.Figures) == 0 {
		return
	}
	b.WriteString("| figure | program | value | 95 of 100 within | n | gitmem to it | |\n" +
		"|---|---|---:|---|---:|---:|---|\n")
	for _, f := range s.Figures {
		for i, one := range f.Sides {
			f.row(b, i, one)
		}
	}
	b.WriteString("\n")
	for _, f := range s.Figures {
		if drawn(f) {
			fmt.Fprintf(b, "![%s](%s)\n\n", cell(f.Text), chartName(s, f))
		}
	}
}

// row writes one side of a figure as a row of the table.
func (f figure) row(b *strings.Builder, i int, one side) {
	text, within, n, ratio, won := "", "", "", "", ""
	if i == 0 {
		text = f.Text
		if f.Note != "" {
			text += " (" + f.Note + ")"
		}
	} else {
		if r := f.ratio(one); !math.IsNaN(r) {
			ratio = fmt.Sprintf("%.2f", r)
		}
		if won = f.against(one); f.Goal > 0 && i == 1 && ratio != "" {
			won = strings.TrimPrefix(won+fmt.Sprintf("; wanted %.2f: %s", f.Goal, kept(f.ratio(one) <= f.Goal)), "; ")
		}
	}
	if one.Low != nil && one.High != nil {
		within = f.value(one.Low) + " to " + f.value(one.High)
	}
	if one.Of > 0 {
		n = fmt.Sprintf("%d of %d", one.Part, one.Of)
	} else if one.Runs > 0 {
		n = fmt.Sprint(one.Runs)
	}
	value := f.value(one.Value)
	if one.Missing != "" {
		value, won = "–", "not measured: "+one.Missing
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s |\n", cell(text), cell(one.Who), value, within, n, ratio, cell(won))
}

// cell escapes a text for a Markdown table.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "[", "(", "]", ")").Replace(s)
}

// drawn reports whether a figure has a chart: it is a share, or has a goal, and has two values or more.
func drawn(f figure) bool {
	n := 0
	for _, s := range f.Sides {
		n += one(s.Value != nil)
	}
	return n > 1 && (f.Unit == unitShare || f.Goal > 0)
}

func chartName(s section, f figure) string {
	return s.Name + "-" + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, strings.ToLower(f.Name)) + ".svg"
}

// chartStyle is the style of a standalone chart, light or dark as its reader prefers.
const chartStyle = `text{font:12px sans-serif;fill:#57606a}.end{text-anchor:end}.small{font-size:11px}.grid{stroke:#d` +
	`0d7de}` +
	`.part.c0{fill:#0969da}.part.c1{fill:#8c959f}@media(prefers-color-scheme:dark){text{fill:#8b949e}.grid{stroke:#30363` +
	`d}}`

// chart draws the sides of a figure next to each other, with gitmem in its own colour.
func (f figure) chart() string {
	var columns []svg.Column
	var said []string
	for i, s := range f.Sides {
		if s.Value == nil {
			continue
		}
		v := *s.Value
		if f.Unit == unitShare {
			v *= 100
		}
		parts := []float64{v}
		if i > 0 {
			parts = []float64{0, v}
		}
		said = append(said, s.Who+" "+f.value(s.Value))
		columns = append(columns, svg.Column{Label: s.Who, Tip: said[len(said)-1], Parts: parts})
	}
	return svg.Columns(columns).Document(f.Text, strings.Join(said, ", "), chartStyle)
}

// write writes the page, its charts and its figures to a folder.
func (p page) write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	old, _ := filepath.Glob(filepath.Join(dir, "*-*.svg"))
	var errs []error
	for _, name := range old {
		errs = append(errs, os.Remove(name))
	}
	var b strings.Builder
	b.WriteString(pageHead)
	for _, s := range p.Sections {
		s.markdown(&b)
		for _, f := range s.Figures {
			if drawn(f) {
				errs = append(errs, os.WriteFile(filepath.Join(dir, chartName(s, f)), []byte(f.chart()), 0o644))
			}
		}
	}
	text, err := json.MarshalIndent(p, "", " ")
	return errors.Join(append(errs, err, os.WriteFile(filepath.Join(dir, "README.md"),
		[]byte(strings.TrimRight(b.String(), "\n")+"\n"), 0o644),
		os.WriteFile(filepath.Join(dir, pageFile), append(text, '\n'), 0o644))...)
}

// pageFile contains the page's figures as JSON.
const pageFile = "figures.json"

const pageHead = `# Figures of gitmem beside its peers

Written by ` + "`go run . publish`" + ` in ` + "`cmd/bench`" + `, which anybody can run again.
Each row was measured in one run with its peers, times by turns. What gitmem loses stands in the same table. The
interval of a share is Wilson's; that of a median comes from order statistics, and with less than six runs it is the
range. Times of one machine say little about another; ratios say more.
The same figures for programs are in ` + "`figures.json`" + `.

`

// readPage reads the figures of a folder; a folder without any is an empty page.
func readPage(dir string) (p page, err error) {
	b, err := os.ReadFile(filepath.Join(dir, pageFile))
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &p)
	}
	return p, err
}

// put replaces a section, or adds it.
func (p *page) put(s section) {
	if i := slices.IndexFunc(p.Sections, func(o section) bool { return o.Name == s.Name }); i >= 0 {
		p.Sections[i] = s
		return
	}
	p.Sections = append(p.Sections, s)
	slices.SortStableFunc(p.Sections, func(a, b section) int {
		return slices.Index(sectionNames(), a.Name) - slices.Index(sectionNames(), b.Name)
	})
}
