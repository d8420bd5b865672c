package gemini

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// Records reads a session from all its files. Those that the client has removed meanwhile are passed
// over; when all are gone, the error is [fs.ErrNotExist].
func Records(s dialect.Session) ([]dialect.Record, error) {
	h := history{byID: map[string]*entry{}}
	var gone, failed error
	read := false
	for _, file := range files(s) {
		switch err := h.read(file); {
		case errors.Is(err, fs.ErrNotExist):
			gone = err
		case err != nil:
			failed = errors.Join(failed, err)
		default:
			read = true
		}
	}
	if !read {
		return nil, cmp.Or(failed, gone)
	}
	t := teller{agent: s.Agent != "", folder: cmp.Or(s.Folder, h.folder())}
	for _, e := range h.entries {
		t.tell(e)
	}
	return t.records, failed
}

// teller makes records of entries.
type teller struct {
	agent          bool
	folder         string
	records        []dialect.Record
	before         string // ID of the record that the next one goes on from
	last           string // ID of the last record
	title, summary string // the last ones
	typed, sent    string // of the last prompt, what was typed and what was sent
}

// tell adds the records of an entry.
func (t *teller) tell(e *entry) {
	if e.rewound != nil {
		t.before = e.rewound.before
	} else if e.resumed != nil {
		t.before = e.resumed.last
	}
	e.before = t.before
	for _, r := range t.recordsOf(e) {
		if r.Cwd = t.folder; r.ID != "" {
			if t.before != t.last {
				r.Parent = cmp.Or(t.before, dialect.Root)
			}
			t.before, t.last = r.ID, r.ID
		}
		t.records = append(t.records, r)
	}
	e.last = t.before
}

func (t *teller) recordsOf(e *entry) []dialect.Record {
	switch {
	case e.broken:
		return []dialect.Record{{Speaker: dialect.Broken}}
	case e.title != "":
		return t.titled(e.title)
	case e.isCopy:
		return nil
	case e.Type == "user":
		return t.prompt(e)
	case e.Type == "gemini":
		return t.answer(e.message)
	}
	return nil // what the client tells the user
}

// titled is the title of a session. What a subagent came to is kept in the same place.
func (t *teller) titled(title string) []dialect.Record {
	if title = strings.TrimSpace(title); title == "" || title == t.title || t.agent {
		return nil
	}
	t.title = title
	return []dialect.Record{{Speaker: dialect.Title, Text: title}}
}

// prompt is a message in the user's place. Results of tools stand with their calls, too.
func (t *teller) prompt(e *entry) []dialect.Record {
	r := dialect.Record{ID: e.ID, Time: e.Timestamp.Time, Speaker: dialect.Person}
	sent, led := words(e.Content)
	typed, ledTyped := words(e.Display)
	if e.summary || strings.HasPrefix(sent, snapshotTag) {
		return t.summed(r, sent)
	}
	switch {
	case t.agent:
		r.Speaker, r.Text = dialect.Agent, sent
	case typed == t.typed && sent != t.sent && !strings.HasPrefix(typed, "/") && !strings.Contains(sent, typed):
		r.Speaker, r.Text = dialect.Program, sent // a hook made the model go on
	default:
		r.Text = cmp.Or(typed, sent)
		if led || ledTyped {
			r.Speaker = dialect.Program
		}
		t.typed, t.sent = r.Text, sent
	}
	if r.Text == "" || sent == "" {
		return nil
	}
	return []dialect.Record{r}
}

// summed is the summary of what was before. A session that was resumed repeats it.
func (t *teller) summed(r dialect.Record, text string) []dialect.Record {
	if _, inner, ok := strings.Cut(text, snapshotTag); ok {
		text, _, _ = strings.Cut(inner, snapshotEnd)
	}
	if text = strings.TrimSpace(text); text == "" || text == t.summary {
		return nil
	}
	t.summary, r.Speaker, r.Text = text, dialect.Summary, text
	return []dialect.Record{r}
}

// answer is a message of the model with the results of its calls, each a record, and the topic that it
// names.
func (t *teller) answer(m message) []dialect.Record {
	said := dialect.Record{ID: m.ID, Time: m.Timestamp.Time, Speaker: dialect.Model, Model: m.Model}
	said.Text, said.Thinking = m.said(), m.thinking()
	var behind, titles []dialect.Record
	for _, c := range m.ToolCalls {
		said.Calls = append(said.Calls, c.call(t.folder))
		if result, ok := c.result(); ok {
			id := fmt.Sprintf("%s_response%d", m.ID, len(behind)+1)
			r := dialect.Record{ID: id, Time: c.Timestamp.Time, Speaker: dialect.Tool, Results: []dialect.Result{result}}
			behind = append(behind, r)
		}
		if c.Name == "update_topic" {
			titles = append(titles, t.titled(c.arg("title"))...)
		}
	}
	if said.Text == "" && said.Thinking == "" && len(said.Calls) == 0 {
		return nil
	}
	return slices.Concat([]dialect.Record{said}, behind, titles)
}

// thinking is what the model thought: each thought has a heading.
func (m message) thinking() string {
	var out []string
	for _, thought := range m.Thoughts {
		text := strings.Trim(thought.Subject+"\n"+thought.Description, "\n")
		if text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n\n")
}

// arg is an argument of a call that is a text.
func (c toolCall) arg(names ...string) string {
	var args map[string]json.RawMessage
	_ = json.Unmarshal(c.Args, &args) // what is no object has no arguments
	for _, name := range names {
		var s string
		if json.Unmarshal(args[name], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// call is the call in the form of other clients' calls.
func (c toolCall) call(folder string) dialect.Call {
	file := c.arg("file_path", "absolute_path")
	if file != "" && folder != "" && !filepath.IsAbs(file) {
		file = filepath.Join(folder, file)
	}
	switch {
	case c.Name == "run_shell_command":
		return dialect.Shell(c.ID, c.arg("command"))
	case c.Name == "read_file" && file != "":
		return dialect.ReadFile(c.ID, file)
	case c.Name == "replace" && file != "":
		return dialect.EditFile(c.ID, file, c.arg("old_string"), c.arg("new_string"))
	case c.Name == "write_file" && file != "":
		return dialect.WriteFile(c.ID, file, c.arg("content"))
	}
	var args map[string]json.RawMessage
	if json.Unmarshal(c.Args, &args) != nil || args == nil {
		args = map[string]json.RawMessage{}
	}
	return dialect.Call{ID: c.ID, Name: c.Name, Input: args}
}

// result is the answer to the call. A call that waits for its answer has none.
func (c toolCall) result() (dialect.Result, bool) {
	text, failed, ok := c.output()
	r := dialect.Result{ID: c.ID, Text: text, Failed: failed || c.Status == "error" || c.Status == "cancelled"}
	if c.Name == "run_shell_command" && exitCode(text) {
		r.Failed = true
	}
	if strings.HasPrefix(text, "Subagent '") && strings.Contains(text, "\nTermination Reason: ") {
		_, report, _ := strings.Cut(text, "\nResult:\n")
		r.Report = strings.TrimSpace(report)
	}
	return r, ok || r.Failed
}

// exitCode reports whether the lines that the client writes behind the output of a command name an
// exit code other than 0, or a signal.
func exitCode(text string) bool {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		name, value, _ := strings.Cut(lines[i], ": ")
		switch name {
		case "Exit Code", "Signal":
			if value != "0" && value != "(none)" {
				return true
			}
		case "Process Group PGID", "Background PIDs", "Error":
		default:
			return false
		}
	}
	return false
}
