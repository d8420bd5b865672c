package gitmem

import (
	"context"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// The kinds of entries that a session may leave in its log for later sessions.
const (
	ContextEntry = cite.EntryContext // what a later session should know
	SummaryEntry = cite.EntrySummary // summary of the session
)

// Tasks are the tasks of the project.
type Tasks struct{ m *Memory }

// Tasks gives access to the tasks of the project.
func (m *Memory) Tasks() *Tasks { return &Tasks{m} }

// List lists the tasks, those that need attention first; all includes completed ones.
func (t *Tasks) List(ctx context.Context, all bool) ([]Task, error) {
	return with(t.m, func(v view) ([]Task, error) { return v.editor().Tasks(ctx, all) })
}

// At lists all tasks in their state at a moment, see [Filter].AsOf.
func (t *Tasks) At(ctx context.Context, asOf string) ([]Task, error) {
	return with(t.m, func(v view) ([]Task, error) { return v.editor().TasksAt(ctx, asOf) })
}

// Set changes a task or adds one, and commits. The error wraps [ErrNotFound] if there is no task with the id and no
// title is given.
func (t *Tasks) Set(ctx context.Context, c TaskChange) (TaskChanged, error) {
	return with(t.m, func(v view) (TaskChanged, error) { return v.editor().SetTask(ctx, c) })
}

// Confirm marks a task that a model wrote as the user's own, and commits. It is refused inside the client, where a
// model may be the caller.
func (t *Tasks) Confirm(ctx context.Context, id string) (TaskChanged, error) {
	return with(t.m, func(v view) (TaskChanged, error) { return v.editor().ConfirmTask(ctx, id) })
}

// ConfirmDecision accepts a proposed decision as the user's own, and commits. It is refused inside the client, as in
// [Tasks.Confirm].
func (m *Memory) ConfirmDecision(ctx context.Context, id string) (Decided, error) {
	return with(m, func(v view) (Decided, error) { return v.editor().ConfirmDecision(ctx, id) })
}

// Decide writes a decision to its own file, marks those that it supersedes, and commits. The error is a [*Duplicate] if
// a valid decision is equivalent.
func (m *Memory) Decide(ctx context.Context, d Decision) (Decided, error) {
	return with(m, func(v view) (Decided, error) { return v.editor().Decide(ctx, d) })
}

// Continue returns the context for continuing earlier sessions: the last work, open items, decisions, and notes for
// later.
func (s *Sessions) Continue(ctx context.Context) (SessionContext, error) {
	return s.Context(ctx, ContextOptions{Parts: []string{"sessions", "open", "learnt"}})
}

// Leave appends a text for later sessions to a session's log, at most 500 characters, and commits it. The error is
// [ErrNotCaptured] as in [Sessions.Observe].
func (s *Sessions) Leave(ctx context.Context, session, kind, text string) error {
	return within(s.m, func(v view) error { return v.sessions().Leave(ctx, session, kind, text) })
}
