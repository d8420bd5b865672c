package curate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/markdown"
)

// target is the location in the store that a citation or a path names.
type target struct {
	rel   string         // slash path of a file or folder below the root
	id    string         // the citation id, "" for a path
	part  bool           // only lines of the file are meant
	lines markdown.Lines // lines of a cited unit on disk, without surrounding blank lines
}

// target resolves an argument of a command: a citation id, the path of an existing or removed file or folder of memory,
// or one line of a file as a note reports it ("MEMORY.md:7"). The error wraps ErrNotFound.
func (ed *Editor) target(ctx context.Context, what string) (target, error) {
	if isCitation(what) {
		return ed.cited(ctx, what)
	}
	for _, paths := range [][]string{ed.ws.MemoryPaths(ctx, what), ed.ws.CheckoutPaths(ctx, what)} {
		if t, err := ed.named(ctx, what, paths); err != nil || t.rel != "" {
			return t, err
		}
	}
	if name, line, ok := workspace.CutLine(what); ok {
		return ed.line(ctx, name, line)
	}
	return target{}, fmt.Errorf("%s: no file of memory has this name: %w", what, messages.ErrNotFound)
}

// named returns the existing file or folder at one of the paths, otherwise a removed one, otherwise the zero target. It
// rejects a file name that exists at several paths.
func (ed *Editor) named(ctx context.Context, what string, paths []string) (target, error) {
	there := slices.DeleteFunc(slices.Clone(paths), func(rel string) bool {
		_, err := os.Lstat(ed.ws.Path(rel))
		return err != nil
	})
	switch {
	case len(there) > 1 && strings.HasSuffix(what, ".md"):
		return target{}, &messages.Refusal{Reason: what + " is in several of the project's folders", Advice: "name one of " +
			strings.Join(there, ", "), Err: messages.ErrUsage}
	case len(there) > 0:
		return target{rel: there[0]}, nil
	}
	for _, rel := range paths {
		for _, err := range ed.ws.Store.Log(ctx, 1, rel) {
			return target{rel: rel}, err
		}
	}
	return target{}, nil
}

// line returns one line of a file on disk.
func (ed *Editor) line(ctx context.Context, name string, line int) (target, error) {
	t, err := ed.file(ctx, name)
	if err != nil {
		return t, err
	}
	body, err := ed.ws.Store.Read("", t.rel)
	if err != nil {
		return t, err
	}
	n := 0
	for range bytes.Lines(body) {
		n++
	}
	if line > n {
		return t, &messages.Refusal{Reason: fmt.Sprintf("%s has %s and no line %d", t.rel, messages.Plural(n, "line"), line),
			Advice: "see them with gitmem blame " + t.rel, Err: messages.ErrNotFound}
	}
	t.part, t.lines = true, markdown.Lines{Start: line - 1, End: line}
	return t, nil
}

// isCitation reports whether a word is a citation id and not a path. A bare hexadecimal word could be an id too, but
// here it is a commit of the store or a search word.
func isCitation(what string) bool {
	_, err := cite.Parse(what)
	return err == nil && strings.Contains(what, ":")
}

// cited resolves a citation id to a file and lines.
func (ed *Editor) cited(ctx context.Context, what string) (target, error) {
	src, err := ed.reader.LookUp(ctx, what, "")
	if err != nil {
		return target{}, err
	}
	if !store.Allowed(src.Path) || src.Layer == cite.LayerRules || src.Layer == cite.LayerTeam {
		return target{}, &messages.Refusal{Reason: what + " is not kept in memory's own history", Err: messages.ErrNotFound,
			Advice: "this command knows files of memory; for rules, commits and transcripts ask git or their own tool"}
	}
	body, err := ed.ws.Store.Read("", src.Path)
	if err != nil {
		return target{}, err
	}
	text := ed.src.Shown(src.Path, body)
	area := cite.AreaOf(src.Path)
	for _, project := range []string{ed.ws.ProjectOf(ed.ws.Folders(), src.Path), strings.Split(src.Path, "/")[1]} {
		units, _ := cite.Units(cite.File{Path: src.Path, Area: area, Project: project}, text)
		for _, u := range units {
			if u.ID == src.ID {
				return target{rel: src.Path, id: u.ID, part: true, lines: linesOf(text, u.Span)}, nil
			}
		}
	}
	return target{}, fmt.Errorf("%s in %s: %w", what, src.Path, messages.ErrNotFound)
}

// linesOf returns the lines of a span without blank lines at its ends, which change with the surrounding text.
func linesOf(text []byte, s markdown.Span) markdown.Lines {
	span := s.Of(text)
	start := s.Start + len(span) - len(bytes.TrimLeft(span, " \t\r\n"))
	end := max(start, s.Start+len(bytes.TrimRight(span, " \t\r\n")))
	first := bytes.Count(text[:start], []byte("\n"))
	return markdown.Lines{Start: first, End: first + bytes.Count(text[start:end], []byte("\n")) + 1}
}

// file is like target but requires a file on disk.
func (ed *Editor) file(ctx context.Context, what string) (target, error) {
	t, err := ed.target(ctx, what)
	if err != nil {
		return t, err
	}
	if err := ed.ws.CheckReach(ctx, t.rel, ed.ws.ProjectOf(ed.ws.Folders(), t.rel)); err != nil {
		return t, err
	}
	info, err := os.Lstat(ed.ws.Path(t.rel))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return t, &messages.Refusal{Reason: t.rel + " was removed from memory", Advice: "see who removed it: gitmem log " +
			t.rel, Err: messages.ErrNotFound}
	case err != nil:
		return t, err
	case info.IsDir():
		return t, &messages.Refusal{Reason: t.rel + " is a folder", Advice: "name a file in it, such as " +
			path.Join(t.rel, "MEMORY.md"), Err: messages.ErrUsage}
	}
	return t, nil
}

// needStore returns ErrNoStore if there is no history to read.
func (ed *Editor) needStore() error {
	if !ed.ws.HasStore() {
		return fmt.Errorf("%s: %w", ed.ws.Root, store.ErrNoStore)
	}
	return nil
}

// reintroduces reports whether a change of a file adds forgotten content.
func (ed *Editor) reintroduces(rel string, before, after []byte) bool {
	return bytes.Equal(ed.src.WithoutForgotten(rel, before), before) &&
		!bytes.Equal(ed.src.WithoutForgotten(rel, after), after)
}
