package codex

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// Records reads a session: all files of its thread, and the title that the user gave it.
func Records(s dialect.Session) ([]dialect.Record, error) {
	r := reader{session: s, root: rootOf(s.Source), ids: map[string]int{}}
	r.calls, r.running = map[string]*call{}, map[string]string{}
	first, _ := parseName(s.Source)
	files := []file{first}
	if s.Several {
		threads, _ := list(r.root, first.thread, filepath.Dir(first.path)) // Sessions returns the errors
		if len(threads) > 0 {
			files = threads[0]
		}
	}
	for _, f := range files {
		if err := read(f.path, func(in io.Reader) error { return r.file(f, in) }); err != nil {
			return nil, err
		}
	}
	if title := r.title(); title != "" && title != r.firstPrompt && s.Agent == "" {
		return append([]dialect.Record{{Speaker: dialect.Title, Text: title, Cwd: r.cwd}}, r.out...), nil
	}
	return r.out, nil
}

// reader translates the files of a session.
type reader struct {
	session dialect.Session
	root    string // the client's folder
	out     []dialect.Record
	ids     map[string]int // number of records by time, for the ids of records

	// State of the current file.
	thread, source string // the thread, and what started it
	prefix         string // prefix of record ids
	copied         bool   // the lines are a copy of another session
	turns          int    // turns so far

	// State of the current line and its turn.
	number                      int // the ordinal of the line
	time                        time.Time
	cwd, branch, model, trigger string
	reviewing                   bool

	chain       []link // the conversation without what was taken back
	parent      string // of the next prompt, after a rewind
	firstPrompt string

	calls   map[string]*call  // by id
	running map[string]string // call ids of running commands, by the client's number of the command
}

// link is a record of the conversation.
type link struct {
	number int
	id     string
	prompt bool
}

// file reads the next file of the session.
func (r *reader) file(f file, in io.Reader) error {
	n := 0
	for line, err := range dialect.Lines(in) {
		if err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
		e, ok := parseLine(line)
		switch {
		case n == 0 && (!ok || e.Type != "session_meta"):
			return fmt.Errorf("%s: %w", f.path, dialect.ErrUnknownFormat)
		case n == 0:
			r.begin(f, e.Payload)
		case !ok:
			r.out = append(r.out, dialect.Record{Speaker: dialect.Broken})
		default:
			r.line(n, e)
		}
		n++
	}
	return nil
}

// begin reads the first record of a file. It may name the ordinal at which the file continues another one. In the
// second file of a thread this takes back the rest of the first file from that ordinal on.
//
// Subagents, and forks by older clients, begin with a copy of another session, which is skipped; forks keep the copy if
// the other session was deleted. Forks by newer clients name an ordinal and copy nothing. The field
// subagent_history_start_ordinal is not used because it is the end of the file if the client rewrote the file.
func (r *reader) begin(f file, m *payload) {
	r.thread, r.prefix = m.ID, cmp.Or(f.segment, m.ID)
	r.source, _ = m.source()
	r.cwd, r.branch = m.Cwd, m.Git.Branch
	r.copied, r.turns = false, 0
	if m.Origin != "" && m.HistoryBase == nil {
		origin, _ := list(r.root, m.Origin, "")
		r.copied = r.session.Agent != "" || len(origin) > 0
	}
	if m.HistoryBase != nil && len(r.out) > 0 {
		n := len(r.chain)
		for n > 0 && r.chain[n-1].number >= m.HistoryBase.End {
			n--
		}
		r.rewind(n)
	}
}

// rewind keeps the first n records of the conversation.
func (r *reader) rewind(n int) {
	r.chain = r.chain[:n]
	if r.parent = dialect.Root; n > 0 {
		r.parent = r.chain[n-1].id
	}
}

// line reads the line with a 0-based number.
func (r *reader) line(n int, e entry) {
	if r.number = n; e.Ordinal != nil {
		r.number = *e.Ordinal
	}
	r.time, _ = time.Parse(time.RFC3339, e.Timestamp) // zero if unknown
	p := e.Payload
	// A turn that is younger than the thread is not a copy. Ids (UUID version 7) are in time order.
	if p.Type == "task_started" && (len(p.TurnID) != len(r.thread) || p.TurnID > r.thread) {
		r.copied = false
	}
	if r.copied {
		return
	}
	switch e.Type {
	case "turn_context":
		r.cwd, r.model = p.Cwd, p.Model
	case "response_item":
		r.responseItem(p)
	case "event_msg":
		r.event(p)
	case "compacted":
		summary := behind(p.Message, "Another language model started to solve this problem", "\n")
		r.say(dialect.Record{Speaker: dialect.Summary, Text: summary})
	}
}

// event reads an event of the client. Newer clients report items instead of the older events.
func (r *reader) event(p *payload) {
	switch p.Type {
	case "item_completed":
		if p.ThreadID == r.thread && p.Item != nil { // otherwise a reviewer's, which is in its own file
			r.event(p.Item)
		}
	case "task_started":
		if r.trigger = p.Attribution["turn_trigger"]; r.turns > 0 {
			r.branch = "" // the client reads the branch only at the start of the file
		}
		r.turns++
	case "task_complete", "turn_aborted":
		r.reviewing = false // also after an interrupted review
	case "entered_review_mode", "EnteredReviewMode":
		r.reviewing = true
	case "user_message", "UserMessage":
		r.prompt(p.Message + texts(p.Content))
	case "HookPrompt":
		r.say(dialect.Record{Speaker: dialect.Program, Text: texts(p.Fragments)})
	case "agent_message", "AgentMessage":
		r.say(dialect.Record{Speaker: dialect.Model, Text: p.Message + texts(p.Content)})
	case "agent_reasoning", "agent_reasoning_raw_content", "Reasoning":
		thoughts := p.Text + strings.Join(append(p.Summary, p.RawContent...), "\n\n")
		r.say(dialect.Record{Speaker: dialect.Model, Thinking: thoughts})
	case "CommandExecution":
		r.command(p)
	case "patch_apply_end", "FileChange":
		id := cmp.Or(p.ID, p.CallID)
		r.answer(id, edits(id, p.Changes), strings.TrimSpace(p.Stdout+p.Stderr), p.failed())
	case "mcp_tool_call_end", "McpToolCall":
		r.serverTool(p)
	case "thread_rolled_back":
		n := len(r.chain)
		for turns := p.NumTurns; n > 0 && turns > 0; {
			if n--; r.chain[n].prompt {
				turns--
			}
		}
		r.rewind(n)
	}
}

// responseItem reads what the model sees, unless the client reports it in an event.
func (r *reader) responseItem(p *payload) {
	switch p.Type {
	case "function_call", "custom_tool_call":
		var arguments string // JSON
		dialect.Decode(p.Arguments, &arguments)
		p.Arguments = json.RawMessage(arguments)
		r.calls[p.CallID] = &call{payload: p} // some services reuse ids
	case "function_call_output", "custom_tool_call_output":
		r.output(p)
	case "web_search_call":
		search := dialect.Call{ID: cmp.Or(p.ID, strconv.Itoa(r.number)), Name: "web_search", Input: object(p.Action)}
		r.add(dialect.Record{Speaker: dialect.Model, Calls: []dialect.Call{search}})
	case "agent_message":
		r.say(dialect.Record{Speaker: dialect.Agent, Text: behind(texts(p.Content), "Message Type:", "\nPayload:\n")})
	case "message": // an older client records a subagent's last answer as a user message
		if text, ok := strings.CutPrefix(texts(p.Content), "<subagent_notification>"); ok {
			var n struct{ Status map[string]string }
			_ = json.NewDecoder(strings.NewReader(text)).Decode(&n) // other forms are ignored
			r.say(dialect.Record{Speaker: dialect.Agent, Text: n.Status["completed"] + n.Status["errored"]})
		}
	}
}

// add adds a record with the fields that all records of a turn share. Its id contains the time of the line and not the
// number, because the client removes rewound turns from older files.
func (r *reader) add(rec dialect.Record) {
	rec.ID = r.prefix + "-" + strconv.FormatInt(r.time.UnixMilli(), 10)
	n := r.ids[rec.ID]
	if r.ids[rec.ID]++; n > 0 {
		rec.ID += "-" + strconv.Itoa(n)
	}
	rec.Time, rec.Cwd, rec.Branch = r.time, r.cwd, r.branch
	if rec.Speaker == dialect.Model {
		rec.Model = r.model
	}
	r.out = append(r.out, rec)
	r.chain = append(r.chain, link{number: r.number, id: rec.ID})
}

// say adds a record unless it is blank.
func (r *reader) say(rec dialect.Record) {
	if strings.TrimSpace(rec.Text+rec.Thinking) != "" {
		r.add(rec)
	}
}

// prompt adds a prompt without the prefix that an editor adds. During a review the prompt is the client's task for the
// reviewer and is skipped.
func (r *reader) prompt(text string) {
	if r.reviewing {
		return
	}
	text = behind(text, "# Context from my IDE setup:", "\n## My request for Codex:")
	r.firstPrompt = cmp.Or(r.firstPrompt, text)
	r.add(dialect.Record{Speaker: r.speaker(), Text: text, Parent: r.parent})
	r.parent, r.chain[len(r.chain)-1].prompt = "", true
}

// speaker returns who sends prompts. Newer clients record it for each turn, since a person can continue a program's
// session and vice versa.
func (r *reader) speaker() dialect.Speaker {
	switch {
	case r.source == "subagent":
		return dialect.Agent
	case r.source == "internal":
		return dialect.Client
	case r.trigger != "user" && (r.trigger != "" || r.source == "exec" || r.source == "mcp"):
		return dialect.Program
	}
	return dialect.Person
}

// behind returns the text after a mark if the text has the given prefix, otherwise the whole text.
func behind(text, begin, mark string) string {
	if _, said, ok := strings.Cut(text, mark); ok && strings.HasPrefix(text, begin) {
		return strings.TrimSpace(said)
	}
	return text
}

// title returns the last title of the session in the client's index. A terminal session has one: its first prompt, or
// the user's name for it.
func (r *reader) title() (title string) {
	index, _ := dialect.Contents(filepath.Join(r.root, "session_index.jsonl")) // a missing title is not an error
	for line := range bytes.Lines(index) {
		var t map[string]string
		if bytes.Contains(line, []byte(r.session.ID)) && dialect.Decode(line, &t) && t["id"] == r.session.ID {
			title = t["thread_name"]
		}
	}
	return title
}
