package hook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem"
)

// readTime is how long to wait for a payload: a client that writes half of one must not block its hooks for
// ever.
const readTime = 10 * time.Second

// maxField is how much of a record's field is searched for secrets: far more than is kept, so that a secret
// is complete when it is searched for.
const maxField = 64 << 10

// Env is the environment of a hook.
type Env struct {
	Agent  string // that calls the hook, by its name in [Agents]; "" for Claude Code
	Stdin  io.Reader
	Stdout io.Writer // receives the reply to the client
	Dir    string    // working folder, for payloads without one
	// Open returns the memory for a folder.
	Open func(dir string) (*gitmem.Memory, error)
	// Detach starts this program again with these arguments and a standard input of at most 4 KiB, in the
	// background, and does not wait: see [gitmem.Memory.Detach].
	Detach func(m *gitmem.Memory, stdin []byte, args ...string) error
	// Index starts an indexer in the background, unless one is running.
	Index func(*gitmem.Memory) error
	Now   func() time.Time
	// Elsewhere reports whether another hook of the agent does the same work. It is called if only the payload
	// identifies the agent; nil means no.
	Elsewhere func(agent string) bool
	// VariablesFile is the file from which the client reads environment variables for the session's shell, or
	// "".
	VariablesFile string
	// MakesStore allows the start of a session to create a missing store: no installation has created it.
	MakesStore bool
	// Trace stores a record; it must not fail its caller.
	Trace func(Record)

	debug func(format string, args ...any) // see Debugged
}

// Record is one line of the trace: what a hook did, or why it did nothing.
type Record = gitmem.TraceRecord

// call is the input of a handler.
type call struct {
	Payload
	dir    string // working folder
	memory *gitmem.Memory
	env    Env
}

// Run handles one hook. Errors, and even panics, only go to the trace.
func Run(ctx context.Context, name string, env Env) {
	start := env.Now()
	rec := Record{Time: start.UTC(), Hook: name}
	defer func() {
		if r := recover(); r != nil {
			rec.Result, rec.Detail = "error", fmt.Sprintf("panic: %v", r)
		}
		for field, limit := range map[*string]int{&rec.Hook: 64, &rec.Session: 64, &rec.Tool: 64, &rec.Detail: 1000} {
			*field = clip(gitmem.Redacted(clip(*field, maxField)), limit)
		}
		rec.MS = float64(env.Now().Sub(start).Microseconds()) / 1000
		env.Trace(rec)
	}()
	do := handle
	if name == "session-end" {
		do = endInTime
	}
	p, answer, err := do(ctx, name, env)
	if err == nil {
		h, _ := find(name) // the event name in the payload is ignored: the client only accepts a reply for its own event
		err = answer.write(env.Stdout, cmp.Or(h.Event, p.Event))
	}
	detail := answer.detail
	rec.Session, rec.Tool, rec.Detail = p.SessionID, p.ToolName, detail
	if err == nil {
		rec.Chars = answer.chars()
	}
	switch {
	case errors.Is(err, gitmem.ErrNotCaptured):
		rec.Result, rec.Detail = "nothing", err.Error()
	case err != nil:
		rec.Result, rec.Detail = "error", err.Error()
	case detail == "":
		rec.Result, rec.Detail = "nothing", answer.reason
	default:
		rec.Result = "written"
	}
}

// clip limits the length of payload data in a record, in bytes.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

// Within runs work that can't be cancelled, such as reading a pipe that nobody writes to, or a slow disk. It
// gives up when grace has passed after the end of the context: then late is true. A panic in work is returned
// as an error; elsewhere it would end the process.
func Within[T any](ctx context.Context, grace time.Duration, work func() (T, error)) (v T, late bool, err error) {
	type result struct {
		v   T
		err error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				r.err = fmt.Errorf("panic: %v", p)
			}
			done <- r
		}()
		r.v, r.err = work()
	}()
	select {
	case r := <-done:
		return r.v, false, r.err
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case r := <-done:
		return r.v, false, r.err
	case <-timer.C:
		return v, true, context.Cause(ctx)
	}
}

// Read reads the payload that a client writes to a hook, with a time limit.
func Read(ctx context.Context, in io.Reader) (Payload, error) {
	ctx, stop := context.WithTimeoutCause(ctx, readTime, errors.New("no whole JSON value came in time"))
	defer stop()
	p, late, err := Within(ctx, 0, func() (Payload, error) { return Parse(in) })
	if late {
		err = fmt.Errorf("read standard input: %w", err)
	}
	return p, err
}

func handle(ctx context.Context, name string, env Env) (p Payload, answer reply, err error) {
	h, ok := find(name)
	if !ok {
		return p, answer, fmt.Errorf("unknown hook %q", name)
	}
	if env.Agent != "" && !slices.Contains(Agents(), env.Agent) {
		return p, answer, fmt.Errorf("unknown agent %q: expected %s", env.Agent, strings.Join(Agents(), ", "))
	}
	start := env.Now()
	if p, err = Read(ctx, env.Stdin); err != nil {
		return p, answer, err
	}
	env.reportPayload(p, env.Now().Sub(start))
	agent := cmp.Or(env.Agent, p.writtenBy())
	nothing := p.adapt(agent, h)
	if nothing == "" && env.Agent == "" && agent != claudeCode && env.Elsewhere != nil && env.Elsewhere(agent) {
		nothing = "left to the hook that " + agent + " calls by itself"
	}
	if nothing != "" {
		return p, reply{reason: nothing}, nil
	}
	dir := cmp.Or(p.Cwd, env.Dir)
	m, err := env.Open(dir)
	if err != nil {
		return p, answer, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	answer, err = h.run(ctx, &call{Payload: p, dir: dir, memory: m, env: env})
	answer.agent = agent
	env.reportReply(answer, err)
	return p, answer, err
}
