package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/vellum"
	zap "github.com/blevesearch/zapx/v16"
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

// segment reads a zap file and the part of the table that goes with it. The
// number of a document in it is its row in the part.
type segment struct {
	zap  *zap.Segment
	part *part
	mu   sync.Mutex
	fsts map[Field]*vellum.FST // loaded on first use; nil: a field without terms

	deadOnce sync.Once
	dead     *roaring.Bitmap
}

func openSegment(path string, p *part) (s *segment, err error) {
	err = guarded(func() error {
		opened, err := (&zap.ZapPlugin{}).Open(path)
		if err != nil {
			return err
		}
		z, ok := opened.(*zap.Segment)
		if !ok {
			return errors.Join(fmt.Errorf("a segment is a %T", opened), opened.Close())
		}
		if z.Version() != zap.Version || z.Count() != uint64(p.rows) {
			return errors.Join(fmt.Errorf("%w: version %d with %d documents, want %d", errSegment, z.Version(), z.Count(), p.rows), z.Close())
		}
		s = &segment{zap: z, part: p, fsts: map[Field]*vellum.FST{}}
		return nil
	})
	return s, err
}

func (s *segment) close() error { return s.zap.Close() }

// dictionary returns the terms of a field, nil where it has none.
func (s *segment) dictionary(f Field) (*vellum.FST, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if fst, ok := s.fsts[f]; ok {
		return fst, nil
	}
	at, err := s.zap.DictAddr(string(f))
	if err != nil {
		return nil, err
	}
	var fst *vellum.FST
	if at != 0 {
		data := s.zap.Data()
		size, n := binary.Uvarint(data[at:])
		from := at + uint64(n)
		if fst, err = vellum.Load(data[from : from+size : from+size]); err != nil {
			return nil, err
		}
	}
	s.fsts[f] = fst
	return fst, nil
}

// postings finds the list of a term; nil where there is none.
func (s *segment) postings(f Field, term string, r *postingsReader) (found bool, err error) {
	fst, err := s.dictionary(f)
	if err != nil || fst == nil {
		return false, err
	}
	value, found, err := fst.Get([]byte(term))
	if err != nil || !found {
		return false, err
	}
	return true, r.open(s, f, value)
}

// postingsReader decodes a list by blocks. It is used again and again.
type postingsReader struct {
	seg     *segment
	field   int // place of the field's lengths in the part; -1: none
	single  bool
	bitmap  *roaring.Bitmap
	many    roaring.ManyIntIterable
	freqs   []byte
	docs    []uint32
	block   Block
	started bool
}

func newPostingsReader() *postingsReader {
	return &postingsReader{
		bitmap: roaring.New(), docs: make([]uint32, blockSize),
		block: Block{Rows: make([]int32, 0, blockSize), Freqs: make([]uint32, 0, blockSize), Lengths: make([]uint32, 0, blockSize)},
	}
}

// open reads the head of a list: see zapWriter.postings.
func (r *postingsReader) open(s *segment, f Field, value uint64) error {
	r.seg, r.field, r.single, r.started, r.freqs, r.many = s, -1, false, false, nil, nil
	if n, ok := f.number(); ok {
		r.field = n
	}
	if value&zap.FSTValEncodingMask == zap.FSTValEncoding1Hit {
		doc, _ := zap.FSTValDecode1Hit(value)
		r.single, r.docs[0] = true, uint32(doc)
		return nil
	}
	data := s.zap.Data()
	freqs, n := binary.Uvarint(data[value:])
	value += uint64(n)
	_, n = binary.Uvarint(data[value:]) // locations, of which there are none
	value += uint64(n)
	size, n := binary.Uvarint(data[value:])
	value += uint64(n)
	if _, err := r.bitmap.FromBuffer(data[value : value+size : value+size]); err != nil {
		return err
	}
	r.freqs = skipChunks(data[freqs:])
	return nil
}

// skipChunks returns the bytes of all chunks, which follow each other.
func skipChunks(b []byte) []byte {
	chunks, n := binary.Uvarint(b)
	b = b[n:]
	end := uint64(0)
	for range chunks {
		end, n = binary.Uvarint(b)
		b = b[n:]
	}
	return b[:end]
}

// count is the number of documents in the list, dead ones included.
func (r *postingsReader) count() int {
	if r.single {
		return 1
	}
	return int(r.bitmap.GetCardinality())
}

// next decodes the next postings, at most a block of them; the block is empty
// only at the end. Dead rows are left out.
func (r *postingsReader) next(t *table) (Block, error) {
	for {
		docs := r.nextDocs()
		if len(docs) == 0 {
			return Block{}, nil
		}
		if err := r.decode(docs, t); err != nil || len(r.block.Rows) > 0 {
			return r.block, err
		}
	}
}

// nextDocs returns the numbers of the next documents.
func (r *postingsReader) nextDocs() []uint32 {
	if r.single {
		if r.started {
			return nil
		}
		r.started = true
		return r.docs[:1]
	}
	if r.many == nil {
		r.many = r.bitmap.ManyIterator()
	}
	return r.docs[:r.many.NextMany(r.docs)]
}

// decode fills the block with the live ones of some documents.
func (r *postingsReader) decode(docs []uint32, t *table) error {
	p := r.seg.part
	first, rows := int32(p.first), uint32(p.rows)
	out := Block{r.block.Rows[:len(docs)], r.block.Freqs[:len(docs)], r.block.Lengths[:len(docs)]}
	freqs, n, sieve := r.freqs, 0, t.live < t.rows
	for _, doc := range docs {
		freq := uint32(1)
		if !r.single {
			if len(freqs) == 0 {
				return fmt.Errorf("%w: a list without its frequencies", errSegment)
			}
			code := freqs[0]
			freqs = freqs[1:]
			if code != 0 {
				freq, freqs = longFreq(code, freqs)
			}
		}
		if doc >= rows {
			return fmt.Errorf("%w: document %d of %d", errSegment, doc, rows)
		}
		if sieve && t.dead(int(first)+int(doc)) {
			continue
		}
		out.Rows[n], out.Freqs[n], out.Lengths[n] = first+int32(doc), freq, uint32(doc)
		n++
	}
	r.freqs = freqs
	r.block = Block{out.Rows[:n], out.Freqs[:n], out.Lengths[:n]}
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

// longFreq reads what follows the first byte of a frequency: the rest of the
// number, which is doubled, and a norm.
func longFreq(code byte, rest []byte) (uint32, []byte) {
	v := uint64(code & 0x7f)
	for shift := 7; code >= 0x80; shift += 7 {
		code, rest = rest[0], rest[1:]
		v |= uint64(code&0x7f) << shift
	}
	if v>>1 != 0 {
		for rest[0] >= 0x80 {
			rest = rest[1:]
		}
		rest = rest[1:]
	}
	return uint32(max(1, min(v>>1, math.MaxInt32))), rest
}

// deadDocs returns the tombstones of the segment's rows.
func (s *segment) deadDocs(t *table) *roaring.Bitmap {
	s.deadOnce.Do(func() {
		s.dead = roaring.New()
		for i := range s.part.rows {
			if t.dead(s.part.first + i) {
				s.dead.Add(uint32(i))
			}
		}
	})
	return s.dead
}

// liveCount is the number of live documents in the list.
func (r *postingsReader) liveCount(t *table) int {
	if t.live == t.rows {
		return r.count()
	}
	dead := r.seg.deadDocs(t)
	if r.single {
		if dead.Contains(r.docs[0]) {
			return 0
		}
		return 1
	}
	n := int(r.bitmap.GetCardinality() - r.bitmap.AndCardinality(dead))
	runtime.KeepAlive(r.seg)
	return n
}
