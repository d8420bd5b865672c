package gitmem

import (
	"context"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// Redacted returns a text with a mark in the place of each secret, for what a
// front end says or writes by itself: messages, and the traces of hooks.
func Redacted(s string) string {
	s, _ = redact.New().Text(s)
	return s
}

// Visible returns a text without invisible characters and without the tag by
// which the client marks its own words to the model. All that a front end puts out
// goes through it: text of strangers must hide nothing in what a person or a model
// reads.
func Visible(s string) string { return messages.Visible(s) }

// ErrorText is the text of an error for people: what went wrong with which thing,
// without the names of calls and packages that it went through.
func ErrorText(err error) string { return plain.Text(err) }

// WithTimeout is [context.WithTimeout] by the clock of the caller. With one that stands
// still a result does not depend on how busy the machine is.
func WithTimeout(ctx context.Context, now func() time.Time, timeout time.Duration) (context.Context, context.CancelFunc) {
	return deadline.After(ctx, now, timeout)
}
