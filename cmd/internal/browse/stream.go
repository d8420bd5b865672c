package browse

import (
	"context"
	"fmt"
	"strings"
)

// AskEvent is a step of a question in progress or, at its end, the answer.
type AskEvent struct {
	Step *AskStep

	site *site
	args AskArgs
	view *AskView
	err  error
}

// Answer returns the answer, nil before the end.
func (e *AskEvent) Answer() (*AskView, error) { return e.view, e.err }

// HTML returns the answer as shown on the page, "" before the end.
func (e *AskEvent) HTML() (string, error) {
	if e.view == nil {
		return "", nil // the error is returned by Answer
	}
	var b strings.Builder
	err := e.site.templates.ExecuteTemplate(&b, "answer", e.site.onPage(e.args, *e.view))
	return plain(b.String()), err
}

// follow asks a question, and sends its steps and then its answer.
func (s *site) follow(ctx context.Context, a AskArgs) <-chan *AskEvent {
	told := make(chan *AskEvent)
	tell := func(e *AskEvent) {
		select {
		case told <- e:
		case <-ctx.Done():
		}
	}
	s.questions.Go(func() {
		defer close(told)
		end := &AskEvent{site: s, args: a}
		defer func() {
			if r := recover(); r != nil {
				end.view, end.err = nil, fmt.Errorf("an internal error ended the question: %v", r)
			}
			tell(end)
		}()
		view, err := s.ask(ctx, a, func(st AskStep) { tell(&AskEvent{Step: &st}) })
		if end.err = err; err == nil {
			end.view = &view
		}
	})
	return kept(ctx, told)
}

// kept buffers the elements of a channel: a question keeps indexes open, and must not wait for a slow reader.
func kept[E any](ctx context.Context, in <-chan E) <-chan E {
	out := make(chan E)
	go func() {
		defer close(out)
		var waiting []E
		for in != nil || len(waiting) > 0 {
			var next E
			var to chan<- E
			if len(waiting) > 0 {
				next, to = waiting[0], out
			}
			select {
			case e, ok := <-in:
				if !ok {
					in = nil
				} else {
					waiting = append(waiting, e)
				}
			case to <- next:
				waiting = waiting[1:]
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}
