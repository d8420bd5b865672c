package index

import (
	"fmt"
	"io"
	"slices"
)

// The links of a generation are three values for each row: its session's number,
// the row after it and the row before it in its session. They are decoded as a
// whole, because a ranking reads them for tens of thousands of rows. The file holds
// the first two, from which the third follows.
//
// It stays from one generation to the next while few links differ from it:
// those are in the live file. Values in both are plus 1; 0: none.
const (
	linksMagic   = "gmlinks3"
	linksColumns = 2
	// linksPatches is the number of rows that may change, and linksLater the
	// number that may come, before the file is written anew.
	linksPatches = 2048
	linksLater   = 8192
)

// links are the values of all rows, -1 for none.
type links struct {
	based               int // rows of the file
	session, next, prev []int32
}

// openLinks reads the file, which must have so many rows.
func openLinks(path string, rows int) (*links, error) {
	data, release, err := mapFile(path)
	if err != nil {
		return nil, err
	}
	if release != nil {
		defer release()
	}
	return parseLinks(data, rows)
}

// parseLinks decodes the links; nothing refers to data afterwards.
func parseLinks(data []byte, rows int) (*links, error) {
	f, err := parseColumns(data, linksMagic, 0, linksColumns)
	if err != nil {
		return nil, err
	}
	if err := f.verify(); err != nil { // all of it is read in any case
		return nil, err
	}
	n := f.count[0]
	if n != rows || f.count[1] != n {
		return nil, fmt.Errorf("%w: links of %d and %d rows, want %d", errTable, n, f.count[1], rows)
	}
	all := make([]int32, 3*n) // in one piece; each has no room to grow into the next
	l := &links{based: n, session: all[:n:n], next: all[n : 2*n : 2*n], prev: all[2*n:]}
	sessions, nexts := &f.cols[0], &f.cols[1]
	for i := range l.prev {
		l.prev[i] = -1
	}
	for i := range n {
		next := int32(nexts.at(i)) - 1
		l.session[i], l.next[i] = int32(sessions.at(i))-1, next
		if next >= 0 && int(next) < n {
			l.prev[next] = int32(i)
		}
	}
	return l, nil
}

// writeTo writes the file.
func (l *links) writeTo(out io.Writer) error {
	cols := make([]growing, linksColumns)
	for c, from := range [...][]int32{l.session, l.next} {
		cols[c] = grow(column{}, 0)
		if len(from) > 0 {
			cols[c].widen(widthOf(uint64(slices.Max(from) + 1)))
		}
		for _, v := range from {
			cols[c].add(uint64(v + 1))
		}
	}
	return writeColumns(out, linksMagic, nil, cols)
}

// add appends a row of a session, which has no neighbours yet.
func (l *links) add(session int32) {
	l.session, l.next, l.prev = append(l.session, session), append(l.next, -1), append(l.prev, -1)
}

// patch puts in what the live file says has changed.
func (l *links) patch(f *columnFile) error {
	for i := range f.count[colPatchRow] {
		row := f.cols[colPatchRow].at(i)
		if row == 0 || row > uint64(l.based) {
			return fmt.Errorf("%w: links of row %d", errTable, row)
		}
		l.next[row-1] = int32(f.cols[colPatchNext].at(i)) - 1
		l.prev[row-1] = int32(f.cols[colPatchPrev].at(i)) - 1
	}
	for i := range f.count[colLaterSession] {
		l.add(int32(f.cols[colLaterSession].at(i)) - 1)
		l.next[l.based+i] = int32(f.cols[colLaterNext].at(i)) - 1
		l.prev[l.based+i] = int32(f.cols[colLaterPrev].at(i)) - 1
	}
	return nil
}
