// Package tasks defines the format of a project's list of tasks. It is pure: it takes bytes and returns values and
// edits. It knows no stores and no projects. A line of the list is
//
//   - [ ] Relay driver (blocked: the board is not here yet) ^task-relay-driver
//
// The checkbox determines whether the task is completed, even if the words contradict it. A line written by a model
// ends in "(by a model)" before its id. "[/]" is the checkbox of a task in progress, and an id chosen by a person is
// kept.
package tasks

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown"
)

// File is the name of a project's list in its folder.
const File = "tasks.md"

// The states of a task.
const (
	Pending    = "pending"
	InProgress = "in_progress"
	Blocked    = "blocked"
	Completed  = "completed"
)

// States returns the states, those that need attention first.
func States() []string { return []string{InProgress, Blocked, Pending, Completed} }

// State returns the state for a word, "" if there is none.
func State(word string) string {
	word = strings.ReplaceAll(strings.ToLower(word), "-", "_")
	word = cmp.Or(map[string]string{"wip": InProgress, "started": InProgress, "block": Blocked, "done": Completed,
		"open": Pending}[word], word)
	if !slices.Contains(States(), word) {
		return ""
	}
	return word
}

// Task is an item of a list.
type Task struct {
	ID     string // without its mark, or derived from the title if the line has none
	Title  string
	State  string
	Reason string       // reason for the state, "" if not given
	By     answer.Trust // a model or another tool, "" for the user
	idea   markdown.Idea
}

// Open reports whether the task is not completed.
func (t Task) Open() bool { return t.State != Completed }

// Line returns the line of the task, 1-based.
func (t Task) Line() int { return t.idea.Line }

// Span returns the span of the task's lines.
func (t Task) Span() markdown.Span { return t.idea.Span }

// Text returns the text of the task in the list, without marks.
func (t Task) Text() string {
	words := ""
	switch {
	case t.Reason != "":
		words = fmt.Sprintf(" (%s: %s)", t.State, t.Reason)
	case t.State == InProgress || t.State == Blocked:
		words = " (" + t.State + ")"
	}
	return t.Title + words
}

// idMark is the prefix of a task's block id.
const idMark = "task-"

// statePattern matches a title followed by a state.
var statePattern = lazy.Pattern(`^(.*\S) \((\w+)(?:(?:[;:]| by) *(.*))?\)$`)

// Read returns the tasks of a document in order.
func Read(d *markdown.Doc) []Task {
	var out []Task
	for _, i := range d.Ideas {
		if i.Done == nil {
			continue
		}
		t := Task{ID: strings.TrimPrefix(i.ID, idMark), State: Pending, idea: i}
		if i.HalfDone {
			t.State = InProgress
		}
		t.Title, t.By = answer.CutMark(i.Text)
		if m := statePattern().FindStringSubmatch(t.Title); m != nil && State(m[2]) != "" {
			t.Title, t.State, t.Reason = m[1], State(m[2]), m[3]
		}
		switch {
		case *i.Done:
			t.State = Completed
		case t.State == Completed:
			t.State = Pending
		}
		if t.ID == "" {
			t.ID = markdown.ContentID(t.Title)
		}
		out = append(out, t)
	}
	return out
}

// Change is a change of the task with the id, or with the title if there is no id. Empty fields leave the task's values
// unchanged, except for the reason, which belongs to the state.
type Change struct {
	ID, Title, State, Reason string
	By                       answer.Trust // author of title and reason, see [Task]
	Confirm                  bool         // mark them as the user's own
}

// Means reports whether a change applies to a task: by its id, or by its title if the change has no id.
func (c Change) Means(t Task) bool {
	return c.ID != "" && t.ID == c.ID || c.ID == "" && strings.EqualFold(t.Title, c.Title)
}

// Update changes the first matching task, or adds one, and returns the edit and the new task. Title and reason are one
// line each.
func Update(d *markdown.Doc, c Change) (markdown.Edit, Task) {
	list := Read(d)
	if i := slices.IndexFunc(list, c.Means); i >= 0 {
		return list[i].with(d, c)
	}
	t := Task{ID: c.ID, Title: c.Title, State: cmp.Or(c.State, Pending), Reason: c.Reason, By: c.By}
	if t.ID == "" {
		t.ID = freeID(list, c.Title)
	}
	section := len(d.Sections) - 1
	if n := len(list); n > 0 { // after the last one
		section = list[n-1].idea.Section
	}
	return d.AppendTo(section, "- "+t.line("", "")), t
}

// with returns the edit that changes a task of the document.
func (t Task) with(d *markdown.Doc, c Change) (markdown.Edit, Task) {
	own := strings.Join(strings.Fields(string(t.idea.Content.Of(d.Source))), " ")
	category, marks := "", ""
	if at := strings.LastIndex(own, t.idea.Text); at > len(openBox) {
		category, marks = own[len(openBox):at], strings.TrimSuffix(own[at+len(t.idea.Text):], " ^"+t.idea.ID)
	}
	if c.ID != "" && c.Title != "" {
		t.Title, t.By = c.Title, ""
	}
	if t.By = cmp.Or(c.By, t.By); c.Confirm {
		t.By = ""
	}
	if c.State != "" {
		t.State, t.Reason = c.State, c.Reason
	}
	return markdown.Edit{Span: t.idea.Content, Text: t.line(category, marks)}, t
}

// openBox begins a task that is not completed.
const openBox = "[ ] "

// line returns a task without its bullet.
func (t Task) line(category, marks string) string {
	box, text := openBox, t.Text()
	switch {
	case t.State == Completed:
		box = "[x] "
	case t.State == InProgress && t.idea.HalfDone:
		box = "[/] "
		if t.Reason == "" {
			text = t.Title
		}
	}
	return box + category + text + t.By.Mark() + marks + " ^" + cmp.Or(t.idea.ID, idMark+t.ID)
}

// freeID returns an id for a title that no task has.
func freeID(list []Task, title string) string {
	id := markdown.TitleID(title)
	free := id
	for n := 2; slices.ContainsFunc(list, func(t Task) bool { return t.ID == free }); n++ {
		free = id + "-" + strconv.Itoa(n)
	}
	return free
}
