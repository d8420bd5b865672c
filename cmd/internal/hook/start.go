package hook

import (
	"context"
	"fmt"
	"strings"

	"github.com/gitmem/gitmem/gitmem"
)

// onSessionStart injects what a session should know, and leaves to the background what the
// client need not wait for.
func onSessionStart(ctx context.Context, c *call) (reply, error) {
	g, err := c.memory.Sessions().Context(ctx, gitmem.ContextOptions{Session: c.SessionID, Source: c.Source})
	if err != nil {
		return reply{}, err
	}
	detail := g.String()
	for _, err := range c.upkeep(ctx) {
		detail += "; " + err.Error()
	}
	return reply{detail: strings.TrimPrefix(detail, "; "), context: g.Text, message: g.Notice}, nil
}

// upkeep archives sessions that ended without a word and brings the indexes up to
// date, both in other processes, where something is captured. A compaction happens
// within a session, which did that already. It returns what went wrong.
func (c *call) upkeep(ctx context.Context) (failed []error) {
	capture, err := c.memory.Capture(ctx)
	if err != nil || capture.State != gitmem.CaptureOn || c.Source == "compact" {
		return nil
	}
	if c.env.Detach != nil {
		if err := c.handOver("sweep"); err != nil {
			failed = append(failed, fmt.Errorf("sweep not started: %w", err))
		}
	}
	if err := c.index(); err != nil {
		failed = append(failed, err)
	}
	return failed
}

// index starts an indexer in the background, unless one is running.
func (c *call) index() error {
	if c.env.Index == nil {
		return nil
	}
	if err := c.env.Index(c.memory); err != nil {
		return fmt.Errorf("indexer not started: %w", err)
	}
	return nil
}
