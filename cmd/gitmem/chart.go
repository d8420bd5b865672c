package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// columns returns the width of the output: that of the terminal, or $COLUMNS without one.
func (a *app) columns() int {
	const defaultWidth, minWidth = 100, 40
	if !a.outTTY {
		if w, err := strconv.Atoi(a.getenv("COLUMNS")); err == nil && w > 0 {
			return max(w, minWidth)
		}
		return defaultWidth
	}
	if a.width == nil {
		return defaultWidth
	}
	if w := a.width(); w > 0 {
		return max(w, minWidth)
	}
	return defaultWidth
}

// tail returns the end of a line for printing: on the line itself if there is room, otherwise below it.
func (a *app) tail(line, sep, tail string) string {
	if utf8.RuneCountInString(line)+utf8.RuneCountInString(sep)+utf8.RuneCountInString(tail) <= a.columns() {
		return sep + tail
	}
	return strings.TrimRight(sep, " ") + "\n  " + tail
}

// blocks reports whether charts may use Unicode block characters: in a UTF-8 locale, unless
// plain output is set.
func (a *app) blocks() bool {
	if a.getenv("NO_COLOR") != "" || a.getenv("TERM") == "dumb" {
		return false
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(a.getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}

// drawing draws charts as text.
type drawing struct{ ascii bool }

// hbar returns a bar for a share between 0 and 1, padded to a width in characters.
func (d drawing) hbar(share float64, width int) string {
	if math.IsNaN(share) {
		share = 0
	}
	share = min(max(share, 0), 1)
	if d.ascii {
		n := int(math.Round(share * float64(width)))
		return strings.Repeat("#", n) + strings.Repeat(".", width-n)
	}
	eighths := int(math.Round(share * float64(8*width)))
	bar := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		bar += string(rune('█' + 8 - rest)) // U+2589 is seven eighths, U+258F one
	}
	return pad(bar, width)
}

// sparkline returns a line of values, the highest of which fills its character.
func (d drawing) sparkline(values []int) string {
	levels := []rune("▁▂▃▄▅▆▇█")
	if d.ascii {
		levels = []rune("_.:-=+*#")
	}
	top := 0
	for _, v := range values {
		top = max(top, v)
	}
	var b strings.Builder
	for _, v := range values {
		if v <= 0 {
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(levels[min(len(levels)-1, (v*len(levels)-1)/top)])
	}
	return b.String()
}

// cell returns untrusted text as one cell of a table, truncated to a width in characters.
func (d drawing) cell(s string, width int) string {
	r, mark := d.fit(s, width)
	return string(r[:max(0, min(len(r), width-len(mark)))]) + string(mark)
}

// path returns a cell that is truncated at its beginning.
func (d drawing) path(s string, width int) string {
	r, mark := d.fit(s, width)
	return string(mark) + string(r[len(r)-max(0, min(len(r), width-len(mark))):])
}

// fit returns text on one line, and the mark for the truncated part, empty if it fits.
func (d drawing) fit(s string, width int) (text, mark []rune) {
	text = []rune(strings.Join(strings.Fields(printable(s)), " "))
	switch {
	case len(text) <= width:
		return text, nil
	case d.ascii:
		return text, []rune("..")
	}
	return text, []rune("…")
}

// pad pads with spaces to a width in characters.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// column is one column of a table.
type column struct {
	head  string
	right bool // aligned right, for numbers
	style style
}

// printTable writes rows below headings, each column as wide as necessary.
func (a *app) printTable(cols []column, rows [][]string) {
	width := make([]int, len(cols))
	for i, c := range cols {
		width[i] = utf8.RuneCountInString(c.head)
		for _, r := range rows {
			width[i] = max(width[i], utf8.RuneCountInString(r[i]))
		}
	}
	line := func(cell func(i int) string) {
		var b strings.Builder
		for i, c := range cols {
			text := cell(i)
			fill := strings.Repeat(" ", max(0, width[i]-utf8.RuneCountInString(text)))
			if c.right {
				text, fill = fill+text, ""
			}
			if i == len(cols)-1 {
				fill = ""
			}
			b.WriteString(a.paint(c.style, text) + fill)
			if i < len(cols)-1 {
				b.WriteString("  ")
			}
		}
		fmt.Fprintln(a.out, strings.TrimRight(b.String(), " "))
	}
	line(func(i int) string { return cols[i].head })
	for _, r := range rows {
		line(func(i int) string { return r[i] })
	}
}
