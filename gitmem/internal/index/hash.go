package index

// Hash is the content hash that a row keeps of a document: that of its text, or of
// title, a line break and text where it has a title.
func (d *Doc) Hash() uint64 {
	if d.Title == "" {
		return Hash(d.Text)
	}
	return Hash(d.Title + "\n" + d.Text)
}

// HashOf returns the content hash of row i, see [Doc.Hash].
func (s *Snapshot) HashOf(i int) uint64 { return kept(s, s.t.at(colHash, i)) }
