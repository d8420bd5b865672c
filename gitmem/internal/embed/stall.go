package embed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// errStalled means that a server was silent for too long.
var errStalled = errors.New("nothing came")

// watchdog ends a request from which nothing has come for a while. How long the whole
// takes is no matter: models are large, and nets are slow.
type watchdog struct {
	ctx   context.Context
	after time.Duration
	timer *time.Timer
	end   func()
}

func watch(ctx context.Context, after time.Duration) *watchdog {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watchdog{ctx: ctx, after: after}
	w.timer = time.AfterFunc(after, func() { cancel(fmt.Errorf("%w for %v", errStalled, after)) })
	w.end = func() {
		w.timer.Stop()
		cancel(nil)
	}
	return w
}

// say tells why a request ended that the watchdog ended.
func (w *watchdog) say(err error) error {
	if cause := context.Cause(w.ctx); err != nil && errors.Is(cause, errStalled) {
		return cause
	}
	return err
}

// over watches the body of a reply, which ends watching when it is closed.
func (w *watchdog) over(body io.ReadCloser) io.ReadCloser { return &watched{body, w} }

type watched struct {
	io.ReadCloser
	w *watchdog
}

func (b *watched) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.w.timer.Reset(b.w.after)
	}
	if err != nil && err != io.EOF {
		err = b.w.say(err)
	}
	return n, err
}

func (b *watched) Close() error {
	defer b.w.end()
	return b.ReadCloser.Close()
}
