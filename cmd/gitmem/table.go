package main

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// codeBlank replaces blanks in code while cells are wrapped, so that code is not split.
const codeBlank = "\x00"

// table aligns the columns of rows within a width. The first row is the head. If the longest words of the columns do
// not fit next to each other, it lists the rows.
func (a *app) table(rows [][]string, width int) string {
	if len(rows) == 0 {
		return ""
	}
	for _, row := range rows {
		for i, cell := range row {
			row[i] = codeSpan().ReplaceAllStringFunc(cell, func(code string) string {
				return strings.ReplaceAll(code, " ", codeBlank)
			})
		}
	}
	widths := columnWidths(rows, width)
	if widths == nil {
		return a.markCode(strings.ReplaceAll(rowList(rows, width), codeBlank, " "))
	}
	var rule []string
	for _, w := range widths {
		rule = append(rule, strings.Repeat("-", w))
	}
	var b strings.Builder
	for _, row := range slices.Insert(rows, 1, rule) {
		b.WriteString(a.tableRow(row, widths))
	}
	return b.String()
}

// columnWidths returns the widths of the columns, with two blanks between them: that of the longest cell, or less in
// the widest columns, but at least that of the longest word. It returns nil if this exceeds the width.
func columnWidths(rows [][]string, width int) []int {
	widths, least := make([]int, len(rows[0])), make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
			for _, word := range strings.Fields(cell) {
				least[i] = max(least[i], utf8.RuneCountInString(word))
			}
		}
	}
	sum := 2 * (len(widths) - 1)
	for _, w := range widths {
		sum += w
	}
	for ; sum > width; sum-- {
		widest := -1
		for i, w := range widths {
			if w > least[i] && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return nil
		}
		widths[widest]--
	}
	return widths
}

// tableRow returns a row with each cell wrapped and padded to the width of its column.
func (a *app) tableRow(row []string, widths []int) string {
	height := 0
	cells := make([][]string, len(row))
	for i, cell := range row {
		cells[i] = strings.Split(filled(cell, "", "", widths[i]), "\n")
		height = max(height, len(cells[i]))
	}
	var b strings.Builder
	for y := range height {
		var line strings.Builder
		for i, lines := range cells {
			text := ""
			if y < len(lines) {
				text = lines[y]
			}
			shown := utf8.RuneCountInString(text)
			if a.colour() { // replaces the backticks
				shown -= strings.Count(text, "`")
			}
			line.WriteString(text + strings.Repeat(" ", widths[i]-shown+2))
		}
		b.WriteString(a.markCode(strings.ReplaceAll(strings.TrimRight(line.String(), " "), codeBlank, " ")) + "\n")
	}
	return b.String()
}

// rowList returns the rows below the head as a list, each non-empty cell after the name of its column.
func rowList(rows [][]string, width int) string {
	var b strings.Builder
	for _, row := range rows[1:] {
		mark := "- "
		for i, cell := range row {
			if cell != "" {
				b.WriteString(filled(rows[0][i]+": "+cell, mark, "  ", width) + "\n")
				mark = "  "
			}
		}
	}
	return b.String()
}
