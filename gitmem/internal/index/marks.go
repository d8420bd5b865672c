package index

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
	"unsafe"
)

// Mark is how far a source has been read. It belongs to the caller, who compares it with the source; the index only
// stores it with the generation that it describes.
type Mark struct {
	Key       string // the source; unique in the shard
	Size      int64
	MtimeNs   int64
	CtimeNs   int64
	Inode     uint64
	Hash      string
	Offset    int64
	Lines     int64
	ScannedNs int64
	Data      string // data of the caller
}

const marksMagic = "gmmarks1"

// minMark is the minimum size of a mark in bytes: one per field.
const minMark = 10

// encodeMarks encodes the marks in key order: magic, count, the fields of each as varints and length-prefixed strings,
// CRC-32.
func encodeMarks(marks map[string]Mark) []byte {
	b := append([]byte(nil), marksMagic...)
	b = binary.AppendUvarint(b, uint64(len(marks)))
	for _, key := range slices.Sorted(maps.Keys(marks)) {
		m := marks[key]
		b = appendString(b, m.Key)
		for _, v := range [...]int64{m.Size, m.MtimeNs, m.CtimeNs, m.Offset, m.Lines, m.ScannedNs} {
			b = binary.AppendVarint(b, v)
		}
		b = binary.AppendUvarint(b, m.Inode)
		b = appendString(appendString(b, m.Hash), m.Data)
	}
	return withChecksum(b)
}

// withChecksum appends the CRC-32 of b.
func withChecksum(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

// content returns the bytes between a magic number and the checksum of everything before it.
func content(b []byte, magic string) ([]byte, error) {
	end := len(b) - 4
	if end < len(magic) || string(b[:len(magic)]) != magic ||
		crc32.ChecksumIEEE(b[:end]) != binary.LittleEndian.Uint32(b[end:]) {
		return nil, fmt.Errorf("%w: %s: %d bytes", ErrCorrupt, strings.TrimSpace(magic), len(b))
	}
	return b[len(magic):end], nil
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// decodeMarks takes ownership of b.
func decodeMarks(b []byte) (map[string]Mark, error) {
	rest, err := content(b, marksMagic)
	if err != nil {
		return nil, err
	}
	d := newDecoder(rest)
	n := d.uvarint()
	marks := make(map[string]Mark, min(n, uint64(len(b))/minMark))
	for ; n > 0 && !d.bad; n-- {
		m := Mark{
			Key: d.string(), Size: d.varint(), MtimeNs: d.varint(), CtimeNs: d.varint(), Offset: d.varint(),
			Lines: d.varint(), ScannedNs: d.varint(), Inode: d.uvarint(), Hash: d.string(), Data: d.string(),
		}
		marks[m.Key] = m
	}
	if d.bad || len(d.b) > 0 {
		return nil, fmt.Errorf("%w: marks: they do not fill the file", ErrCorrupt)
	}
	return marks, nil
}

// decoder reads varints and strings; bad stays set after the first failure.
type decoder struct {
	b   []byte
	s   string // all bytes as a string, of which b is the rest
	bad bool
}

// newDecoder returns a decoder of bytes that must not change. The strings share them: a question decodes thousands of
// marks and uses few of them.
func newDecoder(b []byte) decoder {
	return decoder{b: b, s: unsafe.String(unsafe.SliceData(b), len(b))}
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.b)
	return skip(d, v, n)
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.b)
	return skip(d, v, n)
}

// skip drops n bytes from d and returns v, or fails if n is not a valid length.
func skip[T any](d *decoder, v T, n int) T {
	var zero T
	if n <= 0 || d.bad {
		d.bad, d.b = true, nil
		return zero
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) string() string {
	n := d.uvarint()
	if n > uint64(len(d.b)) {
		d.bad, d.b = true, nil
		return ""
	}
	at := len(d.s) - len(d.b)
	d.b = d.b[n:]
	return d.s[at : at+int(n)]
}
