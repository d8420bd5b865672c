package qwen

import (
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// line is a line of a file.
type line struct {
	UUID, ParentUUID string // the first line has no parent
	Type, Subtype    string
	Provenance       string // "" in the files of subagents
	Timestamp        string
	Cwd, GitBranch   string
	Model            string
	Message          content
	ToolCallResult   outcome
	SystemPayload    payload
	ForkedFrom       origin // of a copy
}

// origin is the session that a line was copied from.
type origin struct{ SessionID string }

// payload contains what the client stores with a prompt, or the content of the client's own lines.
type payload struct {
	DisplayText string // what the user typed, if hooks added something
	// slash_command: what the user typed, if it became a prompt
	RawCommand  string
	SentToModel bool
	// custom_title, chat_compression
	CustomTitle       string
	CompressedHistory []content
}

// content is the content of a message, in parts.
type content struct{ Parts []part }

// Records reads the records of a session or of a subagent.
func Records(s dialect.Session) ([]dialect.Record, error) {
	r := reader{file: s.Source, agent: s.Agent != "", seen: map[string]bool{}, left: map[string]string{}}
	if err := dialect.ReadLines(s.Source, r.line); err != nil {
		return nil, err
	}
	return r.out, nil
}

// reader converts lines to records.
type reader struct {
	file        string
	agent       bool // the file belongs to a subagent
	cwd, branch string
	out         []dialect.Record
	seen        map[string]bool   // ids of lines
	copied      map[string]bool   // ids of lines that count in another session; nil before a copy is found
	left        map[string]string // lines without a record, with the preceding record
	typed       string            // the command that becomes the next prompt
	title       string            // the last title
	summary     string            // the last summary
}

// line reads a line of the file and reports whether the client wrote it.
func (r *reader) line(b []byte) (known bool) {
	var l line
	if !dialect.Decode(b, &l) {
		r.out = append(r.out, dialect.Record{Speaker: dialect.Broken, Cwd: r.cwd, Branch: r.branch})
	}
	if l.UUID == "" || l.Type == "" {
		return false
	}
	if r.seen[l.UUID] {
		return true
	}
	if r.seen[l.UUID] = true; l.Cwd != "" {
		r.cwd, r.branch = l.Cwd, l.GitBranch
	}
	if l.ForkedFrom.SessionID != "" && r.copied == nil {
		r.copied = copied(r.file, l)
	}
	rec, parent := r.record(l), r.parent(l.ParentUUID)
	if r.copied[l.UUID] {
		rec, r.title, r.typed = dialect.Record{}, "", ""
	}
	none := rec.Speaker == "" || rec.Empty()
	if none || rec.Speaker == dialect.Title {
		r.left[l.UUID] = parent
	} else {
		rec.ID, rec.Parent = l.UUID, parent
	}
	if !none {
		rec.Cwd, rec.Branch = r.cwd, r.branch
		rec.Time, _ = time.Parse(time.RFC3339, l.Timestamp) // zero if unknown
		r.out = append(r.out, rec)
	}
	return true
}

// parent returns the record that a line with this parent continues.
func (r *reader) parent(uuid string) string {
	if uuid == "" {
		return dialect.Root
	}
	if before, ok := r.left[uuid]; ok {
		return before
	}
	return uuid
}

// record converts a line to a record, without a speaker if the line has none.
func (r *reader) record(l line) (rec dialect.Record) {
	switch l.Type {
	case "user":
		rec.Speaker, rec.Text = r.prompt(l)
		r.typed = ""
	case "assistant":
		r.typed = ""
		if l.Subtype == "" {
			rec = dialect.Record{Speaker: dialect.Model, Model: l.Model, Text: l.Message.text()}
			rec.Thinking, rec.Calls = l.Message.thinking(), l.Message.calls()
		}
	case "tool_result":
		rec = dialect.Record{Speaker: dialect.Tool, Results: l.Message.results(l.ToolCallResult)}
	case "system":
		rec.Speaker, rec.Text = r.system(l)
	}
	return rec
}

// prompt returns the speaker and the text of a user message.
func (r *reader) prompt(l line) (dialect.Speaker, string) {
	switch {
	case l.Subtype == "notification":
		return dialect.Agent, l.Message.text()
	case l.Subtype == "cron":
		return dialect.Program, l.Message.text()
	case l.Subtype != "" && l.Subtype != "mid_turn_user_message":
		return "", ""
	case r.agent:
		return dialect.Agent, l.Message.text()
	case l.Provenance != "real_user" && l.Provenance != "":
		return "", ""
	case r.typed != "":
		return dialect.Person, r.typed
	case l.SystemPayload.DisplayText != "":
		return dialect.Person, l.SystemPayload.DisplayText
	}
	return dialect.Person, l.Message.typed()
}

// system reads a line of the client's own: a new title or summary. It ignores repetitions and other lines.
func (r *reader) system(l line) (dialect.Speaker, string) {
	switch l.Subtype {
	case "slash_command": // the client writes it twice
		if command := l.SystemPayload.RawCommand; l.SystemPayload.SentToModel {
			r.typed = command
		} else if command != r.typed {
			r.typed = "" // the previous one did not become a prompt
		}
	case "at_command": // the typed text precedes the contents of files
		r.typed = ""
	case "custom_title":
		if title := l.SystemPayload.CustomTitle; title != r.title {
			r.title = title
			return dialect.Title, title
		}
	case "chat_compression":
		if summary := snapshot(l.SystemPayload.CompressedHistory); summary != r.summary {
			r.summary = summary
			return dialect.Summary, summary
		}
	}
	return "", ""
}

// snapshot returns the summary at the start of a compacted conversation. A compaction without the model has none, or
// that of an earlier one.
func snapshot(history []content) string {
	for _, c := range history {
		if _, text, ok := strings.Cut(c.text(), "<state_snapshot>"); ok {
			text, _, _ = strings.Cut(text, "</state_snapshot>")
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// text returns the text.
func (c content) text() string { return c.join(false) }

// thinking returns the model's thoughts.
func (c content) thinking() string { return c.join(true) }

// join joins the texts of the parts that are thoughts, or of the others.
func (c content) join(thoughts bool) string {
	var b strings.Builder
	for _, p := range c.Parts {
		if p.Thought == thoughts {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// typed returns the typed text, without appended file contents and hook output.
func (c content) typed() string {
	added := slices.IndexFunc(c.Parts, func(p part) bool {
		return strings.HasPrefix(p.Text, "\n--- Content from referenced files ---") ||
			strings.HasPrefix(p.Text, "<qwen:user-prompt-submit-context>")
	})
	if added >= 0 {
		c.Parts = c.Parts[:added]
	}
	return c.text()
}
