package redact

import (
	"slices"
	"strings"
)

// maxHeader limits the length of the header line of a table.
const maxHeader = 512

// table is the part of a table after its header line: the result of an SQL query, Markdown or CSV.
type table struct {
	rows string // the text after the header line
	from int    // start of the rows in the text
	sign byte   // the separator of the cells; 0 if they are aligned by blanks
	cuts []int  // offsets of the cells if they are aligned by blanks
	cell int    // the index of the column
	of   int    // number of separators in a line
}

// column appends the cells below a column header that is a name of secrets.
func (r *Redactor) column(found []Finding, s string, at, floor int) []Finding {
	for word, w := range r.index.secretWordsAt(s, at) {
		if !cellEdge(s, at) {
			break
		}
		if n, ok := w.name(s, word, at, floor); ok && !n.phrase {
			if t, ok := tableAt(s, n); ok {
				return t.secrets(r, found, s, n)
			}
		}
	}
	return found
}

// cellEdge reports whether a cell may end after the name at at.
func cellEdge(s string, at int) bool {
	at = dotted.run(s, at, at+maxName)
	if strings.HasPrefix(s[at:], "  ") {
		return true
	}
	at = skipAny(s, at, " \"`", maxName)
	end := skipAny(s, at, `\`, 7)
	return at == len(s) || strings.IndexByte("|,;\t\r\n", s[at]) >= 0 || end > at && end < len(s) &&
		(s[end] == 'n' || s[end] == 'r')
}

// tableAt returns the table in which a name is a column's header.
func tableAt(s string, n name) (table, bool) {
	from := max(n.floor, n.start-maxHeader)
	if i := strings.LastIndexByte(s[from:n.start], '\n'); i >= 0 {
		from += i + 1
	} else if from > n.floor {
		return table{}, false
	}
	// a JSON string
	if i := strings.LastIndexByte(s[from:n.start], '"'); i > 0 &&
		strings.HasSuffix(strings.TrimRight(s[from:from+i], `\`), ":") {
		from += i + 1
	}
	to, rows := rowEnd(s, n.end)
	header := s[from:to]
	for _, sign := range []byte("|\t;,") {
		t := table{rows: s[rows:], from: rows, sign: sign, cell: strings.Count(s[from:n.start], string(sign)),
			of: strings.Count(header, string(sign))}
		if t.of > 0 {
			above := s[n.floor:max(n.floor, from-1)]
			above = above[max(0, len(above)-maxHeader):]
			return t, t.headed(header) && strings.Count(above[strings.LastIndexByte(above, '\n')+1:], string(sign)) != t.of
		}
	}
	return aligned(header, s[rows:], rows, n.start-from)
}

// aligned returns the table whose header is in capitals or above dashes, with two blanks or more between its names.
func aligned(header, rows string, from, name int) (table, bool) {
	t := table{rows: rows, from: from, cell: -1}
	for at := 0; at < len(header); at++ {
		if header[at] != ' ' && (at == 0 || strings.HasSuffix(header[:at], "  ")) {
			if t.cuts = append(t.cuts, at); at == name {
				t.cell = len(t.cuts) - 1
			}
		}
	}
	t.of = len(t.cuts) - 1
	end, _ := rowEnd(rows, 0)
	ruled := strings.HasPrefix(rows, "--") && strings.Trim(rows[:end], "- ") == ""
	return t, t.cell >= 0 && t.of > 0 && t.cuts[0] == 0 && (ruled || strings.ToUpper(header) == header) &&
		!strings.ContainsFunc(header, noHeading)
}

// rowEnd returns the end of a line, which may be written as \n, and the start of the next one.
func rowEnd(s string, at int) (end, next int) {
	line := s[at:min(len(s), at+maxQuoted)]
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\n':
			return at + len(strings.TrimSuffix(line[:i], "\r")), at + i + 1
		case line[i] == '\\' && strings.HasPrefix(line[i:], `\n`):
			return at + len(strings.TrimSuffix(strings.TrimRight(line[:i], `\`), `\r`)), at + i + 2
		}
	}
	return at + len(line), at + len(line)
}

// headed reports whether a line can be a header: names between separators, and below it a
// line with as many separators.
func (t table) headed(header string) bool {
	ruled := t.sign == '|' && strings.Contains(header, " ")
	for i, cell := range strings.Split(header, string(t.sign)) {
		text := strings.Trim(cell, " \"`")
		switch {
		case text == "" && t.sign == '|' && (i == 0 || i == t.of):
		case text == "" || len(text) > 40 || strings.ContainsFunc(text, noHeading):
			return false
		case !ruled && cell != text && cell != `"`+text+`"`:
			return false // a list in program text
		}
	}
	end, _ := rowEnd(t.rows, 0)
	if ruled {
		return end > 0 && strings.Trim(t.rows[:end], "-+|:= ") == ""
	}
	return len(t.line(t.rows[:end])) == t.of+1
}

// noHeading reports whether a character cannot be in the name of a column.
func noHeading(c rune) bool {
	return c < 0x80 && c != ' ' && !dotted.has(byte(c))
}

// line returns the offsets of the cells of a line, and its end.
func (t table) line(line string) []int {
	if t.sign == 0 {
		i := 0
		for i < len(t.cuts) && t.cuts[i] < len(line) && (i == 0 || line[t.cuts[i]-1] == ' ') {
			i++
		}
		return slices.Clone(t.cuts[:i])
	}
	starts := []int{0}
	for at := 0; at < len(line); at++ {
		switch line[at] {
		case '"':
			if at == starts[len(starts)-1] {
				at = closing(line, at+1, len(line), `"`)
			}
		case t.sign:
			starts = append(starts, at+1)
		}
	}
	return starts
}

// secrets appends the cells of the column that are secrets.
func (t table) secrets(r *Redactor, found []Finding, s string, n name) []Finding {
	at := 0
	for at < len(t.rows) {
		end, next := rowEnd(t.rows, at)
		line := t.rows[at:end]
		if line == "" {
			break
		}
		if strings.Trim(line, "-+|:= ") != "" {
			cells := append(t.line(line), len(line)+1)
			if len(cells) != t.of+2 {
				break
			}
			from, to := cells[t.cell], cells[t.cell+1]-1
			text := strings.Trim(line[from:to], " \"'`")
			if start := t.from + at + from + strings.Index(line[from:to], text); t.secret(n, text) {
				if kind := r.valueKind(s, n, start, start+len(text)); kind != "" {
					found = append(found, Finding{kind, start, start + len(text)})
				}
			}
		}
		if at = next; next == end {
			break
		}
	}
	return found
}

// secret reports whether a cell is a secret. A password may be a plain word.
func (t table) secret(n name, v string) bool {
	if len(v) < 4 || placeholder(v) || strings.ContainsAny(v, " \t") || expression(v, true) {
		return false
	}
	return random(v) || n.password && !n.random && (mixed(v) || alnum.all(v) && !isDigits(v) && len(v) >= 5 &&
		!stateWord(strings.ToLower(v)))
}
