package index

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"iter"
)

// A segment is a file with, for each field, the postings of its terms and then
// its dictionary:
//
//	magic
//	postings     of each term of a field, one after the other: the number of
//	             documents; for each the distance to the one before, doubled, plus
//	             1 where the frequency is 1, else the frequency follows
//	dictionary   blocks of dictBlock terms: for each the number of bytes shared with
//	             the one before in the block, the number of further bytes, these,
//	             and its value: the bytes of its postings, doubled; or, where one
//	             document has it once and there are none, twice the document plus 1
//	blocks       for each: where it starts and where its postings start, 64 bits each
//	footer       documents; for each field where its blocks' list starts and how many
//	             there are, 64 bits each; CRC-32 of the footer; segmentEnd
//
// Numbers without a size are unsigned varints, the others little-endian. Lengths of
// fields are in the document table, in whose part a document is a row.
const (
	segmentMagic  = "gmsegm2\n"
	segmentEnd    = "seg\n"
	segmentFooter = 8 + 16*(fields+1) + 4 + 4
	dictBlock     = 32
)

// segmentWriter writes one segment.
type segmentWriter struct {
	out    io.Writer
	buf    []byte
	count  uint64 // bytes written, buffered ones included
	err    error
	footer []byte

	dict   []byte // of the field
	blocks []byte
	terms  int
	last   []byte // term
	raw    []byte
}

func newSegmentWriter(out io.Writer, docs int) *segmentWriter {
	w := &segmentWriter{out: out, buf: make([]byte, 0, 1<<16)}
	w.write([]byte(segmentMagic))
	w.footer = binary.LittleEndian.AppendUint64(nil, uint64(docs))
	return w
}

func (w *segmentWriter) write(b []byte) {
	w.count += uint64(len(b))
	if len(w.buf)+len(b) > cap(w.buf) {
		w.emit(w.buf)
		w.buf = w.buf[:0]
	}
	if len(b) > cap(w.buf) {
		w.emit(b)
		return
	}
	w.buf = append(w.buf, b...)
}

func (w *segmentWriter) emit(b []byte) {
	if w.err == nil {
		_, w.err = w.out.Write(b)
	}
}

// field writes the postings and the dictionary of the next field, whose terms
// come in byte order.
func (w *segmentWriter) field(terms iter.Seq2[[]byte, *list]) error {
	w.dict, w.blocks, w.terms = w.dict[:0], w.blocks[:0], 0
	for term, l := range terms {
		w.add(term, l)
		if w.err != nil {
			return w.err
		}
	}
	at := w.count // the blocks' starts are counted from here
	w.write(w.dict)
	le := binary.LittleEndian
	for i := 0; i < len(w.blocks); i += 16 {
		le.PutUint64(w.blocks[i:], at+le.Uint64(w.blocks[i:]))
	}
	w.footer = le.AppendUint64(w.footer, w.count)
	w.footer = le.AppendUint64(w.footer, uint64(len(w.blocks)/16))
	w.write(w.blocks)
	return w.err
}

func (w *segmentWriter) add(term []byte, l *list) {
	shared := 0
	if w.terms%dictBlock == 0 {
		w.blocks = binary.LittleEndian.AppendUint64(w.blocks, uint64(len(w.dict)))
		w.blocks = binary.LittleEndian.AppendUint64(w.blocks, w.count)
	} else {
		for shared < min(len(term), len(w.last)) && term[shared] == w.last[shared] {
			shared++
		}
	}
	w.terms++
	w.last = append(w.last[:0], term...)
	w.dict = binary.AppendUvarint(w.dict, uint64(shared))
	w.dict = binary.AppendUvarint(w.dict, uint64(len(term)-shared))
	w.dict = append(w.dict, term[shared:]...)
	w.dict = binary.AppendUvarint(w.dict, w.postings(l))
}

// postings writes a list, and returns the value of its term.
func (w *segmentWriter) postings(l *list) uint64 {
	if len(l.docs) == 1 && l.freqs[0] == 1 {
		return uint64(l.docs[0])<<1 | 1
	}
	w.raw = binary.AppendUvarint(w.raw[:0], uint64(len(l.docs)))
	before := uint32(0)
	for i, doc := range l.docs {
		w.raw = appendPosting(w.raw, doc-before, l.freqs[i])
		before = doc
	}
	w.write(w.raw)
	return uint64(len(w.raw)) << 1
}

func appendPosting(b []byte, distance, freq uint32) []byte {
	if freq == 1 {
		return binary.AppendUvarint(b, uint64(distance)<<1|1)
	}
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(distance)<<1), uint64(freq))
}

// finish writes the footer, after all fields.
func (w *segmentWriter) finish() error {
	w.write(binary.LittleEndian.AppendUint32(w.footer, crc32.ChecksumIEEE(w.footer)))
	w.write([]byte(segmentEnd))
	w.emit(w.buf)
	return w.err
}
