package gitmem

import (
	"context"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/interchange"
	"github.com/gitmem/gitmem/gitmem/internal/merge"
	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// Note writes a note into memory and commits it; force also allows a duplicate. Otherwise the error for a duplicate is
// a [*Duplicate].
func (m *Memory) Note(ctx context.Context, text string, force bool) (Noted, error) {
	return with(m, func(v view) (Noted, error) { return v.editor().Note(ctx, text, force) })
}

// Edit begins an edit: of the file at a path or with a citation, or of the project's MEMORY.md for "". A new file
// starts empty. Nothing is written before [Memory.SaveEdit].
func (m *Memory) Edit(ctx context.Context, what string) (*Editing, error) {
	return with(m, func(v view) (*Editing, error) { return v.editor().Edit(ctx, what) })
}

// SaveEdit validates the edited text, writes it to the file and commits. Changes by others since the edit began are
// kept. The error for a text that can't be saved is a [Refusal]: it wraps ErrConflict if others changed the same lines.
func (m *Memory) SaveEdit(ctx context.Context, e *Editing, text []byte) (Edited, error) {
	return with(m, func(v view) (Edited, error) { return v.editor().Save(ctx, e, text) })
}

// Lint finds problems in memory's files and in the rules. With fix it first adds missing frontmatter to files, and
// commits that.
func (m *Memory) Lint(ctx context.Context, fix bool) (Linted, error) {
	return with(m, func(v view) (Linted, error) {
		if fix {
			return v.editor().FixLint(ctx)
		}
		return v.editor().Lint(ctx)
	})
}

// Forms lists the tools, and the form of JSON lines, for [Projects.Export] and [Projects.Import].
func Forms() []string { return interchange.Forms() }

// History is the history of memory's own files.
type History struct{ m *Memory }

// History gives access to the history of memory's own files.
func (m *Memory) History() *History { return &History{m} }

// Log lists the commits that changed a file or citation; "" means all.
func (h *History) Log(ctx context.Context, what string, o LogOptions) ([]Commit, error) {
	return with(h.m, func(v view) ([]Commit, error) { return v.editor().Log(ctx, what, o) })
}

// Blame returns the author, time and session of each line.
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

// Began returns the time of the first commit, zero if there is none.
func (h *History) Began(_ context.Context) (time.Time, error) {
	return with(h.m, func(v view) (time.Time, error) {
		if !v.ws.HasStore() {
			return time.Time{}, nil
		}
		return v.ws.Store.Began()
	})
}

// Files lists the files of memory in the project's scope, and its rules, at a moment, see [Filter].AsOf, with the text
// of wanted files.
func (h *History) Files(ctx context.Context, asOf string, wanted func(MemoryFile) bool) (MemoryFiles, error) {
	return with(h.m, func(v view) (MemoryFiles, error) { return v.reader.Files(ctx, asOf, wanted) })
}

// Decisions lists the project's decisions in their state at a moment, newest first.
func (h *History) Decisions(ctx context.Context, asOf string) ([]KnownDecision, error) {
	return with(h.m, func(v view) ([]KnownDecision, error) { return v.editor().Decisions(ctx, asOf) })
}

// Projects gives access to the projects and the links between them, and exchanges their memory with other tools.
type Projects struct{ m *Memory }

// Projects gives access to the projects of the store.
func (m *Memory) Projects() *Projects { return &Projects{m} }

// Here returns the project of the working folder. The error wraps [ErrNoRepository] outside a repository.
func (s *Projects) Here(ctx context.Context) (Project, error) {
	return with(s.m, func(v view) (Project, error) { return v.editor().Project(ctx) })
}

// Link shares memory between the working folder's project and another one, given by its id or a suffix of it; nothing
// is moved. With undo the two are separated again.
func (s *Projects) Link(ctx context.Context, name string, undo bool) (Project, error) {
	return with(s.m, func(v view) (Project, error) { return v.editor().Link(ctx, name, undo) })
}

// Export writes the memory of a project in one of the [Forms]: to a folder, or as JSON lines to a file. project names
// it as in [Filter].Project; "" is the current one.
func (s *Projects) Export(ctx context.Context, to, path, project string) (Exported, error) {
	return with(s.m, func(v view) (Exported, error) { return v.editor().Export(ctx, to, path, project) })
}

// Import reads what a tool of [Forms] exported, writes it as notes with trust imported, and commits them. If dry is
// set, it only reports what it would do. The error wraps [ErrNotFound] if path contains nothing of that form.
func (s *Projects) Import(ctx context.Context, from, path string, dry bool) (Imported, error) {
	return with(s.m, func(v view) (Imported, error) { return v.editor().ImportPages(ctx, from, path, dry) })
}

// PlanForget finds the pieces of memory for citations or words. Each argument is a citation id, or a file and line as a
// note prints them ("…/MEMORY.md:7"); anything else is words, all of which a piece of memory must contain, or a text in
// double quotes that it must contain literally. No arguments mean everything that was forgotten before and has come
// back. With history, earlier commits are searched too. It changes nothing.
//
// ErrNotFound: none of that exists; of several arguments the plan lists each. ErrNoStore: there is no store.
func (m *Memory) PlanForget(ctx context.Context, what []string, history bool) (*Forgetting, error) {
	return with(m, func(v view) (*Forgetting, error) { return v.forgetter().PlanForget(ctx, what, history) })
}

// Forget executes a plan: it removes the lines from the files, adds a line for each to the list of forgotten text,
// commits, deletes every index and trace that may contain them, and, if history was requested, removes them from every
// commit. Completed steps are kept when an error occurs; repeating it continues.
func (m *Memory) Forget(ctx context.Context, plan *Forgetting) (Forgotten, error) {
	return with(m, func(v view) (Forgotten, error) { return v.forgetter().Do(ctx, plan) })
}

// MergeFile merges two versions of a file that both derive from base. path is the slash path relative to the root; nil
// means no file. For a file that is not memory it returns ours.
func MergeFile(path string, base, ours, theirs []byte) []byte {
	if !store.Allowed(path) {
		return ours
	}
	return merge.File(path, base, ours, theirs)
}
