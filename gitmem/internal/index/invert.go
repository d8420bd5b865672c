package index

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// inverted is the postings of some documents by term, in memory. A term costs
// some 60 bytes, a posting one or two: lists are varints in slices of a pool,
// each longer than the one before, so that neither many short lists nor a few
// long ones waste much, and the collector has next to nothing to look through.
type inverted struct {
	seed    maphash.Seed
	slots   []uint32 // hash table of entries, open addressing: position plus 1; 0: free
	entries []invertedTerm
	heap    []byte // the terms' bytes
	pool    *slicePool
}

// invertedTerm is a term and its list. The last document waits in the entry, as
// more of its occurrences may come.
type invertedTerm struct {
	hash       uint32
	start      uint32 // of the term in heap
	docs       uint32 // number of documents, the last one included
	last, freq uint32 // the last document, and how often it has the term
	prev       uint32 // the document before it, 0 for none
	head       uint32 // where the list starts
	at, end    uint32 // where the list goes on, and where its slice ends
	size       uint16 // of the term
	level      uint8  // of the slice
}

func newInverted(pool *slicePool) *inverted {
	return &inverted{seed: maphash.MakeSeed(), slots: make([]uint32, 1<<8), pool: pool}
}

// bytes is roughly what the terms take in memory; the lists are in the pool.
func (v *inverted) bytes() int { return 44*cap(v.entries) + cap(v.heap) + 4*len(v.slots) }

func (v *inverted) term(e *invertedTerm) []byte {
	return v.heap[e.start : e.start+uint32(e.size)]
}

// add counts one occurrence of a term in a document; documents ascend.
func (v *inverted) add(term []byte, doc uint32) {
	hash := uint32(maphash.Bytes(v.seed, term))
	mask := uint32(len(v.slots) - 1)
	at := hash & mask
	for ; v.slots[at] != 0; at = (at + 1) & mask {
		e := &v.entries[v.slots[at]-1]
		if e.hash == hash && bytes.Equal(v.term(e), term) {
			v.count(e, doc)
			return
		}
	}
	v.entries = append(v.entries, invertedTerm{
		hash: hash, start: uint32(len(v.heap)), size: uint16(len(term)), docs: 1, last: doc, freq: 1,
	})
	v.heap = append(v.heap, term...)
	v.slots[at] = uint32(len(v.entries))
	if len(v.entries)*2 > len(v.slots) {
		v.grow()
	}
}

func (v *inverted) count(e *invertedTerm, doc uint32) {
	if e.last == doc {
		e.freq++
		return
	}
	v.append(e)
	e.prev, e.last, e.freq = e.last, doc, 1
	e.docs++
}

func (v *inverted) grow() {
	v.slots = make([]uint32, 2*len(v.slots))
	mask := uint32(len(v.slots) - 1)
	for i := range v.entries {
		at := v.entries[i].hash & mask
		for v.slots[at] != 0 {
			at = (at + 1) & mask
		}
		v.slots[at] = uint32(i + 1)
	}
}

// append writes the last document of a term to its list: the distance to the
// one before, doubled, plus 1 where the frequency is 1; else that follows.
func (v *inverted) append(e *invertedTerm) {
	var b [2 * binary.MaxVarintLen64]byte
	n := 0
	if e.freq == 1 {
		n = binary.PutUvarint(b[:], uint64(e.last-e.prev)<<1|1)
	} else {
		n = binary.PutUvarint(b[:], uint64(e.last-e.prev)<<1)
		n += binary.PutUvarint(b[n:], uint64(e.freq))
	}
	if e.head == 0 {
		e.head, e.end = v.pool.get(0)
		e.at = e.head
	}
	for i := range n {
		if e.at == e.end {
			e.level = min(e.level+1, maxSlice)
			at, end := v.pool.get(e.level)
			binary.LittleEndian.PutUint32(v.pool.bytes(e.end), at)
			e.at, e.end = at, end
		}
		v.pool.bytes(e.at)[0] = b[i]
		e.at++
	}
}

// list is a decoded postings list.
type list struct {
	docs, freqs []uint32
}

// read appends the postings of a term to out. raw is scratch space.
func (v *inverted) read(e *invertedTerm, out *list, raw []byte) []byte {
	raw = v.pool.collect(e, raw[:0])
	doc := uint32(0)
	for rest := raw; len(rest) > 0; {
		delta, n := binary.Uvarint(rest)
		rest = rest[n:]
		freq := uint64(1)
		if delta&1 == 0 {
			freq, n = binary.Uvarint(rest)
			rest = rest[n:]
		}
		doc += uint32(delta >> 1)
		out.docs, out.freqs = append(out.docs, doc), append(out.freqs, uint32(freq))
	}
	out.docs, out.freqs = append(out.docs, e.last), append(out.freqs, e.freq)
	return raw
}

// sorted returns the entries in the order of their terms.
func (v *inverted) sorted() []*invertedTerm {
	type key struct {
		first uint64 // the first eight bytes of the term
		at    uint32
	}
	keys := make([]key, len(v.entries))
	for i := range v.entries {
		var head [8]byte
		copy(head[:], v.term(&v.entries[i]))
		keys[i] = key{binary.BigEndian.Uint64(head[:]), uint32(i)}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if c := cmp.Compare(a.first, b.first); c != 0 {
			return c
		}
		return bytes.Compare(v.term(&v.entries[a.at]), v.term(&v.entries[b.at]))
	})
	out := make([]*invertedTerm, len(keys))
	for i, k := range keys {
		out[i] = &v.entries[k.at]
	}
	return out
}

// The slices of a pool: each holds its level's number of bytes and then, in four
// more, where the list goes on.
const (
	poolBits   = 18 // of an offset within a block
	poolBlock  = 1 << poolBits
	firstSlice = 8
	maxSlice   = 8 // the highest level
	sliceLink  = 4
)

// slicePool hands out slices of large blocks. The address 0 is nobody's.
type slicePool struct {
	blocks [][]byte
	used   int // of the last block
}

func newSlicePool() *slicePool { return &slicePool{used: poolBlock} }

func (p *slicePool) size() int { return len(p.blocks) * poolBlock }

func (p *slicePool) bytes(at uint32) []byte { return p.blocks[at>>poolBits][at&(poolBlock-1):] }

// get returns the bounds of a new slice.
func (p *slicePool) get(level uint8) (at, end uint32) {
	n := firstSlice << level
	if p.used+n+sliceLink > poolBlock {
		p.blocks = append(p.blocks, make([]byte, poolBlock))
		p.used = 0
		if len(p.blocks) == 1 {
			p.used = sliceLink
		}
	}
	at = uint32(len(p.blocks)-1)<<poolBits + uint32(p.used)
	p.used += n + sliceLink
	return at, at + uint32(n)
}

// collect joins the slices of a term's list.
func (p *slicePool) collect(e *invertedTerm, out []byte) []byte {
	if e.head == 0 {
		return out
	}
	at := e.head
	for level := uint8(0); ; level = min(level+1, maxSlice) {
		n := uint32(firstSlice) << level
		if at <= e.at && e.at <= at+n && e.end == at+n {
			return append(out, p.bytes(at)[:e.at-at]...)
		}
		out = append(out, p.bytes(at)[:n]...)
		at = binary.LittleEndian.Uint32(p.bytes(at + n))
	}
}
