package index

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/internal/mmap"
)

// maxRows keeps a row plus 1 within an int32.
const maxRows = 1<<31 - 2

// table is the document table of a generation: the rows of its parts, and their later changes. Its methods accept any
// row below rows, and any reference: invalid references of a damaged file give zero values.
type table struct {
	rows, live int
	sums       [fields]fieldSum
	parts      []*part
	links      *links
	deadBits   column
	sessions   int
	perSession [2]column // tokens, last row plus 1
	changed    []int32   // rows whose links differ from the links file
}

// mappings contains the functions that release mapped files.
type mappings []func()

// release releases all of them; their bytes must not be read afterwards.
func (m *mappings) release() {
	for _, release := range *m {
		release()
	}
	*m = nil
}

// openTable opens the table of a generation, which a writer continues.
func openTable(g *generation, files *mappings) (*table, error) {
	raw, err := os.ReadFile(g.path(liveFile))
	if err != nil {
		return nil, err
	}
	live, err := parseLive(raw)
	if err != nil {
		return nil, err
	}
	var parts []*part
	for _, name := range g.man.Parts {
		p, err := openMapped(files, g.path(name), parsePart)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		parts = append(parts, p)
	}
	l, err := openMapped(files, g.path(linksFile), parseLinks)
	if err != nil {
		return nil, err
	}
	return newTable(live, l, parts)
}

// openMapped maps a file and parses it. It adds the mapping to files.
func openMapped[T any](files *mappings, path string, read func(data []byte) (*T, error)) (*T, error) {
	data, release, err := mmap.Open(path, math.MaxInt64, true)
	if err != nil {
		return nil, err
	}
	*files = append(*files, release)
	return read(data)
}

// newTable returns a table if its rows match those of the parts.
func newTable(f *columnFile, l *links, parts []*part) (*table, error) {
	t := &table{
		rows: int(f.ints[liveRows]), live: int(f.ints[liveLive]), parts: parts, links: l,
		deadBits: f.cols[colDead], sessions: f.count[colSessionTokens],
		perSession: [2]column{f.cols[colSessionTokens], f.cols[colSessionTail]},
	}
	for i := range t.sums {
		t.sums[i] = fieldSum{f.ints[liveSums+2*i], f.ints[liveSums+2*i+1]}
	}
	row, str, session := 0, 1, 0
	for _, p := range parts {
		if p.first != row || p.firstString != str || p.firstSession != session {
			return nil, fmt.Errorf("%w: document table: parts that do not follow each other", ErrCorrupt)
		}
		row, str, session = row+p.rows, str+p.strings, p.sessionEnds
	}
	if row != t.rows || session != t.sessions {
		return nil, fmt.Errorf("%w: document table: %d rows of %d, %d sessions of %d", ErrCorrupt, row, t.rows,
			session, t.sessions)
	}
	var err error
	if t.changed, err = l.change(f); err == nil && len(l.session) != t.rows {
		err = fmt.Errorf("%w: document table: links of %d rows of %d", ErrCorrupt, len(l.session), t.rows)
	}
	return t, err
}

// verify compares all parts with their checksums.
func (t *table) verify() error {
	for _, p := range t.parts {
		if err := p.verify(); err != nil {
			return err
		}
	}
	return nil
}

// partOf returns the part of a row and the row's index in it.
func (t *table) partOf(i int) (*part, int) {
	if p := t.parts[0]; i < p.rows {
		return p, i
	}
	at, _ := slices.BinarySearchFunc(t.parts, i+1, func(p *part, end int) int { return cmp.Compare(p.first+p.rows, end) })
	p := t.parts[at]
	return p, i - p.first
}

func (t *table) at(c, i int) uint64 {
	p, at := t.partOf(i)
	return p.cols[c].at(at)
}

func (t *table) dead(i int) bool {
	return t.deadBits.width != 0 && t.deadBits.at(i>>3)>>(i&7)&1 != 0
}

// strings returns the number of references, including that of the empty string.
func (t *table) strings() int {
	if len(t.parts) == 0 {
		return 1
	}
	last := t.parts[len(t.parts)-1]
	return last.firstString + last.strings
}

func (t *table) bytesOf(ref uint64) []byte {
	if ref == 0 || ref >= uint64(t.strings()) {
		return nil
	}
	at, _ := slices.BinarySearchFunc(t.parts, int(ref)+1, func(p *part, end int) int {
		return cmp.Compare(p.firstString+p.strings, end)
	})
	return t.parts[at].bytesOf(ref)
}

// str returns a copy, so that rows outlive the mapping.
func (t *table) str(ref uint64) string { return string(t.bytesOf(ref)) }

// find returns the reference of a string; the empty one is 0.
func (t *table) find(s string) (uint32, bool) {
	if s == "" {
		return 0, true
	}
	for _, p := range t.parts {
		if ref, ok := p.find(s); ok {
			return ref, true
		}
	}
	return 0, false
}

// id returns the citation id of a row.
func (t *table) id(i int) string {
	p, at := t.partOf(i)
	prefix, number := t.str(p.cols[colIDPrefix].at(at)), p.cols[colIDNumber].at(at)
	if number == 0 {
		return prefix
	}
	return prefix + strconv.FormatUint(number-1, 10) + t.str(p.cols[colIDRest].at(at))
}

// splitID splits an id that ends in a colon, a number in canonical form, and optionally # with a name: number is one
// more. Otherwise number is 0 and prefix the whole id. Prefixes and rests are few, so they are stored once.
func splitID(id string) (prefix string, number uint64, rest string) {
	end := len(id)
	if at := strings.LastIndexByte(id, '#'); at > 0 && '0' <= id[at-1] && id[at-1] <= '9' {
		end = at
	}
	i := len(strings.TrimRight(id[:end], "0123456789"))
	digits := id[i:end]
	if i == 0 || id[i-1] != ':' || digits == "" || len(digits) > 15 || len(digits) > 1 && digits[0] == '0' {
		return id, 0, ""
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return id, 0, ""
	}
	return id[:i], n + 1, id[end:]
}

// rowOf returns the live row with an id.
func (t *table) rowOf(id string) (int, bool) {
	prefix, number, rest := splitID(id)
	ref, ok := t.find(prefix)
	restRef, restOK := t.find(rest)
	if !ok || !restOK {
		return 0, false
	}
	for _, p := range slices.Backward(t.parts) {
		prefixes, numbers, rests := &p.cols[colIDPrefix], &p.cols[colIDNumber], &p.cols[colIDRest]
		for i := p.rows - 1; i >= 0; i-- {
			if prefixes.at(i) == uint64(ref) && numbers.at(i) == number && rests.at(i) == uint64(restRef) && !t.dead(p.first+i) {
				return p.first + i, true
			}
		}
	}
	return 0, false
}

// rowOfSerial returns the row with a serial number, dead or not.
func (t *table) rowOfSerial(serial uint32) (int, bool) {
	for _, p := range slices.Backward(t.parts) {
		c := &p.cols[colSerial]
		if p.rows == 0 || c.at(0) > uint64(serial) {
			continue
		}
		i := sort.Search(p.rows, func(i int) bool { return c.at(i) >= uint64(serial) })
		return p.first + i, i < p.rows && c.at(i) == uint64(serial)
	}
	return 0, false
}

// lengths fills out with the lengths of a field in rows.
func (t *table) lengths(f Field, rows []int32, out []uint32) {
	n := f.number()
	for i := 0; i < len(rows); {
		p, _ := t.partOf(int(rows[i]))
		c, first, end := &p.cols[colTokens+n], int32(p.first), int32(p.first+p.rows)
		for ; i < len(rows) && first <= rows[i] && rows[i] < end; i++ {
			out[i] = uint32(c.at(int(rows[i] - first)))
		}
	}
}

// session returns a row's session number, or -1.
func (t *table) session(i int) int32 {
	if s := t.links.session[i]; s >= 0 && int(s) < t.sessions {
		return s
	}
	return -1
}

// sessionName returns the name of a session.
func (t *table) sessionName(n int32) string {
	at, _ := slices.BinarySearchFunc(t.parts, int(n)+1, func(p *part, end int) int {
		return cmp.Compare(p.sessionEnds, end)
	})
	if n < 0 || at == len(t.parts) {
		return ""
	}
	p := t.parts[at]
	return t.str(p.cols[colSessionName].at(int(n) - p.firstSession))
}

// neighbour returns the value of a link, or -1.
func (t *table) neighbour(link []int32, i int) int32 {
	if n := link[i]; n >= 0 && int(n) < t.rows {
		return n
	}
	return -1
}

// millis returns a row's time in Unix milliseconds.
func (t *table) millis(i int) (int64, bool) {
	v := t.at(colTime, i)
	return unzigzag(v - 1), v != 0
}

// strs returns the strings of a row's span in a column, or nil.
func (t *table) strs(p *part, i, endColumn, c int) []string {
	start, end := p.span(i, endColumn, c)
	if start == end {
		return nil
	}
	out := make([]string, 0, end-start)
	for at := start; at < end; at++ {
		out = append(out, t.str(p.cols[c].at(at)))
	}
	return out
}

// churn returns the changed lines of each path of a row, nil if all are unknown.
func (p *part) churn(i int) []uint32 {
	start, end := p.span(i, colPathEnd, colChurn)
	if p.cols[colChurn].width == 0 {
		return nil
	}
	var out []uint32
	for at := start; at < end; at++ {
		lines := p.cols[colChurn].at(at)
		if lines != 0 && out == nil {
			out = make([]uint32, end-start)
		}
		if out != nil {
			out[at-start] = uint32(min(lines, math.MaxUint32))
		}
	}
	return out
}

// span returns the range of the values of row i of the part in a column with the values of all rows, possibly empty;
// endColumn contains the end of each row's values.
func (p *part) span(i, endColumn, c int) (from, to int) {
	start, end := uint64(0), p.cols[endColumn].at(i)
	if i > 0 {
		start = p.cols[endColumn].at(i - 1)
	}
	if start >= end || end > uint64(p.count[c]) {
		return 0, 0
	}
	return int(start), int(end)
}

// row decodes a whole row.
func (t *table) row(i int) Row {
	p, at := t.partOf(i)
	str := func(c int) string { return t.str(p.cols[c].at(at)) }
	r := Row{
		ID: t.id(i), Source: str(colSource), Layer: str(colLayer), Type: str(colType), Role: str(colRole),
		Project: str(colProject), Author: str(colAuthor), File: str(colFile),
		Order: p.cols[colOrder].signed(at), Offset: p.cols[colOffset].signed(at), Length: p.cols[colLength].signed(at),
		Tokens: int(p.cols[colTokens].at(at)), Hash: p.cols[colHash].at(at), Paths: t.strs(p, at, colPathEnd, colPath),
		Dead:  t.dead(i),
		Churn: p.churn(at), Also: t.strs(p, at, colAlsoEnd, colAlso), Reviewers: t.strs(p, at, colReviewerEnd, colReviewer),
		Release: str(colRelease),
	}
	if s := t.session(i); s >= 0 {
		r.Session = t.sessionName(s)
	}
	if ms, ok := t.millis(i); ok {
		r.Time = time.UnixMilli(ms).UTC()
	}
	return r
}

// sessionTokens returns the sum of Tokens over the live rows of a session.
func (t *table) sessionTokens(n int) int { return int(t.perSession[0].at(n)) }

const (
	liveFile  = "live"
	linksFile = "links"
	rowsExt   = ".rows"
)
