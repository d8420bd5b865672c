package hook

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// How long a prompt waits for memory, and the grace period for a cancelled search. A person does not notice
// either. synthesisTime is the total if a model summarises the results.
const (
	recallTime    = 400 * time.Millisecond
	recallGrace   = 100 * time.Millisecond
	synthesisTime = 3*time.Second - recallGrace
)

// onPrompt injects what memory contains about the subject of a prompt, which is usually nothing. A subagent's
// prompt is written by an assistant, which has the context already.
func onPrompt(ctx context.Context, c *call) (reply, error) {
	if c.AgentID != "" {
		return reply{reason: "prompt of a subagent"}, nil
	}
	answer, err := c.recall(ctx)
	if c.startsWithPrompt() && !errors.Is(err, gitmem.ErrNotCaptured) {
		return c.withStart(ctx, answer, err)
	}
	return answer, err
}

// recall finds the text to inject.
func (c *call) recall(ctx context.Context) (reply, error) {
	whole, end := gitmem.WithTimeout(ctx, c.env.Now, synthesisTime)
	defer end()
	ctx, stop := gitmem.WithTimeout(ctx, c.env.Now, recallTime)
	defer stop()
	got, late, err := Within(ctx, recallGrace, func() (gitmem.Recalled, error) {
		return c.memory.Sessions().Recall(ctx, gitmem.RecallOptions{Session: c.SessionID, Prompt: string(c.Prompt)})
	})
	if (late || err != nil) && errors.Is(ctx.Err(), context.DeadlineExceeded) { // any later result is too late
		err = fmt.Errorf("memory was not searched within %v", recallTime)
	}
	if err != nil {
		return reply{}, err
	}
	if got.Text != "" {
		synthesis, _, err := Within(whole, recallGrace, func() (gitmem.Recalled, error) {
			return c.memory.Sessions().Synthesise(whole, string(c.Prompt), got)
		})
		if err == nil {
			got = synthesis
		} else {
			got.Note = fmt.Sprintf("; as quoted, without a model: %v", err)
		}
		if err := c.memory.Sessions().MarkRecalled(c.SessionID, got); err != nil {
			return reply{}, fmt.Errorf("what the session was told can't be noted: %w", err)
		}
	}
	return reply{detail: got.IDs() + got.Note, context: got.Text, message: got.Notice, reason: got.Nothing}, nil
}

// withStart adds the session context to the answer to the first prompt, even if nothing was recalled.
func (c *call) withStart(ctx context.Context, r reply, recallErr error) (reply, error) {
	g, err := c.sessionContext(ctx, gitmem.ContextOptions{Source: "startup", Once: true})
	if err != nil || g.Text+g.Notice == "" {
		return r, errors.Join(recallErr, err)
	}
	if recallErr != nil {
		r.detail = gitmem.ErrorText(recallErr)
	}
	r.detail = strings.Trim(g.String()+"; "+r.detail, "; ")
	r.context = strings.Trim(g.Text+"\n"+r.context, "\n") + "\n"
	r.message = strings.Trim(g.Notice+"; "+r.message, "; ")
	return r, nil
}
