package index

import (
	"encoding/binary"
	"fmt"
	"io"
)

// The live file is what a step may change of the rows that were there before: the
// tombstones, the sums, and the links. These are three values for each row: its session's
// number, the row after it and the row before it in its session; -1: none. A ranking reads
// them for tens of thousands of rows, so that they lie there as they are used: 32 bits each.
const (
	liveMagic  = "gmlive4\n"
	liveInts   = 2 + 2*fields
	linksWidth = 4
)

// The numbers of a live file; tokens and documents of each field follow.
const (
	liveRows = iota
	liveLive // rows that are no tombstones
	liveSums
)

// The columns of a live file.
const (
	colDead          = iota // bytes of bits: the tombstones
	colSessionTokens        // of the live rows
	colSessionTail          // the last live row plus 1; 0: none
	colSession              // links
	colNext                 //
	colPrev                 //

	liveColumns
)

// fieldSum is what an average length is made of.
type fieldSum struct{ tokens, docs uint64 }

// links are the values of all rows, -1 for none.
type links struct{ session, next, prev []int32 }

// liveState is what a live file says.
type liveState struct {
	*columnFile
	links links
}

func parseLive(data []byte) (*liveState, error) {
	f, err := parseColumns(data, liveMagic, liveInts, liveColumns)
	if err != nil {
		return nil, err
	}
	if err := f.verify(); err != nil {
		return nil, err
	}
	rows, live := f.ints[liveRows], f.ints[liveLive]
	if rows > maxRows || live > rows || uint64(f.count[colDead]) != (rows+7)/8 || f.count[colSessionTokens] != f.count[colSessionTail] {
		return nil, fmt.Errorf("%w: document table: columns of the live file do not match", ErrCorrupt)
	}
	s := &liveState{columnFile: f}
	for c, to := range map[int]*[]int32{colSession: &s.links.session, colNext: &s.links.next, colPrev: &s.links.prev} {
		if n := f.count[c]; uint64(n) != rows || f.cols[c].width != linksWidth && n > 0 {
			return nil, fmt.Errorf("%w: document table: column %d of the live file has %d values of %d bytes", ErrCorrupt, c, n, f.cols[c].width)
		}
		*to = int32s(f.cols[c].data[:rows*linksWidth])
	}
	return s, nil
}

// writeLive writes the live file of what a writer has made.
func (w *tableWriter) writeLive(out io.Writer) error {
	cols := []growing{
		colDead: w.deadBits, colSessionTokens: w.sessionTokens, colSessionTail: w.sessionTail,
		colSession: linksColumn(w.links.session), colNext: linksColumn(w.links.next), colPrev: linksColumn(w.links.prev),
	}
	ints := []uint64{liveRows: uint64(w.rows), liveLive: uint64(w.live)}
	for _, s := range w.sums {
		ints = append(ints, s.tokens, s.docs)
	}
	return writeColumns(out, liveMagic, ints, cols)
}

func linksColumn(values []int32) growing {
	data := make([]byte, 0, len(values)*linksWidth+columnPad)
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, uint32(v))
	}
	return growing{column: newColumn(data[:cap(data)], linksWidth), n: len(values)}
}

// add appends a row of a session, which has no neighbours yet.
func (l *links) add(session int32) {
	l.session, l.next, l.prev = append(l.session, session), append(l.next, -1), append(l.prev, -1)
}
