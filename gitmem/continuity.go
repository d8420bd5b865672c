package gitmem

import (
	"context"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
)

// What a session may leave in its log for later ones.
const (
	ContextEntry = cite.EntryContext // what a later one should know
	SummaryEntry = cite.EntrySummary // what was done in it
)

// Tasks are the tasks of the project.
type Tasks struct{ m *Memory }

// Tasks gives access to the tasks of the project.
func (m *Memory) Tasks() *Tasks { return &Tasks{m} }

// List lists them, those that need attention first; all has those too that are completed.
func (t *Tasks) List(ctx context.Context, all bool) ([]Task, error) {
	return with(t.m, func(v view) ([]Task, error) { return v.editor().Tasks(ctx, all) })
}

// At lists all of them as they stood at a moment, see [Filter].AsOf.
func (t *Tasks) At(ctx context.Context, asOf string) ([]Task, error) {
	return with(t.m, func(v view) ([]Task, error) { return v.editor().TasksAt(ctx, asOf) })
}

// Set changes a task or adds one, and commits. The error wraps [ErrNotFound] where an id
// names none and no title is given.
func (t *Tasks) Set(ctx context.Context, c TaskChange) (TaskChanged, error) {
	return with(t.m, func(v view) (TaskChanged, error) { return v.editor().SetTask(ctx, c) })
}

// Confirm makes the words of a task, which a model wrote, the user's own, and commits. Inside the
// client it is refused: a model may be the one who asks.
func (t *Tasks) Confirm(ctx context.Context, id string) (TaskChanged, error) {
	return with(t.m, func(v view) (TaskChanged, error) { return v.editor().ConfirmTask(ctx, id) })
}

// ConfirmDecision accepts a decision that was proposed, as the user's own, and commits. Inside the
// client it is refused as [Tasks.Confirm] is.
func (m *Memory) ConfirmDecision(ctx context.Context, id string) (Decided, error) {
	return with(m, func(v view) (Decided, error) { return v.editor().ConfirmDecision(ctx, id) })
}

// Decide writes a decision into a file of its own, marks those that it supersedes, and
// commits. The error is a [*Duplicate] where one that holds says the same.
func (m *Memory) Decide(ctx context.Context, d Decision) (Decided, error) {
	return with(m, func(v view) (Decided, error) { return v.editor().Decide(ctx, d) })
}

// Continue is what earlier sessions left to go on from: what was done last, what is open,
// what was decided, and what was noted for later.
func (s *Sessions) Continue(ctx context.Context) (SessionContext, error) {
	return s.Context(ctx, ContextOptions{Parts: []string{"sessions", "open", "learnt"}})
}

// Leave appends what a session leaves for later ones to its log, at most 500 characters,
// and commits it. The error is [ErrNotCaptured] as of [Sessions.Observe].
func (s *Sessions) Leave(ctx context.Context, session, kind, text string) error {
	return within(s.m, func(v view) error { return v.sessions().Leave(ctx, session, kind, text) })
}
