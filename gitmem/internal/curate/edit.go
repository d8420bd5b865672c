package curate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/tasks"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
)

// Editing is a file of memory during an edit.
type Editing struct {
	Path string // path below the root
	Line int    // initial line, counted from 1; 0 for none
	Text []byte // content of the file when the edit began
}

// Edited is the result of an edit. The JSON form is a public contract.
type Edited struct {
	Path   string             `json:"path"`
	Commit string             `json:"commit"` // "" if nothing changed
	Files  []query.FileChange `json:"changes"`
}

// Edit begins an edit of the file that a path names or that contains a citation, or of the project's MEMORY.md for "".
// A missing file starts empty. Nothing is written before [Editor.Save].
func (ed *Editor) Edit(ctx context.Context, what string) (*Editing, error) {
	if err := ed.ws.Writable(ctx); err != nil {
		return nil, err
	}
	t, err := ed.editable(ctx, what)
	if err != nil {
		return nil, err
	}
	text, err := ed.ws.Store.Read("", t.rel)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	e := &Editing{Path: t.rel, Text: text}
	if t.part {
		e.Line = t.lines.Start + 1
	}
	return e, nil
}

// editable returns the file to edit. A new file is at the first location that its path can mean and that memory
// permits.
func (ed *Editor) editable(ctx context.Context, what string) (target, error) {
	if what == "" {
		p, err := ed.ws.Place(ctx)
		if err != nil {
			return target{}, err
		}
		rel := path.Join(workspace.MemoryDir(p), "MEMORY.md")
		return target{rel: rel}, ed.ws.CheckReach(ctx, rel, ed.ws.ProjectOf(ed.ws.Folders(), rel))
	}
	t, err := ed.file(ctx, what)
	switch {
	case err == nil && t.rel == ".gitignore":
		return t, &messages.Refusal{Reason: ".gitignore keeps everything else out of memory's repository",
			Advice: "change it in an editor of your own if you must", Err: messages.ErrUsage}
	case err == nil || isCitation(what) || !errors.Is(err, messages.ErrNotFound):
		return t, err
	}
	ours := slices.Contains([]string{tasks.File, profile.OrdersFile, "project.md"}, what) // never in the client's folder
	for _, rel := range ed.ws.MemoryPaths(ctx, what) {
		if store.Allowed(rel) && strings.HasSuffix(rel, ".md") && !(ours && strings.HasPrefix(rel, "projects/")) {
			return target{rel: rel}, nil
		}
	}
	return t, &messages.Refusal{Reason: what + " is no file of memory", Err: messages.ErrNotFound,
		Advice: "name a Markdown file below " + ed.ws.Root + "/gitmem or below a memory folder in " +
			ed.ws.Root + "/projects"}
}

// Save checks the edited text, writes it to the file and commits. Changes that others made to the file since the edit
// began are kept. If the text cannot be saved, the error is a [messages.Refusal] with the reason; it wraps ErrConflict
// if others changed the same lines.
func (ed *Editor) Save(ctx context.Context, e *Editing, text []byte) (Edited, error) {
	out := Edited{Path: ed.ws.Clean(e.Path), Files: []query.FileChange{}}
	if bytes.Equal(e.Text, text) {
		return out, nil
	}
	if err := ed.check(e, text); err != nil {
		return out, err
	}
	ctx, release, err := ed.ws.Store.Hold(ctx)
	if err != nil {
		return out, err
	}
	defer release()
	if err := ed.src.KeepEdits(ctx, []string{e.Path}); err != nil {
		return out, err
	}
	diff := store.FileDiff{Path: e.Path}
	err = ed.ws.Store.Rewrite(ctx, e.Path, func(old []byte) ([]store.Insertion, error) {
		merged, conflicts := markdown.Merge3(e.Text, text, old)
		if len(conflicts) > 0 {
			return nil, &messages.Refusal{Reason: "others changed the same lines of " + e.Path + " meanwhile",
				Err: store.ErrConflict}
		}
		diff.Before, diff.After = old, merged
		return ed.ws.Insertions(old, merged), nil
	})
	if err != nil {
		return out, err
	}
	if out.Files = ed.reader.FileChanges([]store.FileDiff{diff}); len(out.Files) == 0 {
		return out, nil // others wrote the same
	}
	list, err := ed.src.ListDeleted(ctx, []string{e.Path})
	if err != nil {
		return out, err
	}
	out.Commit, err = ed.commit(ctx, append(list, e.Path), "edit: "+e.Path, "the edit is in "+e.Path+" but is",
		"edit "+e.Path)
	return out, err
}

// check rejects a text that would break its file or exclude it from the history.
func (ed *Editor) check(e *Editing, text []byte) error {
	where := e.Path
	line, why := ed.trouble(e, text)
	if why == "" {
		return nil
	}
	if line > 0 {
		where = fmt.Sprintf("%s line %d", where, line)
	}
	return &messages.Refusal{Reason: where + ": " + why}
}

// trouble returns the first problem and its line, counted from 1, or 0 for the whole file.
func (ed *Editor) trouble(e *Editing, text []byte) (line int, why string) {
	n := 0
	for l := range bytes.Lines(text) {
		n++
		if !utf8.Valid(l) || bytes.IndexByte(l, 0) >= 0 {
			return n, "this is not UTF-8 text"
		}
	}
	if at := markdown.ConflictMark(text); at > 0 && markdown.ConflictMark(e.Text) == 0 {
		return at, "a conflict is still marked here"
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return 0, "this is empty; a file of memory is not emptied by an edit"
	}
	if _, found := ed.ws.Redactor.Text(string(text)); len(found) > 0 {
		return 1 + bytes.Count(text[:found[0].Start], []byte("\n")),
			fmt.Sprintf("this holds a secret (%s), which memory never keeps", found[0].Kind)
	}
	if ed.reintroduces(e.Path, e.Text, text) {
		return 0, "this says again what was forgotten; gitmem note --force writes it on purpose"
	}
	return brokenShape(markdown.Parse(e.Text), markdown.Parse(text))
}

// brokenShape finds new problems in the structure of the file: unreadable frontmatter, an unknown format, or a
// duplicate block id.
func brokenShape(was, now *markdown.Doc) (line int, why string) {
	known := slice.Set(slice.Map(was.Skipped, func(s markdown.Skip) string { return s.Reason }))
	for _, s := range now.Skipped {
		if (strings.HasPrefix(s.Reason, "frontmatter") || strings.HasPrefix(s.Reason, "block id")) && !known[s.Reason] {
			return s.Line, s.Reason
		}
	}
	if was.Front != nil && now.Front == nil {
		return 1, "the frontmatter between the two lines --- is gone"
	}
	switch format := now.Front.Field("format"); {
	case format == "" && was.Front.Field("format") != "":
		return 1, "the frontmatter has lost its field format"
	case format != "" && format != "1":
		return 1, "the frontmatter says format " + format + ", and only 1 is known"
	}
	return 0, ""
}
