package index

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

// A file of columns, little-endian throughout:
//
//	header     magic, version, number of columns, then numbers that its kind has
//	directory  for each column: width in bytes, number of values, offset
//	CRC-32     of header and directory
//	columns    each starting at a multiple of 8 and followed by columnPad zeros
//	CRC-32     of everything before, then columnsEnd
//
// A reader checks header, directory and bounds when it opens the file, and the last CRC
// only on request. References are checked at each use, so damage gives wrong rows but no
// panic.
const (
	columnsEnd     = "end\n"
	columnsVersion = 2
	magicSize      = 8
	entrySize      = 8 + 8 + 8
	footerSize     = 4 + 4
)

// columnFile reads a file of columns.
type columnFile struct {
	data  []byte
	ints  []uint64
	cols  []column
	count []int
}

func headerSize(ints int) int { return magicSize + 4 + 4 + 8*ints }

// parseColumns reads header and directory; data must not change while the columns are in
// use.
func parseColumns(data []byte, magic string, ints, columns int) (*columnFile, error) {
	le := binary.LittleEndian
	head := headerSize(ints)
	dirEnd := head + columns*entrySize
	if len(data) < dirEnd+4+footerSize || string(data[:magicSize]) != magic || string(data[len(data)-4:]) != columnsEnd {
		return nil, fmt.Errorf("%w: document table: %d bytes, no header or end", ErrCorrupt, len(data))
	}
	if le.Uint32(data[8:]) != columnsVersion || le.Uint32(data[12:]) != uint32(columns) {
		return nil, fmt.Errorf("%w: document table: version %d with %d columns", ErrCorrupt, le.Uint32(data[8:]), le.Uint32(data[12:]))
	}
	if crc32.ChecksumIEEE(data[:dirEnd]) != le.Uint32(data[dirEnd:]) {
		return nil, fmt.Errorf("%w: document table: header checksum", ErrCorrupt)
	}
	f := &columnFile{data: data, ints: make([]uint64, ints), cols: make([]column, columns), count: make([]int, columns)}
	for i := range f.ints {
		f.ints[i] = le.Uint64(data[magicSize+8+8*i:])
	}
	for c := range f.cols {
		if err := f.parseColumn(c, data[head+c*entrySize:]); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (f *columnFile) parseColumn(c int, entry []byte) error {
	le := binary.LittleEndian
	width, n, off := le.Uint64(entry), le.Uint64(entry[8:]), le.Uint64(entry[16:])
	size := uint64(len(f.data))
	if width > 8 || n > maxRows || off > size || n*width+columnPad > size-off {
		return fmt.Errorf("%w: document table: column %d lies outside the file", ErrCorrupt, c)
	}
	f.cols[c] = newColumn(f.data[off:off+n*width+columnPad], int(width))
	f.count[c] = int(n)
	return nil
}

// verify compares the whole file with its checksum.
func (f *columnFile) verify() error {
	end := len(f.data) - footerSize
	if crc32.ChecksumIEEE(f.data[:end]) != binary.LittleEndian.Uint32(f.data[end:]) {
		return fmt.Errorf("%w: document table: checksum", ErrCorrupt)
	}
	return nil
}

// writeColumns writes a file of columns.
func writeColumns(out io.Writer, magic string, ints []uint64, cols []columnBuilder) error {
	sum := crc32.NewIEEE()
	b := bufio.NewWriterSize(io.MultiWriter(out, sum), 1<<16)
	head := columnsHeader(magic, ints, cols)
	if _, err := b.Write(binary.LittleEndian.AppendUint32(head, crc32.ChecksumIEEE(head))); err != nil {
		return err
	}
	pad := make([]byte, 8)
	at := len(head) + 4
	for c := range cols {
		gap, size := aligned(at), cols[c].n*cols[c].width+columnPad
		if _, err := b.Write(pad[:gap]); err != nil {
			return err
		}
		if _, err := b.Write(cols[c].data[:size]); err != nil {
			return err
		}
		at += gap + size
	}
	if err := b.Flush(); err != nil {
		return err
	}
	_, err := out.Write(append(binary.LittleEndian.AppendUint32(nil, sum.Sum32()), columnsEnd...))
	return err
}

// aligned returns the padding to a multiple of 8.
func aligned(at int) int { return -at & 7 }

func columnsHeader(magic string, ints []uint64, cols []columnBuilder) []byte {
	le := binary.LittleEndian
	h := append([]byte(nil), magic...)
	h = le.AppendUint32(h, columnsVersion)
	h = le.AppendUint32(h, uint32(len(cols)))
	for _, v := range ints {
		h = le.AppendUint64(h, v)
	}
	at := headerSize(len(ints)) + len(cols)*entrySize + 4
	for c := range cols {
		at += aligned(at)
		h = le.AppendUint64(h, uint64(cols[c].width))
		h = le.AppendUint64(h, uint64(cols[c].n))
		h = le.AppendUint64(h, uint64(at))
		at += cols[c].n*cols[c].width + columnPad
	}
	return h
}
