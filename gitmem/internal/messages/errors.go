package messages

import (
	"errors"
	"fmt"
	"time"
)

// Errors that callers of the library branch on and that several packages return.
var (
	// ErrNotFound means that the named thing does not exist here.
	ErrNotFound = errors.New("source not found")
	// ErrNoRepository means that an operation that needs a repository's history ran outside
	// any. Such an error wraps ErrNotFound too.
	ErrNoRepository = errors.New("no git repository")
	// ErrDuplicate means that another note already has the same content.
	ErrDuplicate = errors.New("near-duplicate")
	// ErrUsage means that the arguments are invalid.
	ErrUsage = errors.New("invalid request")
)

// Refusal is the error for a request that would do harm or cannot be met, with a hint. It
// wraps one of the errors that callers branch on, if one fits.
type Refusal struct {
	Reason string // what is wrong, naming the thing
	Advice string // what to do instead
	Err    error
}

// Error returns the reason.
func (r *Refusal) Error() string { return r.Reason }

// Unwrap returns the error that callers branch on.
func (r *Refusal) Unwrap() error { return r.Err }

// Duplicate is the error for a line that already exists in equal or nearly equal words.
type Duplicate struct {
	File string
	Line int
	Text string
}

// Error names the existing line.
func (d *Duplicate) Error() string {
	return fmt.Sprintf("%s line %d says this already: %s", d.File, d.Line, d.Text)
}

// Unwrap returns ErrDuplicate.
func (d *Duplicate) Unwrap() error { return ErrDuplicate }

// Instant formats a time in RFC 3339, "" for the zero time.
func Instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// Filled returns an empty list for nil, so that JSON encodes it as [].
func Filled[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
