package modelapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/gitmem/gitmem/providers"
)

// Pacer controls the pauses between attempts.
type Pacer struct {
	// Now, if set, makes a request fail at once if the server asks for a longer pause than the context has left.
	Now func() time.Time
	// Until, if set, is a deadline in addition to the context's.
	Until time.Time
	// Wait waits, or returns the context's error if it ends before; nil uses a timer.
	Wait func(ctx context.Context, d time.Duration) error
}

func (p Pacer) wait(ctx context.Context, d time.Duration) error {
	if p.Wait != nil {
		return p.Wait(ctx, d)
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

const (
	tries   = 5
	maxWait = time.Minute // maximum pause that a server may ask for
)

// retryable is an error after which the request may be repeated.
type retryable struct {
	err   error
	after time.Duration // pause requested by the server, 0 for none
}

func (a *retryable) Error() string { return a.err.Error() }
func (a *retryable) Unwrap() error { return a.err }

// retry calls do until it succeeds or fails permanently. It does not begin a pause longer than the context has left.
func (p Pacer) retry(ctx context.Context, do func() error) error {
	pause := 500 * time.Millisecond
	for n := 1; ; n++ {
		err := do()
		var a *retryable
		if err == nil || ctx.Err() != nil || !errors.As(err, &a) || n == tries {
			return err
		}
		d := max(pause, a.after)
		deadline, limited := ctx.Deadline()
		if !p.Until.IsZero() {
			deadline, limited = p.Until, true
		}
		if d > maxWait || limited && p.Now != nil && deadline.Sub(p.Now()) <= d {
			return fmt.Errorf("%w; it may be tried again in %v", err, d)
		}
		if p.wait(ctx, d) != nil {
			return err
		}
		pause *= 2
	}
}

// retryAfter returns the pause that a server asks for, in seconds or as a date, which is compared with the server's own
// clock; 0 for none.
func retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return time.Duration(min(n, 1<<20)) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return max(0, at.Sub(now))
}

// mayHaveSecrets reports whether a key may be sent to an address: over https, or on this machine.
func mayHaveSecrets(u *url.URL) bool {
	return u.Scheme == "https" || providers.IsLoopback(u.Hostname())
}
