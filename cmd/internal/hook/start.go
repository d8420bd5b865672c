package hook

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/gitmem/gitmem/gitmem"
)

// onSessionStart injects what a session should know, and leaves to the background what the
// client need not wait for.
func onSessionStart(ctx context.Context, c *call) (reply, error) {
	made, notMade := c.makeStore(ctx)
	var g gitmem.SessionContext
	var err error
	if !c.startsWithPrompt() {
		g, err = c.sessionContext(ctx, gitmem.ContextOptions{Source: c.Source})
	}
	if err != nil {
		return reply{}, err
	}
	detail := g.String()
	if notMade != nil { // the session is to begin
		detail += "; store not made: " + notMade.Error()
	}
	for _, err := range append(c.upkeep(ctx), c.export(g.Variables)...) {
		detail += "; " + err.Error()
	}
	if made != "" {
		detail, g.Notice = detail+"; "+made, strings.TrimPrefix(g.Notice+"; "+made, "; ")
	}
	return reply{detail: strings.TrimPrefix(detail, "; "), context: g.Text, message: g.Notice}, nil
}

// sessionContext is what the session should know.
func (c *call) sessionContext(ctx context.Context, o gitmem.ContextOptions) (gitmem.SessionContext, error) {
	o.Session, o.Bytes = c.SessionID, c.agent == codex
	return c.memory.Sessions().Context(ctx, o)
}

// makeStore makes the store for a plugin that was never followed by an installation, unless nothing is to be
// captured here, and returns what to say of it, "" for nothing.
func (c *call) makeStore(ctx context.Context) (made string, err error) {
	if !c.env.MakesStore || c.memory.HasStore() {
		return "", nil
	}
	if capture, err := c.memory.Capture(ctx); err != nil || capture.State != gitmem.CaptureOn {
		return "", err
	}
	created, err := c.memory.Init(ctx)
	if err != nil || !created {
		return "", err
	}
	return fmt.Sprintf("gitmem: made a memory repository in %s, on this machine only; gitmem pause stops it, "+
		"gitmem help privacy tells what is kept", c.memory.Root()), nil
}

// export lets the session's shell know the user's preferences.
func (c *call) export(variables []gitmem.ContextVariable) []error {
	if c.env.VariablesFile == "" || len(variables) == 0 || c.agent != "" {
		return nil
	}
	var b strings.Builder
	for _, v := range variables {
		fmt.Fprintf(&b, "export %s='%s'\n", v.Name,
			strings.ReplaceAll(withoutControl(strings.Join(strings.Fields(v.Value), " ")), "'", `'\''`))
	}
	f, err := os.OpenFile(c.env.VariablesFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return []error{fmt.Errorf("variables of the session: %w", err)}
	}
	_, err = f.WriteString(b.String())
	if err = errors.Join(err, f.Close()); err != nil {
		return []error{fmt.Errorf("variables of the session: %w", err)}
	}
	return nil
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
