package hook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// What a prompt waits for memory, and what is left to a search that was called off
// for coming to its end. A person does not notice either.
const (
	recallTime  = 400 * time.Millisecond
	recallGrace = 100 * time.Millisecond
)

// prompted tells the model what memory holds of the subject of a prompt: mostly
// nothing. A subagent's prompt is an assistant's, which was told already.
func prompted(ctx context.Context, c *call) (reply, error) {
	if c.AgentID != "" {
		return reply{why: "prompt of a subagent"}, nil
	}
	ctx, stop := gitmem.WithTimeout(ctx, c.env.Now, recallTime)
	defer stop()
	got, err := recall(ctx, c)
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("memory was not searched within %v", recallTime)
	}
	if err != nil {
		return reply{}, err
	}
	return reply{detail: got.IDs(), context: got.Text, message: got.Notice, why: got.Nothing}, nil
}

// recall gives up when the context ends: a read of a slow disk can't be called off.
func recall(ctx context.Context, c *call) (gitmem.Recalled, error) {
	type result struct {
		got gitmem.Recalled
		err error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil { // would end the process, past Run's own recover
				r = result{err: fmt.Errorf("panic: %v", p)}
			}
			done <- r
		}()
		r.got, r.err = c.memory.Sessions().Recall(ctx, gitmem.RecallOptions{Session: c.SessionID, Prompt: string(c.Prompt)})
	}()
	select {
	case r := <-done:
		return r.got, r.err
	case <-ctx.Done():
	}
	grace := time.NewTimer(recallGrace)
	defer grace.Stop()
	select {
	case <-done: // too late to be told
	case <-grace.C:
	}
	return gitmem.Recalled{}, ctx.Err()
}
