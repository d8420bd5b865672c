package gitmem

import "github.com/gitmem/gitmem/gitmem/internal/redact"

// Redacted returns a text with a mark in the place of each secret, for what a
// front end says or writes by itself: messages, and the traces of hooks.
func Redacted(s string) string {
	s, _ = redact.New().Text(s)
	return s
}
