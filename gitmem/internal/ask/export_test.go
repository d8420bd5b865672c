package ask

import (
	"context"

	"github.com/gitmem/gitmem/gitmem/answer"
)

// Ask reads a question and answers it.
func (e *Engine) Ask(ctx context.Context, text string, o Options) (answer.Answer, error) {
	return e.answerRead(ctx, text, Read(text, e.Now, e.ReferenceTimes), o)
}

// AskTwice answers a question, and tries other words if nothing is found.
func (e *Engine) AskTwice(ctx context.Context, text string, o Options) (answer.Answer, answer.Strategy, error) {
	q := Read(text, e.Now, e.ReferenceTimes)
	a, err := e.answerRead(ctx, text, q, o)
	if err != nil {
		return a, answer.Strategy{}, err
	}
	return e.refined(ctx, text, q, o, a)
}
