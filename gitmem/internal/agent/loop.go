package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gitmem/gitmem/gitmem/internal/llm"
)

const (
	replyTokens = 2000
	answerTool  = "answer"
	// mostCalls is the number of calls of one reply that are executed.
	mostCalls = 6
	// mostMistakes is the number of times a model may be asked to correct its answer.
	mostMistakes = 2
)

// loop runs a model that calls tools over an API.
type loop struct{ model llm.Model }

func (l *loop) carryOut(ctx context.Context, r *run) (draft, error) {
	tools := &toolbox{}
	if r.task.tools {
		var err error
		if tools, err = connect(ctx, r); err != nil {
			return draft{}, err
		}
		defer tools.close()
	}
	answer := llm.Tool{Name: answerTool, Description: "Gives the answer and ends the work.",
		Schema: json.RawMessage(answerSchema)}
	request := llm.Request{System: r.task.system, MaxTokens: replyTokens, Tools: append(tools.list, answer),
		Messages: []llm.Message{{Text: r.task.input}}}
	mistakes, sent := 0, len(request.System)+len(r.task.input)
	for turn := range r.conf.Turns {
		if turn == r.conf.Turns-1 {
			request.Tools = []llm.Tool{answer}
		}
		reply, err := l.model.Reply(ctx, request)
		r.spent.Turns = turn + 1
		if err != nil {
			return draft{}, err
		}
		sent += len(reply.Text)
		if err := r.used(reply.Tokens, sent); err != nil {
			return draft{}, err
		}
		next, d, err := l.turn(ctx, r, tools, reply)
		if d != nil {
			return *d, nil
		}
		if err != nil {
			if mistakes++; mistakes > mostMistakes {
				return draft{}, err
			}
		}
		for _, result := range next.Results {
			sent += len(result.Text)
		}
		request.Messages = append(request.Messages, llm.Message{Reply: &reply}, next)
	}
	return draft{}, fmt.Errorf("the model gave no answer in %d turns", r.conf.Turns)
}

// turn executes the model's reply. The draft is the model's answer, or nil if there is none yet. The error is a mistake
// of the model, which it receives as feedback.
func (l *loop) turn(ctx context.Context, r *run, tools *toolbox,
	reply llm.Reply) (next llm.Message, d *draft, err error) {
	if reply.Truncated {
		err = errors.New("the reply is longer than it may be")
	}
	for i, c := range reply.Calls {
		if i >= mostCalls {
			next.Results = append(next.Results, llm.Result{ID: c.ID, Text: "these are too many calls at once", Failed: true})
			continue
		}
		if c.Name != answerTool {
			text, failed := tools.call(ctx, r, c.Name, c.Args)
			next.Results = append(next.Results, llm.Result{ID: c.ID, Text: text, Failed: failed})
			continue
		}
		read, wrong := readDraft(c.Args)
		if wrong == nil {
			return next, &read, nil
		}
		err = wrong
		next.Results = append(next.Results, llm.Result{ID: c.ID, Text: wrong.Error(), Failed: true})
	}
	if len(reply.Calls) == 0 {
		err = errors.New("the model ended without an answer in the required form")
		next.Text = "Give your answer by the tool " + answerTool + "."
	}
	return next, nil, err
}
