package transcript

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/internal/slice"
	"github.com/gitmem/gitmem/markdown"
)

// left collects the unfinished parts of a session: commands that failed and did not succeed when repeated, and the
// client's list of tasks.
type left struct {
	commands map[string]string // by the id of the call
	failed   map[string]Quote  // by the command
	tasks    []Task
	former   []Task // before the client wrote its whole list
	written  string // the id of the call that wrote it
}

// Task is a task of the client's list: its text is the subject.
type Task struct {
	Quote
	Status string // pending, in_progress, completed or deleted

	call string // the id of the call that creates it
	id   string // its number, "" if the client writes its whole list each time
}

// Waits reports whether a task is still to do.
func (t Task) Waits() bool { return t.Status != "completed" && t.Status != "deleted" }

// inProgress is the status of a started task.
const inProgress = "in_progress"

// take processes a message of the session.
func (l *left) take(m Message) {
	for _, t := range m.Tools {
		l.call(m, t)
	}
	for i, r := range m.Results {
		if command, ok := l.commands[r.ID]; ok {
			l.result(m, command, i)
		}
		switch {
		case r.Error && r.ID == l.written: // the client refused the list
			l.tasks = l.former
		case r.Error: // or the task
			l.tasks = slices.DeleteFunc(l.tasks, func(t Task) bool { return t.call == r.ID })
		}
		for n := range l.tasks {
			if l.tasks[n].call == r.ID {
				l.tasks[n].id = strings.TrimPrefix(taskID().FindString(r.Text), "#")
			}
		}
	}
}

// taskID matches the number of a task in the client's answer to the call that creates it.
var taskID = lazy.Pattern(`#\d+`)

// call records a call of a message.
func (l *left) call(m Message, t ToolUse) {
	switch t.Name {
	case "Bash":
		if l.commands == nil {
			l.commands, l.failed = map[string]string{}, map[string]Quote{}
		}
		l.commands[t.ID] = t.Command
	case "TodoWrite":
		l.former, l.tasks, l.written = l.tasks, nil, t.ID
		q := m.inCall(t)
		for _, todo := range t.todos() {
			q.Text = todo.Content
			l.tasks = append(l.tasks, Task{Quote: q, Status: todo.Status, call: t.ID})
		}
	case "TaskCreate":
		q := m.inCall(t)
		q.Text = t.text("subject")
		l.tasks = append(l.tasks, Task{Quote: q, Status: "pending", call: t.ID})
	case "TaskUpdate":
		for i := range l.tasks {
			if id := t.text("taskId"); id != "" && l.tasks[i].id == id {
				l.tasks[i].Status = cmp.Or(t.text("status"), l.tasks[i].Status)
			}
		}
	}
}

// inCall returns the location of a call in a message.
func (m Message) inCall(t ToolUse) Quote {
	q := Quote{Line: m.Line, Time: m.Time}
	for _, b := range m.Blocks() {
		if b.ID == t.ID {
			q.Block = b.Name()
		}
	}
	return q
}

// result records that a command failed, or that it succeeded after all.
func (l *left) result(m Message, command string, n int) {
	r, key := m.Results[n], sameCommand(command)
	if !r.Error {
		delete(l.failed, key)
		return
	}
	if said := complaint(r.Text); said != "" {
		text := "`" + cut(strings.ReplaceAll(command, "`", "'"), maxCommand) + "`: " + said
		l.failed[key] = Quote{Line: m.Line, Time: m.Time, Text: text, Block: Block{Kind: KindResult, N: n + 1}.Name()}
	}
}

// Maximum lengths of the quoted command that failed, and of a quoted line of its output.
const maxCommand, maxComplaint = 160, 160

// sameCommand returns a command without a leading change of folder, and without redirections of its output.
func sameCommand(command string) string {
	if rest, ok := strings.CutPrefix(command, "cd "); ok {
		if _, after, found := strings.Cut(rest, "&&"); found {
			command = after
		}
	}
	command, _, _ = strings.Cut(command, "2>&1")
	command, _, _ = strings.Cut(command, "| tail")
	command, _, _ = strings.Cut(command, "| head")
	return strings.Join(strings.Fields(command), " ")
}

// complaint returns the first and the last line of the output of a failed command, "" for a failure without output,
// such as a search without hits, and for a command that was not run.
func complaint(result string) string {
	code, printed, _ := strings.Cut(result, "\n")
	if !strings.HasPrefix(code, "Exit code ") { // the client refused to run it, or the user did
		return ""
	}
	lines := slice.Filter(strings.Split(printed, "\n"), func(line string) bool { return strings.TrimSpace(line) != "" })
	switch len(lines) {
	case 0:
		return ""
	case 1:
		return cut(lines[0], maxComplaint)
	}
	return cut(lines[0], maxComplaint) + " … " + cut(lines[len(lines)-1], maxComplaint)
}

// Leave adds the unfinished parts of a whole session to its digest: the open tasks and the commands that never
// succeeded, the last ones first, as things to do.
func (d *Digest) Leave() {
	d.Quotes = maps.Clone(d.Quotes)
	for _, t := range d.Tasks {
		if t.Waits() {
			t.Sure = 1
			d.quote(markdown.IntentTodo, t.Quote)
		}
	}
	for _, q := range d.Failed {
		d.quote(markdown.IntentFailed, q)
	}
}

// failures returns the commands that never succeeded, the last ones first.
func (l *left) failures() []Quote {
	return slices.SortedFunc(maps.Values(l.failed), func(a, b Quote) int {
		return cmp.Or(cmp.Compare(b.Line, a.Line), cmp.Compare(a.Text, b.Text))
	})
}
