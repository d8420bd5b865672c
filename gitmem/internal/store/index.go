package store

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"sort"
	"strings"
)

// indexFile is git's index (gitformat-index): versions 2, 3 and 4 are read,
// and written back byte by byte if nothing changes. A changed version 4 is
// written as version 3 or 2, whose entries do not depend on each other.
type indexFile struct {
	entries  []indexEntry
	exts     []indexExt
	version  uint32 // to be written: 2 or 3
	extended bool   // some entry has the further flags of version 3
	noSum    bool   // index.skipHash: the checksum is left zero
	raw      []byte
	changed  bool
	end      int        // of the entries in raw; 0 if they do not lie there as they are to be written
	moved    bool       // entries have come or gone since
	tree     *cacheTree // of the TREE extension, nil without or if it is damaged
}

// indexEntry is one entry in the form of version 2 and 3, padding included.
type indexEntry struct {
	raw  []byte
	name []byte
}

type indexExt struct {
	sig  string
	data []byte
}

// statData is what git remembers of a file, beside size, mode and mtime, to
// see that it has not changed.
type statData struct{ ctimeSec, ctimeNsec, dev, ino, uid, gid uint32 }

// Byte offsets in an entry.
const (
	offMtime = 8
	offDev   = 16
	offIno   = 20
	offMode  = 24
	offUID   = 28
	offSize  = 36
	offID    = 40
	offFlags = 60
	offName  = 62 // two more if there are extended flags
)

const (
	flagExtended = 0x4000
	flagStage    = 0x3000
	flagNameMask = 0x0fff
)

// errIndexForm says that the index is sound but has a required extension that
// is not understood here: a split or a sparse index.
var errIndexForm = errors.New("index has a required extension")

var errIndexDamaged = errors.New("damaged index")

func (e indexEntry) flags() uint16 { return binary.BigEndian.Uint16(e.raw[offFlags:]) }
func (e indexEntry) stage() int    { return int(e.flags()&flagStage) >> 12 }
func (e indexEntry) mode() uint32  { return binary.BigEndian.Uint32(e.raw[offMode:]) }
func (e indexEntry) id() (h hash)  { copy(h[:], e.raw[offID:]); return h }

// parseIndex reads an index file. It keeps b, and writes to it.
func parseIndex(b []byte) (*indexFile, error) {
	if len(b) < 12+sha1.Size || string(b[:4]) != "DIRC" {
		return nil, fmt.Errorf("%w: no header", errIndexDamaged)
	}
	body, sum := b[:len(b)-sha1.Size], b[len(b)-sha1.Size:]
	ix := &indexFile{raw: b, noSum: bytes.Equal(sum, make([]byte, sha1.Size))}
	// The sum of a large index takes as long as its parsing, so both go on at once.
	got := make(chan [sha1.Size]byte, 1)
	go func() { got <- sha1.Sum(body) }()
	err := ix.parse(body)
	if is := <-got; !ix.noSum && !bytes.Equal(is[:], sum) {
		return nil, fmt.Errorf("%w: wrong checksum", errIndexDamaged)
	}
	if err != nil {
		return nil, err
	}
	return ix, nil
}

// parse reads what lies before the checksum.
func (ix *indexFile) parse(body []byte) error {
	version := binary.BigEndian.Uint32(body[4:])
	count := int(binary.BigEndian.Uint32(body[8:]))
	if version < 2 || version > 4 {
		return fmt.Errorf("%w: version %d", errIndexForm, version)
	}
	if count > len(body)/(offName+1) && version < 4 || count > len(body) {
		return fmt.Errorf("%w: %d entries", errIndexDamaged, count)
	}
	rest, err := ix.parseEntries(body[12:], count, version)
	if err != nil {
		return err
	}
	if version < 4 {
		ix.end = len(body) - len(rest)
	}
	return ix.parseExtensions(rest)
}

func (ix *indexFile) parseEntries(b []byte, count int, version uint32) ([]byte, error) {
	ix.entries = make([]indexEntry, 0, count)
	var prev indexEntry
	for range count {
		var e indexEntry
		var n int
		if version == 4 {
			e, n = parseEntry4(b, prev.name)
		} else {
			e, n = parseEntry(b)
		}
		if n == 0 || prev.raw != nil && compareIndex(prev, e) >= 0 {
			return nil, fmt.Errorf("%w: entry %d", errIndexDamaged, len(ix.entries))
		}
		if e.flags()&flagExtended != 0 {
			if version == 2 {
				return nil, fmt.Errorf("%w: entry %d has flags of version 3", errIndexDamaged, len(ix.entries))
			}
			ix.extended = true
		}
		ix.entries = append(ix.entries, e)
		prev, b = e, b[n:]
	}
	if ix.version = version; version == 4 {
		ix.version = 2
	}
	if ix.extended {
		ix.version = 3
	}
	return b, nil
}

// fixedLen returns the length of the part before the name, 0 if b is too short.
func fixedLen(b []byte) int {
	if len(b) < offName {
		return 0
	}
	if binary.BigEndian.Uint16(b[offFlags:])&flagExtended == 0 {
		return offName
	}
	if len(b) < offName+2 {
		return 0
	}
	return offName + 2
}

// parseEntry reads an entry of version 2 or 3 and returns its padded length,
// 0 if it is damaged.
func parseEntry(b []byte) (indexEntry, int) {
	at := fixedLen(b)
	if at == 0 {
		return indexEntry{}, 0
	}
	length := bytes.IndexByte(b[at:], 0)
	if length <= 0 || !nameLengthFits(b, length) {
		return indexEntry{}, 0
	}
	size := paddedLen(at + length)
	if size > len(b) {
		return indexEntry{}, 0
	}
	for _, c := range b[at+length : size] {
		if c != 0 {
			return indexEntry{}, 0
		}
	}
	return indexEntry{raw: b[:size:size], name: b[at : at+length]}, size
}

// parseEntry4 reads an entry of version 4, whose name is given as what it does
// not share with the one before, and turns it into the form of version 3.
func parseEntry4(b, prev []byte) (indexEntry, int) {
	at := fixedLen(b)
	if at == 0 {
		return indexEntry{}, 0
	}
	strip, n := readOffset(b[at:])
	if n == 0 || strip > uint64(len(prev)) {
		return indexEntry{}, 0
	}
	length := bytes.IndexByte(b[at+n:], 0)
	if length < 0 {
		return indexEntry{}, 0
	}
	name := append(bytes.Clone(prev[:len(prev)-int(strip)]), b[at+n:at+n+length]...)
	if len(name) == 0 || !nameLengthFits(b, len(name)) {
		return indexEntry{}, 0
	}
	return makeEntry(b[:at], name), at + n + length + 1
}

func nameLengthFits(fixed []byte, n int) bool {
	said := int(binary.BigEndian.Uint16(fixed[offFlags:]) & flagNameMask)
	return said == min(n, flagNameMask)
}

// readOffset reads git's variable-length number (as in pack offset deltas).
func readOffset(b []byte) (v uint64, n int) {
	for n < len(b) && n < 9 {
		c := b[n]
		n++
		v = v<<7 | uint64(c&0x7f)
		if c&0x80 == 0 {
			return v, n
		}
		v++
	}
	return 0, 0
}

// paddedLen rounds an entry up to a multiple of 8 with at least one NUL.
func paddedLen(n int) int { return n + 8 - n%8 }

func makeEntry(fixed, name []byte) indexEntry {
	raw := make([]byte, paddedLen(len(fixed)+len(name)))
	copy(raw, fixed)
	copy(raw[len(fixed):], name)
	return indexEntry{raw: raw, name: raw[len(fixed) : len(fixed)+len(name)]}
}

// newEntry makes an entry at stage 0. Without a FileInfo the stat part is zero:
// git then compares the content once.
func newEntry(path string, mode uint32, id hash, fi fs.FileInfo) indexEntry {
	var fixed [offName]byte
	if fi != nil {
		putStat(fixed[:], fi)
	}
	binary.BigEndian.PutUint32(fixed[offMode:], mode)
	copy(fixed[offID:], id[:])
	binary.BigEndian.PutUint16(fixed[offFlags:], uint16(min(len(path), flagNameMask)))
	return makeEntry(fixed[:], []byte(path))
}

func putStat(b []byte, fi fs.FileInfo) {
	st, mtime := sysStat(fi), fi.ModTime()
	for i, v := range []uint32{st.ctimeSec, st.ctimeNsec, uint32(mtime.Unix()), uint32(mtime.Nanosecond()), st.dev, st.ino} {
		binary.BigEndian.PutUint32(b[4*i:], v)
	}
	binary.BigEndian.PutUint32(b[offUID:], st.uid)
	binary.BigEndian.PutUint32(b[offUID+4:], st.gid)
	binary.BigEndian.PutUint32(b[offSize:], uint32(fi.Size()))
}

// sameStat says whether a file looks as it did when the entry was made. As in
// git, the device does not count: it can change with each mount.
func (e indexEntry) sameStat(fi fs.FileInfo) bool {
	var now [offName]byte
	putStat(now[:], fi)
	return bytes.Equal(e.raw[:offDev], now[:offDev]) && bytes.Equal(e.raw[offIno:offMode], now[offIno:offMode]) &&
		bytes.Equal(e.raw[offUID:offID], now[offUID:offID])
}

// compareIndex is the order of entries: name, then stage.
func compareIndex(a, b indexEntry) int {
	if c := bytes.Compare(a.name, b.name); c != 0 {
		return c
	}
	return a.stage() - b.stage()
}

func (ix *indexFile) parseExtensions(b []byte) error {
	for len(b) > 0 {
		if len(b) < 8 {
			return fmt.Errorf("%w: extension", errIndexDamaged)
		}
		size := uint64(binary.BigEndian.Uint32(b[4:]))
		if size > uint64(len(b)-8) {
			return fmt.Errorf("%w: extension %q", errIndexDamaged, b[:4])
		}
		sig := string(b[:4])
		if sig[0] < 'A' || sig[0] > 'Z' {
			return fmt.Errorf("%w: %q", errIndexForm, sig)
		}
		ix.exts = append(ix.exts, indexExt{sig, b[8 : 8+size]})
		if sig == "TREE" {
			ix.tree = parseCacheTree(b[8 : 8+size])
		}
		b = b[8+size:]
	}
	return nil
}

// bytes returns the file: as it was read if nothing has been changed. It is to
// be called once: entries that stayed where they were are not copied, which
// matters with many.
func (ix *indexFile) bytes() []byte {
	if !ix.changed {
		return ix.raw
	}
	var tail []byte // first, for it may lie where it will be put
	for _, x := range ix.exts {
		tail = binary.BigEndian.AppendUint32(append(tail, x.sig...), uint32(len(x.data)))
		tail = append(tail, x.data...)
	}
	b := append(ix.head(len(tail)+sha1.Size), tail...)
	if ix.noSum {
		return append(b, make([]byte, sha1.Size)...)
	}
	sum := sha1.Sum(b)
	return append(b, sum[:]...)
}

// head returns header and entries, with room for more bytes.
func (ix *indexFile) head(more int) []byte {
	if ix.end > 0 && !ix.moved {
		return ix.raw[:ix.end]
	}
	size := 12 + more
	for _, e := range ix.entries {
		size += len(e.raw)
	}
	b := binary.BigEndian.AppendUint32(append(make([]byte, 0, size), "DIRC"...), ix.version)
	b = binary.BigEndian.AppendUint32(b, uint32(len(ix.entries)))
	for _, e := range ix.entries {
		b = append(b, e.raw...)
	}
	return b
}

// search returns the position of the first entry that is not before name.
func (ix *indexFile) search(name string) int {
	return sort.Search(len(ix.entries), func(i int) bool { return string(ix.entries[i].name) >= name })
}

// find returns the entry of a path at stage 0, and whether the path is
// unmerged instead.
func (ix *indexFile) find(path string) (e indexEntry, ok, unmerged bool) {
	i := ix.search(path)
	if i == len(ix.entries) || string(ix.entries[i].name) != path {
		return e, false, false
	}
	e = ix.entries[i]
	return e, e.stage() == 0, e.stage() != 0
}

// under returns the range of the entries in a folder ("" or with a slash).
func (ix *indexFile) under(dir string) (from, to int) {
	if dir == "" {
		return 0, len(ix.entries)
	}
	from = ix.search(dir)
	to = from + sort.Search(len(ix.entries)-from, func(i int) bool {
		return !strings.HasPrefix(string(ix.entries[from+i].name), dir)
	})
	return from, to
}
