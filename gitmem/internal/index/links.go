package index

import (
	"encoding/binary"
	"fmt"
	"io"
)

// The links of a generation are three values for each row: its session's number, and the next and the previous row in
// its session; -1 means none. A ranking reads them for tens of thousands of rows, so the file stores them in the form
// in which they are used: 32 bits each, little-endian.
//
// The file is shared by consecutive generations while the links of only a few rows differ from it; these are in the
// live file. After the values there is some space for new rows.
const (
	linksMagic   = "gmlinks5"
	linksInts    = 1 // rows
	linksColumns = 3
	linksWidth   = 4
	// linksChanges is the number of rows that may differ before the file is rewritten.
	linksChanges = 8192
)

// links contains the values of all rows, -1 for none.
type links struct {
	based               int // rows of the file
	session, next, prev []int32
}

func (l *links) columns() [linksColumns]*[]int32 { return [...]*[]int32{&l.session, &l.next, &l.prev} }

// parseLinks parses the file. The links alias data, which they modify.
func parseLinks(data []byte) (*links, error) {
	l := &links{}
	f, err := parseColumns(data, linksMagic, linksInts, linksColumns)
	if err != nil {
		return nil, err
	}
	if err := f.verify(); err != nil {
		return nil, err
	}
	l.based = int(min(f.ints[0], maxRows))
	for c, to := range l.columns() {
		if f.cols[c].width != linksWidth || f.count[c] < l.based {
			return nil, fmt.Errorf("%w: document table: column %d of the links has %d values of %d bytes", ErrCorrupt, c,
				f.count[c], f.cols[c].width)
		}
		*to = int32s(f.cols[c].data[:f.count[c]*linksWidth])[:l.based]
	}
	return l, nil
}

// writeTo writes the file.
func (l *links) writeTo(out io.Writer) error {
	var cols []columnBuilder
	rows := len(l.session)
	room := rows + min(rows/16, linksChanges)
	for _, from := range l.columns() {
		data := make([]byte, 0, room*linksWidth+columnPad)
		for _, v := range *from {
			data = binary.LittleEndian.AppendUint32(data, uint32(v))
		}
		cols = append(cols, columnBuilder{column: newColumn(data[:cap(data)], linksWidth), n: room})
	}
	return writeColumns(out, linksMagic, []uint64{uint64(rows)}, cols)
}

// add appends a row of a session without neighbours.
func (l *links) add(session int32) {
	l.session, l.next, l.prev = append(l.session, session), append(l.next, -1), append(l.prev, -1)
}

// change applies the links in the live file, and returns the changed rows that are also in the links file.
func (l *links) change(f *columnFile) (changed []int32, err error) {
	at := -1
	for i := range f.count[colChanged] {
		row := int(f.cols[colChanged].at(i))
		if row <= at || row > len(l.session) {
			return nil, fmt.Errorf("%w: document table: links of row %d", ErrCorrupt, row)
		}
		if at = row; row == len(l.session) {
			l.add(-1)
		}
		if row < l.based {
			changed = append(changed, int32(row))
		}
		for c, to := range l.columns() {
			(*to)[row] = int32(f.cols[colChanged+1+c].at(i)) - 1
		}
	}
	return changed, nil
}
