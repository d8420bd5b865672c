package index

import (
	"crypto/sha256"
	"encoding/binary"
)

// Hash returns the content hash that a row stores: the first eight bytes of the SHA-256 of the text, or of title, a
// line break and text if the document has a title.
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
