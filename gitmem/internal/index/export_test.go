package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"unsafe"

	zap "github.com/blevesearch/zapx/v17"
)

// Mapped returns the addresses in memory of the files of rows and terms that s reads. Another snapshot maps the same
// files at other addresses.
func (s *Snapshot) Mapped() (addresses []uint64) {
	at := func(mapped []byte) {
		if mapped != nil {
			addresses = append(addresses, uint64(uintptr(unsafe.Pointer(unsafe.SliceData(mapped)))))
		}
	}
	for _, p := range s.t.parts {
		at(p.data)
	}
	for _, g := range s.groups {
		for i := range g.segments {
			at(g.segments[i].seg.Segment().(*zap.Segment).Data())
		}
	}
	return addresses
}

// Groups returns the number of groups of segments and of all segments.
func (s *Snapshot) Groups() (groups, segments int) {
	for _, g := range s.groups {
		segments += len(g.segments)
	}
	return len(s.groups), segments
}

// DecodeDocs and EncodeDocs export the coding of the list of rows for fuzzing.
func DecodeDocs(b []byte, rows int) (again []byte, err error) {
	docs, err := decodeDocs(b, rows)
	return encodeDocs(docs), err
}

// SealManifest appends the checksum to an edited manifest.
func SealManifest(body []byte) []byte {
	return fmt.Appendf(append([]byte(nil), body...), "%08x\n", crc32.ChecksumIEEE(body))
}

// SealTable corrects the checksum in a part's header, so that a test can change the header.
func SealTable(b []byte) {
	dirEnd := headerSize(partInts) + columns*entrySize
	if len(b) >= dirEnd+4 {
		binary.LittleEndian.PutUint32(b[dirEnd:], crc32.ChecksumIEEE(b[:dirEnd]))
	}
}

// SealLive does the same for a live file, including the checksum of the whole file.
func SealLive(b []byte) {
	dirEnd := headerSize(liveInts) + liveColumns*entrySize
	if len(b) >= dirEnd+4+footerSize {
		binary.LittleEndian.PutUint32(b[dirEnd:], crc32.ChecksumIEEE(b[:dirEnd]))
		SealTableTail(b)
	}
}

// SealLinks does the same for links.
func SealLinks(b []byte) {
	dirEnd := headerSize(linksInts) + linksColumns*entrySize
	if len(b) >= dirEnd+4+footerSize {
		binary.LittleEndian.PutUint32(b[dirEnd:], crc32.ChecksumIEEE(b[:dirEnd]))
		SealTableTail(b)
	}
}

// Table contains the bytes of the files of a table.
type Table struct{ Part, Links, Live []byte }

// WriteTable returns a table of documents with invented lengths.
func WriteTable(docs []Doc) (Table, error) {
	w := newTableWriter(nil)
	var lengths [fields][]uint32
	for i := range docs {
		if _, err := w.add(&docs[i]); err != nil {
			return Table{}, err
		}
		for f, n := range []int{i, 1, 0, len(docs[i].Paths), 2 * i} {
			lengths[f] = append(lengths[f], uint32(n))
		}
	}
	var part, links, live bytes.Buffer
	if err := w.endPart(&part, &lengths); err != nil {
		return Table{}, err
	}
	p, err := parsePart(part.Bytes())
	if err != nil {
		return Table{}, err
	}
	w.partWritten(p)
	w.finish()
	w.links.based = w.rows
	err = errors.Join(w.links.writeTo(&links), w.writeLive(&live))
	return Table{part.Bytes(), links.Bytes(), live.Bytes()}, err
}

func (b Table) open() (*table, error) {
	p, err := parsePart(b.Part)
	if err != nil {
		return nil, err
	}
	live, err := parseLive(b.Live)
	if err != nil {
		return nil, err
	}
	l, err := parseLinks(slices.Clone(b.Links)) // parseLinks keeps the slice
	if err != nil {
		return nil, err
	}
	return newTable(live, l, []*part{p})
}

// Walk reads everything in a table, up to some thousand values of each kind.
func (b Table) Walk() error {
	t, err := b.open()
	if err != nil {
		return err
	}
	s := &Snapshot{t: t}
	s.Columns()
	for i := range min(t.rows, 4000) {
		r := s.Row(i)
		s.Find(r.ID)
		s.StringRef(r.Source)
		_, _, _, _ = s.Dead(i), s.Unix(i), s.LayerOf(i), s.String(s.AuthorOf(i))
		s.ChurnOf(i)
		for ref := range s.AlsoRefs(i) {
			s.String(ref)
		}
		for ref := range s.ReviewerRefs(i) {
			s.String(ref)
		}
		for _, n := range []int32{s.Next(i), s.Prev(i)} {
			if n >= 0 {
				s.Row(int(n))
			}
		}
		if n := s.SessionOf(i); n >= 0 {
			s.SessionTokens(n)
		}
	}
	if t.rows < 4000 && t.sessions < 4000 {
		if err := grown(t); err != nil {
			return err
		}
	}
	return t.verify()
}

// grown adds a row to a table and marks others as dead.
func grown(t *table) error {
	w := newTableWriter(t)
	if _, err := w.add(&Doc{ID: "a:1", Session: "s", Paths: []string{"p"}, Churn: []uint32{7}, Also: []string{"b"},
		Reviewers: []string{"c"}, Release: "v1"}); err != nil {
		return err
	}
	for i := range min(t.rows, 10) {
		if !w.isDead(i) {
			w.markDead(i)
		}
	}
	var out bytes.Buffer
	lengths := [fields][]uint32{{1}, {0}, {0}, {1}, {0}}
	if err := w.endPart(&out, &lengths); err != nil {
		return err
	}
	p, err := parsePart(out.Bytes())
	if err != nil {
		return err
	}
	w.partWritten(p)
	w.finish()
	_ = guarded(func() error { joinParts(w.parts); return nil }) // as in a merge
	return w.writeLive(io.Discard)
}

// DecodeMarks and EncodeMarks export the coding of marks for fuzzing.
func DecodeMarks(b []byte) (map[string]Mark, error) { return decodeMarks(b) }
func EncodeMarks(m map[string]Mark) []byte          { return encodeMarks(m) }

// SealTail replaces the last four bytes with the checksum of the bytes before them.
func SealTail(b []byte) {
	if n := len(b) - 4; n >= 0 {
		binary.LittleEndian.PutUint32(b[n:], crc32.ChecksumIEEE(b[:n]))
	}
}

// Open opens a table as a snapshot does.
func (b Table) Open() error {
	_, err := b.open()
	return err
}

// SealTableTail corrects the checksum of all bytes of a table.
func SealTableTail(b []byte) {
	end := len(b) - footerSize
	binary.LittleEndian.PutUint32(b[end:], crc32.ChecksumIEEE(b[:end]))
}

// SetCRC sets the checksum of a file in the text of a manifest.
func SetCRC(manifest, name string, table []byte) string {
	at := strings.Index(manifest, fmt.Sprintf(`"Path": %q`, name))
	crc := at + strings.Index(manifest[at:], `"CRC": `) + len(`"CRC": `)
	end := crc + strings.IndexAny(manifest[crc:], "\n}")
	return manifest[:crc] + fmt.Sprint(crc32.ChecksumIEEE(table)) + manifest[end:]
}

// MergeFrom exports the choice of parts to join.
func MergeFrom(rows []int) int { return mergeFrom(rows) }

// SetSizes sets the number of documents that become a segment together, and the size up to which segments count as
// equally small in bleve's merges.
func (s *Shard) SetSizes(batch, floor int) { s.sizes.docs, s.sizes.floor = batch, floor }

// SetTerms sets the approximate number of terms at which a batch ends early.
func (s *Shard) SetTerms(n int) { s.sizes.terms = n }

// Forge sets the number of rows, sessions and strings of a table to n, in columns that use no bytes, and corrects the
// checksums.
func (t Table) Forge(n int) Table {
	empty := func(cols []columnBuilder) []columnBuilder {
		for c := range cols {
			cols[c] = grow(column{}, 0)
			cols[c].n = n
		}
		return cols
	}
	var part, links, live bytes.Buffer
	cols := empty(make([]columnBuilder, columns))
	cols[colSlots].n, cols[colHeap].n = 0, 0
	_ = writeColumns(&part, partMagic, partNumbers(0, n, 1, 0), cols)
	_ = writeColumns(&links, linksMagic, []uint64{uint64(n)}, empty(make([]columnBuilder, linksColumns)))
	cols = empty(make([]columnBuilder, liveColumns))
	cols[colDead].n = (n + 7) / 8
	for c := colChanged; c < liveColumns; c++ {
		cols[c].n = 0
	}
	ints := make([]uint64, liveInts)
	ints[liveRows], ints[liveLive] = uint64(n), uint64(n)
	_ = writeColumns(&live, liveMagic, ints, cols)
	return Table{part.Bytes(), links.Bytes(), live.Bytes()}
}

// WantsCompacting exports the decision to compact a generation.
func WantsCompacting(rows, live int, patient bool) bool {
	m := manifest{Rows: rows, Live: live}
	return m.wantsCompacting(patient)
}

// Int32s exports int32s.
func Int32s(b []byte) []int32 { return int32s(b) }

// WithoutLinks makes hard links fail, as on file systems without them.
func (s *Shard) WithoutLinks() { s.noLinks = true }

// Hash returns the content hash of a text.
func Hash(text string) uint64 { return (&Doc{Text: text}).Hash() }
