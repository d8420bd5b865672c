package index

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
)

// A file of columns, little-endian throughout:
//
//	header     magic, version, number of columns, then the numbers of its kind
//	directory  for each column: width in bytes, number of values, offset
//	CRC-32     of header and directory
//	columns    each starting at a multiple of 8 and followed by columnPad zeros
//	CRC-32     of everything before, then columnsEnd
//
// A reader checks header, directory and bounds when it opens the file, and the last CRC only on request. References are
// checked at each use, so damage gives wrong rows but no panic.
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

// parseColumns parses header and directory; data must not change while the columns are in use.
func parseColumns(data []byte, magic string, ints, columns int) (*columnFile, error) {
	le := binary.LittleEndian
	dirEnd := headerSize(ints) + columns*entrySize
	if len(data) < dirEnd+4+footerSize || string(data[:magicSize]) != magic || string(data[len(data)-4:]) != columnsEnd {
		return nil, fmt.Errorf("%w: document table: %d bytes, no header or end", ErrCorrupt, len(data))
	}
	if le.Uint32(data[8:]) != columnsVersion || le.Uint32(data[12:]) != uint32(columns) {
		return nil, fmt.Errorf("%w: document table: version %d with %d columns", ErrCorrupt, le.Uint32(data[8:]),
			le.Uint32(data[12:]))
	}
	if crc32.ChecksumIEEE(data[:dirEnd]) != le.Uint32(data[dirEnd:]) {
		return nil, fmt.Errorf("%w: document table: header checksum", ErrCorrupt)
	}
	numbers := make([]uint64, ints+3*columns)
	if _, err := binary.Decode(data[headerSize(0):], le, numbers); err != nil {
		return nil, err
	}
	f := &columnFile{data: data, ints: numbers[:ints]}
	for entry := range slices.Chunk(numbers[ints:], 3) {
		width, n, off, size := entry[0], entry[1], entry[2], uint64(len(data))
		if width > 8 || n > maxRows || off > size || n*width+columnPad > size-off {
			return nil, fmt.Errorf("%w: document table: column %d lies outside the file", ErrCorrupt, len(f.cols))
		}
		f.cols = append(f.cols, newColumn(data[off:off+n*width+columnPad], int(width)))
		f.count = append(f.count, int(n))
	}
	return f, nil
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
	le := binary.LittleEndian
	numbers, at := slices.Clone(ints), headerSize(len(ints))+len(cols)*entrySize+4
	for _, c := range cols {
		at += -at & 7 // align to a multiple of 8
		numbers = append(numbers, uint64(c.width), uint64(c.n), uint64(at))
		at += c.n*c.width + columnPad
	}
	head := le.AppendUint32(le.AppendUint32([]byte(magic), columnsVersion), uint32(len(cols)))
	head, err := binary.Append(head, le, numbers)
	if err != nil {
		return err
	}
	head = le.AppendUint32(head, crc32.ChecksumIEEE(head))
	sum := crc32.NewIEEE()
	b := bufio.NewWriterSize(io.MultiWriter(out, sum), 1<<16) // Flush returns the first error
	_, _ = b.Write(head)
	at = len(head)
	for _, c := range cols {
		gap, size := -at&7, c.n*c.width+columnPad
		_, _ = b.Write(make([]byte, gap))
		_, _ = b.Write(c.data[:size])
		at += gap + size
	}
	if err := b.Flush(); err != nil {
		return err
	}
	_, err = out.Write(append(le.AppendUint32(nil, sum.Sum32()), columnsEnd...))
	return err
}
