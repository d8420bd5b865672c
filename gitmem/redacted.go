package gitmem

import (
	"context"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// Redacted returns a text with a mark for each secret, for messages of front ends and
// traces of hooks.
func Redacted(s string) string {
	return redact.New().Clean(s).String()
}

// Visible returns a text without invisible characters and without the tag by which the
// client marks its own messages to the model. All output of front ends passes it: untrusted
// text must hide nothing in what a person or a model reads.
func Visible(s string) string { return messages.Visible(s) }

// ErrorText is an error's message for people: what went wrong with which thing, without the
// names of calls and packages that it went through.
func ErrorText(err error) string { return plain.Text(err) }

// WithTimeout is [context.WithTimeout] by the clock of the caller. With a stopped one a
// result does not depend on the load of the machine.
func WithTimeout(ctx context.Context, now func() time.Time,
	timeout time.Duration) (context.Context, context.CancelFunc) {
	return deadline.After(ctx, now, timeout)
}
