// Package tasks knows the form of a project's list of tasks. It is pure: bytes in, values
// and edits out. It knows no store and no project. A line of the list is
//
//   - [ ] Relay driver (blocked: the board is not here yet) ^task-relay-driver
//
// whose checkbox says whether it is completed, also where the words say otherwise. A line whose
// words a model wrote ends in "(by a model)" before its id. "[/]" is the checkbox of a task that is in
// progress, and an id that a person chose stays as it is.
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

// States lists the states, those that need attention first.
func States() []string { return []string{InProgress, Blocked, Pending, Completed} }

// State is the state that a word names, "" for none.
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
	ID     string // without its mark, or made from the title where the line has none
	Title  string
	State  string
	Reason string       // why it is in that state, "" where that is not said
	By     answer.Trust // a model or another tool, "" for the user
	idea   markdown.Idea
}

// Open reports whether there is something left to do.
func (t Task) Open() bool { return t.State != Completed }

// Line is where the task stands, from 1.
func (t Task) Line() int { return t.idea.Line }

// Span covers the lines of the task.
func (t Task) Span() markdown.Span { return t.idea.Span }

// Text is the task as it stands in the list, without marks.
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

// idMark begins the block id of a task.
const idMark = "task-"

// statePattern is what stands behind a title.
var statePattern = lazy.Pattern(`^(.*\S) \((\w+)(?:(?:[;:]| by) *(.*))?\)$`)

// Read lists the tasks of a document, in its order.
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

// Change says what becomes of a task: the one with the id, or with the title where there
// is no id. Empty fields stay as they are, but for the reason, which belongs to the state.
type Change struct {
	ID, Title, State, Reason string
	By                       answer.Trust // whose words title and reason are, see [Task]
	Confirm                  bool         // they are the user's from now on
}

// Means reports whether a change is of a task: of the one with its id, or with its title
// where it has no id.
func (c Change) Means(t Task) bool {
	return c.ID != "" && t.ID == c.ID || c.ID == "" && strings.EqualFold(t.Title, c.Title)
}

// Update changes the first task that the change means, or adds one, and returns the edit
// and the task as it is then. Title and reason are one line each.
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
	if n := len(list); n > 0 { // beside the last one
		section = list[n-1].idea.Section
	}
	return d.AppendTo(section, "- "+t.line("", "")), t
}

// with is the edit that changes a task of the document.
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

// line is a task without its bullet.
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

// freeID is an id of a title that no task has.
func freeID(list []Task, title string) string {
	id := markdown.TitleID(title)
	free := id
	for n := 2; slices.ContainsFunc(list, func(t Task) bool { return t.ID == free }); n++ {
		free = id + "-" + strconv.Itoa(n)
	}
	return free
}
