package index

import (
	"fmt"
	"math/bits"
)

// A part contains the rows of one step, with the strings and session names that they were the first to use. It never
// changes: changes are in the links and the live file. References to strings and numbers of sessions are global to all
// parts of a generation.
const (
	partMagic = "gmrows5\n"
	partInts  = 4
)

// The numbers of a part.
const (
	partFirstRow     = iota
	partRows         //
	partFirstString  // number of the first string
	partFirstSession // number of the first session name
)

// The columns of a part with one value for each row.
const (
	colIDPrefix        = iota // string: the id, or what precedes its number
	colIDNumber               // the number in the id, plus 1; 0: none
	colIDRest                 // string: what follows the number
	colSource                 // string
	colLayer                  // string
	colType                   // string
	colRole                   // string
	colProject                // string
	colAuthor                 // string
	colFile                   // string
	colOrder                  // zigzag
	colOffset                 // zigzag
	colLength                 // zigzag
	colTime                   // zigzag of Unix milliseconds, plus 1; 0: none
	colHash                   // see Doc.Hash
	colTokens                 // tokens of the text; the other fields follow
	colTitleTokens            //
	colToolTokens             //
	colPathsTokens            //
	colSubstanceTokens        //
	colPathEnd                // where the row's paths end in colPath
	colAlsoEnd                // where the row's other contributors end in colAlso
	colRelease                // string
	colReviewerEnd            // where the row's reviewers end in colReviewer
	colSerial                 // the row's permanent number in bleve; ascending

	rowColumns
)

// The other columns of a part.
const (
	colPath        = rowColumns + iota // string: the paths of all rows
	colChurn                           // changed lines of each of these paths, 0: unknown
	colAlso                            // string: the other contributors of all rows
	colReviewer                        // string: the reviewers of all rows
	colStringEnd                       // where each string ends in colHeap, after a 0
	colHeap                            // bytes of the strings
	colSlots                           // hash table of the strings, open addressing: index plus 1; 0: free
	colSessionName                     // string

	columns
)

// part reads the rows of a part.
type part struct {
	*columnFile
	first, rows               int
	firstString, strings      int
	firstSession, sessionEnds int
}

func parsePart(data []byte) (*part, error) {
	f, err := parseColumns(data, partMagic, partInts, columns)
	if err != nil {
		return nil, err
	}
	for _, v := range f.ints {
		if v > maxRows {
			return nil, fmt.Errorf("%w: document table: a number of %d", ErrCorrupt, v)
		}
	}
	p := &part{
		columnFile: f, first: int(f.ints[partFirstRow]), rows: int(f.ints[partRows]),
		firstString: int(f.ints[partFirstString]), strings: f.count[colStringEnd] - 1,
		firstSession: int(f.ints[partFirstSession]), sessionEnds: int(f.ints[partFirstSession]) + f.count[colSessionName],
	}
	return p, p.checkCounts()
}

func (p *part) checkCounts() error {
	for c := range rowColumns {
		if p.count[c] != p.rows {
			return fmt.Errorf("%w: document table: column %d has %d of %d values", ErrCorrupt, c, p.count[c], p.rows)
		}
	}
	// Columns of non-zero values have at least one byte per value, so that no corrupt count
	// exceeds the file's size.
	for c, n := range map[int]int{colHash: p.rows, colStringEnd: p.strings, colPath: p.count[colPath],
		colAlso: p.count[colAlso], colReviewer: p.count[colReviewer], colSessionName: p.count[colSessionName]} {
		if n > 0 && p.cols[c].width == 0 {
			return fmt.Errorf("%w: document table: column %d is empty", ErrCorrupt, c)
		}
	}
	if p.cols[colHeap].width != 1 {
		return fmt.Errorf("%w: document table: strings of %d bytes a byte", ErrCorrupt, p.cols[colHeap].width)
	}
	if slots := p.count[colSlots]; slots&(slots-1) != 0 || p.count[colChurn] != p.count[colPath] || p.strings < 0 ||
		p.first+p.rows > maxRows {
		return fmt.Errorf("%w: document table: columns do not match", ErrCorrupt)
	}
	return nil
}

// bytesOf returns a string's bytes within the part; nil for an invalid reference.
func (p *part) bytesOf(ref uint64) []byte {
	at := ref - uint64(p.firstString)
	if at >= uint64(p.strings) {
		return nil
	}
	ends := &p.cols[colStringEnd]
	start, end := ends.at(int(at)), ends.at(int(at)+1)
	if start > end || end > uint64(p.count[colHeap]) || p.cols[colHeap].width != 1 {
		return nil
	}
	return p.cols[colHeap].data[start:end]
}

// find returns the reference of a string of the part.
func (p *part) find(s string) (uint32, bool) {
	n := p.count[colSlots]
	slots := &p.cols[colSlots]
	for i, at := 0, hashString(s); i < n; i, at = i+1, at+1 {
		place := slots.at(int(at & uint64(n-1)))
		if place == 0 {
			break
		}
		ref := uint64(p.firstString) + place - 1
		if string(p.bytesOf(ref)) == s {
			return uint32(ref), true
		}
	}
	return 0, false
}

// hashString returns the FNV-1a hash: the table is a file, so its hash must never change.
func hashString(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h ^ h>>32
}

// newPartColumns returns the columns of a part without rows.
func newPartColumns() []columnBuilder {
	cols := make([]columnBuilder, columns)
	for c := range cols {
		cols[c] = grow(column{}, 0)
	}
	cols[colStringEnd].add(0)
	cols[colHeap].widen(1)
	return cols
}

// fillSlots builds the hash table of a part's strings, at most half full.
func fillSlots(cols []columnBuilder) {
	n := cols[colStringEnd].n - 1
	size := 1 << bits.Len(uint(2*n))
	width := widthOf(uint64(n))
	slots := columnBuilder{column: newColumn(make([]byte, size*width+columnPad), width), n: size}
	ends, heap := &cols[colStringEnd], cols[colHeap].data
	for i := range n {
		s := heap[ends.at(i):ends.at(i+1)]
		at := int(hashString(string(s)) & uint64(size-1))
		for slots.at(at) != 0 {
			at = (at + 1) & (size - 1)
		}
		slots.set(at, uint64(i+1))
	}
	cols[colSlots] = slots
}

// joinParts concatenates the columns of consecutive parts.
func joinParts(parts []*part) []columnBuilder {
	cols := newPartColumns()
	for _, p := range parts {
		before := map[int]int{
			colPathEnd: cols[colPath].n, colAlsoEnd: cols[colAlso].n, colReviewerEnd: cols[colReviewer].n,
			colStringEnd: cols[colHeap].n,
		}
		for c := range columns {
			switch c {
			case colSlots: // rebuilt
			case colStringEnd: // after the leading 0
				cols[c].addShifted(&p.cols[c], 1, p.count[c], before[c])
			default:
				cols[c].addShifted(&p.cols[c], 0, p.count[c], before[c])
			}
		}
	}
	fillSlots(cols)
	return cols
}
