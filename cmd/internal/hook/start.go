package hook

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/gitmem/gitmem/gitmem"
)

// onSessionStart injects the session context, and starts background processes for the rest, so that the
// client need not wait.
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
	if notMade != nil { // the session must begin anyway
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

// sessionContext returns the session context.
func (c *call) sessionContext(ctx context.Context, o gitmem.ContextOptions) (gitmem.SessionContext, error) {
	o.Session, o.Bytes = c.SessionID, c.agent == codex
	return c.memory.Sessions().Context(ctx, o)
}

// makeStore creates the store for a plugin without an installation, unless capturing is off here. It returns
// a message about it, or "".
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

// export passes the user's preferences to the session's shell.
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

// upkeep archives sessions that ended without a hook and refreshes the indexes, both in other processes, if
// capturing is on. A compaction happens within a session, which did that already. It returns the errors.
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
