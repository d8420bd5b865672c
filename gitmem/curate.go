package gitmem

import (
	"context"
)

// Note writes a note into memory and commits it; force writes also what another note
// says already. The error is a [*Duplicate] otherwise.
func (m *Memory) Note(ctx context.Context, text string, force bool) (Noted, error) {
	return with(m, func(v view) (Noted, error) { return v.editor().Note(ctx, text, force) })
}

// Edit begins an edit: of the file that a path names or that holds a citation, or of
// the project's MEMORY.md for "". A file that is not there yet starts empty. Nothing is
// written before [Memory.SaveEdit].
func (m *Memory) Edit(ctx context.Context, what string) (*Editing, error) {
	return with(m, func(v view) (*Editing, error) { return v.editor().Edit(ctx, what) })
}

// SaveEdit checks the text that an edit ended with, writes it to the file and commits.
// What others wrote to the file since the edit began is kept. The error of a text that
// can't be saved, a [Refusal], says why: it wraps ErrConflict when others changed the
// same lines.
func (m *Memory) SaveEdit(ctx context.Context, e *Editing, text []byte) (Edited, error) {
	return with(m, func(v view) (Edited, error) { return v.editor().Save(ctx, e, text) })
}

// Lint looks for what is wrong in memory's files and in the rules.
func (m *Memory) Lint(ctx context.Context) (Linted, error) {
	return with(m, func(v view) (Linted, error) { return v.editor().Lint(ctx) })
}

// History is the history of memory's own files.
type History struct{ m *Memory }

// History gives access to the history of memory's own files.
func (m *Memory) History() *History { return &History{m} }

// Log lists the commits that changed what a path or a citation names; "" is all.
func (h *History) Log(ctx context.Context, what string, o LogOptions) ([]Commit, error) {
	return with(h.m, func(v view) ([]Commit, error) { return v.editor().Log(ctx, what, o) })
}

// Blame says of each line who wrote it, when and in which session.
func (h *History) Blame(ctx context.Context, what string) (Blamed, error) {
	return with(h.m, func(v view) (Blamed, error) { return v.editor().Blame(ctx, what) })
}

// Diff lists what has changed since a moment or a revision.
func (h *History) Diff(ctx context.Context, since, what string) (Difference, error) {
	return with(h.m, func(v view) (Difference, error) { return v.editor().Diff(ctx, since, what) })
}

// Undo takes a commit back, or with dry only says what that would change.
func (h *History) Undo(ctx context.Context, what string, dry bool) (Undone, error) {
	return with(h.m, func(v view) (Undone, error) { return v.editor().Undo(ctx, what, dry) })
}

// Projects lists the projects and whose memory counts in each.
type Projects struct{ m *Memory }

// Projects gives access to the projects of the store.
func (m *Memory) Projects() *Projects { return &Projects{m} }

// Here is the project of the working folder. The error wraps [ErrNoRepository] outside
// a repository.
func (s *Projects) Here(ctx context.Context) (Project, error) {
	return with(s.m, func(v view) (Project, error) { return v.editor().Project(ctx) })
}

// Link makes the memory of another project, named by its id or the end of it, count as
// that of the working folder's project, and the other way round; nothing is moved. With
// undo the two are apart again.
func (s *Projects) Link(ctx context.Context, name string, undo bool) (Project, error) {
	return with(s.m, func(v view) (Project, error) { return v.editor().Link(ctx, name, undo) })
}

// PlanForget finds what citations, or words, name. Each of what is a citation id, or a
// file and line as a note tells them ("…/MEMORY.md:7"); what is neither is words, all of
// which a piece of memory must hold, or a text in double quotes that it must hold
// literally. Nothing at all means what was forgotten before, should it have come back.
// With history, earlier commits are looked at, too. It changes nothing.
//
// ErrNotFound: nothing of that is there; of several things the plan tells each.
// ErrNoStore: there is no store.
func (m *Memory) PlanForget(ctx context.Context, what []string, history bool) (*Forgetting, error) {
	return with(m, func(v view) (*Forgetting, error) { return v.forgetter().PlanForget(ctx, what, history) })
}

// Forget does what was planned: the lines go from the files, the list of what was
// forgotten gets a line for each, which is committed, every index and trace that may
// hold them is deleted, and, if history was asked for, they go from every commit. What
// is done when an error comes stays done; doing it again goes on.
func (m *Memory) Forget(ctx context.Context, plan *Forgetting) (Forgotten, error) {
	return with(m, func(v view) (Forgotten, error) { return v.forgetter().Do(ctx, plan) })
}
