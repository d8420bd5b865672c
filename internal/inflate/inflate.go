// Package inflate decompresses a stream of known length that lies in memory whole.
//
// Objects of git are that, and most are a few hundred bytes long: what other
// decompressors do for each stream, such as setting up a window and copying out of
// it, costs more than decoding them. It reads the format of RFC 1951 and refuses what
// compress/flate refuses. It knows nothing about git, files or checksums.
package inflate

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

var (
	// ErrCorrupt says that the bytes are no such stream.
	ErrCorrupt = errors.New("its compressed bytes are broken")
	// ErrEnds says that the stream goes on behind the end of the bytes.
	ErrEnds = errors.New("the file ends within it")
	// ErrLong says that there is no room for all that the stream holds.
	ErrLong = errors.New("it is longer than its header says")
	// ErrShort says that the stream ends before the room is full.
	ErrShort = errors.New("it is shorter than its header says")
)

const (
	literalBits  = 9 // of a code, looked up at once
	distanceBits = 7
	maxLiterals  = 286
	maxDistances = 30
	// where the values of distances, and of the lengths of codes, begin
	firstDistance = 288
	firstLength   = firstDistance + 32
)

// Decoder is for one goroutine. It may be used again and again; the zero value is
// ready.
type Decoder struct {
	literals, distances table
	fixed               bool                     // the tables are those of blocks with fixed codes
	values              [firstLength + 19]uint32 // what symbols stand for
	lengths             [maxLiterals + maxDistances]uint8

	src  []byte
	at   int    // of the next byte
	bits uint64 // read and not used, the first one lowest
	n    uint   // how many
	dst  []byte
	done int // bytes of dst
}

// Decode fills dst from the stream at the start of src, and returns how many bytes
// that takes.
func (d *Decoder) Decode(dst, src []byte) (int, error) {
	d.src, d.at, d.bits, d.n, d.dst, d.done = src, 0, 0, 0, dst, 0
	defer func() { d.src, d.dst = nil, nil }()
	if d.values[0] == 0 {
		d.setValues()
	}
	for last := false; !last; {
		head, err := d.take(3)
		if err != nil {
			return 0, err
		}
		last = head&1 != 0
		if err := d.block(head >> 1); err != nil {
			return 0, err
		}
	}
	if d.done < len(dst) {
		return 0, ErrShort
	}
	return d.at - int(d.n>>3), nil
}

func (d *Decoder) block(kind uint) error {
	switch kind {
	case 0:
		return d.stored()
	case 1:
		if err := d.fixedCodes(); err != nil {
			return err
		}
	case 2:
		if err := d.dynamicCodes(); err != nil {
			return err
		}
	default:
		return ErrCorrupt
	}
	return d.codes()
}

// fill reads so that at least 56 bits are there, or all that are left.
func (d *Decoder) fill() {
	if d.at+8 <= len(d.src) {
		d.bits |= binary.LittleEndian.Uint64(d.src[d.at:]) << d.n
		d.at += int(63-d.n) >> 3
		d.n |= 56
		return
	}
	for ; d.n < 56 && d.at < len(d.src); d.n += 8 {
		d.bits |= uint64(d.src[d.at]) << d.n
		d.at++
	}
}

// take reads up to 16 bits.
func (d *Decoder) take(n uint) (uint, error) {
	if d.n < n {
		if d.fill(); d.n < n {
			return 0, ErrEnds
		}
	}
	v := uint(d.bits & (1<<n - 1))
	d.bits >>= n
	d.n -= n
	return v, nil
}

// stored copies a block that is not compressed.
func (d *Decoder) stored() error {
	d.at -= int(d.n >> 3)
	d.bits, d.n = 0, 0
	if d.at+4 > len(d.src) {
		return ErrEnds
	}
	size := int(binary.LittleEndian.Uint16(d.src[d.at:]))
	if size^0xffff != int(binary.LittleEndian.Uint16(d.src[d.at+2:])) {
		return ErrCorrupt
	}
	d.at += 4
	switch {
	case size > len(d.src)-d.at:
		return ErrEnds
	case size > len(d.dst)-d.done:
		return ErrLong
	}
	d.done += copy(d.dst[d.done:], d.src[d.at:d.at+size])
	d.at += size
	return nil
}

func (d *Decoder) fixedCodes() error {
	if d.fixed {
		return nil
	}
	var lengths [288]uint8
	for i := range lengths {
		switch {
		case i < 144:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 8
		}
	}
	var five [32]uint8
	for i := range five {
		five[i] = 5
	}
	if !d.literals.build(lengths[:], literalBits, d.values[:]) || !d.distances.build(five[:], distanceBits, d.values[firstDistance:]) {
		return ErrCorrupt
	}
	d.fixed = true
	return nil
}

// dynamicCodes reads the lengths of the codes of a block, which are coded themselves.
func (d *Decoder) dynamicCodes() error {
	head, err := d.take(14)
	if err != nil {
		return err
	}
	literals, distances, n := int(head&31)+257, int(head>>5&31)+1, int(head>>10)+4
	if literals > maxLiterals || distances > maxDistances {
		return ErrCorrupt
	}
	order := [...]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
	var of [len(order)]uint8
	for _, at := range order[:n] {
		length, err := d.take(3)
		if err != nil {
			return err
		}
		of[at] = uint8(length)
	}
	d.fixed = false
	if !d.distances.build(of[:], 7, d.values[firstLength:]) { // the table of distances is free until they are known
		return ErrCorrupt
	}
	if err := d.codeLengths(d.lengths[:literals+distances]); err != nil {
		return err
	}
	if !d.literals.build(d.lengths[:literals], literalBits, d.values[:]) ||
		!d.distances.build(d.lengths[literals:literals+distances], distanceBits, d.values[firstDistance:]) {
		return ErrCorrupt
	}
	return nil
}

// codeLengths reads lengths, and how often one is repeated.
func (d *Decoder) codeLengths(out []uint8) error {
	for i := 0; i < len(out); {
		d.fill()
		e := d.distances.entries[d.bits&(1<<7-1)]
		used := uint(e & 0xff)
		if used == 0 {
			return ErrCorrupt
		}
		if used > d.n {
			return ErrEnds
		}
		d.bits >>= used
		d.n -= used
		symbol := e >> 16
		if symbol < 16 {
			out[i] = uint8(symbol)
			i++
			continue
		}
		length, extra, least := uint8(0), uint(7), 11
		switch symbol {
		case 16:
			if i == 0 {
				return ErrCorrupt
			}
			length, extra, least = out[i-1], 2, 3
		case 17:
			extra, least = 3, 3
		}
		more, err := d.take(extra)
		if err != nil {
			return err
		}
		if least += int(more); least > len(out)-i {
			return ErrCorrupt
		}
		for range least {
			out[i] = length
			i++
		}
	}
	return nil
}

// codes decodes a block. What it uses often is kept in local variables.
func (d *Decoder) codes() error {
	dst, done, src, at, have, had := d.dst, d.done, d.src, d.at, d.bits, d.n
	literals, distances := d.literals.entries, d.distances.entries
	for {
		if had < 48 { // as many as a length and a distance can take
			if at+8 <= len(src) {
				have |= binary.LittleEndian.Uint64(src[at:]) << had
				at += int(63-had) >> 3
				had |= 56
			} else {
				d.bits, d.n, d.at = have, had, at
				d.fill()
				have, had, at = d.bits, d.n, d.at
			}
		}
		e := literals[have&(1<<literalBits-1)]
		if e&isTable != 0 {
			e = literals[e>>16+uint32(have>>literalBits)&(1<<(e>>8&15)-1)]
		}
		used := uint(e & 0xff)
		if used == 0 || used > had {
			return missing(used)
		}
		have >>= used
		had -= used
		if e&isLiteral != 0 {
			if done == len(dst) {
				return ErrLong
			}
			dst[done] = byte(e >> 16)
			done++
			continue
		}
		if e&isEnd != 0 {
			d.bits, d.n, d.at, d.done = have, had, at, done
			return nil
		}
		extra := uint(e >> 8 & 15)
		length := int(e>>16) + int(have&(1<<extra-1))
		have >>= extra
		used = extra
		e = distances[have&(1<<distanceBits-1)]
		if e&isTable != 0 {
			e = distances[e>>16+uint32(have>>distanceBits)&(1<<(e>>8&15)-1)]
		}
		if e&0xff == 0 {
			return missing(0)
		}
		have >>= e & 0xff
		extra = uint(e >> 8 & 15)
		distance := int(e>>16) + int(have&(1<<extra-1))
		have >>= extra
		if used += uint(e&0xff) + extra; used > had {
			return ErrEnds
		}
		had -= used
		switch {
		case distance > done:
			return ErrCorrupt
		case length > len(dst)-done:
			return ErrLong
		}
		from, end := done-distance, done+length
		for done < end { // what was copied first is copied again where they overlap
			done += copy(dst[done:end], dst[from:done])
		}
	}
}

// missing says why there is no code: some bits of it are missing, or 0 bits mean none.
func missing(used uint) error {
	if used > 0 {
		return ErrEnds
	}
	return ErrCorrupt
}

// Entries of tables: the bits that a code takes, 0 where there is no such code; from
// bit 8 on the extra bits behind it, or those that a second table looks up; flags; and
// from bit 16 on a value, or where the second table begins.
const (
	isLiteral = 1 << 12
	isEnd     = 1 << 13
	isTable   = 1 << 14
)

func (d *Decoder) setValues() {
	for i := range d.values {
		switch {
		case i < firstDistance:
			d.values[i] = literalEntry(i)
		case i < firstLength:
			d.values[i] = distanceEntry(i - firstDistance)
		default: // a symbol as it is
			d.values[i] = uint32(i-firstLength)<<16 | isLiteral
		}
	}
}

func literalEntry(symbol int) uint32 {
	switch {
	case symbol < 256:
		return uint32(symbol)<<16 | isLiteral
	case symbol == 256:
		return isEnd
	case symbol < 265:
		return uint32(symbol-254) << 16
	case symbol < 285:
		extra := uint32(symbol-261) / 4
		return (3+(4+uint32(symbol-261)%4)<<extra)<<16 | extra<<8
	case symbol == 285:
		return 258 << 16
	}
	return 0 // no such length
}

func distanceEntry(symbol int) uint32 {
	switch {
	case symbol < 4:
		return uint32(symbol+1) << 16
	case symbol < maxDistances:
		extra := uint32(symbol/2 - 1)
		return (1+(2+uint32(symbol%2))<<extra)<<16 | extra<<8
	}
	return 0
}

// table decodes codes: the first bits are looked up at once, the others in a second
// table behind.
type table struct {
	entries []uint32
	sorted  [288]uint16
}

// build makes the table for codes of these lengths, in the order of the values that they
// stand for. It
// fails where some bits would have two meanings or, unless there is one code only, none.
func (t *table) build(lengths []uint8, root uint, values []uint32) bool {
	var count, next [16]int
	for _, l := range lengths {
		count[l]++
	}
	longest, codes := uint(0), 0
	for l := 1; l < 16; l++ {
		next[l] = codes
		codes += count[l]
		if count[l] > 0 {
			longest = uint(l)
		}
	}
	for symbol, l := range lengths {
		if l > 0 {
			t.sorted[next[l]] = uint16(symbol)
			next[l]++
		}
	}
	if cap(t.entries) < 1<<root {
		t.entries = make([]uint32, 1<<root, 4<<root)
	}
	t.entries = t.entries[:1<<root]
	if !complete(count, longest) {
		clear(t.entries)
		if codes > 1 || longest > 1 {
			return false
		}
	}
	t.fill(lengths, t.sorted[:codes], root, longest, values)
	return true
}

// complete tells whether codes of these lengths use up all bits.
func complete(count [16]int, longest uint) bool {
	left := 1
	for l := uint(1); l <= longest; l++ {
		if left = left<<1 - count[l]; left < 0 {
			return false
		}
	}
	return left == 0
}

// fill enters the codes, which count up in the order of their lengths. What is known of
// some bits holds whatever the next bit is, so that the first table doubles with each.
func (t *table) fill(lengths []uint8, sorted []uint16, root, longest uint, values []uint32) {
	code, length, prefix, second := uint16(0), uint(0), -1, 0
	for _, symbol := range sorted {
		l := uint(lengths[symbol])
		for ; length < l; length++ {
			if code <<= 1; length < root {
				copy(t.entries[1<<length:], t.entries[:1<<length])
			}
		}
		turned := int(bits.Reverse16(code) >> (16 - l))
		code++
		e := values[symbol]
		if e != 0 {
			e |= uint32(l)
		}
		if l <= root {
			t.entries[turned] = e
			continue
		}
		if at := turned & (1<<root - 1); at != prefix {
			prefix, second = at, len(t.entries)
			t.entries = append(t.entries, make([]uint32, 1<<(longest-root))...)
			t.entries[at] = uint32(second)<<16 | isTable | uint32(longest-root)<<8
		}
		for i := turned >> root; i < 1<<(longest-root); i += 1 << (l - root) {
			t.entries[second+i] = e
		}
	}
	for ; length < root; length++ {
		copy(t.entries[1<<length:], t.entries[:1<<length])
	}
}
