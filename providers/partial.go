package providers

import (
	"errors"
	"fmt"
	"time"
)

// What a source behind a network may fail with. A source wraps one of them, or
// the context's error, so that a caller can say in plain words what is missing
// and what helps. [ErrNotFound] from Fetch says that the place itself does not
// exist, or cannot be seen with these credentials.
var (
	// ErrUnauthorized says that the credentials are missing, refused or do not
	// allow the request. Asking again changes nothing.
	ErrUnauthorized = errors.New("credentials are missing, refused or not enough")
	// ErrRateLimited says that the place wants to be left alone for a while. It
	// comes as a [*RateLimitError], which knows for how long.
	ErrRateLimited = errors.New("rate limit reached")
	// ErrBudget says that the requests that the caller granted are used up.
	// Another fetch may go on at once.
	ErrBudget = errors.New("granted requests are used up")
	// ErrUnavailable says that the place did not answer, broke off, or answered
	// that it is broken. Asking again later may help.
	ErrUnavailable = errors.New("place does not answer properly")
	// ErrUnreachable says, beside ErrUnavailable, that no connection to the place could
	// be made, as without a network.
	ErrUnreachable = errors.New("no connection")
	// ErrMalformed says that an answer is not what the place promises: no JSON,
	// far too large, or the same page again and again.
	ErrMalformed = errors.New("answer cannot be understood")
	// ErrRefused says that the source would not do what it was asked or sent to
	// do, as that would not be safe: a redirect to another host, or an address
	// without encryption.
	ErrRefused = errors.New("refused for safety")
)

// RateLimitError is an [ErrRateLimited] with its end.
type RateLimitError struct {
	// Until is when requests are welcome again; zero where the place does not
	// say.
	Until time.Time
}

// Error names the time in UTC, to the second.
func (e *RateLimitError) Error() string {
	if e.Until.IsZero() {
		return ErrRateLimited.Error()
	}
	return fmt.Sprintf("%v until %s", ErrRateLimited, e.Until.UTC().Format(time.RFC3339))
}

// Is reports whether target is [ErrRateLimited].
func (e *RateLimitError) Is(target error) bool { return target == ErrRateLimited }

// Partial is the error of a fetch that stopped on the way and knows where:
// everything that was handed out up to then is settled, and the next fetch goes
// on from Cursor instead of starting over. See [Source].
type Partial struct {
	// Cursor is where the next fetch goes on. It is never the zero cursor.
	Cursor Cursor
	// Err is why the fetch stopped. It may join several reasons, where parts of
	// a place failed each by itself.
	Err error
}

// Error says why the fetch stopped.
func (p *Partial) Error() string { return "stopped on the way: " + p.Err.Error() }

// Unwrap returns why the fetch stopped.
func (p *Partial) Unwrap() error { return p.Err }

// Progress returns where the next fetch goes on after a call of Fetch that
// returned next and err: the cursor of a [Partial], else next. Callers store the
// items and then this cursor, whatever err is.
func Progress(next Cursor, err error) Cursor {
	var p *Partial
	if errors.As(err, &p) {
		return p.Cursor
	}
	return next
}

// Skip is what a source left out on purpose or could not read.
type Skip struct {
	// Reason says what was left out and why, in a few words and in the plural:
	// "comments of bots", "texts cut at 65536 bytes".
	Reason string
	// Items counts them.
	Items int
}

// Skipper is implemented by sources that count what they leave out.
type Skipper interface {
	// Skipped lists what calls of the source have left out so far, sorted by
	// reason.
	Skipped() []Skip
}
