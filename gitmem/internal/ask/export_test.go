package ask

import (
	"context"

	"github.com/gitmem/gitmem/gitmem/answer"
)

// Ask reads a question and answers it.
func (e *Engine) Ask(ctx context.Context, text string, o Options) (answer.Answer, error) {
	return e.answerRead(ctx, text, Read(text, e.Now, e.ReferenceTimes), o)
}
