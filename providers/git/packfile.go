package git

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/gitmem/gitmem/internal/mmap"
)

const (
	packHeader = 12
	// maxHeader is the longest header of an entry: ten bytes of type and size, and an id or ten bytes of offset.
	maxHeader = 10 + idSHA256
)

// pack is one pack and its index. The files are opened on first use and stay open until close; goroutines may
// share both.
type pack struct {
	path   string // without the suffix
	idSize int

	indexOnce sync.Once
	indexFile *file
	index     *packIndex
	indexErr  error

	dataOnce sync.Once
	data     *file
	dataErr  error
}

// find looks up an object. An index that can't be read is an error.
func (p *pack) find(id plumbing.Hash) (off int64, ok bool, err error) {
	x, err := p.openIndex()
	if err != nil {
		return 0, false, err
	}
	off, ok = x.find(id)
	return off, ok, nil
}

func (p *pack) openIndex() (*packIndex, error) {
	p.indexOnce.Do(func() {
		if p.indexFile, p.indexErr = openFile(p.path + ".idx"); p.indexErr != nil {
			return
		}
		b, err := p.indexFile.all()
		if err == nil {
			p.index, err = parseIndex(b, p.idSize)
		}
		if err != nil {
			p.indexErr = fmt.Errorf("%s.idx: %w", p.path, err)
		}
	})
	return p.index, p.indexErr
}

func (p *pack) openData() (*file, error) {
	p.dataOnce.Do(func() {
		if p.data, p.dataErr = openFile(p.path + ".pack"); p.dataErr != nil {
			return
		}
		head := p.data.slice(0, packHeader)
		if len(head) < packHeader || !strings.HasPrefix(string(head), "PACK") || head[4] != 0 || head[5] != 0 ||
			head[6] != 0 || head[7] != 2 && head[7] != 3 {
			p.dataErr = fmt.Errorf("%s.pack does not begin like a pack of version 2 or 3", p.path)
		}
	})
	return p.data, p.dataErr
}

// gone reports whether the files were removed before they could be opened.
func (p *pack) gone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// release releases the memory of the pages that were read.
func (p *pack) release() {
	if f, err := p.openData(); err == nil && f.f == nil {
		mmap.Release(f.data)
	}
}

func (p *pack) close() {
	for _, f := range []*file{p.indexFile, p.data} {
		if f != nil {
			f.close()
		}
	}
}

// Types of pack entries that are not types of objects.
const (
	offsetDelta = plumbing.OFSDeltaObject
	refDelta    = plumbing.REFDeltaObject
)

// entry is the header of an object in a pack.
type entry struct {
	typ  plumbing.ObjectType
	size int64 // of the object, or of the delta
	data int64 // offset of the compressed bytes
	base int64 // of a delta: offset of its base
}

// entry reads the header of the object at off.
func (p *pack) entry(off int64) (e entry, err error) {
	f, err := p.openData()
	if err != nil {
		return e, err
	}
	end := f.size - int64(p.idSize) // a checksum follows the objects
	if off < packHeader || off >= end {
		return e, fmt.Errorf("it lies outside %s.pack", p.path)
	}
	b := f.slice(off, int(min(maxHeader, end-off)))
	n, err := e.parse(b)
	if err != nil {
		return e, err
	}
	switch e.typ {
	case plumbing.CommitObject, plumbing.TreeObject, plumbing.BlobObject, plumbing.TagObject:
	case offsetDelta:
		back, m, err := parseDistance(b[n:])
		if err != nil || back > off-packHeader {
			return e, errors.New("its base lies before the pack")
		}
		e.base, n = off-back, n+m
	case refDelta:
		if len(b) < n+p.idSize {
			return e, errEntryEnds
		}
		id := plumbing.Hash(b[n : n+idSHA1])
		base, ok, err := p.find(id)
		if err != nil || !ok {
			return e, fmt.Errorf("its base %s is not in %s.pack", id, p.path)
		}
		e.base, n = base, n+p.idSize
	default:
		return e, fmt.Errorf("%s.pack has an object of type %d at %d", p.path, e.typ, off)
	}
	e.data = off + int64(n)
	if e.size > maxExpansion*(end-e.data) {
		return e, errors.New("its size is larger than the pack can hold")
	}
	return e, nil
}

var errEntryEnds = errors.New("the pack ends within its head")

// parse decodes type and size: three bits and four, then seven per byte, the lowest first.
func (e *entry) parse(b []byte) (n int, err error) {
	for shift := 4; n < len(b); n++ {
		c := b[n]
		switch {
		case n == 0:
			e.typ, e.size = plumbing.ObjectType(c>>4&7), int64(c&15)
		case shift > 53:
			return 0, errors.New("its size has too many digits")
		default:
			e.size |= int64(c&0x7f) << shift
			shift += 7
		}
		if c < 0x80 {
			return n + 1, nil
		}
	}
	return 0, errEntryEnds
}

// parseDistance decodes the distance from a delta back to its base: seven bits per byte, the highest first,
// each further byte adding one so that no distance has two encodings.
func parseDistance(b []byte) (back int64, n int, err error) {
	for n < len(b) && n < 9 {
		c := b[n]
		if n > 0 {
			back++
		}
		back = back<<7 | int64(c&0x7f)
		n++
		if c < 0x80 {
			return back, n, nil
		}
	}
	return 0, 0, errEntryEnds
}
