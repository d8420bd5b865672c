package git

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	idxMagic = "\xfftOc"
	fanOut   = 256 * 4
	idSHA1   = 20
	idSHA256 = 32
)

// packIndex finds objects in a pack: versions 1 and 2 of the format in gitformat-pack(5). Its slices point
// into the file.
type packIndex struct {
	fan     []byte // for each first byte, how many ids begin with it or a lower one
	entries []byte // an id each, in version 1 after four bytes of offset
	stride  int    // of an entry
	lead    int    // offset of the id in an entry
	offsets []byte // version 2: four bytes each
	long    []byte // version 2: eight bytes each, for offsets from 2 GiB on
	count   int
}

// parseIndex parses an index of ids of idSize bytes.
func parseIndex(b []byte, idSize int) (*packIndex, error) {
	version, head := uint32(1), 0
	if bytes.HasPrefix(b, []byte(idxMagic)) {
		if len(b) < 8 {
			return nil, errIndexShort
		}
		if version, head = binary.BigEndian.Uint32(b[4:]), 8; version != 2 {
			return nil, fmt.Errorf("version %d of the format is not known", version)
		}
	}
	if len(b) < head+fanOut+2*idSize {
		return nil, errIndexShort
	}
	x := &packIndex{fan: b[head : head+fanOut]}
	last := uint32(0)
	for i := range 256 {
		n := x.below(i)
		if n < last {
			return nil, errors.New("its table of first bytes is not sorted")
		}
		last = n
	}
	x.count = int(last)
	rest := b[head+fanOut : len(b)-2*idSize]
	if version == 1 {
		x.stride, x.lead = idSize+4, 4
	} else {
		x.stride = idSize
	}
	size := int64(last) * int64(idSize+4)
	if version == 2 {
		size += int64(last) * 4 // checksums
	}
	if int64(len(rest)) < size {
		return nil, errIndexShort
	}
	x.entries = rest[:x.count*x.stride]
	if version == 2 {
		rest = rest[x.count*(idSize+4):]
		x.offsets, x.long = rest[:4*x.count], rest[4*x.count:]
	}
	return x, nil
}

var errIndexShort = errors.New("it is too short for what it says")

func (x *packIndex) below(i int) uint32 { return binary.BigEndian.Uint32(x.fan[4*i:]) }

// bucket returns the range of the entries whose id begins with a byte.
func (x *packIndex) bucket(first byte) (from, to int) {
	if first > 0 {
		from = int(x.below(int(first) - 1))
	}
	return from, int(x.below(int(first)))
}

// id returns the id of an entry, truncated to the 20 bytes that are used here.
func (x *packIndex) id(i int) []byte {
	at := i*x.stride + x.lead
	return x.entries[at : at+idSHA1]
}

// search returns the first entry whose id is not below key, which is not empty.
func (x *packIndex) search(key []byte) (at, end int) {
	from, to := x.bucket(key[0])
	end = to
	for from < to {
		mid := int(uint(from+to) >> 1)
		if bytes.Compare(x.id(mid), key) < 0 {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return from, end
}

// find returns the offset of an object in the pack.
func (x *packIndex) find(id plumbing.Hash) (off int64, ok bool) {
	i, end := x.search(id[:])
	if i == end || !bytes.Equal(x.id(i), id[:]) {
		return 0, false
	}
	return x.offset(i)
}

func (x *packIndex) offset(i int) (int64, bool) {
	if x.lead > 0 {
		return int64(binary.BigEndian.Uint32(x.entries[i*x.stride:])), true
	}
	v := binary.BigEndian.Uint32(x.offsets[4*i:])
	if v < 1<<31 {
		return int64(v), true
	}
	at := 8 * int64(v&^(1<<31))
	if at > int64(len(x.long))-8 {
		return -1, true // reported as an object outside the pack
	}
	return int64(binary.BigEndian.Uint64(x.long[at:])), true
}

// withPrefix calls yield for the ids that begin with the bytes.
func (x *packIndex) withPrefix(prefix []byte, yield func(plumbing.Hash)) {
	for i, end := x.search(prefix); i < end && bytes.HasPrefix(x.id(i), prefix); i++ {
		yield(plumbing.Hash(x.id(i)))
	}
}
