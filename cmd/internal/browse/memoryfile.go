package browse

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
)

// FileView is a file in one of its views.
type FileView struct {
	Path, Kind, View string
	Rules, Editable  bool
	ID, Page         string     // of a source that is not in a file of memory: its citation and its own page
	Parts            []FilePart // of its text
	Lines            []FileLine
	Commits          []StoreCommit
	Since            string
	Changes          []ChangeView
	Commit           string // of the view commit
	Line             *LineEdit
}

// FilePart is a part of a file's text: frontmatter, a section, or the highlighted lines.
type FilePart struct {
	Anchor, Text  string
	Front, Target bool
}

// FileLine is a line and its origin.
type FileLine struct {
	Line                                        int32
	Text, Commit, Day, Session, Page, Turn, Why string
}

// StoreCommit is a commit of memory.
type StoreCommit struct {
	Commit, Day, Subject string
	Trailers             []string
}

// file reads a view of a file.
func (s *site) file(
	ctx context.Context, a MemoryArgs, files gitmem.MemoryFiles, name string, marked gitmem.Shown,
) (*FileView, error) {
	i := slices.IndexFunc(files.List, func(f gitmem.MemoryFile) bool { return f.Path == name })
	if i < 0 && marked.ID != "" { // it is not in a file, like a message of a session
		parts := []FilePart{{Text: marked.Text, Front: true, Target: true}}
		return &FileView{ID: marked.ID, Page: marked.BrowseURL, Parts: parts}, nil
	}
	if i < 0 {
		reason := strings.TrimSpace(name + " is no file of memory or of rules here " + a.AsOf)
		return nil, refusal(gitmem.ErrNotFound, reason, "choose one from the lists of /memory")
	}
	f := files.List[i]
	v := &FileView{Path: f.Path, Kind: f.Kind, View: a.View, Rules: f.Kind == "rules", Since: a.Since, Commit: a.Commit}
	v.Editable = s.edit && a.AsOf == "" && editable(f)
	return v, s.fill(ctx, v, a, f, marked)
}

// editable reports whether a file belongs to memory: rules are changed by a pull request, and plans are the
// client's.
func editable(f gitmem.MemoryFile) bool {
	return f.Kind != "rules" && f.Kind != "plans" && f.Kind != ""
}

// fill reads the content of a view.
func (s *site) fill(ctx context.Context, v *FileView, a MemoryArgs, f gitmem.MemoryFile, marked gitmem.Shown) error {
	h := s.m.History()
	switch v.View {
	case "lines":
		blame := h.Blame
		if v.Rules {
			blame = s.m.Rules().Blame
		}
		b, err := blame(ctx, s.inStore(v))
		v.Lines = slice.Map(b.Lines, fileLine)
		return err
	case "history":
		list, err := h.Log(ctx, s.inStore(v), gitmem.LogOptions{Limit: mostFiles})
		v.Commits = slice.Map(list, storeCommit)
		return err
	case "diff":
		if v.Since == "" {
			v.Since = "7d"
		}
		d, err := h.Diff(ctx, v.Since, s.inStore(v))
		v.Changes = changesOf(d.Files)
		return err
	case "commit":
		list, err := h.Log(ctx, a.Commit, gitmem.LogOptions{Limit: 1, Files: true})
		if err == nil && len(list) == 0 {
			reason := fmt.Sprintf("%.60q is no commit of memory", a.Commit)
			return refusal(gitmem.ErrNotFound, reason, "choose one from the history of the file")
		}
		for _, c := range list {
			v.Commits, v.Changes = []StoreCommit{storeCommit(c)}, changesOf(c.Files)
		}
		return err
	case "edit":
		lines := strings.Split(f.Text, "\n")
		if v.Editable && a.Line > 0 && int(a.Line) <= len(lines) {
			text := strings.TrimRight(lines[a.Line-1], "\r")
			v.Line = &LineEdit{File: v.Path, Line: a.Line, Was: text, Text: text}
			return nil
		}
		return fmt.Errorf("%w: line %d of %s can't be changed here", gitmem.ErrUsage, a.Line, v.Path)
	}
	v.View = ""
	v.Parts = fileParts(f.Text, marked.Line, strings.Count(strings.TrimRight(marked.Text, "\n"), "\n")+1)
	return nil
}

// inStore returns a file in the form for commands: a path relative to the root of memory could mean another
// file in the folder in which the pages were started.
func (s *site) inStore(v *FileView) string {
	if v.Rules {
		return v.Path
	}
	return s.m.Root() + "/" + v.Path
}

// fileParts splits a text at its headings, and at the highlighted lines: count lines from first on, 0 for
// none.
func fileParts(text string, first, count int) (parts []FilePart) {
	d := markdown.Parse([]byte(text))
	line, counted := 1, 0
	lineAt := func(at int) int { // at grows from call to call
		line, counted = line+strings.Count(text[counted:at], "\n"), at
		return line
	}
	body := lineAt(d.Body.Start)
	anchors := map[int]string{body: ""}
	for i, anchor := range d.Anchors() {
		anchors[lineAt(d.Sections[i].Heading.Start)] = anchor
	}
	marks := func(line int) bool { return first > 0 && line >= first && line < first+count }
	n, start, end := 0, 0, 0
	for line := range strings.Lines(text) {
		n++
		anchor, cut := anchors[n]
		if cut || len(parts) == 0 || marks(n) != parts[len(parts)-1].Target {
			parts, start = append(parts, FilePart{Anchor: anchor, Front: n < body, Target: marks(n)}), end
		}
		end += len(line)
		parts[len(parts)-1].Text = text[start:end]
	}
	return parts
}

func fileLine(l gitmem.BlameLine) FileLine {
	v := FileLine{Line: int32(l.Line), Text: l.Text, Commit: l.Commit, Session: l.Session, Turn: l.Turn, Why: l.Why}
	v.Day, _, _ = strings.Cut(l.Time, "T")
	if l.Session != "" && !strings.Contains(l.Session, ";") { // not if there are several
		v.Page = "/sessions/" + l.Session
	}
	if turn, _, _ := strings.Cut(l.Turn, " "); v.Page != "" && strings.HasPrefix(turn, "L") {
		v.Page += "#msg-" + turn[1:]
	}
	return v
}

func storeCommit(c gitmem.Commit) StoreCommit {
	return StoreCommit{Commit: c.Hash, Day: day(c.Time), Subject: c.Subject, Trailers: c.Trailers}
}
