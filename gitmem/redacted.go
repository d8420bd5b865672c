package gitmem

import (
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/wording"
)

// Redacted returns a text with a mark in the place of each secret, for what a
// front end says or writes by itself: messages, and the traces of hooks.
func Redacted(s string) string {
	s, _ = redact.New().Text(s)
	return s
}

// Visible returns a text without characters that nobody sees and without the tag by
// which the client marks its own words to the model. All that a front end puts out
// goes through it: text of strangers must hide nothing in what a person or a model
// reads.
func Visible(s string) string { return wording.Visible(s) }
