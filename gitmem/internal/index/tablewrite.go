package index

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math/bits"
	"slices"
)

// maxRows keeps a row plus 1 within an int32.
const maxRows = 1<<31 - 2

var errTooManyRows = errors.New("too many documents in one shard")

// tableWriter makes the next table from the previous one: rows are appended or
// marked dead, and the links of the sessions touched are made anew.
type tableWriter struct {
	old     *table // nil for a full build
	cols    [columns]growing
	rows    int
	live    int
	sums    [fields]fieldSum
	strings map[string]uint32 // those that old does not have
	session map[uint64]uint64 // name → number plus 1
	touched map[uint64]bool   // by number plus 1
}

func newTableWriter(old *table) *tableWriter {
	w := &tableWriter{old: old, strings: map[string]uint32{}, session: map[uint64]uint64{}, touched: map[uint64]bool{}}
	if old == nil {
		for c := range w.cols {
			w.cols[c] = grow(column{}, 0)
		}
		w.cols[colStringEnd].add(0) // string 0 is the empty one
		return w
	}
	for c := range w.cols {
		w.cols[c] = grow(old.cols[c], old.count[c])
	}
	w.rows, w.live, w.sums = old.rows, old.live, old.sums
	for s := range old.count[colSessionName] {
		w.session[old.cols[colSessionName].at(s)] = uint64(s) + 1
	}
	return w
}

// add appends a row and returns its number; tokens are the lengths of its
// fields.
func (w *tableWriter) add(d *Doc, tokens [fields]int) (int, error) {
	if w.rows >= maxRows {
		return 0, errTooManyRows
	}
	row := w.rows
	w.rows++
	w.live++
	prefix, number := splitID(d.ID)
	for c, v := range [...]uint64{
		colIDPrefix: w.intern(prefix), colIDNumber: number, colSource: w.intern(d.Source),
		colLayer: w.intern(d.Layer), colType: w.intern(d.Type), colRole: w.intern(d.Role),
		colProject: w.intern(d.Project), colAuthor: w.intern(d.Author), colFile: w.intern(d.File),
		colSession: w.sessionOf(d.Session), colOrder: zigzag(d.Order), colOffset: zigzag(d.Offset),
		colLength: zigzag(d.Length), colTime: timeValue(d), colHash: d.Hash(),
		colTokens: uint64(tokens[0]), colTitleTokens: uint64(tokens[1]),
		colToolTokens: uint64(tokens[2]), colPathsTokens: uint64(tokens[3]),
		colNext: 0, colPrev: 0, colPathEnd: w.addPaths(d.Paths),
	} {
		w.cols[c].add(v)
	}
	if row%8 == 0 {
		w.cols[colDead].add(0)
	}
	w.count(row, 1)
	return row, nil
}

// Hash is the content hash of a text, see [Doc.Hash]: the first eight bytes
// of the SHA-256, big-endian.
func Hash(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.BigEndian.Uint64(sum[:8])
}

func timeValue(d *Doc) uint64 {
	if d.Time.IsZero() {
		return 0
	}
	return zigzag(d.Time.UnixMilli()) + 1
}

func (w *tableWriter) addPaths(paths []string) uint64 {
	for _, p := range paths {
		if p != "" {
			w.cols[colPath].add(w.intern(p))
		}
	}
	return uint64(w.cols[colPath].n)
}

// intern returns the reference of a string, adding it if it is new.
func (w *tableWriter) intern(s string) uint64 {
	if s == "" {
		return 0
	}
	if ref, ok := w.strings[s]; ok {
		return uint64(ref)
	}
	if w.old != nil {
		if ref, ok := w.old.find(s); ok {
			return uint64(ref)
		}
	}
	heap := &w.cols[colHeap]
	if heap.width == 0 {
		heap.widen(1)
	}
	heap.data = append(heap.data[:heap.n], s...)
	heap.n += len(s)
	heap.data = append(heap.data, make([]byte, columnPad)...)
	w.cols[colStringEnd].add(uint64(heap.n))
	ref := uint32(w.cols[colStringEnd].n - 1)
	w.strings[s] = ref
	return uint64(ref)
}

// sessionOf returns the number plus 1 of a session, adding it if it is new.
func (w *tableWriter) sessionOf(name string) uint64 {
	if name == "" {
		return 0
	}
	ref := w.intern(name)
	s, ok := w.session[ref]
	if !ok {
		w.cols[colSessionName].add(ref)
		w.cols[colSessionTokens].add(0)
		s = uint64(w.cols[colSessionName].n)
		w.session[ref] = s
	}
	w.touched[s] = true
	return s
}

// kill marks a live row as dead.
func (w *tableWriter) kill(row int) {
	dead := &w.cols[colDead]
	dead.set(row>>3, dead.at(row>>3)|1<<(row&7))
	w.live--
	w.count(row, -1)
	if s := w.cols[colSession].at(row); s != 0 {
		w.touched[s] = true
	}
}

func (w *tableWriter) isDead(row int) bool {
	return w.cols[colDead].at(row>>3)>>(row&7)&1 != 0
}

// count adds a row to the sums of its fields, or takes it away.
func (w *tableWriter) count(row int, sign int64) {
	for f := range w.sums {
		if n := w.cols[colTokens+f].at(row); n > 0 {
			w.sums[f].tokens += n * uint64(sign)
			w.sums[f].docs += uint64(sign)
		}
	}
}

// finish links the rows of the sessions touched and indexes the new strings.
func (w *tableWriter) finish() {
	// By slice, because every row asks.
	touched := make([]bool, w.cols[colSessionName].n+1)
	for s := range w.touched {
		touched[s] = true
	}
	groups := map[uint64][]int{}
	for row := range w.rows {
		s := w.cols[colSession].at(row)
		if !touched[s] {
			continue
		}
		w.cols[colNext].set(row, 0)
		w.cols[colPrev].set(row, 0)
		if !w.isDead(row) {
			groups[s] = append(groups[s], row)
		}
	}
	view := w.view()
	for s := range w.touched {
		w.link(s, groups[s], view)
	}
	w.fillSlots(view)
}

// link orders the live rows of a session. Rows of the same order go by id, so
// that the result does not depend on how they got here.
func (w *tableWriter) link(session uint64, rows []int, view *table) {
	slices.SortFunc(rows, func(a, b int) int {
		if c := cmp.Compare(w.cols[colOrder].signed(a), w.cols[colOrder].signed(b)); c != 0 {
			return c
		}
		return cmp.Compare(view.id(a), view.id(b))
	})
	tokens := uint64(0)
	for i, row := range rows {
		tokens += w.cols[colTokens].at(row)
		if i > 0 {
			w.cols[colPrev].set(row, uint64(rows[i-1])+1)
			w.cols[colNext].set(rows[i-1], uint64(row)+1)
		}
	}
	w.cols[colSessionTokens].set(int(session)-1, tokens)
}

// view is the part of a table that strings and ids are read by.
func (w *tableWriter) view() *table {
	t := &table{rows: w.rows}
	for _, c := range []int{colIDPrefix, colIDNumber, colStringEnd, colHeap} {
		t.cols[c], t.count[c] = w.cols[c].column, w.cols[c].n
	}
	return t
}

// fillSlots enters the new strings into the hash table, at most half full.
func (w *tableWriter) fillSlots(view *table) {
	n := w.cols[colStringEnd].n
	slots := &w.cols[colSlots]
	if slots.n >= 2*n {
		for s, ref := range w.strings {
			insertSlot(slots, s, ref)
		}
		return
	}
	size := 1 << bits.Len(uint(3*n))
	*slots = growing{column: newColumn(make([]byte, size*widthOf(uint64(n))+columnPad), widthOf(uint64(n))), n: size}
	for ref := 1; ref < n; ref++ {
		insertSlot(slots, view.str(uint64(ref)), uint32(ref))
	}
}

func insertSlot(slots *growing, s string, ref uint32) {
	at := int(hashString(s) & uint64(slots.n-1))
	for slots.at(at) != 0 {
		at = (at + 1) & (slots.n - 1)
	}
	slots.set(at, uint64(ref))
}

// writeTo writes the table.
func (w *tableWriter) writeTo(out io.Writer) error {
	sum := crc32.NewIEEE()
	b := bufio.NewWriterSize(io.MultiWriter(out, sum), 1<<16)
	head := w.header()
	if _, err := b.Write(binary.LittleEndian.AppendUint32(head, crc32.ChecksumIEEE(head))); err != nil {
		return err
	}
	pad := make([]byte, 8)
	at := len(head) + 4
	for c := range w.cols {
		gap, size := aligned(at), w.cols[c].n*w.cols[c].width+columnPad
		if _, err := b.Write(pad[:gap]); err != nil {
			return err
		}
		if _, err := b.Write(w.cols[c].data[:size]); err != nil {
			return err
		}
		at += gap + size
	}
	if err := b.Flush(); err != nil {
		return err
	}
	_, err := out.Write(append(binary.LittleEndian.AppendUint32(nil, sum.Sum32()), tableEnd...))
	return err
}

// aligned returns what is missing to a multiple of 8.
func aligned(at int) int { return -at & 7 }

func (w *tableWriter) header() []byte {
	le := binary.LittleEndian
	h := append([]byte(nil), tableMagic...)
	h = le.AppendUint32(h, tableVersion)
	h = le.AppendUint32(h, columns)
	h = le.AppendUint64(h, uint64(w.rows))
	h = le.AppendUint64(h, uint64(w.live))
	for _, s := range w.sums {
		h = le.AppendUint64(le.AppendUint64(h, s.tokens), s.docs)
	}
	at := headerSize + columns*entrySize + 4
	for c := range w.cols {
		at += aligned(at)
		h = le.AppendUint64(h, uint64(w.cols[c].width))
		h = le.AppendUint64(h, uint64(w.cols[c].n))
		h = le.AppendUint64(h, uint64(at))
		at += w.cols[c].n*w.cols[c].width + columnPad
	}
	return h
}
