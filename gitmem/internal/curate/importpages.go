package curate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/interchange"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/tasks"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/templates"
)

// importedField is the field in the frontmatter of an imported file that contains its origin.
const importedField = "imported"

// pageImporter is one import of what another tool exported.
type pageImporter struct {
	importer
	place   *workspace.Place
	known   map[string]string // files of earlier imports, by their sources
	cited   map[string]string // sources of what memory has, by their citations; "" for its own
	edits   []store.FileEdit
	rels    []string
	taken   map[string]bool // paths that are written
	tasks   []Task
	newTask []interchange.Entry
}

// ImportPages imports what another tool exported: pages become notes with trust imported, and decisions and tasks in
// JSON lines become decisions and tasks. Existing entries stay as they are. A page that changed replaces its note,
// unless the note was edited. If dry is set, ImportPages writes nothing.
func (ed *Editor) ImportPages(ctx context.Context, from, name string, dry bool) (Imported, error) {
	im := &pageImporter{importer: importer{ed: ed, dry: dry, out: Imported{Done: []string{}, Skipped: []string{}}},
		taken: map[string]bool{}}
	files, skipped, err := interchange.Open(name)
	if err != nil {
		return im.out, err
	}
	entries, unread := interchange.Read(from, files)
	im.out.Skipped = slice.Map(append(skipped, unread...), func(s string) string {
		return messages.OneLine(ed.ws.Clean(s), maxTask)
	})
	if len(entries) == 0 {
		return im.out, &messages.Refusal{Reason: name + " holds nothing that can be imported as " + from,
			Advice: "gitmem help export says what an export of it looks like", Err: messages.ErrNotFound}
	}
	if im.place, err = ed.ws.Place(ctx); err == nil && !dry {
		im.place, err = ed.notePlace(ctx)
	}
	if err != nil {
		return im.out, err
	}
	if !dry {
		held, release, err := ed.ws.Store.Hold(ctx)
		if err != nil {
			return im.out, err
		}
		defer release()
		ctx = held
	}
	if err := im.lookUp(ctx); err != nil {
		return im.out, err
	}
	for _, e := range entries {
		im.entry(e)
	}
	return im.out, im.write(ctx, from)
}

// lookUp finds the entries that memory already contains.
func (im *pageImporter) lookUp(ctx context.Context) error {
	im.known, im.cited = map[string]string{}, map[string]string{}
	list, _, err := im.ed.entries(ctx, "")
	for _, e := range list {
		im.cited[e.ID] = e.Source
	}
	if err == nil {
		im.tasks, err = im.ed.Tasks(ctx, true)
	}
	if err != nil || im.ed.ws.Store == nil {
		return err
	}
	dirs := []string{im.notesDir(), path.Join(im.place.Project.Dir, "decisions")}
	return im.ed.src.WalkMarkdown(im.ed.ws.Root, dirs, func(rel string) {
		origin, _ := originOf(im.kept(rel))
		if from, _ := origin["from"].(string); from != "" {
			im.known[from] = rel
		}
	})
}

// notesDir returns the folder of imported pages.
func (im *pageImporter) notesDir() string {
	return path.Join(workspace.MemoryDir(im.place), "imported")
}

// originOf returns the origin in the frontmatter of an imported file, and the text below it.
func originOf(b []byte) (origin map[string]any, body string) {
	d := markdown.Parse(b)
	if d.Front != nil {
		origin, _ = d.Front.Fields[importedField].(map[string]any)
	}
	return origin, string(d.Body.Of(b))
}

// entry plans the import of an entry.
func (im *pageImporter) entry(e interchange.Entry) {
	ed := im.ed
	for _, text := range []*string{&e.Kind, &e.ID, &e.Title, &e.Project, &e.Time, &e.Trust, &e.State, &e.Reason, &e.Text,
		&e.Properties} {
		*text = im.clean(*text)
	}
	e.Path, e.Source = ed.ws.Redactor.Path(e.Path), ed.ws.Redactor.Path(e.Source)
	what := e.Kind + " " + cmp.Or(e.Title, e.Path)
	set := ed.src.Forgotten()
	forgotten := func(line string) bool { _, ok := set.Line(line); return ok }
	switch {
	case im.exportedHere(e):
		im.out.Known++
	case slices.ContainsFunc(append(strings.Split(e.Text, "\n"), e.Title), forgotten):
		im.skip(what, "it says again what was forgotten on purpose")
	case len(markdown.MarkedConflicts([]byte(e.Text))) > 0:
		im.skip(what, "a conflict of git is marked in it")
	case e.Kind == interchange.KindTask:
		im.task(e, what)
	case strings.TrimSpace(e.Text) == "" && e.Properties == "":
		im.skip(what, "it is empty")
	default:
		im.file(e, what)
	}
}

// escape matches an escaped character of Markdown.
var escape = lazy.Pattern("\\\\([!-/:-@\\[-`{-~])")

// clean returns a text without secrets. If escapes hide a secret, it removes the escapes as well.
func (im *pageImporter) clean(text string) string {
	text = im.ed.ws.Clean(text)
	plain := escape().ReplaceAllString(text, "$1")
	if clean := im.ed.ws.Clean(plain); clean != plain {
		return clean
	}
	return text
}

// exportedHere reports whether memory contains the entry, or everything that a page cites, from another source than
// this import.
func (im *pageImporter) exportedHere(e interchange.Entry) bool {
	if source, ok := im.cited[e.ID]; ok && e.ID != "" && e.Kind != interchange.KindTask {
		return source != e.Source
	}
	return len(e.Cites) > 0 && !slices.ContainsFunc(e.Cites, func(id string) bool {
		_, ok := im.cited[id]
		return !ok
	})
}

// task adds a task unless there is one.
func (im *pageImporter) task(e interchange.Entry, what string) {
	id := taskID(e.ID)
	change, err := im.ed.taskChange(tasks.Change{ID: id, Title: e.Title, State: tasks.State(e.State), Reason: e.Reason,
		By: answer.Imported})
	same := func(t Task) bool {
		return change.Means(tasks.Task{ID: strings.TrimPrefix(t.ID, "task:"), Title: t.Title})
	}
	at := slices.IndexFunc(im.tasks, same)
	switch {
	case err != nil:
		im.skip(what, err.Error())
	case id == "" || e.State != "" && tasks.State(e.State) == "":
		im.skip(what, "no id or state that a task can have")
	case at >= 0 && im.tasks[at].Title != change.Title:
		im.skip(what, "another task has its id "+id)
	case at >= 0:
		im.out.Known++
	default:
		im.did(what)
		im.newTask = append(im.newTask, e)
		im.tasks = append(im.tasks, Task{ID: "task:" + id, Title: change.Title})
	}
}

// file writes a page or a decision into a file of its own.
func (im *pageImporter) file(e interchange.Entry, what string) {
	rel := path.Join(im.notesDir(), markdown.TitleID(e.Title)+"-"+ingest.HashOf([]byte(e.Source))[:8]+".md")
	if id := strings.TrimPrefix(e.ID, "decision:"); e.Kind == interchange.KindDecision {
		rel = path.Join(im.place.Project.Dir, "decisions", id+".md")
		if id == "" || !store.Allowed(rel) || path.Base(rel) != id+".md" {
			im.skip(what, "its id is none that a decision can have")
			return
		}
	}
	earlier, again := im.known[e.Source]
	if again {
		rel = earlier
	}
	now := im.kept(rel)
	origin, body := originOf(now)
	text, err := im.text(e)
	hash, _ := origin["version"].(string)
	switch {
	case err != nil:
		im.skip(what, err.Error())
	case im.taken[rel]:
		im.skip(what, "it is there twice")
	case now != nil && !again:
		im.skip(what, "another one has its id")
	case again && hash == version(e):
		im.out.Known++
	case again && body != e.Text && origin["text"] != version(interchange.Entry{Text: body}):
		im.skip(what, "it changed there, and what came of it was edited here: "+rel)
	default:
		im.did(what)
		im.taken[rel] = true
		im.rels = append(im.rels, rel)
		im.edits = append(im.edits, im.ed.ws.TextEdit(rel, func([]byte) ([]byte, error) { return text, nil }))
	}
}

// version returns a hash by which a changed entry is recognized.
func version(e interchange.Entry) string {
	return ingest.HashOf([]byte(e.Title + "\x00" + e.Properties + "\x00" + e.Text))[:12]
}

// text returns the file of an entry. It returns an error if the entry could not be read back from it.
func (im *pageImporter) text(e interchange.Entry) ([]byte, error) {
	day := ""
	if t, err := time.Parse(time.DateOnly, e.Time[:min(len(e.Time), len(time.DateOnly))]); err == nil {
		day = t.Format(time.DateOnly)
	}
	var b strings.Builder
	field := func(indent, key, value string) {
		if value != "" {
			b.WriteString(indent + key + ": " + markdown.QuoteYAML(value) + "\n")
		}
	}
	b.WriteString("---\nformat: 1\n")
	field("", "kind", map[bool]string{true: "decision", false: "notes"}[e.Kind == interchange.KindDecision])
	if e.Kind == interchange.KindDecision {
		field("", "id", strings.TrimPrefix(e.ID, "decision:"))
		field("", "status", cmp.Or(e.State, accepted))
		items(&b, "", "supersedes", e.Supersedes)
		items(&b, "", "evidence", e.Evidence)
	} else {
		field("", "title", e.Title)
	}
	if day != "" {
		b.WriteString("date: " + day + "\n")
	}
	field("", "project", im.place.Project.ID)
	field("", "by", string(answer.Imported))
	b.WriteString(importedField + ":\n")
	for _, f := range [][2]string{{"from", e.Source}, {"version", version(e)},
		{"text", version(interchange.Entry{Text: e.Text})}, {"kind", e.Kind}, {"id", e.ID}, {"title", e.Title},
		{"project", e.Project}, {"time", e.Time}, {"trust", e.Trust}, {"path", e.Path}} {
		field("  ", f[0], f[1])
	}
	items(&b, "  ", "tags", e.Tags)
	if plain := !strings.ContainsFunc(e.Properties, func(r rune) bool {
		return r != '\n' && !unicode.IsPrint(r)
	}); plain &&
		strings.HasSuffix(e.Properties, "\n") && strings.TrimSpace(e.Properties) != "" {
		b.WriteString("  properties: |2\n    " + strings.ReplaceAll(strings.TrimSuffix(e.Properties, "\n"), "\n", "\n    ") +
			"\n")
	} else {
		field("  ", "properties", e.Properties)
	}
	b.WriteString("---\n" + e.Text)
	out := []byte(im.ed.ws.Clean(b.String()))
	origin, body := originOf(out)
	if origin["from"] != e.Source || body != e.Text {
		return nil, errors.New("its fields and its text can't be written as one file")
	}
	return out, nil
}

// items writes a list of a frontmatter.
func items(b *strings.Builder, indent, key string, list []string) {
	if len(list) > 0 {
		b.WriteString(indent + key + ":\n" + indent + "  - " + strings.Join(slice.Map(list, markdown.QuoteYAML),
			"\n"+indent+"  - ") + "\n")
	}
}

// write writes and commits what is to be imported.
func (im *pageImporter) write(ctx context.Context, from string) error {
	if im.dry || len(im.edits)+len(im.newTask) == 0 {
		return nil
	}
	ed := im.ed
	if rel := path.Join(im.place.Project.Dir, tasks.File); len(im.newTask) > 0 {
		im.rels = append(im.rels, rel)
		im.edits = append(im.edits, ed.ws.TextEdit(rel, im.withTasks))
	}
	_ = ed.src.KeepEdits(ctx, im.rels) // as in Note
	if err := ed.ws.Store.RewriteAll(ctx, im.edits); err != nil {
		return err
	}
	_, err := ed.commit(ctx, append(im.rels, im.place.Project.Files()...), fmt.Sprintf("import: %s of %s",
		messages.Plural(len(im.out.Done), "page"), from), "what was imported is written but", "import "+from)
	return err
}

// withTasks adds the new tasks to a list, and their origins to its frontmatter.
func (im *pageImporter) withTasks(old []byte) ([]byte, error) {
	text := old
	if len(text) == 0 {
		text = []byte(templates.Fill(templates.Tasks(),
			map[string]string{"project": markdown.QuoteYAML(im.place.Project.ID)}))
	}
	for _, e := range im.newTask {
		change, err := im.ed.taskChange(tasks.Change{ID: taskID(e.ID), Title: e.Title, State: tasks.State(e.State),
			Reason: e.Reason, By: answer.Imported})
		if err != nil {
			return nil, err
		}
		edit, t := tasks.Update(markdown.Parse(text), change)
		if text, err = markdown.Apply(text, edit); err != nil {
			return nil, err
		}
		var fields []markdown.FieldChange
		for _, f := range [][2]string{{"trust", e.Trust}, {"time", e.Time}, {"project", e.Project}} {
			fields = append(fields, markdown.FieldChange{Path: []string{importedField, t.ID, f[0]}, Value: f[1]})
		}
		if text, err = withFields(fields...)(text); err != nil {
			return nil, err
		}
	}
	return text, nil
}
