package providers

import "time"

// StoppedError is what [Source].Fetch returns, wrapped or not, where it had to stop on
// the way and can tell how to go on: a rate limit, a connection that was cut, the end
// of its context. It wraps the reason, so that errors.Is still finds that of the context.
// As with any error the cursor that Fetch returns beside it is the one it was given.
type StoppedError struct {
	// Cursor is one from which a later Fetch goes on, without yielding again what this
	// one has yielded. The zero Cursor says that there is none: whoever tries again
	// begins at the cursor that this Fetch was given.
	Cursor Cursor
	// Retry is before when it is pointless to try again, as a server has said it. The
	// zero Time says that nobody did.
	Retry time.Time
	// Limited says that the source answers but has had enough requests for now.
	Limited bool
	// Err is the reason and never nil.
	Err error
}

// Error is the reason's.
func (e *StoppedError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *StoppedError) Unwrap() error { return e.Err }
