package git

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// inMemory returns a file that is not on disk.
func inMemory(b []byte) *file { return &file{data: b, size: int64(len(b)), release: func() {}} }

// packOf returns a pack with an index, both from bytes.
func packOf(data []byte, x *packIndex, idSize int) *pack {
	p := &pack{path: "fuzz", idSize: idSize, indexFile: inMemory(nil), index: x, data: inMemory(data)}
	p.indexOnce.Do(func() {})
	p.dataOnce.Do(func() {})
	return p
}

// storesOf returns stores with a single pack.
func storesOf(p *pack) *stores {
	s := &stores{idSize: p.idSize, opened: []*pack{p}}
	s.packs.Store(&packList{packs: []*pack{p}})
	return s
}

// indexOf returns an index of version 2 of objects at offsets, with ids 1, 2, … in their last byte.
func indexOf(idSize int, offsets ...uint32) []byte {
	b := []byte(idxMagic + "\x00\x00\x00\x02")
	for range 256 {
		b = binary.BigEndian.AppendUint32(b, uint32(len(offsets)))
	}
	for i := range offsets {
		id := make([]byte, idSize)
		id[idSHA1-1] = byte(i + 1)
		b = append(b, id...)
	}
	b = append(b, make([]byte, 4*len(offsets))...)
	for _, off := range offsets {
		b = binary.BigEndian.AppendUint32(b, off)
	}
	return append(b, make([]byte, 2*idSize)...)
}

// packBuilder writes valid and invalid packs.
type packBuilder struct {
	b       []byte
	offsets []uint32
}

func newPackBuilder() *packBuilder {
	return &packBuilder{b: []byte("PACK\x00\x00\x00\x02\x00\x00\x00\x00")}
}

// add appends an object: its type, the size in its header, the bytes between its header and its stream, and
// the content of the stream.
func (p *packBuilder) add(typ plumbing.ObjectType, size int, between, content []byte) {
	p.offsets = append(p.offsets, uint32(len(p.b)))
	c, rest := byte(typ)<<4|byte(size&15), size>>4
	for ; rest > 0; rest >>= 7 {
		p.b = append(p.b, c|0x80)
		c = byte(rest & 0x7f)
	}
	p.b = append(append(p.b, c), between...)
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	_, _ = w.Write(content)
	_ = w.Close()
	p.b = append(p.b, z.Bytes()...)
}

func (p *packBuilder) bytes() []byte { return append(p.b, make([]byte, idSHA1)...) }

func (p *packBuilder) open(tb testing.TB) *objects {
	tb.Helper()
	x, err := parseIndex(indexOf(idSHA1, p.offsets...), idSHA1)
	if err != nil {
		tb.Fatal(err)
	}
	return newObjects(storesOf(packOf(p.bytes(), x, idSHA1)), baseCacheSize)
}

// nth returns the id of the n-th object of a pack, from 1.
func nth(n byte) (id plumbing.Hash) {
	id[idSHA1-1] = n
	return id
}

// sizes returns the beginning of a delta.
func sizes(from, to uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, from), to)
}

// copyAll returns the instruction to copy n < 1<<24 bytes from the start of the base.
func copyAll(n int) []byte { return []byte{0xf0, byte(n), byte(n >> 8), byte(n >> 16)} }

// TestHostilePacks tests packs that git never writes.
func TestHostilePacks(t *testing.T) {
	t.Parallel()
	blob := bytes.Repeat([]byte("b"), 1000)
	ref := func(n byte) []byte { id := nth(n); return id[:] }
	for name, c := range map[string]struct {
		build func(p *packBuilder)
		want  error
		says  string
	}{
		"circle of two": {func(p *packBuilder) {
			d := append(sizes(1000, 1000), copyAll(1000)...)
			p.add(refDelta, len(d), ref(2), d)
			p.add(refDelta, len(d), ref(1), d)
		}, errCorrupt, "circle"},
		"its own base": {func(p *packBuilder) {
			d := append(sizes(1000, 1000), copyAll(1000)...)
			p.add(refDelta, len(d), ref(1), d)
		}, errCorrupt, "circle"},
		"no base": {func(p *packBuilder) { p.add(refDelta, 4, ref(9), sizes(1000, 1000)) }, errCorrupt, "is not in"},
		"base before the pack": {func(p *packBuilder) {
			p.add(offsetDelta, 4, []byte{100}, sizes(1000, 1000))
		}, errCorrupt, "before the pack"},
		"base in the header": {func(p *packBuilder) {
			p.add(offsetDelta, 4, []byte{1}, sizes(1000, 1000))
		}, errCorrupt, "before the pack"},
		"promises 1 TB": {func(p *packBuilder) {
			p.add(plumbing.BlobObject, 1<<40, nil, blob)
		}, errCorrupt, "larger than the pack"},
		"promises 1 MB": {func(p *packBuilder) {
			p.add(plumbing.BlobObject, 1<<20, nil, blob)
		}, errCorrupt, "larger than the pack"},
		"promises too much": {func(p *packBuilder) {
			p.add(plumbing.BlobObject, 1001, nil, blob)
		}, errCorrupt, "1 bytes are missing"},
		"promises too little": {func(p *packBuilder) { p.add(plumbing.BlobObject, 999, nil, blob) }, errCorrupt, "longer"},
		"unknown type":        {func(p *packBuilder) { p.add(5, 1000, nil, blob) }, errCorrupt, "type 5"},
		"makes 1 TB": {func(p *packBuilder) {
			d := sizes(1000, 1<<40)
			p.add(refDelta, len(d), ref(2), d)
			p.add(plumbing.BlobObject, 1000, nil, blob)
		}, ErrTooLarge, "bytes"},
		"large result of a large delta": {func(p *packBuilder) {
			d := append(sizes(1000, 1<<40), make([]byte, maxBuffer+1)...)
			p.add(refDelta, len(d), ref(2), d)
			p.add(plumbing.BlobObject, 1000, nil, blob)
		}, ErrTooLarge, "1099511627776 bytes"},
		"bomb": {func(p *packBuilder) { bomb(p) }, errCorrupt, "costs too much"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPackBuilder()
			c.build(p)
			_, _, err := p.open(t).get(nth(1), maxBlob)
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) ||
				!strings.Contains(err.Error(), nth(1).String()) {
				t.Errorf("%v; want one that is %v, names the object and says %q", err, c.want, c.says)
			}
		})
	}
}

// bomb builds a chain of deltas that copy 15 MB each: some hundred bytes in the pack cause 3 GB of work.
func bomb(p *packBuilder) {
	const size = 15 << 20
	d := append(sizes(size, size), copyAll(size)...)
	for n := range 200 {
		id := nth(byte(n + 2))
		p.add(refDelta, len(d), id[:], d)
	}
	p.add(plumbing.BlobObject, size, nil, make([]byte, size))
}

func TestChainOfDeltas(t *testing.T) {
	t.Parallel()
	p := newPackBuilder()
	for n := range 100 { // each repeats its base and adds a letter
		d := append(append(sizes(uint64(100-n), uint64(101-n)), copyAll(100-n)...), 1, 'a')
		id := nth(byte(n + 2))
		p.add(refDelta, len(d), id[:], d)
	}
	p.add(plumbing.TreeObject, 1, nil, []byte("z"))
	o := p.open(t)
	for _, n := range []byte{1, 50, 101, 1} {
		typ, b, err := o.get(nth(n), maxTree)
		want := "z" + strings.Repeat("a", 101-int(n))
		if typ != plumbing.TreeObject || string(b) != want || err != nil {
			t.Errorf("object %d: %s %q, %v", n, typ, b, err)
		}
	}
}

func FuzzPack(f *testing.F) {
	for _, build := range []func(*packBuilder){
		func(p *packBuilder) { p.add(plumbing.BlobObject, 3, nil, []byte("abc")) },
		func(p *packBuilder) {
			id := nth(2)
			d := append(sizes(3, 5), 0x90, 3, 2, 'x', 'y')
			p.add(refDelta, len(d), id[:], d)
			p.add(plumbing.TreeObject, 3, nil, []byte("abc"))
			p.add(offsetDelta, len(d), []byte{byte(len(p.b)) - byte(p.offsets[1])}, d)
		},
	} {
		p := newPackBuilder()
		build(p)
		f.Add(p.bytes(), indexOf(idSHA1, p.offsets...), false)
		f.Add(p.bytes(), indexOf(idSHA256, p.offsets...), true)
	}
	f.Add([]byte{}, []byte("\xfftOc\x00\x00\x00\x02"), false)
	odd := indexOf(idSHA1, 12, 30) // its first byte is the same as that of version 2
	odd[7] = 1
	f.Add(newPackBuilder().bytes(), odd, false)
	f.Fuzz(func(t *testing.T, data, index []byte, long bool) {
		idSize := idSHA1
		if long {
			idSize = idSHA256
		}
		x, err := parseIndex(index, idSize)
		if err != nil {
			return
		}
		o := newObjects(storesOf(packOf(data, x, idSize)), baseCacheSize)
		ids := []plumbing.Hash{nth(1), nth(2), nth(3)}
		x.withPrefix([]byte{0}, func(id plumbing.Hash) { ids = append(ids, id) })
		for _, id := range ids[:min(len(ids), 8)] {
			const limit = 1 << 16
			typ, b, err := o.get(id, limit)
			if err == nil && (len(b) > limit || !typ.Valid()) {
				t.Errorf("%s: %s of %d bytes", id, typ, len(b))
			}
			again, b2, err3 := o.get(id, limit)
			if (err == nil) != (err3 == nil) || err == nil && (again != typ || !bytes.Equal(b, b2)) {
				t.Errorf("%s: read twice: %v and %v", id, err, err3)
			}
		}
	})
}

func FuzzDelta(f *testing.F) {
	f.Add([]byte("abc"), append(sizes(3, 5), 0x90, 3, 2, 'x', 'y'))
	f.Add([]byte("abc"), append(sizes(3, 70000), 0x80))
	f.Add([]byte{}, []byte{0, 0})
	f.Add([]byte("abc"), append(sizes(3, 3), 0x8f, 0xff, 0xff, 0xff, 0xff))
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		const limit = 1 << 20
		before := slices.Clone(base)
		out, err := applyDelta(base, delta, limit)
		size, err2 := deltaSize(delta)
		if err == nil && (err2 != nil || int64(len(out)) != size || len(out) > limit) {
			t.Errorf("%d bytes, the delta says %d, %v", len(out), size, err2)
		}
		if !bytes.Equal(base, before) {
			t.Error("the base was changed")
		}
	})
}

// FuzzPackIndex compares the search with a scan of all entries.
func FuzzPackIndex(f *testing.F) {
	f.Add(indexOf(idSHA1, 12, 1<<31, 30), []byte{0}, false)
	f.Add(indexOf(idSHA256, 12), []byte{0, 0}, true)
	f.Add(make([]byte, fanOut+2*idSHA1), []byte{7}, false)
	f.Fuzz(func(t *testing.T, b, prefix []byte, long bool) {
		idSize := idSHA1
		if long {
			idSize = idSHA256
		}
		x, err := parseIndex(b, idSize)
		if err != nil || len(prefix) == 0 || len(prefix) > idSHA1 {
			return
		}
		sorted := true
		for i := range x.count {
			x.offset(i)
			from, to := x.bucket(x.id(i)[0])
			sorted = sorted && from <= i && i < to && (i == 0 || bytes.Compare(x.id(i-1), x.id(i)) < 0)
		}
		var got, want []plumbing.Hash
		x.withPrefix(prefix, func(id plumbing.Hash) { got = append(got, id) })
		for i := range x.count {
			if bytes.HasPrefix(x.id(i), prefix) {
				want = append(want, plumbing.Hash(x.id(i)))
			}
			if _, ok := x.find(plumbing.Hash(x.id(i))); sorted && !ok {
				t.Errorf("entry %d is not found", i)
			}
		}
		if sorted && !slices.Equal(got, want) {
			t.Errorf("%d ids with the prefix, want %d", len(got), len(want))
		}
	})
}

// FuzzPackedRefs compares the search in a sorted list with a scan of all lines.
func FuzzPackedRefs(f *testing.F) {
	f.Add("# pack-refs with: peeled fully-peeled sorted \n1 refs/heads/a\n2 refs/tags/v1\n^3\n", "refs/tags/v1", 400)
	f.Add("1 a\n", "a", 1)
	f.Add("^\n^\n\n", "", 9)
	f.Fuzz(func(t *testing.T, text, name string, times int) {
		_, _ = findPacked([]byte(text), name)
		var names []string
		for i := range min(max(times, 0), 2000) {
			names = append(names, name+strings.Repeat("x", i%9)+string(rune('a'+i%26))+strings.Repeat("y", i/99))
		}
		if strings.ContainsAny(name, " \n\r") {
			return
		}
		slices.Sort(names)
		names = slices.Compact(names)
		b := []byte("# pack-refs with: peeled sorted \n")
		for i, n := range names {
			b = append(b, "id-"+n+" "+n+"\n"...)
			if i%3 == 0 {
				b = append(b, "^peeled\n"...)
			}
		}
		for _, n := range names {
			if id, ok := findPacked(b, n); !ok || id != "id-"+n {
				t.Fatalf("%q is found as %q, %v", n, id, ok)
			}
		}
		if _, ok := findPacked(b, name+"zzz"); ok {
			t.Error("found what is not there")
		}
	})
}

func FuzzLooseHead(f *testing.F) {
	for _, s := range []string{"blob 3\x00abc", "commit 0\x00", "tree -1\x00", "tag 99999999999999999999\x00", "blob 3",
		" \x00", "blob\x003"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		typ, size, rest, err := parseLooseHead(b)
		if err == nil && (size < 0 || !typ.Valid() || len(rest) >= len(b)) {
			t.Errorf("%v, %d bytes, %q", typ, size, rest)
		}
	})
}
