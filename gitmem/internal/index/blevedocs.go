package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/blevesearch/bleve/v2/index/scorch"
	segmentapi "github.com/blevesearch/scorch_segment_api/v2"
	"github.com/gitmem/gitmem/gitmem/internal/osfile"
)

// The docs file maps the documents of bleve's segments to rows:
//
//	magic
//	segments   their number; for each its file name, its number of documents, its number
//	           of runs, and for each run the number of documents between the preceding run
//	           and it, the distance of its first row from the end of that run, and its
//	           number of documents
//	CRC-32     of everything before, little-endian
//
// A document in no run no longer has a row. Rows may descend after bleve has merged segments with interleaved rows.
// Numbers are unsigned varints, except for the second one of a run, which is signed; a string is its length and its
// bytes.
const (
	docsFile  = "docs"
	docsMagic = "gmdocs2\n"
)

// segmentRows contains the rows of a segment's documents.
type segmentRows struct {
	name string
	docs int
	runs []docRun
}

// docRun is a sequence of documents with consecutive rows.
type docRun struct{ doc, row, n uint32 }

// rows counts the documents that have a row.
func (s *segmentRows) rows() int {
	n := 0
	for _, r := range s.runs {
		n += int(r.n)
	}
	return n
}

// add appends the next document that has a row.
func (s *segmentRows) add(doc, row uint32) {
	if n := len(s.runs); n > 0 {
		if last := &s.runs[n-1]; last.doc+last.n == doc && last.row+last.n == row {
			last.n++
			return
		}
	}
	s.runs = append(s.runs, docRun{doc, row, 1})
}

// renumber maps the rows of the documents to their new numbers in to.
func (s *segmentRows) renumber(to []uint32) segmentRows {
	out := segmentRows{name: s.name, docs: s.docs}
	for _, r := range s.runs {
		for i := range r.n {
			if row := to[r.row+i]; row != noRow {
				out.add(r.doc+i, row)
			}
		}
	}
	return out
}

func encodeDocs(segments []segmentRows) []byte {
	b := binary.AppendUvarint([]byte(docsMagic), uint64(len(segments)))
	for _, s := range segments {
		b = binary.AppendUvarint(appendString(b, s.name), uint64(s.docs))
		b = binary.AppendUvarint(b, uint64(len(s.runs)))
		doc, row := uint32(0), uint32(0)
		for _, r := range s.runs {
			b = binary.AppendUvarint(b, uint64(r.doc-doc))
			b = binary.AppendVarint(b, int64(r.row)-int64(row))
			b = binary.AppendUvarint(b, uint64(r.n))
			doc, row = r.doc+r.n, r.row+r.n
		}
	}
	return withChecksum(b)
}

// decodeDocs decodes the file for a table of the given number of rows.
func decodeDocs(b []byte, rows int) ([]segmentRows, error) {
	rest, err := content(b, docsMagic)
	if err != nil {
		return nil, err
	}
	d := newDecoder(rest)
	var out []segmentRows
	for n := d.uvarint(); n > 0 && !d.bad; n-- {
		s := segmentRows{name: d.string(), docs: int(d.uvarint() & math.MaxInt32)}
		doc, row := int64(0), int64(0)
		for runs := d.uvarint(); runs > 0 && !d.bad; runs-- {
			doc, row = doc+int64(d.uvarint()&math.MaxInt32), row+d.varint()
			r := docRun{uint32(doc), uint32(row), uint32(d.uvarint() & math.MaxInt32)}
			end := row + int64(r.n)
			if row < 0 || end > int64(rows) || doc+int64(r.n) > int64(s.docs) {
				return nil, fmt.Errorf("%w: list of documents: a run behind the end", ErrCorrupt)
			}
			s.runs = append(s.runs, r)
			doc, row = doc+int64(r.n), end
		}
		out = append(out, s)
	}
	if d.bad || len(d.b) > 0 {
		return nil, fmt.Errorf("%w: list of documents: they do not fill the file", ErrCorrupt)
	}
	return out, nil
}

// readDocs reads the docs file of a generation.
func (g *generation) readDocs() ([]segmentRows, error) {
	raw, err := os.ReadFile(g.path(docsFile))
	if err != nil {
		return nil, err
	}
	return decodeDocs(raw, g.man.Rows)
}

// writeDocs finds the rows of the documents of the new index, and removes obsolete files. Segments of the base keep
// their rows, which to renumbers if the table was compacted.
func (b *build) writeDocs(to []uint32) error {
	if b.table.live == 0 { // an index of removed documents only is dropped
		return errors.Join(os.RemoveAll(b.gen.path(bleveDir)),
			osfile.WriteFile(b.gen.path(docsFile), osfile.Bytes(encodeDocs(nil))))
	}
	index, err := openBleve(b.gen.path(bleveDir), nil, floorDocs)
	if err != nil {
		return err
	}
	var segments []segmentRows
	err = guarded(func() (err error) {
		segments, err = b.rowsOf(index, to)
		return err
	})
	if err = errors.Join(err, guarded(index.Close)); err != nil {
		return err
	}
	return errors.Join(b.removeOthers(segments),
		osfile.WriteFile(b.gen.path(docsFile), osfile.Bytes(encodeDocs(segments))))
}

func (b *build) rowsOf(index *scorch.Scorch, to []uint32) ([]segmentRows, error) {
	snap, err := snapshotOf(index)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	view, found := b.table.view(), 0
	var out []segmentRows
	for _, seg := range snap.Segments() {
		s := segmentRows{name: segmentName(seg), docs: int(seg.FullSize())}
		at := slices.IndexFunc(b.docs, func(o segmentRows) bool { return o.name == s.name })
		switch {
		case at >= 0 && to == nil:
			s = b.docs[at]
		case at >= 0:
			s = b.docs[at].renumber(to)
		default:
			for doc := range s.docs {
				id, err := seg.DocID(uint64(doc))
				if err != nil || len(id) != 4 {
					return nil, fmt.Errorf("%w: document %d of %s: %w", errBleve, doc, s.name, err)
				}
				if row, ok := view.rowOfSerial(binary.BigEndian.Uint32(id)); ok {
					s.add(uint32(doc), uint32(row))
				}
			}
		}
		found += s.rows()
		out = append(out, s)
	}
	if found < b.table.live {
		return nil, fmt.Errorf("%w: %d documents of %d", errBleve, found, b.table.live)
	}
	return out, nil
}

// bounds returns the range of the documents' rows; ascending reports whether documents and rows have the same order.
func (s *segmentRows) bounds() (first, end uint32, ascending bool) {
	ascending = true
	for i, r := range s.runs {
		if i == 0 || r.row < first {
			first = r.row
		}
		ascending = ascending && r.row >= end
		end = max(end, r.row+r.n)
	}
	return first, end, ascending
}

// removeOthers removes segments that bleve has merged into others.
func (b *build) removeOthers(segments []segmentRows) error {
	entries, err := os.ReadDir(b.gen.path(bleveDir))
	if err != nil {
		return err
	}
	for _, e := range entries {
		has := slices.ContainsFunc(segments, func(s segmentRows) bool { return s.name == e.Name() })
		if filepath.Ext(e.Name()) != segmentExt || has {
			continue
		}
		gone := os.Remove(b.gen.path(bleveDir, e.Name()))
		if runtime.GOOS != "windows" { // on Windows a reader of the base keeps it open, and a later step removes it
			err = errors.Join(err, gone)
		}
	}
	return err
}

func snapshotOf(index *scorch.Scorch) (*scorch.IndexSnapshot, error) {
	r, err := index.Reader()
	if err != nil {
		return nil, err
	}
	return r.(*scorch.IndexSnapshot), nil
}

func segmentName(s *scorch.SegmentSnapshot) string {
	if p, ok := s.Segment().(segmentapi.PersistedSegment); ok {
		return filepath.Base(p.Path())
	}
	return ""
}
