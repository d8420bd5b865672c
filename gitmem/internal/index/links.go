package index

import (
	"encoding/binary"
	"fmt"
	"io"
	"runtime"
)

// The links of a generation are three values for each row: its session's number,
// the row after it and the row before it in its session; -1: none. A ranking reads
// them for tens of thousands of rows, so that the file holds them as they are used:
// 32 bits each, little-endian.
//
// The file stays from one generation to the next while few links differ from it:
// those are in the live file, plus 1 each. Behind the values is some room for those
// of the rows that come.
const (
	linksMagic   = "gmlinks4"
	linksInts    = 1 // rows
	linksColumns = 3
	linksWidth   = 4
	// linksPatches is the number of rows that may change, and linksLater the
	// number that may come, before the file is written anew.
	linksPatches = 2048
	linksLater   = 8192
)

// linksRoom is the number of values that a file of so many rows has room for.
func linksRoom(rows int) int { return rows + min(rows/16, linksLater) }

// links are the values of all rows, -1 for none.
type links struct {
	based               int // rows of the file
	session, next, prev []int32
}

// openLinks maps the file, which must have so many rows. The mapping goes when
// nothing refers to the links any more; what is written to them stays in this process.
func openLinks(path string, rows int) (*links, error) {
	data, release, err := mapPrivate(path)
	if err != nil {
		return nil, err
	}
	l, err := parseLinks(data, rows)
	if release == nil {
		return l, err
	}
	if err != nil {
		release()
		return nil, err
	}
	runtime.AddCleanup(l, func(release func()) { release() }, release)
	return l, nil
}

// parseLinks takes data over: the links are read there, and written to.
func parseLinks(data []byte, rows int) (*links, error) {
	f, err := parseColumns(data, linksMagic, linksInts, linksColumns)
	if err != nil {
		return nil, err
	}
	if err := f.verify(); err != nil {
		return nil, err
	}
	if f.ints[0] != uint64(rows) {
		return nil, fmt.Errorf("%w: links of %d rows, want %d", errTable, f.ints[0], rows)
	}
	l := &links{based: rows}
	for c, to := range []*[]int32{&l.session, &l.next, &l.prev} {
		if f.cols[c].width != linksWidth || f.count[c] < l.based {
			return nil, fmt.Errorf("%w: column %d of the links has %d values of %d bytes", errTable, c, f.count[c], f.cols[c].width)
		}
		*to = int32s(f.cols[c].data[:f.count[c]*linksWidth])[:l.based]
	}
	return l, nil
}

// writeTo writes the file.
func (l *links) writeTo(out io.Writer) error {
	cols := make([]growing, linksColumns)
	room := linksRoom(len(l.session))
	for c, from := range [...][]int32{l.session, l.next, l.prev} {
		data := make([]byte, 0, room*linksWidth+columnPad)
		for _, v := range from {
			data = binary.LittleEndian.AppendUint32(data, uint32(v))
		}
		cols[c] = growing{column: newColumn(data[:cap(data)], linksWidth), n: room}
	}
	return writeColumns(out, linksMagic, []uint64{uint64(len(l.session))}, cols)
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
