package diffterms

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

// patch hashes what a change adds and removes.
type patch struct {
	sum hash.Hash // nil where nothing was added yet
	buf []byte
}

// file adds a file. Line numbers, unchanged lines and white space are left out, so
// that the same change on another branch gives the same sum.
func (p *patch) file(f *File) {
	if !f.Opaque && len(f.Hunks) == 0 {
		return
	}
	if p.sum == nil {
		p.sum = sha256.New()
	}
	p.buf = append(p.buf[:0], f.From...)
	p.buf = append(append(append(p.buf, 0), f.Path...), 0)
	if f.Opaque {
		p.buf = append(append(p.buf, f.ID...), 0)
	}
	for _, h := range f.Hunks {
		p.add('-', h.Removed)
		p.add('+', h.Added)
	}
	p.sum.Write(p.buf)
}

func (p *patch) add(side byte, text []byte) {
	if len(text) == 0 {
		return
	}
	p.buf = append(p.buf, side)
	for _, c := range text {
		if c == ' ' || c-'\t' < 5 { // \t \n \v \f \r
			continue
		}
		p.buf = append(p.buf, c)
	}
	if len(p.buf) > 1<<16 {
		p.sum.Write(p.buf)
		p.buf = p.buf[:0]
	}
}

// id ends a patch, and is "" for an empty one.
func (p *patch) id() string {
	if p.sum == nil {
		return ""
	}
	id := hex.EncodeToString(p.sum.Sum(nil)[:16])
	p.sum = nil
	return id
}
