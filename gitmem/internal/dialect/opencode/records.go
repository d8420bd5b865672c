package opencode

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

const (
	// ownShell is the user message that the client adds before a command that the user ran.
	ownShell = "The following tool was executed by the user"
	// initialize and review are prefixes of the prompts that the client sends for its commands /init and /review. A user's
	// own commands are stored in the same way, as the whole prompt.
	initialize = "Create or update `AGENTS.md` for this repository."
	review     = "You are a code reviewer. Your job is to review code changes and provide actionable feedback."
	// untitled is the prefix of the title that the client gives a new session.
	untitled = "New session - "
)

// translation collects the records of a session.
type translation struct {
	session session
	out     []dialect.Record
	prompt  string // the last prompt
	summary bool   // the model's last step was the summary of a compaction
	shell   bool   // the user's last message precedes a command that the user ran
}

// records translates the session.
func (s session) records() []dialect.Record {
	t := translation{session: s}
	if s.ParentID == "" && !strings.HasPrefix(s.Title, untitled) {
		t.add(message{Time: s.Time}, dialect.Record{Speaker: dialect.Title, Text: s.Title})
	}
	for _, m := range s.kept() {
		switch {
		case m.broken:
			t.add(m, dialect.Record{ID: m.id, Speaker: dialect.Broken})
		case m.Role == "user":
			t.user(m)
		case m.Role == "assistant":
			t.assistant(m)
		}
	}
	return t.out
}

// add adds a record of a message unless it is empty or a copy of another session's. Copies are processed too, because
// later messages may depend on them.
func (t *translation) add(m message, r dialect.Record) {
	if m.copied || r.Empty() && !m.broken {
		return
	}
	r.Time = time.UnixMilli(m.Time.Created).UTC()
	r.Cwd = cmp.Or(m.Path.Cwd, t.session.Directory)
	t.out = append(t.out, r)
}

// user adds a prompt. If the context was too long, the client sends the last prompt again after the summary.
func (t *translation) user(m message) {
	t.shell = len(m.parts) > 0 && m.parts[0].Synthetic && m.parts[0].Text == ownShell
	text := m.said("text")
	again := t.summary && text == t.prompt
	t.summary = t.summary && text == ""
	if text == "" || again {
		return
	}
	first := t.prompt == ""
	t.prompt = text
	r := dialect.Record{ID: m.id, Speaker: dialect.Person, Text: text}
	switch {
	case t.session.ParentID != "":
		r.Speaker = dialect.Agent
	case strings.HasPrefix(text, initialize) || strings.HasPrefix(text, review):
		r.Speaker = dialect.Client
	case t.session.headless():
		var quoted bool
		if r.Text, quoted = unquote(text); quoted || first {
			r.Speaker = dialect.Program
		}
	}
	t.add(m, r)
}

// headless reports whether `opencode run` created the session: it denies questions and plans, which nobody could
// answer.
func (s session) headless() bool {
	denies := func(what string) bool { return slices.Contains(s.Permission, rule{what, "*", "deny"}) }
	return denies("question") && denies("plan_enter") && denies("plan_exit")
}

// unquote removes the quotes that `opencode run` puts around an argument with spaces. Its standard input follows on a
// new line.
func unquote(text string) (string, bool) {
	text = strings.TrimSpace(text)
	quoted := regexp.MustCompile(`(?s)^"((?:[^"\\]|\\.)*)"(\n.*)?$`).FindStringSubmatch(text)
	if quoted == nil || !strings.Contains(quoted[1], " ") {
		return text, false
	}
	return strings.ReplaceAll(quoted[1], `\"`, `"`) + quoted[2], true
}

// assistant adds a step of the model: its text and calls, then the results.
func (t *translation) assistant(m message) {
	r := dialect.Record{ID: m.id, Speaker: dialect.Summary, Text: m.said("text")}
	if t.summary = m.Summary; m.Summary {
		t.add(m, r)
		return
	}
	r.Speaker, r.Model, r.Thinking = dialect.Model, m.ModelID, m.said("reasoning")
	answers := dialect.Record{ID: m.id + "-results", Speaker: dialect.Tool}
	ended := m.Time.Created
	for _, p := range m.parts {
		if p.Type != "tool" || p.Tool == "" {
			continue
		}
		r.Calls = append(r.Calls, p.calls(cmp.Or(m.Path.Cwd, t.session.Directory))...)
		if p.State.Status == "completed" || p.State.Status == "error" {
			answers.Results = append(answers.Results, p.result())
			ended = max(ended, p.State.Time.End)
		}
	}
	if t.shell && len(r.Calls) > 0 {
		input, _ := r.Calls[0].Input.(map[string]string)
		t.add(m, dialect.Record{ID: m.ParentID, Speaker: dialect.Person, Text: "!" + input["command"]})
	}
	t.shell = false
	t.add(m, r)
	m.Time.Created = ended
	t.add(m, answers)
}
