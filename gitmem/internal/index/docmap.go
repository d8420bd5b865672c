package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"path/filepath"
	"strconv"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleveindex "github.com/blevesearch/bleve_index_api"
	segmentapi "github.com/blevesearch/scorch_segment_api/v2"
)

const docmapMagic = "gmdocs1\n"

var errDocmap = errors.New("damaged document map")

// docmap turns bleve's document numbers into rows, so that no reader has to
// look up stored ids. Numbers run through the segments in their order; a
// segment never changes, so its part is taken over from one generation to the
// next.
type docmap struct {
	segments []docSegment
	rows     column
}

type docSegment struct {
	name         string
	first, count int
}

func (m *docmap) count() int {
	if len(m.segments) == 0 {
		return 0
	}
	last := m.segments[len(m.segments)-1]
	return last.first + last.count
}

// segmentsOf returns the segments of an open bleve index.
func segmentsOf(r bleveindex.IndexReader) ([]*scorch.SegmentSnapshot, error) {
	snap, ok := r.(*scorch.IndexSnapshot)
	if !ok {
		return nil, fmt.Errorf("bleve index is a %T", r)
	}
	return snap.Segments(), nil
}

func segmentName(s *scorch.SegmentSnapshot) string {
	if p, ok := s.Segment().(segmentapi.PersistedSegment); ok {
		return filepath.Base(p.Path())
	}
	return ""
}

// newDocmap maps the segments of r, taking from old what is there.
func newDocmap(r bleveindex.IndexReader, old *docmap) (*docmap, error) {
	segments, err := segmentsOf(r)
	if err != nil {
		return nil, err
	}
	known := map[string]docSegment{}
	for _, s := range old.segments {
		known[s.name] = s
	}
	m := &docmap{}
	g := grow(column{}, 0)
	for _, s := range segments {
		part := docSegment{name: segmentName(s), first: g.n, count: int(s.FullSize())}
		m.segments = append(m.segments, part)
		if k, ok := known[part.name]; ok && k.count == part.count {
			g.addAll(&old.rows, k.first, k.count)
			continue
		}
		for i := range part.count {
			row, err := storedRow(s, i)
			if err != nil {
				return nil, err
			}
			g.add(row)
		}
	}
	m.rows = g.column
	return m, nil
}

func storedRow(s *scorch.SegmentSnapshot, doc int) (uint64, error) {
	id, err := s.DocID(uint64(doc))
	if err != nil {
		return 0, err
	}
	return strconv.ParseUint(string(id), 16, 31)
}

// matches tells whether the map was made for the segments of r.
func (m *docmap) matches(r bleveindex.IndexReader) bool {
	segments, err := segmentsOf(r)
	if err != nil || len(segments) != len(m.segments) {
		return false
	}
	for i, s := range segments {
		if m.segments[i].name != segmentName(s) || m.segments[i].count != int(s.FullSize()) {
			return false
		}
	}
	return true
}

// encode writes magic, the segments' names and counts, the width of a row,
// the rows and a CRC-32.
func (m *docmap) encode() []byte {
	b := binary.AppendUvarint([]byte(docmapMagic), uint64(len(m.segments)))
	for _, s := range m.segments {
		b = binary.AppendUvarint(appendString(b, s.name), uint64(s.count))
	}
	b = binary.AppendUvarint(b, uint64(m.rows.width))
	b = append(b, m.rows.data[:m.count()*m.rows.width+columnPad]...)
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

func decodeDocmap(b []byte) (*docmap, error) {
	end := len(b) - 4
	if end < len(docmapMagic) || string(b[:len(docmapMagic)]) != docmapMagic ||
		crc32.ChecksumIEEE(b[:end]) != binary.LittleEndian.Uint32(b[end:]) {
		return nil, fmt.Errorf("%w: %d bytes", errDocmap, len(b))
	}
	d := decoder{b: b[len(docmapMagic):end]}
	m := &docmap{}
	for n, first := d.uvarint(), 0; n > 0 && !d.bad; n-- {
		s := docSegment{name: d.string(), first: first, count: int(d.uvarint() & (1<<31 - 1))}
		first += s.count
		m.segments = append(m.segments, s)
	}
	width := d.uvarint()
	if d.bad || width > 8 || len(d.b) != m.count()*int(width)+columnPad {
		return nil, fmt.Errorf("%w: rows do not fill the file", errDocmap)
	}
	m.rows = newColumn(d.b, int(width))
	return m, nil
}
