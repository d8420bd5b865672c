package store

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sort"
	"time"
)

// indexFile is git's index (gitformat-index) in version 2 or 3. A changed index is written without extensions: all of
// them are optional, and git creates them again.
type indexFile struct {
	entries []indexEntry
	version uint32
	noSum   bool // index.skipHash: the checksum is zero
	raw     []byte
	changed bool
	written time.Time
}

// indexEntry is one entry as stored in the file, padding included.
type indexEntry struct {
	raw  []byte
	name []byte
}

// statData is what git records of a file, besides size, mode and mtime, to detect changes.
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
	offName  = 62 // two bytes later with extended flags
)

const (
	flagExtended = 0x4000
	flagStage    = 0x3000
	flagNameMask = 0x0fff

	extendedSkip = 0x4000 // of the extended flags: skip-worktree
)

// errIndexForm means that the index is valid but has a form that only git writes: version 4, or a required extension,
// as in a split or sparse index.
var errIndexForm = errors.New("index of a form that only git writes")

var errIndexDamaged = errors.New("damaged index")

func (e indexEntry) flags() uint16 { return binary.BigEndian.Uint16(e.raw[offFlags:]) }
func (e indexEntry) stage() int    { return int(e.flags()&flagStage) >> 12 }
func (e indexEntry) mode() uint32  { return binary.BigEndian.Uint32(e.raw[offMode:]) }
func (e indexEntry) size() uint32  { return binary.BigEndian.Uint32(e.raw[offSize:]) }
func (e indexEntry) id() (h hash)  { copy(h[:], e.raw[offID:]); return h }

// parseIndex parses an index file. It keeps and modifies b.
func parseIndex(b []byte) (*indexFile, error) {
	if len(b) < 12+sha1.Size || string(b[:4]) != "DIRC" {
		return nil, fmt.Errorf("%w: no header", errIndexDamaged)
	}
	body, want := b[:len(b)-sha1.Size], b[len(b)-sha1.Size:]
	ix := &indexFile{raw: b, version: binary.BigEndian.Uint32(b[4:]), noSum: bytes.Equal(want, make([]byte, sha1.Size))}
	if sum := sha1.Sum(body); !ix.noSum && !bytes.Equal(sum[:], want) {
		return nil, fmt.Errorf("%w: wrong checksum", errIndexDamaged)
	}
	if ix.version != 2 && ix.version != 3 {
		return nil, fmt.Errorf("%w: version %d", errIndexForm, ix.version)
	}
	rest, err := ix.parseEntries(body[12:], int(binary.BigEndian.Uint32(body[8:])))
	if err != nil {
		return nil, err
	}
	return ix, checkExtensions(rest)
}

func (ix *indexFile) parseEntries(b []byte, count int) ([]byte, error) {
	if count > len(b)/(offName+1) {
		return nil, fmt.Errorf("%w: %d entries", errIndexDamaged, count)
	}
	ix.entries = make([]indexEntry, 0, count)
	var prev indexEntry
	for range count {
		e, n := parseEntry(b)
		if n == 0 || prev.raw != nil && compareIndex(prev, e) >= 0 || ix.version == 2 && e.flags()&flagExtended != 0 {
			return nil, fmt.Errorf("%w: entry %d", errIndexDamaged, len(ix.entries))
		}
		ix.entries = append(ix.entries, e)
		prev, b = e, b[n:]
	}
	return b, nil
}

// checkExtensions rejects an extension that must not be ignored.
func checkExtensions(b []byte) error {
	for len(b) > 0 {
		if len(b) < 8 || uint64(binary.BigEndian.Uint32(b[4:])) > uint64(len(b)-8) {
			return fmt.Errorf("%w: extension", errIndexDamaged)
		}
		if b[0] < 'A' || b[0] > 'Z' {
			return fmt.Errorf("%w: %q", errIndexForm, b[:4])
		}
		b = b[8+binary.BigEndian.Uint32(b[4:]):]
	}
	return nil
}

// parseEntry parses an entry and returns its padded length, 0 if it is damaged.
func parseEntry(b []byte) (indexEntry, int) {
	if len(b) < paddedLen(offName) {
		return indexEntry{}, 0
	}
	flags, at := binary.BigEndian.Uint16(b[offFlags:]), offName
	if flags&flagExtended != 0 {
		at += 2
	}
	length := bytes.IndexByte(b[at:], 0)
	size := paddedLen(at + length)
	if length <= 0 || int(flags&flagNameMask) != min(length, flagNameMask) || size > len(b) ||
		len(bytes.Trim(b[at+length:size], "\x00")) > 0 {
		return indexEntry{}, 0
	}
	return indexEntry{raw: b[:size:size], name: b[at : at+length]}, size
}

// paddedLen rounds an entry up to a multiple of 8 with at least one NUL.
func paddedLen(n int) int { return n + 8 - n%8 }

// newEntry creates an entry at stage 0. Without a FileInfo the stat part is zero: git then compares the content once.
func newEntry(path string, mode uint32, id hash, fi fs.FileInfo) indexEntry {
	raw := make([]byte, paddedLen(offName+len(path)))
	if fi != nil {
		putStat(raw, fi)
	}
	binary.BigEndian.PutUint32(raw[offMode:], mode)
	copy(raw[offID:], id[:])
	binary.BigEndian.PutUint16(raw[offFlags:], uint16(min(len(path), flagNameMask)))
	return indexEntry{raw: raw, name: raw[offName : offName+copy(raw[offName:], path)]}
}

// isSkipped reports whether git leaves the path out of the work tree, so that a file there is not its file.
func (e indexEntry) isSkipped() bool {
	return e.flags()&flagExtended != 0 && binary.BigEndian.Uint16(e.raw[offName:])&extendedSkip != 0
}

// skipped returns an entry that has no extended flags with the skip-worktree flag set. It needs version 3.
func (e indexEntry) skipped() indexEntry {
	raw := make([]byte, paddedLen(offName+2+len(e.name)))
	copy(raw, e.raw[:offName])
	binary.BigEndian.PutUint16(raw[offFlags:], e.flags()|flagExtended)
	binary.BigEndian.PutUint16(raw[offName:], extendedSkip)
	at := offName + 2
	return indexEntry{raw: raw, name: raw[at : at+copy(raw[at:], e.name)]}
}

func putStat(b []byte, fi fs.FileInfo) {
	st, mtime := sysStat(fi), fi.ModTime()
	for i, v := range []uint32{st.ctimeSec, st.ctimeNsec, uint32(mtime.Unix()), uint32(mtime.Nanosecond()),
		st.dev, st.ino} {
		binary.BigEndian.PutUint32(b[4*i:], v)
	}
	binary.BigEndian.PutUint32(b[offUID:], st.uid)
	binary.BigEndian.PutUint32(b[offUID+4:], st.gid)
	binary.BigEndian.PutUint32(b[offSize:], uint32(fi.Size()))
}

// sameStat reports whether the stat data of a file match the entry. As in git, the device is ignored: it can change
// with each mount.
func (e indexEntry) sameStat(fi fs.FileInfo) bool {
	var now [offName]byte
	putStat(now[:], fi)
	return bytes.Equal(e.raw[:offDev], now[:offDev]) && bytes.Equal(e.raw[offIno:offMode], now[offIno:offMode]) &&
		bytes.Equal(e.raw[offUID:offID], now[offUID:offID])
}

// compareIndex orders entries by name, then stage.
func compareIndex(a, b indexEntry) int {
	if c := bytes.Compare(a.name, b.name); c != 0 {
		return c
	}
	return a.stage() - b.stage()
}

// bytes returns the encoded file: the original bytes if nothing has changed.
func (ix *indexFile) bytes() []byte {
	if !ix.changed {
		return ix.raw
	}
	b := binary.BigEndian.AppendUint32(append(make([]byte, 0, len(ix.raw)+1024), "DIRC"...), ix.version)
	b = binary.BigEndian.AppendUint32(b, uint32(len(ix.entries)))
	for _, e := range ix.entries {
		b = append(b, e.raw...)
	}
	var sum [sha1.Size]byte
	if !ix.noSum {
		sum = sha1.Sum(b)
	}
	return append(b, sum[:]...)
}

// find returns the entry of a path at stage 0, and whether the path is unmerged instead.
func (ix *indexFile) find(path string) (e indexEntry, ok, unmerged bool) {
	i := sort.Search(len(ix.entries), func(i int) bool { return string(ix.entries[i].name) >= path })
	if i == len(ix.entries) || string(ix.entries[i].name) != path {
		return e, false, false
	}
	e = ix.entries[i]
	return e, e.stage() == 0, e.stage() != 0
}

// indexChange sets the entry of a path, or removes it if entry is nil.
type indexChange struct {
	path  string
	entry *indexEntry
}

// edit applies changes, at most one for each path. A path that becomes a file replaces the entries below it, and a path
// in a folder replaces a file with the folder's name, as in git.
func (ix *indexFile) edit(changes []indexChange) {
	ix.changed = true
	gone, added := map[string]bool{}, map[string]bool{}
	var entries []indexEntry
	for _, c := range changes {
		gone[c.path] = true
		if c.entry == nil {
			continue
		}
		added[c.path] = true
		entries = append(entries, *c.entry)
		for dir := path.Dir(c.path); dir != "."; dir = path.Dir(dir) {
			gone[dir] = true
		}
	}
	for _, e := range ix.entries {
		if name := string(e.name); !gone[name] && !below(name, added) {
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, compareIndex)
	ix.entries = entries
}

// below reports whether a path is below one of the others.
func below(name string, paths map[string]bool) bool {
	for i := range len(name) {
		if name[i] == '/' && paths[name[:i]] {
			return true
		}
	}
	return false
}

// smudge makes git compare the contents of files that changed in the same second in which the index was written, or
// later. Their stat data do not reveal a later change in the same second, and the new index will be younger. This is
// git's rule for "racily clean" entries.
func (ix *indexFile) smudge(written time.Time) {
	limit := uint32(written.Unix())
	for _, e := range ix.entries {
		if binary.BigEndian.Uint32(e.raw[offMtime:]) < limit || binary.BigEndian.Uint32(e.raw[offSize:]) == 0 {
			continue
		}
		binary.BigEndian.PutUint32(e.raw[offSize:], 0)
		ix.changed = true
	}
}
