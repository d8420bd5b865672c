package index

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/vellum"
	zap "github.com/blevesearch/zapx/v16"
)

// A segment is a file in bleve's zap format, version 16, as its zap.md describes
// it: stored fields, the postings and dictionary of each field, the fields, a
// footer. zapx reads and merges it. What it leaves to the writer:
//
//   - Nothing is stored: all documents share one empty record.
//   - A frequency of 1 is written as 0, which has no norm after it: most
//     postings are so, and take one byte instead of two or more.
//   - Norms are 0. The lengths of fields are in the document table.
const (
	zapChunkMode = 1026 // a chunk for each 1024 postings at most
	zapIDField   = "_id"
)

// zapFields are the fields of every segment, in the order in which zap numbers
// them: its id first, the rest by name.
func zapFields() [1 + fields + 1]string {
	return [...]string{zapIDField, string(Day), string(Paths), string(Text), string(Title), string(Tool)}
}

// zapWriter writes one segment.
type zapWriter struct {
	out   io.Writer
	buf   []byte
	count uint64 // bytes written, buffered ones included
	crc   uint32
	err   error

	docs   uint32 // of the segment
	bitmap *roaring.Bitmap
	bits   bytes.Buffer
	ends   []uint64
	freqs  []byte
}

func newZapWriter(out io.Writer, docs uint32) *zapWriter {
	return &zapWriter{out: out, docs: docs, buf: make([]byte, 0, 1<<16), bitmap: roaring.New()}
}

func (w *zapWriter) write(b []byte) {
	w.count += uint64(len(b))
	if len(w.buf)+len(b) > cap(w.buf) {
		w.flush()
	}
	if len(b) > cap(w.buf) {
		w.emit(b)
		return
	}
	w.buf = append(w.buf, b...)
}

func (w *zapWriter) flush() {
	w.emit(w.buf)
	w.buf = w.buf[:0]
}

func (w *zapWriter) emit(b []byte) {
	w.crc = crc32.Update(w.crc, crc32.IEEETable, b)
	if w.err == nil {
		_, w.err = w.out.Write(b)
	}
}

func (w *zapWriter) uvarint(v uint64) {
	var b [binary.MaxVarintLen64]byte
	w.write(b[:binary.PutUvarint(b[:], v)])
}

func (w *zapWriter) uint64(v uint64) { w.write(binary.BigEndian.AppendUint64(nil, v)) }

// stored writes the one record of all documents and the index of records: two
// lengths, the length of the id, and nothing compressed by snappy.
func (w *zapWriter) stored() (index uint64) {
	at := w.count
	w.write([]byte{1, 1, 0, 0})
	index = w.count
	for range w.docs {
		w.uint64(at)
	}
	return index
}

// field writes the postings and the dictionary of a field, whose terms come in
// byte order, and returns the field's address.
func (w *zapWriter) field(terms func(yield func(term []byte, l list) bool)) (uint64, error) {
	var dict bytes.Buffer
	b, err := vellum.New(&dict, nil)
	if err != nil {
		return 0, err
	}
	for term, l := range terms {
		if err := b.Insert(term, w.postings(l)); err != nil {
			return 0, err
		}
		if w.err != nil {
			return 0, w.err
		}
	}
	if err := b.Close(); err != nil {
		return 0, err
	}
	at := w.count
	w.uvarint(uint64(dict.Len()))
	w.write(dict.Bytes())
	addr := w.count
	const none = ^uint64(0) // no doc values
	w.uvarint(none)
	w.uvarint(none)
	w.uvarint(at)
	return addr, w.err
}

// postings writes a list and returns what the dictionary says of it: where it
// is, or the document itself where that is the only one.
func (w *zapWriter) postings(l list) uint64 {
	if len(l.docs) == 1 && l.freqs[0] == 1 {
		return zap.FSTValEncode1Hit(uint64(l.docs[0]), 1)
	}
	freqs := w.count
	w.chunks(l)
	at := w.count
	w.uvarint(freqs)
	w.uvarint(0) // no locations
	w.bitmap.Clear()
	w.bitmap.AddMany(l.docs)
	w.bitmap.RunOptimize()
	w.bits.Reset()
	_, _ = w.bitmap.WriteTo(&w.bits) // a buffer takes everything
	w.uvarint(uint64(w.bits.Len()))
	w.write(w.bits.Bytes())
	return at
}

// chunks writes the frequencies: the number of chunks, where each ends, and
// their bytes.
func (w *zapWriter) chunks(l list) {
	size := w.docs / uint32(len(l.docs)/1024+1)
	w.ends, w.freqs = w.ends[:0], w.freqs[:0]
	for i, doc := range l.docs {
		for ; uint32(len(w.ends)) < doc/size; w.ends = append(w.ends, uint64(len(w.freqs))) {
		}
		if l.freqs[i] == 1 {
			w.freqs = append(w.freqs, 0)
			continue
		}
		w.freqs = binary.AppendUvarint(w.freqs, uint64(l.freqs[i])<<1)
		w.freqs = append(w.freqs, 0)
	}
	total := (w.docs-1)/size + 1
	for ; uint32(len(w.ends)) < total; w.ends = append(w.ends, uint64(len(w.freqs))) {
	}
	w.uvarint(uint64(total))
	for _, end := range w.ends {
		w.uvarint(end)
	}
	w.write(w.freqs)
}

// finish writes the fields' addresses, 0 for none, and the footer.
func (w *zapWriter) finish(stored uint64, addrs [1 + fields + 1]uint64) error {
	var info [len(addrs)]uint64
	for i, name := range zapFields() {
		info[i] = w.count
		w.uvarint(uint64(len(name)))
		w.write([]byte(name))
		w.uvarint(1) // one kind of index
		w.write(binary.BigEndian.AppendUint16(nil, zap.SectionInvertedTextIndex))
		w.uint64(addrs[i])
	}
	sections := w.count
	w.uvarint(uint64(len(info)))
	for _, at := range info {
		w.uint64(at)
	}
	w.uint64(uint64(w.docs))
	w.uint64(stored)
	w.uint64(sections)
	w.uint64(sections)
	w.uint64(0) // no doc values
	w.write(binary.BigEndian.AppendUint32(nil, zapChunkMode))
	w.write(binary.BigEndian.AppendUint32(nil, zap.Version))
	w.flush()
	w.write(binary.BigEndian.AppendUint32(nil, w.crc))
	w.flush()
	return w.err
}
