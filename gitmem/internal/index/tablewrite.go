package index

import (
	"cmp"
	"errors"
	"io"
	"slices"
)

var errTooManyRows = errors.New("too many documents in one shard")

// tableWriter creates the next table from the previous one: rows are appended or marked dead, and the links of the
// changed sessions are rebuilt. New rows belong to the part that is being written; endPart completes it.
type tableWriter struct {
	old   *table // nil for a full build
	parts []*part
	rows  int
	live  int
	sums  [fields]fieldSum
	links *links

	deadBits                   columnBuilder
	sessionTokens, sessionTail columnBuilder

	cols         []columnBuilder // of the part being written
	first        int             // its first row
	firstString  int
	firstSession int
	firstNew     int    // the first row of this build
	serial       uint32 // of the next row

	strings         map[string]uint32 // those that old does not have
	nStrings        int
	session         map[uint64]int32 // by reference of the name
	newRows         map[int32][]int32
	changedSessions map[int32]bool
	changed         map[int32]bool // rows of the links file whose links differ from it
}

func newTableWriter(old *table) *tableWriter {
	w := &tableWriter{
		old: old, links: &links{}, nStrings: 1, deadBits: grow(column{}, 0),
		sessionTokens: grow(column{}, 0), sessionTail: grow(column{}, 0),
		strings: map[string]uint32{}, session: map[uint64]int32{}, newRows: map[int32][]int32{},
		changedSessions: map[int32]bool{}, changed: map[int32]bool{},
	}
	if old != nil {
		w.parts, w.rows, w.live, w.sums, w.links = slices.Clone(old.parts), old.rows, old.live, old.sums, old.links
		w.nStrings, w.firstNew = old.strings(), old.rows
		w.deadBits = grow(old.deadBits, (old.rows+7)/8)
		w.sessionTokens, w.sessionTail = grow(old.perSession[0], old.sessions), grow(old.perSession[1], old.sessions)
		for _, p := range old.parts {
			names := &p.cols[colSessionName]
			for i := range p.count[colSessionName] {
				w.session[names.at(i)] = int32(p.firstSession + i)
			}
		}
		for _, row := range old.changed {
			w.changed[row] = true
		}
	}
	w.nextPart()
	return w
}

func (w *tableWriter) nextPart() {
	w.cols = newPartColumns()
	w.first, w.firstString, w.firstSession = w.rows, w.nStrings, w.sessionTokens.n
}

// add appends a row and returns its number. The lengths of its fields follow in endPart.
func (w *tableWriter) add(d *Doc) (int, error) {
	w.serial++
	return w.addHashed(d, d.Hash(), w.serial-1)
}

// addHashed is add for a document whose hash and serial number are known; its text is not needed.
func (w *tableWriter) addHashed(d *Doc, hash uint64, serial uint32) (int, error) {
	if w.rows >= maxRows {
		return 0, errTooManyRows
	}
	row := w.rows
	w.rows++
	w.live++
	id := w.idOf(d)
	for c, v := range [...]uint64{
		colIDPrefix: id.prefix, colIDNumber: id.number, colIDRest: id.rest, colSource: w.intern(d.Source),
		colLayer: w.intern(d.Layer), colType: w.intern(d.Type), colRole: w.intern(d.Role),
		colProject: w.intern(d.Project), colAuthor: w.intern(d.Author), colFile: w.intern(d.File),
		colOrder: zigzag(d.Order), colOffset: zigzag(d.Offset),
		colLength: zigzag(d.Length), colTime: timeValue(d), colHash: hash,
	} {
		w.cols[c].add(v)
	}
	w.cols[colRelease].add(w.intern(d.Release))
	w.cols[colSerial].add(uint64(serial))
	w.addPaths(d)
	w.cols[colPathEnd].add(uint64(w.cols[colPath].n))
	w.addPeople(colAlso, colAlsoEnd, d.Also)
	w.addPeople(colReviewer, colReviewerEnd, d.Reviewers)
	if row%8 == 0 {
		w.deadBits.add(0)
	}
	w.links.add(w.sessionOf(d.Session, row))
	return row, nil
}

// docID is a citation id in the form of the table.
type docID struct{ prefix, number, rest uint64 }

func (w *tableWriter) idOf(d *Doc) docID {
	prefix, number, rest := splitID(d.ID)
	return docID{w.intern(prefix), number, w.intern(rest)}
}

func timeValue(d *Doc) uint64 {
	if d.Time.IsZero() {
		return 0
	}
	return zigzag(d.Time.UnixMilli()) + 1
}

// addPaths adds the paths of a document with their changed lines.
func (w *tableWriter) addPaths(d *Doc) {
	for i, p := range d.Paths {
		if p == "" {
			continue
		}
		w.cols[colPath].add(w.intern(p))
		if i < len(d.Churn) {
			w.cols[colChurn].add(uint64(d.Churn[i]))
		} else {
			w.cols[colChurn].add(0)
		}
	}
}

// addPeople adds people of a document to a column, and the end of their range.
func (w *tableWriter) addPeople(column, end int, people []string) {
	for _, who := range people {
		if who != "" {
			w.cols[column].add(w.intern(who))
		}
	}
	w.cols[end].add(uint64(w.cols[column].n))
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
			w.strings[s] = ref // frequent strings are looked up once per step
			return uint64(ref)
		}
	}
	heap := &w.cols[colHeap]
	heap.data = append(heap.data[:heap.n], s...)
	heap.n += len(s)
	heap.data = append(heap.data, make([]byte, columnPad)...)
	w.cols[colStringEnd].add(uint64(heap.n))
	ref := uint32(w.nStrings)
	w.nStrings++
	w.strings[s] = ref
	return uint64(ref)
}

// sessionOf returns the number of a row's session, adding it if it is new.
func (w *tableWriter) sessionOf(name string, row int) int32 {
	if name == "" {
		return -1
	}
	ref := w.intern(name)
	s, ok := w.session[ref]
	if !ok {
		s = int32(w.sessionTokens.n)
		w.cols[colSessionName].add(ref)
		w.sessionTokens.add(0)
		w.sessionTail.add(0)
		w.session[ref] = s
	}
	w.changedSessions[s] = true
	w.newRows[s] = append(w.newRows[s], int32(row))
	return s
}

// endPart writes the part with the lengths of its rows' fields, and adds them to the sums.
func (w *tableWriter) endPart(out io.Writer, lengths *[fields][]uint32) error {
	for f := range lengths {
		for _, n := range lengths[f] {
			w.cols[colTokens+f].add(uint64(n))
			if n > 0 {
				w.sums[f].tokens += uint64(n)
				w.sums[f].docs++
			}
		}
	}
	fillSlots(w.cols)
	return writeColumns(out, partMagic, partNumbers(w.first, w.rows-w.first, w.firstString, w.firstSession), w.cols)
}

func partNumbers(first, rows, firstString, firstSession int) []uint64 {
	return []uint64{
		partFirstRow: uint64(first), partRows: uint64(rows),
		partFirstString: uint64(firstString), partFirstSession: uint64(firstSession),
	}
}

// partWritten starts the next part after one was written.
func (w *tableWriter) partWritten(p *part) {
	w.parts = append(w.parts, p)
	w.nextPart()
}

// view returns a table of the parts written so far.
func (w *tableWriter) view() *table { return &table{rows: w.rows, parts: w.parts, links: w.links} }

// markDead marks a live row of an earlier generation as dead.
func (w *tableWriter) markDead(row int) (serial uint32) {
	w.deadBits.set(row>>3, w.deadBits.at(row>>3)|1<<(row&7))
	w.live--
	p, at := w.old.partOf(row)
	for f := range w.sums {
		if n := p.cols[colTokens+f].at(at); n > 0 {
			w.sums[f].tokens -= n
			w.sums[f].docs--
		}
	}
	if s := w.old.session(row); s >= 0 {
		w.changedSessions[s] = true
	}
	return uint32(p.cols[colSerial].at(at))
}

func (w *tableWriter) isDead(row int) bool { return w.deadBits.at(row>>3)>>(row&7)&1 != 0 }

// finish links the rows of the changed sessions, after the last part.
func (w *tableWriter) finish() {
	view := w.view()
	for s := range w.changedSessions {
		w.link(s, w.rowsOf(s), view)
	}
}

// rowsOf returns the live rows of a session: the linked ones and the new ones.
func (w *tableWriter) rowsOf(session int32) []int32 {
	var rows []int32
	if w.old != nil {
		steps := 0
		for row := int32(w.sessionTail.at(int(session))) - 1; row >= 0 && int(row) < w.firstNew &&
			steps < w.firstNew; steps++ {
			before := w.links.prev[row]
			if w.isDead(int(row)) {
				w.setLinks(row, -1, -1)
			} else {
				rows = append(rows, row)
			}
			row = before
		}
		slices.Reverse(rows)
	}
	return append(rows, w.newRows[session]...)
}

// link orders the live rows of a session. Rows of the same order are sorted by id, so that the result does not depend
// on the order of indexing.
func (w *tableWriter) link(session int32, rows []int32, view *table) {
	type turn struct {
		order int64
		row   int32
	}
	turns, tokens := make([]turn, len(rows)), uint64(0)
	for i, row := range rows {
		p, at := view.partOf(int(row))
		turns[i] = turn{p.cols[colOrder].signed(at), row}
		tokens += p.cols[colTokens].at(at)
	}
	byOrder := func(a, b turn) int {
		if c := cmp.Compare(a.order, b.order); c != 0 {
			return c
		}
		return cmp.Compare(view.id(int(a.row)), view.id(int(b.row)))
	}
	if !slices.IsSortedFunc(turns, byOrder) {
		slices.SortFunc(turns, byOrder)
	}
	w.sessionTokens.set(int(session), tokens)
	w.sessionTail.set(int(session), 0)
	for i, t := range turns {
		prev, next := int32(-1), int32(-1)
		if i > 0 {
			prev = turns[i-1].row
		}
		if i < len(turns)-1 {
			next = turns[i+1].row
		} else {
			w.sessionTail.set(int(session), uint64(t.row)+1)
		}
		w.setLinks(t.row, next, prev)
	}
}

func (w *tableWriter) setLinks(row, next, prev int32) {
	if int(row) < w.links.based && (w.links.next[row] != next || w.links.prev[row] != prev) {
		w.changed[row] = true
	}
	w.links.next[row], w.links.prev[row] = next, prev
}
