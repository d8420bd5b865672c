package index

import (
	"crypto/sha256"
	"encoding/binary"
)

// Hash is the content hash that a row stores of a document: the first eight bytes of the
// SHA-256 of its text, or of title, a line break and text if it has a title.
func (d *Doc) Hash() uint64 {
	text := d.Text
	if d.Title != "" {
		text = d.Title + "\n" + text
	}
	sum := sha256.Sum256([]byte(text))
	return binary.BigEndian.Uint64(sum[:])
}

// HashOf returns the content hash of row i, see [Doc.Hash].
func (s *Snapshot) HashOf(i int) uint64 { return s.t.at(colHash, i) }
