package gitmem

import (
	"context"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/deadline"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
)

// Redacted returns a text with each secret masked, for messages of front ends and traces of hooks.
func Redacted(s string) string {
	return redact.New().Clean(s).String()
}

// Visible returns a text without invisible characters and without the tag by which the
// client marks its own messages to the model. All output of front ends passes it: untrusted
// text must hide nothing in what a person or a model reads.
func Visible(s string) string { return messages.Visible(s) }

// ErrorText returns an error's message for people: the problem and the thing concerned, without the names of calls and
// packages on its way.
func ErrorText(err error) string { return plain.Text(err) }

// WithTimeout is [context.WithTimeout] with the clock of the caller. With a stopped clock a result does not depend on
// the load of the machine.
func WithTimeout(ctx context.Context, now func() time.Time,
	timeout time.Duration) (context.Context, context.CancelFunc) {
	return deadline.After(ctx, now, timeout)
}
