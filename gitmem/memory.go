package gitmem

import (
	"context"
	"fmt"
	"sync"

	"github.com/gitmem/gitmem/gitmem/internal/agent"
	"github.com/gitmem/gitmem/gitmem/internal/archiving"
	"github.com/gitmem/gitmem/gitmem/internal/curate"
	"github.com/gitmem/gitmem/gitmem/internal/diagnose"
	"github.com/gitmem/gitmem/gitmem/internal/forget"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/promote"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/recall"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/report"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/session"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Memory gives access to the records, as seen from one folder. It contains configuration only: each call opens
// everything again, so that it is safe for concurrent use, and changes by any process, including exclusions and pauses,
// apply immediately.
type Memory struct {
	o        Options
	root     string // root folder of memory
	redactor *redact.Redactor
	ranker   *search.Ranker
	budget   ingest.Budget // of a first build
}

// Open returns the memory for o.Dir. It opens nothing: a missing store is not an error, and an unreadable one is an
// error of each call.
func Open(o Options) (*Memory, error) {
	if o.Dir == "" || o.Now == nil {
		return nil, fmt.Errorf("%w: Options.Dir and Options.Now must be set", ErrUsage)
	}
	if len(o.Dir) > transcript.MaxFolder {
		return nil, fmt.Errorf("%w: the working folder has %d bytes, longer than any folder's name", ErrUsage, len(o.Dir))
	}
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	var callbacks sync.Mutex // Warn and Progress never run concurrently
	warn, progress := o.Warn, o.Progress
	o.Warn = func(s string) {
		if warn != nil {
			callbacks.Lock()
			defer callbacks.Unlock()
			warn(s)
		}
	}
	if progress != nil {
		o.Progress = func(p Progress) {
			callbacks.Lock()
			defer callbacks.Unlock()
			progress(p)
		}
	}
	m := &Memory{o: o, redactor: redact.New(), ranker: &search.Ranker{}, budget: ingest.UsualBudget()}
	m.root, _ = o.Folder(o.Getenv)
	return m, nil
}

// Close ends the use of a Memory. Every call has already closed what it opened.
func (m *Memory) Close() error { return nil }

// Root returns the folder of the store, whether or not it exists.
func (m *Memory) Root() string { return m.root }

// view contains the state of one call.
type view struct {
	ws     *workspace.Workspace
	src    *ingest.Sources
	reader *query.Reader
}

func (v view) sessions() *session.Sessions   { return session.New(v.ws, v.src, v.reader) }
func (v view) archives() *archiving.Archives { return archiving.New(v.ws, v.src, v.sessions()) }
func (v view) recaller() *recall.Recaller    { return recall.New(v.ws, v.src, v.reader, v.sessions()) }
func (v view) team() *report.Team            { return report.New(v.ws, v.src, v.reader) }
func (v view) editor() *curate.Editor        { return curate.New(v.ws, v.src, v.reader) }
func (v view) forgetter() *forget.Forgetter  { return forget.New(v.ws, v.src, v.reader) }
func (v view) agent() *agent.Agent           { return agent.New(v.ws, v.src, v.reader) }
func (v view) promoter() *promote.Promoter {
	return promote.New(v.ws, v.src, v.reader, v.agent())
}
func (v view) inspector() *diagnose.Inspector { return diagnose.New(v.ws, v.src, v.reader) }

// with creates a view for one call, and closes it.
func with[T any](m *Memory, do func(view) (T, error)) (out T, err error) {
	ws, err := workspace.New(m.o, m.redactor)
	if err != nil {
		return out, err
	}
	src := ingest.New(ws)
	src.Budget = m.budget
	defer func() {
		if closeErr := src.Close(); closeErr != nil && err == nil { // the call itself has succeeded
			m.o.Warn("what a call had opened could not be closed: " + ErrorText(closeErr))
		}
	}()
	return do(view{ws, src, query.New(ws, src, m.ranker)})
}

// within is with for a call that returns an error only.
func within(m *Memory, do func(view) error) error {
	_, err := with(m, func(v view) (struct{}, error) { return struct{}{}, do(v) })
	return err
}

// HasStore reports whether a store with its own repository exists.
func (m *Memory) HasStore() bool {
	has, err := with(m, func(v view) (bool, error) { return v.ws.HasStore(), nil })
	return has && err == nil
}

// Init creates the store. created is false if it existed.
func (m *Memory) Init(ctx context.Context) (created bool, err error) {
	return with(m, func(v view) (bool, error) { return v.ws.Init(ctx) })
}
