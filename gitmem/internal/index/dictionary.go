package index

import (
	"bytes"
	"encoding/binary"
	"sort"
)

// dictionary reads the terms of a field in a segment. Its methods panic over
// damaged bytes: they are called under guarded.
type dictionary struct {
	data   []byte // the whole segment
	blocks []byte // the list of blocks, see segmentWriter
	end    uint64 // of the last block
}

func (d *dictionary) size() int { return len(d.blocks) / 16 }

// block returns where a block and its postings start.
func (d *dictionary) block(i int) (terms, postings uint64) {
	b := d.blocks[16*i : 16*i+16]
	return binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
}

// first returns the first term of a block.
func (d *dictionary) first(i int) []byte {
	at, _ := d.block(i)
	_, b := uvarint(d.data[at:]) // shared: none
	n, b := uvarint(b)
	return b[:n]
}

func uvarint(b []byte) (uint64, []byte) {
	if b[0] < 0x80 {
		return uint64(b[0]), b[1:]
	}
	v, n := binary.Uvarint(b)
	if n <= 0 {
		panic("a number without an end")
	}
	return v, b[n:]
}

// termIterator goes through the terms of a dictionary in byte order.
type termIterator struct {
	dict  *dictionary
	next  int    // block
	rest  []byte // of the block
	lists uint64 // where the next term's postings are
	at    uint64 // where the term's are
	term  []byte
	value uint64
	done  bool
}

// seek returns an iterator at the first term that is not before from.
func (d *dictionary) seek(from []byte) *termIterator {
	block := sort.Search(d.size(), func(i int) bool { return bytes.Compare(d.first(i), from) > 0 })
	it := &termIterator{dict: d, next: max(0, block-1)}
	for it.advance(); !it.done && bytes.Compare(it.term, from) < 0; it.advance() {
	}
	return it
}

// advance goes to the next term, or sets done.
func (it *termIterator) advance() {
	if len(it.rest) == 0 {
		if it.next >= it.dict.size() {
			it.done = true
			return
		}
		end := it.dict.end
		if it.next+1 < it.dict.size() {
			end, _ = it.dict.block(it.next + 1)
		}
		at, lists := it.dict.block(it.next)
		it.rest, it.lists = it.dict.data[at:end], lists
		it.next++
	}
	shared, b := uvarint(it.rest)
	n, b := uvarint(b)
	it.term = append(it.term[:shared], b[:n]...)
	it.value, it.rest = uvarint(b[n:])
	it.at = it.lists
	if it.value&1 == 0 {
		it.lists += it.value >> 1
	}
}

// find looks a term up: where its postings are, and its value.
func (d *dictionary) find(term []byte) (at, value uint64, ok bool) {
	it := d.seek(term)
	if it.done || !bytes.Equal(it.term, term) {
		return 0, 0, false
	}
	return it.at, it.value, true
}
