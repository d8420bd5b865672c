package gitmem

import (
	"context"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/merge"
	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// Note writes a note into memory and commits it; force writes also one that duplicates
// another. The error is a [*Duplicate] otherwise.
func (m *Memory) Note(ctx context.Context, text string, force bool) (Noted, error) {
	return with(m, func(v view) (Noted, error) { return v.editor().Note(ctx, text, force) })
}

// Edit begins an edit: of the file that a path names or that holds a citation, or of the
// project's MEMORY.md for "". A new file starts empty. Nothing is written before
// [Memory.SaveEdit].
func (m *Memory) Edit(ctx context.Context, what string) (*Editing, error) {
	return with(m, func(v view) (*Editing, error) { return v.editor().Edit(ctx, what) })
}

// SaveEdit checks the text that an edit ended with, writes it to the file and commits. What
// others wrote to the file since the edit began is kept. The error for a text that can't be
// saved is a [Refusal]: it wraps ErrConflict when others changed the same lines.
func (m *Memory) SaveEdit(ctx context.Context, e *Editing, text []byte) (Edited, error) {
	return with(m, func(v view) (Edited, error) { return v.editor().Save(ctx, e, text) })
}

// Lint looks for what is wrong in memory's files and in the rules. With fix it gives the
// files that lack it their frontmatter before, and commits that.
func (m *Memory) Lint(ctx context.Context, fix bool) (Linted, error) {
	return with(m, func(v view) (Linted, error) {
		if fix {
			return v.editor().FixLint(ctx)
		}
		return v.editor().Lint(ctx)
	})
}

// History is the history of memory's own files.
type History struct{ m *Memory }

// History gives access to the history of memory's own files.
func (m *Memory) History() *History { return &History{m} }

// Log lists the commits that changed what a path or a citation names; "" is all.
func (h *History) Log(ctx context.Context, what string, o LogOptions) ([]Commit, error) {
	return with(h.m, func(v view) ([]Commit, error) { return v.editor().Log(ctx, what, o) })
}

// Blame lists who wrote each line, when and in which session.
func (h *History) Blame(ctx context.Context, what string) (Blamed, error) {
	return with(h.m, func(v view) (Blamed, error) { return v.editor().Blame(ctx, what) })
}

// Diff lists what has changed since a time or a revision.
func (h *History) Diff(ctx context.Context, since, what string) (Difference, error) {
	return with(h.m, func(v view) (Difference, error) { return v.editor().Diff(ctx, since, what) })
}

// Undo reverts a commit, or with dry only reports what that would change.
func (h *History) Undo(ctx context.Context, what string, dry bool) (Undone, error) {
	return with(h.m, func(v view) (Undone, error) { return v.editor().Undo(ctx, what, dry) })
}

// Began is when the history begins, zero where there is none.
func (h *History) Began(_ context.Context) (time.Time, error) {
	return with(h.m, func(v view) (time.Time, error) {
		if !v.ws.HasStore() {
			return time.Time{}, nil
		}
		return v.ws.Store.Began()
	})
}

// Files lists the files of memory that count in the project, and its rules, as they were at a moment,
// see [Filter].AsOf, with the text of those that are wanted.
func (h *History) Files(ctx context.Context, asOf string, wanted func(MemoryFile) bool) (MemoryFiles, error) {
	return with(h.m, func(v view) (MemoryFiles, error) { return v.reader.Files(ctx, asOf, wanted) })
}

// Decisions lists the project's decisions as they stood at a moment, newest first.
func (h *History) Decisions(ctx context.Context, asOf string) ([]KnownDecision, error) {
	return with(h.m, func(v view) ([]KnownDecision, error) { return v.editor().Decisions(ctx, asOf) })
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

// Link makes the memory of another project, named by its id or the end of it, count as that
// of the working folder's project, and the other way round; nothing is moved. With undo the
// two are separated again.
func (s *Projects) Link(ctx context.Context, name string, undo bool) (Project, error) {
	return with(s.m, func(v view) (Project, error) { return v.editor().Link(ctx, name, undo) })
}

// PlanForget finds what citations, or words, name. Each argument is a citation id, or a
// file and line as a note prints them ("…/MEMORY.md:7"); anything else is words, all of
// which a piece of memory must hold, or a text in double quotes that it must hold
// literally. No arguments mean what was forgotten before and has come back. With history,
// earlier commits are searched too. It changes nothing.
//
// ErrNotFound: none of that exists; of several arguments the plan lists each. ErrNoStore:
// there is no store.
func (m *Memory) PlanForget(ctx context.Context, what []string, history bool) (*Forgetting, error) {
	return with(m, func(v view) (*Forgetting, error) { return v.forgetter().PlanForget(ctx, what, history) })
}

// Forget carries out a plan: it removes the lines from the files, adds a line for each to
// the list of what was forgotten, which is committed, deletes every index and trace that
// may hold them, and, if history was requested, removes them from every commit. What was
// done before an error stays done; repeating it continues.
func (m *Memory) Forget(ctx context.Context, plan *Forgetting) (Forgotten, error) {
	return with(m, func(v view) (Forgotten, error) { return v.forgetter().Do(ctx, plan) })
}

// MergeFile merges two versions of a file that were both made from base. path is the slash path below
// the root; nil is no file. For a file that is not memory it returns ours.
func MergeFile(path string, base, ours, theirs []byte) []byte {
	if !store.Allowed(path) {
		return ours
	}
	return merge.File(path, base, ours, theirs)
}
