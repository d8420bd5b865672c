package index

import (
	"fmt"
	"io"
)

// The live file is what a step changes of the rows that were there before: the
// tombstones, the sums, and where the links differ from their file.
const (
	liveMagic = "gmlive3\n"
	liveInts  = 3 + 2*fields
)

// The numbers of a live file; tokens and documents of each field follow.
const (
	liveRows  = iota
	liveLive  // rows that are no tombstones
	liveBased // rows that the links' file must have
	liveSums
)

// The columns of a live file. Rows and sessions in them are plus 1; 0: none.
const (
	colDead          = iota // bytes of bits: the tombstones
	colSessionTokens        // of the live rows
	colSessionTail          // the last live row
	colPatchRow             // a row whose neighbours have changed
	colPatchNext            //
	colPatchPrev            //
	colLaterSession         // of the rows that the links' file does not have
	colLaterNext            //
	colLaterPrev            //

	liveColumns
)

// fieldSum is what an average length is made of.
type fieldSum struct{ tokens, docs uint64 }

func parseLive(data []byte) (*columnFile, error) {
	f, err := parseColumns(data, liveMagic, liveInts, liveColumns)
	if err != nil {
		return nil, err
	}
	if err := f.verify(); err != nil { // it is small, and read whole in any case
		return nil, err
	}
	rows, live, based := f.ints[liveRows], f.ints[liveLive], f.ints[liveBased]
	later := rows - based
	switch {
	case rows > maxRows, live > rows, based > rows, uint64(f.count[colDead]) != (rows+7)/8,
		f.count[colSessionTokens] != f.count[colSessionTail],
		f.count[colPatchRow] != f.count[colPatchNext], f.count[colPatchRow] != f.count[colPatchPrev],
		uint64(f.count[colLaterSession]) != later, uint64(f.count[colLaterNext]) != later, uint64(f.count[colLaterPrev]) != later:
		return nil, fmt.Errorf("%w: columns of the live file do not match", errTable)
	}
	return f, nil
}

// writeLive writes the live file of what a writer has made. Without patches the
// links' file has everything.
func (w *tableWriter) writeLive(out io.Writer, based int, patches []int32) error {
	cols := make([]growing, liveColumns)
	for c := range cols {
		cols[c] = grow(column{}, 0)
	}
	cols[colDead], cols[colSessionTokens], cols[colSessionTail] = w.deadBits, w.sessionTokens, w.sessionTail
	for _, row := range patches {
		cols[colPatchRow].add(uint64(row) + 1)
		cols[colPatchNext].add(uint64(w.links.next[row] + 1))
		cols[colPatchPrev].add(uint64(w.links.prev[row] + 1))
	}
	for row := based; row < w.rows; row++ {
		cols[colLaterSession].add(uint64(w.links.session[row] + 1))
		cols[colLaterNext].add(uint64(w.links.next[row] + 1))
		cols[colLaterPrev].add(uint64(w.links.prev[row] + 1))
	}
	ints := []uint64{liveRows: uint64(w.rows), liveLive: uint64(w.live), liveBased: uint64(based)}
	for _, s := range w.sums {
		ints = append(ints, s.tokens, s.docs)
	}
	return writeColumns(out, liveMagic, ints, cols)
}
