package index

import "slices"

// Field is a part of a document that is searched by itself.
type Field string

// The fields.
const (
	Text  Field = "text"
	Title Field = "title"
	Tool  Field = "tool"
	Paths Field = "paths"
	// DiffTerms are the terms of a document that its author did not write as prose, such as
	// the identifiers that a commit adds and removes.
	DiffTerms Field = "substance"
)

// fields is the number of fields.
const fields = 5

// allFields are the fields in the order in which the table has their lengths.
var allFields = [fields]Field{Text, Title, Tool, Paths, DiffTerms}

// number returns a field's index among all.
func (f Field) number() int { return slices.Index(allFields[:], f) }
