package index

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"unsafe"
)

// The links of a generation are three arrays with one 32-bit value for each row:
// its session's number, the row after it and the row before it in its session,
// -1 for none. They are arrays, and not columns of the fewest bytes, because a
// ranking reads them for ten thousands of rows.
//
// The file stays from one generation to the next, with room for more rows: a
// reader maps it privately and puts in what the live file says has changed.
//
//	magic, rows, capacity (64 bits each), CRC-32 of these, 4 zero bytes
//	sessions, nexts, prevs: capacity values each
const (
	linksMagic  = "gmlinks2"
	linksHeader = 8 + 8 + 8 + 4 + 4
	// linksPatches is the number of rows that may change, and linksRoom the
	// most that may come, before the file is written anew.
	linksPatches = 2048
	linksRoom    = 8192
)

// roomFor is how many rows more than these the arrays have room for.
func roomFor(rows int) int { return max(256, min(rows/8, linksRoom)) }

// links are the arrays of all rows, and what holds them in memory.
type links struct {
	based               int // rows of the file
	session, next, prev []int32
}

// openLinks maps the file; its arrays have room for the capacity.
func openLinks(path string) (*links, error) {
	data, release, err := mapPrivate(path)
	if err != nil {
		return nil, err
	}
	l, err := parseLinks(data)
	if err != nil {
		if release != nil {
			release()
		}
		return nil, err
	}
	if release != nil {
		runtime.AddCleanup(l, func(release func()) { release() }, release)
	}
	return l, nil
}

func parseLinks(data []byte) (*links, error) {
	le := binary.LittleEndian
	if len(data) < linksHeader || string(data[:8]) != linksMagic || crc32.ChecksumIEEE(data[:24]) != le.Uint32(data[24:]) {
		return nil, fmt.Errorf("%w: header of the links", errTable)
	}
	rows, room := le.Uint64(data[8:]), le.Uint64(data[16:])
	if room > maxRows || rows > room || uint64(len(data)) != linksHeader+12*room {
		return nil, fmt.Errorf("%w: links of %d rows in %d bytes", errTable, rows, len(data))
	}
	array := func(i uint64) []int32 {
		b := data[linksHeader+4*i*room : linksHeader+4*(i+1)*room]
		return int32s(b)[:rows:room]
	}
	return &links{based: int(rows), session: array(0), next: array(1), prev: array(2)}, nil
}

// int32s sees little-endian bytes as values: in place where the machine has
// that order and the bytes are aligned, as in a mapped file.
func int32s(b []byte) []int32 {
	if len(b) == 0 {
		return nil
	}
	one := [2]byte{1, 0}
	if p := unsafe.Pointer(&b[0]); uintptr(p)%4 == 0 && binary.NativeEndian.Uint16(one[:]) == 1 {
		return unsafe.Slice((*int32)(p), len(b)/4)
	}
	out := make([]int32, len(b)/4)
	for i := range out {
		out[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

// writeTo writes the file, with room for more rows, which are zeros.
func (l *links) writeTo(out io.Writer) error {
	le := binary.LittleEndian
	room := len(l.session) + roomFor(len(l.session))
	h := le.AppendUint64([]byte(linksMagic), uint64(len(l.session)))
	h = le.AppendUint64(h, uint64(room))
	h = le.AppendUint32(h, crc32.ChecksumIEEE(h))
	if _, err := out.Write(append(h, 0, 0, 0, 0)); err != nil {
		return err
	}
	buf := make([]byte, 0, 1<<16)
	for _, array := range [...][]int32{l.session, l.next, l.prev} {
		for i := range room {
			v := int32(0)
			if i < len(array) {
				v = array[i]
			}
			buf = le.AppendUint32(buf, uint32(v))
			if len(buf) == cap(buf) {
				if _, err := out.Write(buf); err != nil {
					return err
				}
				buf = buf[:0]
			}
		}
		if _, err := out.Write(buf); err != nil {
			return err
		}
		buf = buf[:0]
	}
	return nil
}

// add appends a row of a session, which has no neighbours yet.
func (l *links) add(session int32) {
	l.session, l.next, l.prev = append(l.session, session), append(l.next, -1), append(l.prev, -1)
}
