package hook

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/gitmem/gitmem/gitmem"
)

// debugText limits what is shown of one text.
const debugText = 2000

// Debugged returns an Env that prints for a person what a hook reads, decides and writes, each with the time
// since its start. It does not change the behaviour of the hook.
func Debugged(e Env, w io.Writer) Env {
	start := e.Now()
	report := func(format string, args ...any) {
		text := gitmem.Redacted(clip(fmt.Sprintf(format, args...), maxField))
		took := e.Now().Sub(start)
		fmt.Fprintf(w, "%8.1f ms  %s\n", float64(took.Microseconds())/1000,
			strings.ReplaceAll(withoutControl(clip(text, debugText)), "\n", "\n             "))
	}
	d := e
	d.debug = report
	d.Open = func(dir string) (*gitmem.Memory, error) {
		m, err := e.Open(dir)
		if err != nil {
			report("memory can't be opened: %v", err)
			return m, err
		}
		report("opened memory in %s (repository: %t) from %s", m.Root(), m.HasStore(), dir)
		if c, err := m.Capture(context.Background()); err == nil {
			report("capture: %s", cmp.Or(c.Detail, c.State))
		}
		return m, nil
	}
	if e.Detach != nil {
		d.Detach = func(m *gitmem.Memory, stdin []byte, args ...string) error {
			err := e.Detach(m, stdin, args...)
			report("left to the background: %s%s", strings.Join(args, " "), errorSuffix(err))
			return err
		}
	}
	if e.Index != nil {
		d.Index = func(m *gitmem.Memory) error {
			err := e.Index(m)
			report("started the indexer, unless one runs%s", errorSuffix(err))
			return err
		}
	}
	d.Trace = func(r Record) {
		report("%s %s after %g ms: %s", r.Hook, r.Result, r.MS, cmp.Or(r.Detail, "nothing to do"))
		e.Trace(r)
	}
	return d
}

// withoutControl removes control characters, which would affect a terminal.
func withoutControl(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return -1
		}
		return r
	}, s)
}

func errorSuffix(err error) string {
	if err == nil {
		return ""
	}
	return ": " + err.Error()
}

// report prints a line for debugging.
func (e Env) report(format string, args ...any) {
	if e.debug != nil {
		e.debug(format, args...)
	}
}

// reportPayload prints the payload.
func (e Env) reportPayload(p Payload, waited time.Duration) {
	if e.debug == nil {
		return
	}
	e.report("read %d bytes of JSON in %.1f ms: event %q, session %q, folder %q", p.size,
		float64(waited.Microseconds())/1000, p.Event, p.SessionID, p.Cwd)
	for _, f := range [][2]string{
		{"transcript", p.TranscriptPath}, {"source", p.Source}, {"reason", p.Reason}, {"trigger", p.Trigger},
		{"prompt", string(p.Prompt)},
		{"tool", p.ToolName}, {"input", string(p.ToolInput)}, {"response", string(p.ToolResponse)}, {"error", p.Error},
		{"agent", strings.TrimSpace(p.AgentType + " " + p.AgentID)}, {"last message", p.LastMessage},
	} {
		if f[1] != "" {
			e.report("%s: %s", f[0], clip(gitmem.Redacted(clip(f[1], maxField)), 300))
		}
	}
}

// reportReply prints the reply.
func (e Env) reportReply(r reply, err error) {
	switch {
	case err != nil:
		e.report("not done: %v", err)
	case r.context == "" && r.message == "":
		e.report("tells the client nothing")
	}
	if r.context != "" {
		e.report("tells the model %d characters:\n%s", r.chars(), r.context)
	}
	if r.message != "" {
		e.report("tells the person: %s", r.message)
	}
}
