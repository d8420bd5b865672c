package opencode

import (
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// ownShell is the text that the client puts in the user's place before a command that the user ran.
const ownShell = "The following tool was executed by the user"

// templates are the beginnings of the prompts that the client sends for its commands /init and /review.
// The commands of a user are stored in the same way, as the whole prompt.
var templates = [...]string{
	"Create or update `AGENTS.md` for this repository.",
	"You are a code reviewer. Your job is to review code changes and provide actionable feedback.",
}

// untitled reports whether a title is the one that the client gives a session before it has one.
func untitled(title string) bool {
	made, ok := strings.CutPrefix(title, "New session - ")
	_, err := time.Parse(time.RFC3339, made)
	return title == "" || ok && err == nil
}

// translation collects the records of a session.
type translation struct {
	session  session
	out      []dialect.Record
	prompt   string          // the last one
	prompted bool            // there was one
	summary  bool            // the model's last step was the summary of a compaction
	shell    map[string]bool // ids of the messages that stand before commands of the user
}

// records translates the session.
func (s session) records() []dialect.Record {
	t := translation{session: s, shell: map[string]bool{}}
	if s.ParentID == "" && !untitled(s.Title) {
		t.out = append(t.out, dialect.Record{
			Speaker: dialect.Title, Text: s.Title, Time: at(s.Time.Created), Cwd: s.Directory,
		})
	}
	for _, m := range s.kept() {
		switch {
		case m.broken:
			t.out = append(t.out, dialect.Record{ID: m.id, Speaker: dialect.Broken, Time: at(m.created), Cwd: s.Directory})
		case m.Role == "user":
			t.user(m)
		case m.Role == "assistant":
			t.assistant(m)
		}
	}
	return t.out
}

// add adds a record of a message unless it is the copy of another session's. Copies are looked at
// because what follows may depend on them.
func (t *translation) add(m message, r dialect.Record) {
	if t.session.copied[m.id] {
		return
	}
	if r.Time.IsZero() {
		r.Time = at(m.created)
	}
	if r.Cwd = m.Path.Cwd; r.Cwd == "" {
		r.Cwd = t.session.Directory
	}
	t.out = append(t.out, r)
}

// user adds a prompt. When the context was too long, the client sends the last prompt once more after
// the summary.
func (t *translation) user(m message) {
	if len(m.parts) > 0 && m.parts[0].Synthetic && m.parts[0].Text == ownShell {
		t.shell[m.id] = true
	}
	text := m.said("text")
	again := t.summary && text == t.prompt
	t.summary = t.summary && text == ""
	if text == "" || again {
		return
	}
	first := !t.prompted
	t.prompt, t.prompted = text, true
	r := dialect.Record{ID: m.id, Speaker: dialect.Person, Text: text}
	switch {
	case t.session.ParentID != "":
		r.Speaker = dialect.Agent
	case slices.ContainsFunc(templates[:], func(begin string) bool { return strings.HasPrefix(text, begin) }):
		r.Speaker = dialect.Client
	case t.session.headless():
		var quoted bool
		if r.Text, quoted = unquote(text); quoted || first {
			r.Speaker = dialect.Program
		}
	}
	t.add(m, r)
}

// headless reports whether `opencode run` made the session: nobody is there to answer questions or to
// accept plans.
func (s session) headless() bool {
	denied := map[string]bool{}
	for _, r := range s.Permission {
		denied[r.Permission] = denied[r.Permission] || r.Action == "deny" && r.Pattern == "*"
	}
	return denied["question"] && denied["plan_enter"] && denied["plan_exit"]
}

// unquote takes off the quotes that `opencode run` puts around an argument with spaces. What it read
// from its standard input follows in a new line.
func unquote(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, `"`) {
		return text, false
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			inner, rest := text[1:i], text[i+1:]
			if !strings.Contains(inner, " ") || rest != "" && rest[0] != '\n' {
				return text, false
			}
			return strings.ReplaceAll(inner, `\"`, `"`) + rest, true
		}
	}
	return text, false
}

// assistant adds a step of the model: what it said and called, then the results.
func (t *translation) assistant(m message) {
	if t.summary = m.Summary; m.Summary {
		if text := m.said("text"); text != "" {
			t.add(m, dialect.Record{ID: m.id, Speaker: dialect.Summary, Text: text})
		}
		return
	}
	tools := m.tools()
	if t.shell[m.ParentID] && len(tools) > 0 {
		command := text(tools[0].State.Input, "command")
		t.add(m, dialect.Record{ID: m.ParentID, Speaker: dialect.Person, Text: "!" + command})
	}
	r := dialect.Record{
		ID: m.id, Speaker: dialect.Model, Model: m.ModelID, Text: m.said("text"), Thinking: m.said("reasoning"),
	}
	answers := dialect.Record{ID: m.id + "-results", Speaker: dialect.Tool}
	for _, p := range tools {
		r.Calls = append(r.Calls, p.calls()...)
		if result, ok := p.result(); ok {
			answers.Results = append(answers.Results, result)
			answers.Time = later(answers.Time, at(p.State.Time.End))
		}
	}
	if r.Text != "" || r.Thinking != "" || len(r.Calls) > 0 {
		t.add(m, r)
	}
	if len(answers.Results) > 0 {
		t.add(m, answers)
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// at is a time in milliseconds, the zero time where there is none.
func at(ms int64) time.Time {
	if ms <= 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
