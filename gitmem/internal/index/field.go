package index

import "slices"

// Field is a part of a document that is searched separately.
type Field string

// The fields.
const (
	Text  Field = "text"
	Title Field = "title"
	Tool  Field = "tool"
	Paths Field = "paths"
	// DiffTerms contains terms of a document that its author did not write as prose, such as the identifiers that a commit
	// adds and removes.
	DiffTerms Field = "substance"
)

// fields is the number of fields.
const fields = 5

// allFields lists the fields in the order of their lengths in the table.
var allFields = [fields]Field{Text, Title, Tool, Paths, DiffTerms}

// number returns the index of a field in allFields.
func (f Field) number() int { return slices.Index(allFields[:], f) }
