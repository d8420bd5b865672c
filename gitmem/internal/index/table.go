package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"time"
)

// The document table is one file, little-endian throughout:
//
//	header     magic, version, number of columns, rows, live rows, and for each
//	           field its tokens and documents over the live rows
//	directory  for each column: width in bytes, number of values, offset
//	CRC-32     of header and directory
//	columns    each starting at a multiple of 8 and followed by columnPad zeros
//	CRC-32     of everything before, then tableEnd
//
// A reader checks header, directory and bounds when it opens the table, and
// the last CRC only on request. What a value refers to is checked at each use,
// so damage gives wrong rows but no panic.
const (
	tableMagic   = "gmtable\n"
	tableEnd     = "end\n"
	tableVersion = 2
	headerSize   = 8 + 4 + 4 + 8 + 8 + fields*16
	entrySize    = 8 + 8 + 8
	footerSize   = 4 + 4
)

// The columns with one value for each row.
const (
	colIDPrefix    = iota // string: the id, or what precedes its number
	colIDNumber           // the number that ends the id, plus 1; 0: none
	colSource             // string
	colLayer              // string
	colType               // string
	colRole               // string
	colProject            // string
	colAuthor             // string
	colFile               // string
	colSession            // session number plus 1; 0: none
	colOrder              // zigzag
	colOffset             // zigzag
	colLength             // zigzag
	colTime               // zigzag of Unix milliseconds, plus 1; 0: none
	colHash               // see Doc.Hash
	colTokens             // tokens of the text; the other fields follow
	colTitleTokens        //
	colToolTokens         //
	colPathsTokens        //
	colNext               // row plus 1; 0: none
	colPrev               // row plus 1; 0: none
	colPathEnd            // where the row's paths end in colPath

	rowColumns
)

// The other columns.
const (
	colPath          = rowColumns + iota // string: the paths of all rows
	colStringEnd                         // where each string ends in colHeap
	colHeap                              // bytes of all strings
	colSlots                             // hash table of strings, open addressing; 0: free
	colSessionName                       // string
	colSessionTokens                     //
	colDead                              // bits: bytes of the tombstones

	columns
)

var errTable = errors.New("damaged document table")

// fieldSum is what an average length is made of.
type fieldSum struct{ tokens, docs uint64 }

// table reads a document table.
type table struct {
	data  []byte
	rows  int
	live  int
	sums  [fields]fieldSum
	cols  [columns]column
	count [columns]int
}

// parseTable reads the header and directory of a table; data must stay as it
// is while the table is in use.
func parseTable(data []byte) (*table, error) {
	const dirEnd = headerSize + columns*entrySize
	le := binary.LittleEndian
	if len(data) < dirEnd+4+footerSize || string(data[:8]) != tableMagic || string(data[len(data)-4:]) != tableEnd {
		return nil, fmt.Errorf("%w: %d bytes, no header or end", errTable, len(data))
	}
	if le.Uint32(data[8:]) != tableVersion || le.Uint32(data[12:]) != columns {
		return nil, fmt.Errorf("%w: version %d with %d columns", errTable, le.Uint32(data[8:]), le.Uint32(data[12:]))
	}
	if crc32.ChecksumIEEE(data[:dirEnd]) != le.Uint32(data[dirEnd:]) {
		return nil, fmt.Errorf("%w: header checksum", errTable)
	}
	t := &table{data: data, rows: int(le.Uint64(data[16:])), live: int(le.Uint64(data[24:]))}
	for f := range t.sums {
		t.sums[f] = fieldSum{le.Uint64(data[32+16*f:]), le.Uint64(data[40+16*f:])}
	}
	for c := range t.cols {
		if err := t.parseColumn(c, data[headerSize+c*entrySize:]); err != nil {
			return nil, err
		}
	}
	return t, t.checkCounts()
}

func (t *table) parseColumn(c int, entry []byte) error {
	le := binary.LittleEndian
	width, n, off := le.Uint64(entry), le.Uint64(entry[8:]), le.Uint64(entry[16:])
	size := uint64(len(t.data))
	// Every row has a hash, so no column has more values than the file bytes.
	if width > 8 || n > size || off > size || n*width+columnPad > size-off {
		return fmt.Errorf("%w: column %d lies outside the file", errTable, c)
	}
	t.cols[c] = newColumn(t.data[off:off+n*width+columnPad], int(width))
	t.count[c] = int(n)
	return nil
}

func (t *table) checkCounts() error {
	if t.rows < 0 || t.rows > maxRows || t.live < 0 || t.live > t.rows {
		return fmt.Errorf("%w: %d rows, %d live", errTable, t.rows, t.live)
	}
	for c := range rowColumns {
		if t.count[c] != t.rows {
			return fmt.Errorf("%w: column %d has %d of %d values", errTable, c, t.count[c], t.rows)
		}
	}
	if t.count[colDead] != (t.rows+7)/8 || t.count[colSessionName] != t.count[colSessionTokens] ||
		t.count[colSlots]&(t.count[colSlots]-1) != 0 || t.count[colStringEnd] == 0 {
		return fmt.Errorf("%w: columns do not match", errTable)
	}
	return nil
}

// verify compares the whole table with its checksum.
func (t *table) verify() error {
	end := len(t.data) - footerSize
	if crc32.ChecksumIEEE(t.data[:end]) != binary.LittleEndian.Uint32(t.data[end:]) {
		return fmt.Errorf("%w: checksum", errTable)
	}
	return nil
}

func (t *table) dead(i int) bool { return t.cols[colDead].at(i>>3)>>(i&7)&1 != 0 }

// bytesOf returns a string's bytes within the table; nil for a bad reference.
func (t *table) bytesOf(ref uint64) []byte {
	if ref == 0 || ref >= uint64(t.count[colStringEnd]) {
		return nil
	}
	ends := &t.cols[colStringEnd]
	start, end := ends.at(int(ref)-1), ends.at(int(ref))
	if start > end || end > uint64(t.count[colHeap]) || t.cols[colHeap].width != 1 {
		return nil
	}
	return t.cols[colHeap].data[start:end]
}

// str returns a copy, so that rows outlive the mapping.
func (t *table) str(ref uint64) string { return string(t.bytesOf(ref)) }

// find returns the reference of a string; the empty one is 0.
func (t *table) find(s string) (uint32, bool) {
	if s == "" {
		return 0, true
	}
	n := t.count[colSlots]
	slots := &t.cols[colSlots]
	for i, at := 0, hashString(s); i < n; i, at = i+1, at+1 {
		ref := slots.at(int(at & uint64(n-1)))
		if ref == 0 {
			break
		}
		if string(t.bytesOf(ref)) == s {
			return uint32(ref), true
		}
	}
	return 0, false
}

// hashString is FNV-1a: the table is a file, so its hash must never change.
func hashString(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h ^ h>>32
}

// id returns the citation id of a row.
func (t *table) id(i int) string {
	prefix, number := t.str(t.cols[colIDPrefix].at(i)), t.cols[colIDNumber].at(i)
	if number == 0 {
		return prefix
	}
	return prefix + strconv.FormatUint(number-1, 10)
}

// splitID cuts the number off an id that ends in a colon and a number written
// in the usual way; number is 0 where there is none, else one more.
func splitID(id string) (prefix string, number uint64) {
	i := len(id)
	for i > 0 && '0' <= id[i-1] && id[i-1] <= '9' {
		i--
	}
	digits := id[i:]
	if i == 0 || id[i-1] != ':' || digits == "" || len(digits) > 15 || len(digits) > 1 && digits[0] == '0' {
		return id, 0
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return id, 0
	}
	return id[:i], n + 1
}

// rowOf returns the live row with an id.
func (t *table) rowOf(id string) (int, bool) {
	prefix, number := splitID(id)
	ref, ok := t.find(prefix)
	if !ok {
		return 0, false
	}
	prefixes, numbers := &t.cols[colIDPrefix], &t.cols[colIDNumber]
	for i := t.rows - 1; i >= 0; i-- {
		if prefixes.at(i) == uint64(ref) && numbers.at(i) == number && !t.dead(i) {
			return i, true
		}
	}
	return 0, false
}

// session returns a row's session number, -1 for none.
func (t *table) session(i int) int32 {
	s := t.cols[colSession].at(i)
	if s > uint64(t.count[colSessionName]) {
		return -1
	}
	return int32(s) - 1
}

// neighbour returns the row that a link column holds, -1 for none.
func (t *table) neighbour(c, i int) int32 {
	n := t.cols[c].at(i)
	if n > uint64(t.rows) {
		return -1
	}
	return int32(n) - 1
}

// millis returns a row's time in Unix milliseconds.
func (t *table) millis(i int) (int64, bool) {
	v := t.cols[colTime].at(i)
	return unzigzag(v - 1), v != 0
}

func (t *table) paths(i int) []string {
	start, end := uint64(0), t.cols[colPathEnd].at(i)
	if i > 0 {
		start = t.cols[colPathEnd].at(i - 1)
	}
	if start >= end || end > uint64(t.count[colPath]) {
		return nil
	}
	out := make([]string, 0, end-start)
	for p := start; p < end; p++ {
		out = append(out, t.str(t.cols[colPath].at(int(p))))
	}
	return out
}

// row decodes a whole row.
func (t *table) row(i int) Row {
	str := func(c int) string { return t.str(t.cols[c].at(i)) }
	r := Row{
		ID: t.id(i), Source: str(colSource), Layer: str(colLayer), Type: str(colType), Role: str(colRole),
		Project: str(colProject), Author: str(colAuthor), File: str(colFile),
		Order: t.cols[colOrder].signed(i), Offset: t.cols[colOffset].signed(i), Length: t.cols[colLength].signed(i),
		Tokens: int(t.cols[colTokens].at(i)), Hash: t.cols[colHash].at(i), Paths: t.paths(i), Dead: t.dead(i),
	}
	if s := t.session(i); s >= 0 {
		r.Session = t.str(t.cols[colSessionName].at(int(s)))
	}
	if ms, ok := t.millis(i); ok {
		r.Time = time.UnixMilli(ms).UTC()
	}
	return r
}
