package curate

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/templates"
)

// Decision is what was decided.
type Decision struct {
	Title        string
	Context      string    // what made it necessary
	Why          string    // the reasons
	Alternatives string    // what was not chosen
	Status       string    // proposed, accepted or rejected; "" is accepted
	Supersedes   []string  // ids of decisions that hold no longer
	Evidence     []string  // citation ids
	Force        bool      // write it even where another one says the same
	Date         time.Time // zero is now
}

// Decided is a decision as it was written. The JSON form is a public contract.
type Decided struct {
	ID     string `json:"id"` // citation id
	Title  string `json:"title"`
	File   string `json:"file"` // path on disk
	Commit string `json:"commit"`
}

// maxTitle is how long the title of a decision may be, in characters.
const maxTitle = 120

// decisionFile is a decision in a file of the project.
type decisionFile struct {
	rel string
	cite.Unit
}

// Decide writes a decision into a file of its own, marks those that it supersedes, and
// commits. The error is a [*messages.Duplicate] where one that holds says the same.
func (ed *Editor) Decide(ctx context.Context, d Decision) (Decided, error) {
	if err := ed.checkDecision(ctx, &d); err != nil {
		return Decided{}, err
	}
	p, err := ed.notePlace(ctx)
	if err != nil {
		return Decided{}, err
	}
	ed.ws.WarnNotCaptured(ctx)
	if _, err := ed.allowForgotten(ctx, d.Title, d.Force); err != nil {
		return Decided{}, err
	}
	ctx, release, err := ed.ws.Store.Hold(ctx)
	if err != nil {
		return Decided{}, err
	}
	defer release()
	old, err := ed.superseded(p, d)
	if err != nil {
		return Decided{}, err
	}
	_ = workspace.KeepEdits(ctx, ed.ws, old) // as in Note
	if d.Date.IsZero() {
		d.Date = ed.ws.Options.Now()
	}
	id := ed.decisionID(p, d)
	rel := path.Join(p.Project.Dir, "decisions", id+".md")
	edits := []store.FileEdit{ed.ws.TextEdit(rel, func([]byte) ([]byte, error) { return ed.decisionText(p, id, d) })}
	for _, rel := range old {
		edits = append(edits, ed.ws.TextEdit(rel, withFields(markdown.FieldChange{Path: []string{"status"}, Value: "superseded"})))
	}
	if err := ed.ws.Store.RewriteAll(ctx, edits); err != nil {
		return Decided{}, err
	}
	out := Decided{ID: cite.ID{Kind: cite.KindDecision, Name: id}.String(), Title: d.Title, File: filepath.Join(ed.ws.Root, filepath.FromSlash(rel))}
	paths := slices.Concat([]string{rel}, old, p.Project.Files())
	out.Commit, err = ed.commit(ctx, paths, "decide: "+subject(d.Title), "the decision is in "+rel+" but is", "decide "+id)
	return out, err
}

// checkDecision refuses a decision that can't be written as it is, and takes secrets out of it.
func (ed *Editor) checkDecision(ctx context.Context, d *Decision) error {
	d.Title = messages.OneLine(ed.ws.Clean(d.Title), maxTitle)
	for _, text := range []*string{&d.Context, &d.Why, &d.Alternatives} {
		if *text = strings.TrimSpace(ed.ws.Clean(*text)); len(*text) > noteBytes {
			return fmt.Errorf("%w: a part of the decision has %d bytes, more than %d", messages.ErrUsage, len(*text), noteBytes)
		}
	}
	d.Status = cmp.Or(d.Status, "accepted")
	if !slices.Contains([]string{"proposed", "accepted", "rejected"}, d.Status) {
		return fmt.Errorf("%w: status %q: expected proposed, accepted or rejected", messages.ErrUsage, messages.OneLine(d.Status, 40))
	}
	if d.Title == "" {
		return fmt.Errorf("%w: the decision is empty", messages.ErrUsage)
	}
	for i, id := range d.Supersedes {
		d.Supersedes[i] = string(cite.KindDecision) + ":" + strings.TrimPrefix(strings.Trim(id, "[]^ "), string(cite.KindDecision)+":")
	}
	for i, id := range d.Evidence {
		src, err := ed.reader.LookUp(ctx, id, "")
		if err != nil {
			return fmt.Errorf("evidence %s: %w", messages.OneLine(id, maxTitle), err)
		}
		d.Evidence[i] = src.ID
	}
	return nil
}

// superseded are the files of the decisions that a new one supersedes. The error is for
// one that is not there, or that says the same as the new one.
func (ed *Editor) superseded(p *workspace.Place, d Decision) (files []string, err error) {
	list, err := ed.decisions(p)
	if err != nil {
		return nil, err
	}
	for _, id := range d.Supersedes {
		i := slices.IndexFunc(list, func(f decisionFile) bool { return f.ID == id })
		if i < 0 {
			return nil, &messages.Refusal{Reason: id + " is no decision of this project", Advice: "find it with gitmem search type:decision", Err: messages.ErrNotFound}
		}
		files = append(files, list[i].rel)
		list = slices.Delete(list, i, i+1)
	}
	for _, f := range list {
		if f.Holds() && !d.Force && lint.Same(f.Title, d.Title) {
			return nil, &messages.Duplicate{File: filepath.Join(ed.ws.Root, filepath.FromSlash(f.rel)), Line: f.Line, Text: f.Title}
		}
	}
	return files, nil
}

// decisions are those of the project's files.
func (ed *Editor) decisions(p *workspace.Place) (list []decisionFile, err error) {
	var dirs []string
	for _, dir := range p.Dirs() {
		dirs = append(dirs, path.Join(dir, "decisions"))
	}
	err = ed.src.WalkMarkdown(ed.ws.Root, dirs, func(rel string) {
		b, err := ed.ws.Store.Read("", rel)
		if err != nil {
			return // writing it reports what is wrong
		}
		units, _ := cite.Units(cite.File{Path: rel, Area: cite.AreaDecision}, []byte(ed.ws.Redactor.Lines(string(b))))
		for _, u := range units {
			list = append(list, decisionFile{rel, u})
		}
	})
	return list, err
}

// decisionID is an id that no file of the project has.
func (ed *Editor) decisionID(p *workspace.Place, d Decision) string {
	first := d.Date.UTC().Format(time.DateOnly) + "-" + markdown.TitleID(d.Title)
	id := first
	for n := 2; ; n++ {
		if _, err := ed.ws.Store.Read("", path.Join(p.Project.Dir, "decisions", id+".md")); err != nil {
			return id
		}
		id = fmt.Sprintf("%s-%d", first, n)
	}
}

// decisionText is a decision as its file holds it.
func (ed *Editor) decisionText(p *workspace.Place, id string, d Decision) ([]byte, error) {
	text := templates.Fill(templates.Decision(), map[string]string{
		"id": markdown.QuoteYAML(id), "date": d.Date.UTC().Format(time.DateOnly), "status": d.Status, "project": markdown.QuoteYAML(p.Project.ID),
	}) + "# " + d.Title + "\n"
	for _, part := range [][2]string{{"Context", d.Context}, {"Why", d.Why}, {"Alternatives", d.Alternatives}} {
		if part[1] != "" {
			text += "\n## " + part[0] + "\n\n" + part[1] + "\n"
		}
	}
	var fields []markdown.FieldChange
	if session := ed.session(); session != "" {
		fields = append(fields, markdown.FieldChange{Path: []string{"session"}, Value: session})
	}
	for _, id := range d.Supersedes {
		fields = append(fields, markdown.FieldChange{Path: []string{"supersedes"}, Value: id, Item: true})
	}
	for _, id := range d.Evidence {
		fields = append(fields, markdown.FieldChange{Path: []string{"evidence"}, Value: id, Item: true})
	}
	return withFields(fields...)([]byte(text))
}

// withFields changes the frontmatter of a text.
func withFields(fields ...markdown.FieldChange) func(old []byte) ([]byte, error) {
	return func(old []byte) ([]byte, error) {
		edits, err := markdown.Parse(old).EditFields(fields...)
		if err != nil {
			return nil, err
		}
		return markdown.Apply(old, edits...)
	}
}
