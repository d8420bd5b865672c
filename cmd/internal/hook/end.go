package hook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// At the end of a session the client waits 1.5 s for all hooks together, and then kills them. The work may
// take endTime, plus endGrace to notice the deadline; the rest is for the process and its trace.
const endTime, endGrace = 900 * time.Millisecond, 100 * time.Millisecond

// endInTime gives up if the disk, or the writer of standard input, is too slow.
func endInTime(ctx context.Context, name string, env Env) (Payload, reply, error) {
	ctx, stop := gitmem.WithTimeout(ctx, env.Now, endTime)
	defer stop()
	type result struct {
		p      Payload
		answer reply
	}
	r, late, err := Within(ctx, endGrace, func() (r result, err error) {
		r.p, r.answer, err = handle(ctx, name, env)
		return r, err
	})
	if late {
		err = errors.New("given up, since the client waits no longer: a later session archives this one")
	}
	return r.p, r.answer, err
}

// onSessionEnd starts the archiving of a session in the background. If that is impossible, it archives here
// as far as time allows; a later session does the rest.
func onSessionEnd(ctx context.Context, c *call) (reply, error) {
	why := "not available"
	if c.env.Detach != nil {
		err := c.handOver("archive")
		if err == nil {
			return reply{detail: "left to the background"}, nil
		}
		why = err.Error()
	}
	answer, err := c.archive(ctx, c.memory.Sessions().End)
	if err != nil {
		err = fmt.Errorf("archive in the foreground, since the background is %s: %w", why, err)
	}
	return answer, err
}

// handOver starts a hook in the background, with the parts of the payload that it needs.
func (c *call) handOver(name string) error {
	b, err := json.Marshal(map[string]string{
		"session_id": c.SessionID, "transcript_path": c.TranscriptPath, "cwd": c.dir, "hook_event_name": c.Event,
		"reason": c.Reason,
	})
	if err != nil {
		return err
	}
	return c.env.Detach(c.memory, b, "hook", name)
}

// onArchive archives a session, and synchronises memory if this is configured.
func onArchive(ctx context.Context, c *call) (reply, error) {
	answer, err := c.archive(ctx, c.memory.Sessions().Archive)
	return c.synchronise(ctx, answer, err)
}

// synchronise synchronises memory after a background hook. Failures are shown by gitmem doctor.
func (c *call) synchronise(ctx context.Context, answer reply, err error) (reply, error) {
	if did, syncErr := c.memory.History().Sync().Auto(ctx); did {
		answer.detail = strings.TrimPrefix(answer.detail+"; synchronised", "; ")
	} else if syncErr != nil {
		err = errors.Join(err, syncErr)
	}
	return answer, err
}

func (c *call) archive(ctx context.Context, end func(ctx context.Context, session, file string) (gitmem.Ended,
	error)) (reply, error) {
	done, err := end(ctx, c.SessionID, c.TranscriptPath)
	detail, err := keep(ctx, c.memory, c.Payload, cmp.Or(done.File, done.Commit)+done.Note, err)
	return reply{detail: detail}, err
}
