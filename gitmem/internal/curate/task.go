package curate

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/tasks"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/templates"
)

// Task is a task of a project's list. The JSON form is a public contract.
type Task struct {
	ID     string `json:"id"` // citation id
	Title  string `json:"title"`
	State  string `json:"state"`  // pending, in_progress, blocked or completed
	Reason string `json:"reason"` // reason for the state, or ""
	File   string `json:"file"`   // path on disk
	Line   int    `json:"line"`
	// Trust is the author of title and reason: mine, model or imported.
	Trust answer.Trust `json:"trust"`
}

// TaskChanged is a task after a command. The JSON form is a public contract.
type TaskChanged struct {
	Task
	Commit string `json:"commit"` // "" if nothing changed or git is busy
}

// maxTask is the maximum length of a title or a reason in characters.
const maxTask = 300

// Tasks lists the tasks of the project by urgency. With all it includes completed tasks.
func (ed *Editor) Tasks(ctx context.Context, all bool) ([]Task, error) {
	out := []Task{}
	p, err := ed.ws.Place(ctx)
	if err != nil || ed.ws.Store == nil {
		return out, err
	}
	for _, dir := range p.Dirs() {
		rel := path.Join(dir, tasks.File)
		b, err := ed.src.MemoryTree().Read(cite.File{Path: rel})
		if err != nil {
			continue // the file does not exist
		}
		for _, t := range tasks.Read(markdown.Parse([]byte(ed.ws.Redactor.Lines(string(b))))) {
			if all || t.Open() {
				out = append(out, ed.task(rel, t, t.Line()))
			}
		}
	}
	byState(out)
	return out, nil
}

// byState sorts tasks by urgency.
func byState(list []Task) {
	slices.SortStableFunc(list, func(a, b Task) int {
		return slices.Index(tasks.States(), a.State) - slices.Index(tasks.States(), b.State)
	})
}

func (ed *Editor) task(rel string, t tasks.Task, line int) Task {
	return Task{
		ID: cite.ID{Kind: cite.KindTask, Name: t.ID}.String(), Title: t.Title, State: t.State, Reason: t.Reason,
		File: ed.ws.Path(rel), Line: line, Trust: cmp.Or(t.By, answer.Mine),
	}
}

// SetTask changes or adds a task and commits it. The error wraps ErrNotFound if the id does not exist and no title is
// given.
func (ed *Editor) SetTask(ctx context.Context, c tasks.Change) (TaskChanged, error) {
	out, _, err := ed.setTask(ctx, c)
	return out, err
}

// setTask implements SetTask and reports whether it changed anything, which the commit does not show: there is none
// while git is busy.
func (ed *Editor) setTask(ctx context.Context, c tasks.Change) (out TaskChanged, changed bool, err error) {
	change, err := ed.taskChange(c)
	if err != nil {
		return out, false, err
	}
	p, err := ed.notePlace(ctx)
	if err != nil {
		return out, false, err
	}
	ed.ws.WarnNotCaptured(ctx)
	if _, err := ed.allowForgotten(ctx, change.Title+"\n"+change.Reason, false); err != nil {
		return out, false, err
	}
	ctx, release, err := ed.ws.Store.Hold(ctx)
	if err != nil {
		return out, false, err
	}
	defer release()
	rel, err := ed.taskFile(p, change)
	if err != nil {
		return out, false, err
	}
	_ = ed.src.KeepEdits(ctx, []string{rel}) // as in Note
	changed, err = ed.ws.RewriteText(ctx, rel, func(old []byte) ([]byte, error) {
		if len(old) == 0 {
			old = []byte(templates.Fill(templates.Tasks(), map[string]string{"project": markdown.QuoteYAML(p.Project.ID)}))
		}
		d := markdown.Parse(old)
		edit, t := tasks.Update(d, change)
		text, err := markdown.Apply(old, edit)
		out.Task = ed.task(rel, t, 0)
		for _, now := range tasks.Read(markdown.Parse(text)) {
			if now.ID == t.ID {
				out.Line = now.Line()
			}
		}
		return text, err
	})
	if err != nil || !changed {
		return out, false, err
	}
	what := strings.Replace(out.ID, ":", " ", 1) + " " + out.State
	if c.Confirm {
		what = "confirm " + out.ID
	}
	out.Commit, err = ed.commit(ctx, append([]string{rel}, p.Project.Files()...), what+": "+subject(out.Title),
		"the task is in "+rel+" but is", what)
	return out, true, err
}

// ConfirmTask makes the text of a task the user's own.
func (ed *Editor) ConfirmTask(ctx context.Context, id string) (TaskChanged, error) {
	return ed.SetTask(ctx, tasks.Change{ID: id, Confirm: true})
}

// taskChange validates a change, joins its texts into one line each and removes secrets.
func (ed *Editor) taskChange(c tasks.Change) (tasks.Change, error) {
	change := tasks.Change{ID: taskID(c.ID), Title: messages.Paragraph(ed.ws.Clean(c.Title)),
		Reason: messages.Paragraph(ed.ws.Clean(c.Reason)), Confirm: c.Confirm}
	change.By = cmp.Or(c.By, ed.src.WrittenBy(ed.session(), change.Title, change.Reason))
	if n := max(utf8.RuneCountInString(change.Title), utf8.RuneCountInString(change.Reason)); n > maxTask {
		return change, fmt.Errorf("%w: a text of %d characters, more than %d: note the rest with gitmem note",
			messages.ErrUsage, n, maxTask)
	}
	if c.Confirm {
		if err := ed.mayConfirm(); err != nil {
			return change, err
		}
	}
	switch change.State = tasks.State(c.State); {
	case change.State == "" && c.State != "":
		return change, fmt.Errorf("%w: state %q: expected pending, in_progress, blocked or completed", messages.ErrUsage,
			messages.OneLine(c.State, 40))
	case change.ID == "" && c.ID != "":
		return change, fmt.Errorf("%w: task id %q: expected letters, digits, hyphens and underscores", messages.ErrUsage,
			messages.OneLine(c.ID, 40))
	case change.ID == "" && change.Title == "":
		return change, fmt.Errorf("%w: the task has neither id nor title", messages.ErrUsage)
	}
	return change, nil
}

// taskID returns an id without the syntax of citations and lists, or "" if it is invalid.
func taskID(id string) string {
	m := regexp.MustCompile(`^\[?(?:task:)?\^?(?:task-)?([\w-]{1,64})\]?$`).FindStringSubmatch(id)
	if m == nil {
		return ""
	}
	return m[1]
}

// taskFile returns the file that contains a task or that a new task is added to.
func (ed *Editor) taskFile(p *workspace.Place, c tasks.Change) (string, error) {
	for _, dir := range p.Dirs() {
		rel := path.Join(dir, tasks.File)
		b, err := ed.ws.Store.Read("", rel)
		if err == nil && slices.ContainsFunc(tasks.Read(markdown.Parse(ed.ws.WithoutConflicts(rel, b))), c.Means) {
			return rel, nil
		}
	}
	if c.Title == "" {
		return "", &messages.Refusal{Reason: "no task has the id " + c.ID,
			Advice: "see what there is with gitmem task --all, or give it a title", Err: messages.ErrNotFound}
	}
	return path.Join(p.Project.Dir, tasks.File), nil
}
