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
	// indexLines and indexBytes are how long MEMORY.md may grow by notes: some of
	// what the client loads is kept for hand-written lines.
	indexLines = lint.LoadedLines - 20
	indexBytes = lint.LoadedBytes - 2<<10
	// noteBytes is how long a note may be: the client loads all of MEMORY.md.
	noteBytes = 8 << 10
)

// Noted is where a note was written. The JSON form is a public contract.
type Noted struct {
	ID     string `json:"id"`   // citation id of the section
	File   string `json:"file"` // path on disk
	Line   int    `json:"line"` // 1-based line of the note
	Commit string `json:"commit"`
	Text   string `json:"text"` // as it was written: redacted
	// Trust is whose words the note is: mine or model.
	Trust answer.Trust `json:"trust"`
}

// Note writes a line to the memory of the current project and commits it: to the
// fitting section of MEMORY.md, or to a topic file of the month once MEMORY.md is
// nearly as long as the client loads it; then MEMORY.md names that file. Without
// force a near-duplicate is refused. A note "TODO: …" is a task, and "Decision: …" a decision.
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
	// What keeps edits from being committed keeps the note from it, too: that is reported then,
	// when the note is in its file.
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

// noteTask adds a task. With force it is open again where it was completed.
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

// noteDecision writes a decision, whose title is the first line.
func (ed *Editor) noteDecision(ctx context.Context, text string, force bool) (Noted, error) {
	d := Decision{Force: force}
	if d.Title, d.Context, _ = strings.Cut(text, "\n"); utf8.RuneCountInString(d.Title) > maxTitle {
		d.Context = text
	}
	done, err := ed.Decide(ctx, d)
	return Noted{ID: done.ID, File: done.File, Line: 1, Commit: done.Commit, Text: done.Title, Trust: done.Trust}, err
}

// notable is a text as it may be noted.
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

// notePlace is where a note is written, whose project is made where there is none yet.
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

// errFull says that MEMORY.md is as long as it may grow by notes.
var errFull = errors.New("memory file is full")

// writeNote inserts the note and returns the files that changed, its own first.
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

// topicFile takes the notes of a month once MEMORY.md is full.
func topicFile(dir, month string) string { return path.Join(dir, "notes-"+month+".md") }

// headOf is how a new file of notes begins. The client gives MEMORY.md no frontmatter.
func headOf(name, project string) string {
	head := templates.Fill(templates.Memory(), map[string]string{"kind": "notes", "project": markdown.QuoteYAML(project)})
	if name == "MEMORY.md" {
		d := markdown.Parse([]byte(head))
		head = strings.TrimLeft(string(d.Body.Of(d.Source)), "\r\n")
	}
	return head
}

// insert puts the note into a file. The client loads all of an index, so that one
// takes no more when it is full.
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

// note is a line on its way into a Markdown file.
type note struct {
	text    string
	by      answer.Trust // "" for the user
	month   string
	project string // id of the one that the note is of
	head    string // of the file, where there is none yet
	section string // chosen by place
	anchor  string // of that section, set by place
	line    int    // set by place
}

// place says where in a file the note goes, and as what text. It is pure, and may
// be asked again when the file changed in between.
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

// checkDuplicates refuses a note whose words are those of a line that is there.
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

// checkDuplicate refuses the note when an item of a file says the same: its first line, or all of
// it where the note has several.
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

// continuation is the rest of an item: the lines behind its first one that belong to it.
func continuation(lines []string) string {
	end := slices.IndexFunc(lines, func(l string) bool {
		return strings.TrimSpace(l) != "" && l[0] != ' ' && l[0] != '\t'
	})
	if end < 0 {
		end = len(lines)
	}
	return "\n" + strings.Join(lines[:end], "\n")
}

// subject is the first line of a note as a commit's subject takes it.
func subject(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	const limit = 60
	return clip.Within(line, limit)
}

// allowForgotten refuses a note that says what was forgotten. With force it is let in
// again: its line goes from the list.
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
