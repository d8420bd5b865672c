package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"runtime"
	"runtime/debug"
)

var errSegment = errors.New("damaged segment")

// guarded turns a panic over damaged bytes into an error, also where a file was
// cut while it was mapped.
func guarded(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errSegment, p)
		}
	}()
	return f()
}

// segment reads a segment and the part of the table that goes with it.
type segment struct {
	data  []byte
	dicts [fields + 1]dictionary
	part  *part
	// mapped is data where that is a mapped file.
	mapped []byte
}

// openSegment maps a segment. The mapping goes when nothing refers to the segment
// any more.
func openSegment(path string, p *part) (*segment, error) {
	data, release, err := mapFile(path)
	if err != nil {
		return nil, err
	}
	s, err := parseSegment(data, p)
	if err != nil {
		if release != nil {
			release()
		}
		return nil, err
	}
	if release != nil {
		s.mapped = data
		runtime.AddCleanup(s, func(release func()) { release() }, release)
	}
	return s, nil
}

func parseSegment(data []byte, p *part) (*segment, error) {
	at := len(data) - segmentFooter
	if at < len(segmentMagic) || string(data[:len(segmentMagic)]) != segmentMagic || string(data[len(data)-4:]) != segmentEnd {
		return nil, fmt.Errorf("%w: %d bytes, no beginning or end", errSegment, len(data))
	}
	le, f := binary.LittleEndian, data[at:]
	if crc32.ChecksumIEEE(f[:segmentFooter-8]) != le.Uint32(f[segmentFooter-8:]) {
		return nil, fmt.Errorf("%w: checksum of the footer", errSegment)
	}
	if docs := le.Uint64(f); docs != uint64(p.rows) {
		return nil, fmt.Errorf("%w: %d documents, want %d", errSegment, docs, p.rows)
	}
	s := &segment{data: data, part: p}
	for i := range s.dicts {
		blocks, n := le.Uint64(f[8+16*i:]), le.Uint64(f[16+16*i:])
		if blocks > uint64(at) || n > (uint64(at)-blocks)/16 {
			return nil, fmt.Errorf("%w: a dictionary lies outside the file", errSegment)
		}
		s.dicts[i] = dictionary{data: data, blocks: data[blocks : blocks+16*n], end: blocks}
	}
	return s, nil
}

// postings finds the list of a term.
func (s *segment) postings(f Field, term string, r *postingsReader) bool {
	at, value, ok := s.dicts[f.place()].find([]byte(term))
	if ok {
		r.open(s, f, at, value)
	}
	return ok
}

// postingsReader decodes a list by blocks. It is used again and again.
type postingsReader struct {
	seg    *segment
	field  int // place of the field's lengths in the part; -1: none
	left   int // documents
	single bool
	doc    uint64 // the last one, or the only one
	rest   []byte
	docs   list // the block
	block  Block
}

func newPostingsReader() *postingsReader {
	return &postingsReader{
		docs:  list{make([]uint32, 0, blockSize), make([]uint32, 0, blockSize)},
		block: Block{Rows: make([]int32, 0, blockSize), Freqs: make([]uint32, 0, blockSize), Lengths: make([]uint32, 0, blockSize)},
	}
}

// open reads the head of a list.
func (r *postingsReader) open(s *segment, f Field, at, value uint64) {
	r.seg, r.field, r.single, r.doc, r.left = s, -1, false, 0, 1
	if n, ok := f.number(); ok {
		r.field = n
	}
	if value&1 == 1 {
		r.single, r.doc = true, value>>1
		return
	}
	n, rest := uvarint(s.data[at : at+value>>1])
	if n > uint64(len(rest)) {
		panic("a list of more documents than bytes")
	}
	r.left, r.rest = int(n), rest
}

// read decodes up to n documents into the block of numbers and frequencies.
func (r *postingsReader) read(n int) {
	n = min(n, r.left)
	r.left -= n
	docs, freqs := r.docs.docs[:n], r.docs.freqs[:n]
	r.docs = list{docs, freqs}
	if r.single {
		if n > 0 {
			docs[0], freqs[0] = uint32(min(r.doc, math.MaxUint32)), 1
		}
		return
	}
	doc, rest := r.doc, r.rest
	for i := range docs {
		var v uint64
		if v = uint64(rest[0]); v < 0x80 {
			rest = rest[1:]
		} else {
			v, rest = uvarint(rest)
		}
		doc += v >> 1
		freq := uint64(1)
		if v&1 == 0 {
			freq, rest = uvarint(rest)
		}
		docs[i], freqs[i] = uint32(min(doc, math.MaxUint32)), uint32(max(1, min(freq, math.MaxInt32)))
	}
	r.doc, r.rest = doc, rest
}

// next decodes the next postings, at most a block of them; the block is empty
// only at the end. Dead rows are left out.
func (r *postingsReader) next(t *table) (Block, error) {
	for r.left > 0 {
		r.read(blockSize)
		if err := r.fill(t); err != nil {
			return Block{}, err
		}
		if len(r.block.Rows) > 0 {
			return r.block, nil
		}
	}
	return Block{}, nil
}

// fill makes the block of the live ones of the documents read.
func (r *postingsReader) fill(t *table) error {
	p, docs, freqs := r.seg.part, r.docs.docs, r.docs.freqs
	first, rows, sieve := int32(p.first), uint32(p.rows), t.live < t.rows
	out := Block{Rows: r.block.Rows[:len(docs)], Freqs: r.block.Freqs[:len(docs)], Lengths: r.block.Lengths[:len(docs)]}
	n := 0
	for i, doc := range docs {
		if doc >= rows {
			return fmt.Errorf("%w: document %d of %d", errSegment, doc, rows)
		}
		if sieve && t.dead(int(first)+int(doc)) {
			continue
		}
		out.Rows[n], out.Freqs[n], out.Lengths[n] = first+int32(doc), freqs[i], doc
		n++
	}
	r.block = Block{out.Rows[:n], out.Freqs[:n], out.Lengths[:n], r.left}
	r.lengths(r.block.Lengths)
	return nil
}

// lengths turns documents into the lengths of their field.
func (r *postingsReader) lengths(docs []uint32) {
	if r.field < 0 {
		for i := range docs {
			docs[i] = 1
		}
		return
	}
	c := &r.seg.part.cols[colTokens+r.field]
	for i, doc := range docs {
		docs[i] = uint32(c.at(int(doc)))
	}
}

// liveCount is the number of live documents in a list just opened.
func (r *postingsReader) liveCount(t *table) (int, error) {
	if t.live == t.rows {
		return r.left, nil
	}
	n := 0
	for r.left > 0 {
		b, err := r.next(t)
		if err != nil {
			return 0, err
		}
		n += len(b.Rows)
	}
	return n, nil
}
