package index

import "slices"

// Field is a part of a document that is searched by itself.
type Field string

// The fields. Day holds the document's date, 20060102 in UTC, as one term
// without frequency or length.
const (
	Text  Field = "text"
	Title Field = "title"
	Tool  Field = "tool"
	Paths Field = "paths"
	// DiffTerms is what a document is about beyond what its author wrote, such as
	// the identifiers that a commit adds and removes.
	DiffTerms Field = "substance"
	Day       Field = "day"
)

// fields is the number of those with lengths: Text, Title, Tool, Paths,
// Substance.
const fields = 5

// number returns a field's place among those with lengths.
func (f Field) number() (int, bool) {
	n := slices.Index([]Field{Text, Title, Tool, Paths, DiffTerms}, f)
	return n, n >= 0
}
