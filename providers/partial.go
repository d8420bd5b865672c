package providers

import (
	"errors"
	"fmt"
	"time"
)

// Errors of a source that uses the network. A source wraps one of them, or the context's error, so that a
// caller can explain what is missing and what helps. [ErrNotFound] from Fetch means that what the source
// reads does not exist, or is not visible with these credentials.
var (
	// ErrUnauthorized means that the credentials are missing, were refused or do not allow the request. A retry
	// does not help.
	ErrUnauthorized = errors.New("credentials are missing, refused or not enough")
	// ErrRateLimited means that the server refuses requests for a while. It comes as a [*RateLimitError] with
	// the end of that time.
	ErrRateLimited = errors.New("rate limit reached")
	// ErrBudget means that the requests that the caller allowed are used up. Another fetch may continue at once.
	ErrBudget = errors.New("granted requests are used up")
	// ErrUnavailable means that the server did not answer, closed the connection, or reported a failure of its
	// own. A later retry may help.
	ErrUnavailable = errors.New("place does not answer properly")
	// ErrUnreachable means, in addition to ErrUnavailable, that no connection could be made, as without a
	// network.
	ErrUnreachable = errors.New("no connection")
	// ErrMalformed means that an answer violates the API: it is not JSON, far too large, or the same page again
	// and again.
	ErrMalformed = errors.New("answer cannot be understood")
	// ErrRefused means that the source refused an unsafe request: a redirect to another host, or an address
	// without encryption.
	ErrRefused = errors.New("refused for safety")
)

// RateLimitError is an [ErrRateLimited] with the time at which it ends.
type RateLimitError struct {
	// Until is when requests are allowed again; zero if the server did not announce it.
	Until time.Time
}

// Error formats the time in UTC, to the second.
func (e *RateLimitError) Error() string {
	if e.Until.IsZero() {
		return ErrRateLimited.Error()
	}
	return fmt.Sprintf("%v until %s", ErrRateLimited, e.Until.UTC().Format(time.RFC3339))
}

// Is reports whether target is [ErrRateLimited].
func (e *RateLimitError) Is(target error) bool { return target == ErrRateLimited }

// Partial is the error of a fetch that stopped early and can continue: everything that was yielded is final,
// and the next fetch continues from Cursor instead of starting over. See [Source].
type Partial struct {
	// Cursor is where the next fetch continues. It is never the zero cursor.
	Cursor Cursor
	// Err is why the fetch stopped. It joins several reasons if parts of a source failed separately.
	Err error
}

// Error returns why the fetch stopped.
func (p *Partial) Error() string { return "stopped on the way: " + p.Err.Error() }

// Unwrap returns why the fetch stopped.
func (p *Partial) Unwrap() error { return p.Err }

// Progress returns the cursor for the next fetch after Fetch returned next and err: the cursor of a
// [Partial], otherwise next. Callers store the items and then this cursor, whatever err is.
func Progress(next Cursor, err error) Cursor {
	var p *Partial
	if errors.As(err, &p) {
		return p.Cursor
	}
	return next
}

// Skip counts items that a source left out on purpose or could not read.
type Skip struct {
	// Reason is what was left out and why, in a few words and in the plural: "comments of bots", "texts cut at
	// 65536 bytes".
	Reason string
	// Items is their number.
	Items int
}

// Skipper is implemented by sources that count what they leave out.
type Skipper interface {
	// Skipped returns what calls of the source have left out so far, sorted by reason.
	Skipped() []Skip
}
