package index

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// The live file contains a step's changes of existing rows: the tombstones, the sums, and the links that differ from
// the links file.
const (
	liveMagic = "gmlive5\n"
	liveInts  = 2 + 2*fields
)

// The numbers of a live file, followed by tokens and documents of each field.
const (
	liveRows = iota
	liveLive // rows that are not tombstones
	liveSums
)

// The columns of a live file.
const (
	colDead          = iota // bitmap of the tombstones
	colSessionTokens        // of the live rows
	colSessionTail          // the last live row plus 1; 0 for none
	colChanged              // rows whose links differ from the links file, in order
	_                       // their links plus 1: sessions,
	_                       // next rows,
	_                       // and previous rows

	liveColumns
)

// fieldSum is the sum and the count of an average length.
type fieldSum struct{ tokens, docs uint64 }

func parseLive(data []byte) (*columnFile, error) {
	f, err := parseColumns(data, liveMagic, liveInts, liveColumns)
	if err != nil {
		return nil, err
	}
	if err := f.verify(); err != nil { // it is small and read completely anyway
		return nil, err
	}
	rows, live := f.ints[liveRows], f.ints[liveLive]
	bad := rows > maxRows || live > rows || uint64(f.count[colDead]) != (rows+7)/8 ||
		f.count[colSessionTokens] != f.count[colSessionTail]
	for c := colChanged; c < liveColumns; c++ {
		bad = bad || f.count[c] != f.count[colChanged]
	}
	if bad {
		return nil, fmt.Errorf("%w: document table: columns of the live file do not match", ErrCorrupt)
	}
	return f, nil
}

// writeLive writes the live file of the new table.
func (w *tableWriter) writeLive(out io.Writer) error {
	cols := []columnBuilder{colDead: w.deadBits, colSessionTokens: w.sessionTokens, colSessionTail: w.sessionTail}
	for len(cols) < liveColumns {
		cols = append(cols, grow(column{}, 0))
	}
	changed := slices.Sorted(maps.Keys(w.changed))
	for row := w.links.based; row < w.rows; row++ {
		changed = append(changed, int32(row))
	}
	for _, row := range changed {
		cols[colChanged].add(uint64(row))
		for c, from := range w.links.columns() {
			cols[colChanged+1+c].add(uint64((*from)[row] + 1))
		}
	}
	ints := []uint64{liveRows: uint64(w.rows), liveLive: uint64(w.live)}
	for _, s := range w.sums {
		ints = append(ints, s.tokens, s.docs)
	}
	return writeColumns(out, liveMagic, ints, cols)
}
