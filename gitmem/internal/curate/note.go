package curate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/tasks"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/clip"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/templates"
)

const (
	// indexLines and indexBytes limit the growth of MEMORY.md by notes. A part of what the client loads is reserved for
	// hand-written lines.
	indexLines = lint.LoadedLines - 20
	indexBytes = lint.LoadedBytes - 2<<10
	// noteBytes is the maximum size of a note, since the client loads all of MEMORY.md.
	noteBytes = 8 << 10
)

// Noted is the location of a written note. The JSON form is a public contract.
type Noted struct {
	ID     string `json:"id"`   // citation id of the section
	File   string `json:"file"` // path on disk
	Line   int    `json:"line"` // 1-based line of the note
	Commit string `json:"commit"`
	Text   string `json:"text"` // as written, with secrets redacted
	// Trust is the author of the note: mine or model.
	Trust answer.Trust `json:"trust"`
}

// Note writes a line to the memory of the current project and commits it. It adds the note to the fitting section of
// MEMORY.md, or, once MEMORY.md is almost as long as the client loads, to a topic file of the month that MEMORY.md
// names. Without force it rejects a near-duplicate. A note "TODO: …" becomes a task, and "Decision: …" a decision.
func (ed *Editor) Note(ctx context.Context, text string, force bool) (Noted, error) {
	text, err := notable(text)
	if err != nil {
		return Noted{}, err
	}
	switch kind, rest, _ := strings.Cut(text, ":"); strings.ToLower(kind) {
	case "todo":
		return ed.noteTask(ctx, rest, force)
	case "decision":
		return ed.noteDecision(ctx, strings.TrimSpace(rest), force)
	}
	p, err := ed.notePlace(ctx)
	if err != nil {
		return Noted{}, err
	}
	dir := workspace.MemoryDir(p)
	ed.ws.WarnNotCaptured(ctx)
	clean := ed.ws.Redactor.Clean(text)
	again, err := ed.allowForgotten(ctx, clean.String(), force)
	if err != nil {
		return Noted{}, err
	}
	n := note{text: clean.String(), by: ed.src.WrittenBy(ed.session(), clean.String()),
		month: ed.ws.Options.Now().UTC().Format("2006-01"), project: p.Project.ID}
	ctx, release, err := ed.ws.Store.Hold(ctx)
	if err != nil {
		return Noted{}, err
	}
	defer release()
	if !force {
		if err := ed.checkDuplicates(dir, n); err != nil {
			return Noted{}, err
		}
	}
	// An error here also prevents the commit of the note, which reports it once the note is in its file.
	_ = ed.src.KeepEdits(ctx, []string{path.Join(dir, "MEMORY.md"), topicFile(dir, n.month)})
	wrote, err := ed.writeNote(ctx, dir, &n)
	if err != nil {
		return Noted{}, err
	}
	rel := wrote[0]
	if path.Base(rel) != "MEMORY.md" {
		ed.ws.Options.Warn("MEMORY.md is nearly as long as the client loads it, so that the note is in " + path.Base(rel) +
			", which the client does not load by itself: shorten MEMORY.md, and gitmem memory lint says where")
	}
	if again {
		wrote = append(wrote, tombstone.File)
	}
	commit, err := ed.commit(ctx, append(wrote, p.Project.Files()...), "note: "+subject(n.text), "the note is in "+rel+
		" but is", "note "+n.section)
	if err != nil {
		return Noted{}, err
	}
	f := cite.File{Path: rel, Area: cite.AreaMemory, Project: ed.ws.ProjectOf(ed.ws.Folders(), rel)}
	return Noted{ID: cite.SectionID(f, n.anchor), File: ed.ws.Path(rel), Line: n.line, Commit: commit, Text: n.text,
		Trust: cmp.Or(n.by, answer.Mine)}, nil
}

// noteTask adds a task. With force it reopens a completed task.
func (ed *Editor) noteTask(ctx context.Context, title string, force bool) (Noted, error) {
	c := tasks.Change{Title: title}
	if force {
		c.State = tasks.Pending
	}
	t, changed, err := ed.setTask(ctx, c)
	if err == nil && !changed && !force {
		err = &messages.Duplicate{File: t.File, Line: t.Line, Text: t.Title}
	}
	return Noted{ID: t.ID, File: t.File, Line: t.Line, Commit: t.Commit, Text: t.Title, Trust: t.Trust}, err
}

// noteDecision writes a decision whose title is the first line.
func (ed *Editor) noteDecision(ctx context.Context, text string, force bool) (Noted, error) {
	d := Decision{Force: force}
	if d.Title, d.Context, _ = strings.Cut(text, "\n"); utf8.RuneCountInString(d.Title) > maxTitle {
		d.Context = text
	}
	done, err := ed.Decide(ctx, d)
	return Noted{ID: done.ID, File: done.File, Line: 1, Commit: done.Commit, Text: done.Title, Trust: done.Trust}, err
}

// notable returns a text in the form in which it may be noted.
func notable(text string) (string, error) {
	text = strings.TrimSpace(redact.Plain(strings.ReplaceAll(text, "\r\n", "\n")))
	switch {
	case text == "":
		return "", fmt.Errorf("%w: the note is empty", messages.ErrUsage)
	case len(text) > noteBytes:
		return "", fmt.Errorf("%w: the note has %d bytes, more than %d: write it as a file and note where it lies",
			messages.ErrUsage, len(text), noteBytes)
	}
	return text, nil
}

// notePlace returns the workspace in which a note is written, and creates its project if there is none.
func (ed *Editor) notePlace(ctx context.Context) (*workspace.Place, error) {
	if err := ed.ws.Writable(ctx); err != nil {
		return nil, err
	}
	p, err := ed.ws.Place(ctx)
	if err != nil || !p.InRepo {
		return p, err
	}
	_ = ed.src.KeepEdits(ctx, p.Project.Files()) // as below
	p.Project, err = ed.ws.Project(ctx, p.Identity, ed.ws.Holds(ctx, p), true)
	return p, err
}

// errFull means that MEMORY.md has reached its limit for notes.
var errFull = errors.New("memory file is full")

// writeNote inserts the note and returns the files that changed, the file with the note first.
func (ed *Editor) writeNote(ctx context.Context, dir string, n *note) ([]string, error) {
	index := path.Join(dir, "MEMORY.md")
	err := ed.ws.Store.RewriteAll(ctx, []store.FileEdit{ed.insert(index, n, true)})
	if !errors.Is(err, errFull) {
		return []string{index}, err
	}
	topic := topicFile(dir, n.month)
	err = ed.ws.Store.RewriteAll(ctx,
		[]store.FileEdit{ed.insert(topic, n, false), {Path: index, Edit: func(old []byte) ([]store.Insertion, bool, error) {
			return pointer(ed.ws.Redactor, old, topic), false, nil
		}}})
	return []string{topic, index}, err
}

// topicFile returns the file for the notes of a month after MEMORY.md is full.
func topicFile(dir, month string) string { return path.Join(dir, "notes-"+month+".md") }

// headOf returns the start of a new notes file. The client gives MEMORY.md no frontmatter.
func headOf(name, project string) string {
	head := templates.Fill(templates.Memory(), map[string]string{"kind": "notes", "project": markdown.QuoteYAML(project)})
	if name == "MEMORY.md" {
		d := markdown.Parse([]byte(head))
		head = strings.TrimLeft(string(d.Body.Of(d.Source)), "\r\n")
	}
	return head
}

// insert returns an edit that inserts the note into a file. It fails for a full index file, since the client loads only
// a part of it.
func (ed *Editor) insert(rel string, n *note, isIndex bool) store.FileEdit {
	return store.FileEdit{Path: rel, Edit: func(old []byte) ([]store.Insertion, bool, error) {
		if isIndex && (strings.Count(string(old), "\n")+strings.Count(n.text, "\n") >= indexLines ||
			len(old)+len(n.text) > indexBytes) {
			return nil, false, errFull
		}
		n.head = headOf(path.Base(rel), n.project)
		at, text := n.place(old)
		return []store.Insertion{{At: at, Text: ed.ws.Redactor.Clean(text)}}, false, nil
	}}
}

// note is a line to insert into a Markdown file.
type note struct {
	text    string
	by      answer.Trust // "" for the user
	month   string
	project string // id of the note's project
	head    string // head of a new file
	section string // set by place
	anchor  string // anchor of the section, set by place
	line    int    // set by place
}

// place returns the position in a file at which the note is inserted, and the text to insert. It may be called again if
// the file changed in between.
func (n *note) place(old []byte) (at int, text string) {
	d := markdown.Parse(old)
	i, ok := n.fitting(d)
	eol := cmp.Or(d.EOL, "\n")
	first, rest, more := strings.Cut(n.text, "\n")
	bullet := "- " + first + n.by.Mark()
	if more {
		bullet += eol + "  " + strings.ReplaceAll(rest, "\n", eol+"  ")
	}
	var e markdown.Edit
	if ok {
		e = d.AppendTo(i, bullet)
		n.anchor = d.Anchors()[i]
	} else {
		n.anchor = markdown.Slug(n.section)
		e = d.AppendSection(2, n.section, bullet)
		if len(old) == 0 {
			e.Text = n.head + eol + strings.TrimLeft(e.Text, "\r\n")
		}
	}
	before, _, _ := strings.Cut(e.Text, bullet)
	n.line = strings.Count(string(old[:e.Span.Start])+before, "\n") + 1
	return e.Span.Start, e.Text
}

// checkDuplicates rejects a note with the same words as an existing line.
func (ed *Editor) checkDuplicates(dir string, n note) error {
	var found error
	err := ed.src.WalkMarkdown(ed.ws.Root, []string{dir}, func(rel string) {
		b, err := ed.ws.Store.Read("", rel)
		if err == nil && found == nil {
			found = n.checkDuplicate(ed.ws.Path(rel), []byte(ed.ws.Redactor.Lines(string(b))))
		}
	})
	if err != nil {
		return err
	}
	return found
}

// checkDuplicate rejects the note if an item of a file has the same text: its first line, or the whole item if the note
// has several lines.
func (n *note) checkDuplicate(file string, content []byte) error {
	lines := strings.Split(string(content), "\n")
	for i, raw := range lines {
		item, ok := strings.CutPrefix(strings.TrimSpace(raw), "- ")
		if !ok {
			continue
		}
		item, _ = answer.CutMark(item)
		whole := item
		if strings.Contains(n.text, "\n") {
			whole += continuation(lines[i+1:])
		}
		if lint.Same(n.text, whole) {
			return &messages.Duplicate{File: file, Line: i + 1, Text: item}
		}
	}
	return nil
}

// continuation returns the remaining lines of an item after its first one.
func continuation(lines []string) string {
	end := slices.IndexFunc(lines, func(l string) bool {
		return strings.TrimSpace(l) != "" && l[0] != ' ' && l[0] != '\t'
	})
	if end < 0 {
		end = len(lines)
	}
	return "\n" + strings.Join(lines[:end], "\n")
}

// subject returns the first line of a note for a commit subject.
func subject(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	const limit = 60
	return clip.Within(line, limit)
}

// allowForgotten rejects a note with forgotten content. With force it removes the tombstone and permits the note.
func (ed *Editor) allowForgotten(ctx context.Context, text string, force bool) (changed bool, err error) {
	set := ed.src.Forgotten()
	var tombstones []tombstone.Tombstone
	for line := range strings.Lines(text) {
		if t, ok := set.Line(line); ok {
			tombstones = append(tombstones, t)
		}
	}
	if len(tombstones) == 0 {
		return false, nil
	}
	if !force {
		return false, fmt.Errorf("%w of what was forgotten on purpose", messages.ErrDuplicate)
	}
	defer ed.src.ForgetSet()
	return true, ed.ws.Store.Rewrite(ctx, tombstone.File, func(old []byte) ([]store.Insertion, error) {
		var out []store.Insertion
		at := 0
		for line := range strings.Lines(string(old)) {
			if slices.ContainsFunc(tombstones, func(s tombstone.Tombstone) bool {
				return strings.TrimSpace(line) == s.String()
			}) {
				out = append(out, store.Insertion{At: at, Cut: len(line)})
			}
			at += len(line)
		}
		return out, nil
	})
}
