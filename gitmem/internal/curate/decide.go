package curate

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/templates"
)

// Decision is a decision to record.
type Decision struct {
	Title        string
	Context      string       // why it was necessary
	Why          string       // the reasons
	Alternatives string       // rejected alternatives
	Status       string       // proposed, accepted or rejected; "" means accepted
	Supersedes   []string     // ids of decisions that it supersedes
	Evidence     []string     // citation ids
	Force        bool         // write it even if an existing decision is the same
	Date         time.Time    // zero means now
	By           answer.Trust // a model or another tool, "" for the user
}

// Decided is a decision as it was written. The JSON form is a public contract.
type Decided struct {
	ID     string `json:"id"` // citation id
	Title  string `json:"title"`
	File   string `json:"file"` // path on disk
	Commit string `json:"commit"`
	Status string `json:"status"`
	// Trust is the author of the text, as in a citation.
	Trust answer.Trust `json:"trust"`
}

// maxTitle is the maximum length of a decision's title in characters.
const maxTitle = 120

// decisionFile is a decision in a file of the project.
type decisionFile struct {
	rel string
	cite.Unit
	supersedes []string // ids
}

// Decide writes a decision to a new file, marks the decisions that it supersedes, and commits. Inside the client it
// writes a proposal, which supersedes nothing until it is confirmed. The error is a [*messages.Duplicate] if an equal
// decision is in force.
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
	_ = ed.src.KeepEdits(ctx, old) // as in Note
	if d.Date.IsZero() {
		d.Date = ed.ws.Options.Now()
	}
	id := ed.decisionID(p, d)
	rel := path.Join(p.Project.Dir, "decisions", id+".md")
	text, err := ed.decisionText(p, id, d)
	if err != nil {
		return Decided{}, err
	}
	edit := ed.ws.TextEdit(rel, func([]byte) ([]byte, error) { return text, nil })
	return ed.commitDecision(ctx, p, ed.readDecision(rel, text), edit, old, "decide")
}

// commitDecision writes and commits the file of a decision. If the decision is accepted, it marks the old ones as
// superseded.
func (ed *Editor) commitDecision(ctx context.Context, p *workspace.Place, d decisionFile, edit store.FileEdit,
	old []string, op string) (Decided, error) {
	out := Decided{ID: d.ID, Title: cite.DecidedTitle(d.Title), File: ed.ws.Path(d.rel), Status: d.State, Trust: d.Trust()}
	if d.State != accepted {
		old = nil
	}
	edits := []store.FileEdit{edit}
	for _, rel := range old {
		edits = append(edits,
			ed.ws.TextEdit(rel, withFields(markdown.FieldChange{Path: []string{"status"}, Value: "superseded"})))
	}
	if err := ed.ws.Store.RewriteAll(ctx, edits); err != nil {
		return Decided{}, err
	}
	paths := slices.Concat([]string{d.rel}, old, p.Project.Files())
	name := strings.TrimPrefix(d.ID, string(cite.KindDecision)+":")
	var err error
	out.Commit, err = ed.commit(ctx, paths, op+": "+subject(out.Title), "the decision is in "+d.rel+" but is", op+" "+name)
	return out, err
}

// ConfirmDecision accepts a proposed decision as the user's own and marks the decisions that it supersedes.
func (ed *Editor) ConfirmDecision(ctx context.Context, id string) (Decided, error) {
	if err := ed.mayConfirm(); err != nil {
		return Decided{}, err
	}
	p, err := ed.notePlace(ctx)
	if err != nil {
		return Decided{}, err
	}
	ctx, release, err := ed.ws.Store.Hold(ctx)
	if err != nil {
		return Decided{}, err
	}
	defer release()
	list, err := ed.decisions(p)
	if err != nil {
		return Decided{}, err
	}
	i, err := findDecision(list, decisionCitation(id))
	if err != nil {
		return Decided{}, err
	}
	d, old := list[i], []string{}
	for _, id := range d.supersedes {
		if i, err := findDecision(list, decisionCitation(id)); err == nil { // otherwise it was deleted
			old = append(old, list[i].rel)
		}
	}
	_ = ed.src.KeepEdits(ctx, append([]string{d.rel}, old...)) // as in Note
	confirm := withFields(markdown.FieldChange{Path: []string{"status"}, Value: accepted},
		markdown.FieldChange{Path: []string{"by"}, Remove: true})
	now, err := ed.ws.Store.Read("", d.rel)
	if err == nil {
		now, err = confirm(now)
	}
	if err != nil {
		return Decided{}, err
	}
	return ed.commitDecision(ctx, p, ed.readDecision(d.rel, now), ed.ws.TextEdit(d.rel, confirm), old, "confirm")
}

// accepted is the status of a decision in force.
const accepted = "accepted"

// checkDecision validates a decision and removes secrets from it.
func (ed *Editor) checkDecision(ctx context.Context, d *Decision) error {
	d.Title = messages.OneLine(ed.ws.Clean(d.Title), maxTitle)
	for _, text := range []*string{&d.Context, &d.Why, &d.Alternatives} {
		if *text = strings.TrimSpace(ed.ws.Clean(*text)); len(*text) > noteBytes {
			return fmt.Errorf("%w: a part of the decision has %d bytes, more than %d", messages.ErrUsage, len(*text), noteBytes)
		}
	}
	if d.Status = cmp.Or(d.Status, accepted); ed.ws.InClient() && d.Status == accepted {
		d.Status = "proposed"
	}
	d.By = cmp.Or(d.By, ed.src.WrittenBy(ed.session(), d.Title, d.Context, d.Why, d.Alternatives))
	if !slices.Contains([]string{"proposed", accepted, "rejected"}, d.Status) {
		return fmt.Errorf("%w: status %q: expected proposed, accepted or rejected", messages.ErrUsage,
			messages.OneLine(d.Status, 40))
	}
	if d.Title == "" {
		return fmt.Errorf("%w: the decision is empty", messages.ErrUsage)
	}
	for i, id := range d.Supersedes {
		d.Supersedes[i] = decisionCitation(id)
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

// superseded returns the files of the decisions that a new one supersedes. It returns an error if one does not exist,
// or if an existing decision equals the new one.
func (ed *Editor) superseded(p *workspace.Place, d Decision) (files []string, err error) {
	list, err := ed.decisions(p)
	if err != nil {
		return nil, err
	}
	for _, id := range d.Supersedes {
		i, err := findDecision(list, id)
		if err != nil {
			return nil, err
		}
		files = append(files, list[i].rel)
		list = slices.Delete(list, i, i+1)
	}
	for _, f := range list {
		if f.Holds() && !d.Force && lint.Same(cite.DecidedTitle(f.Title), d.Title) {
			return nil, &messages.Duplicate{File: ed.ws.Path(f.rel), Line: f.Line, Text: cite.DecidedTitle(f.Title)}
		}
	}
	return files, nil
}

// decisionCitation normalises an id of a decision to its citation id.
func decisionCitation(id string) string {
	return string(cite.KindDecision) + ":" + strings.TrimPrefix(strings.Trim(id, "[]^ "), string(cite.KindDecision)+":")
}

// findDecision returns the index of a decision in a list.
func findDecision(list []decisionFile, id string) (int, error) {
	i := slices.IndexFunc(list, func(f decisionFile) bool { return f.ID == id })
	if i < 0 {
		return i, &messages.Refusal{Reason: id + " is no decision of this project",
			Advice: "find it with gitmem search type:decision", Err: messages.ErrNotFound}
	}
	return i, nil
}

// decisions returns the decisions in the project's files.
func (ed *Editor) decisions(p *workspace.Place) (list []decisionFile, err error) {
	dirs := slice.Map(p.Dirs(), func(dir string) string { return path.Join(dir, "decisions") })
	err = ed.src.WalkMarkdown(ed.ws.Root, dirs, func(rel string) {
		b, err := ed.ws.Store.Read("", rel)
		if err != nil {
			return // writing it reports the error
		}
		list = append(list, ed.readDecision(rel, b))
	})
	return list, err
}

// readDecision parses the decision in a file.
func (ed *Editor) readDecision(rel string, b []byte) decisionFile {
	b = []byte(ed.ws.Redactor.Lines(string(ed.ws.WithoutConflicts(rel, b))))
	units, _ := cite.Units(cite.File{Path: rel, Area: cite.AreaDecision}, b)
	d := decisionFile{rel: rel, Unit: units[0]}
	if front := markdown.Parse(b).Front; front != nil {
		list, _ := front.Fields["supersedes"].([]any)
		for _, id := range list {
			d.supersedes = append(d.supersedes, fmt.Sprint(id))
		}
	}
	return d
}

// decisionID returns an id that no file of the project has.
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

// decisionText returns the content of a decision's file.
func (ed *Editor) decisionText(p *workspace.Place, id string, d Decision) ([]byte, error) {
	text := templates.Fill(templates.Decision(), map[string]string{
		"id": markdown.QuoteYAML(id), "date": d.Date.UTC().Format(time.DateOnly), "status": d.Status,
		"project": markdown.QuoteYAML(p.Project.ID),
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
	if d.By != "" {
		fields = append(fields, markdown.FieldChange{Path: []string{"by"}, Value: string(d.By)})
	}
	for _, id := range d.Supersedes {
		fields = append(fields, markdown.FieldChange{Path: []string{"supersedes"}, Value: id, Item: true})
	}
	for _, id := range d.Evidence {
		fields = append(fields, markdown.FieldChange{Path: []string{"evidence"}, Value: id, Item: true})
	}
	return withFields(fields...)([]byte(text))
}

// withFields returns a function that changes the frontmatter of a text.
func withFields(fields ...markdown.FieldChange) func(old []byte) ([]byte, error) {
	return func(old []byte) ([]byte, error) {
		edits, err := markdown.Parse(old).EditFields(fields...)
		if err != nil {
			return nil, err
		}
		return markdown.Apply(old, edits...)
	}
}
