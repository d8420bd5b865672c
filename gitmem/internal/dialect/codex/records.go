package codex

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// Records reads a session: all files of its thread, and the title that the user gave it.
func Records(s dialect.Session) ([]dialect.Record, error) {
	r := reader{session: s, ids: map[string]int{}}
	r.open, r.running, r.state = map[string]call{}, map[string]string{}, map[string]state{}
	for _, path := range filesOf(s) {
		if err := r.file(path); err != nil {
			return nil, err
		}
	}
	if title := titleOf(s); title != "" && title != r.firstPrompt {
		return append([]dialect.Record{{Speaker: dialect.Title, Text: title, Cwd: r.cwd}}, r.out...), nil
	}
	return r.out, nil
}

// entry is a line of a rollout file.
type entry struct {
	Timestamp string
	Ordinal   *int // absent in older files, where it is the number of the line
	Type      string
	Payload   json.RawMessage
}

// decode reads JSON; a member of an unexpected type keeps its zero value.
func decode(b []byte, v any) error {
	err := json.Unmarshal(b, v)
	if mismatch := (*json.UnmarshalTypeError)(nil); errors.As(err, &mismatch) {
		return nil
	}
	return err
}

func parseLine(b []byte) (e entry, err error) {
	if err = decode(b, &e); err == nil && (e.Type == "" || len(e.Payload) == 0) {
		err = dialect.ErrUnknownFormat
	}
	return e, err
}

// payload has the members of all records that are read. Those of item_completed stand in item.
type payload struct {
	Type, Role, Message, Text, Cwd, Model string
	TurnID                                string `json:"turn_id"`
	ThreadID                              string `json:"thread_id"`
	Attribution                           struct {
		Trigger string `json:"turn_trigger"`
	} `json:"turn_attribution"`
	NumTurns int `json:"num_turns"`
	Item     item
	Content  []part
	// Of a call, or of its result.
	ID              string
	CallID          string `json:"call_id"`
	Name, Namespace string
	Arguments       json.RawMessage
	Input           string
	Action, Output  json.RawMessage
	// Of a result in an event of an older client.
	Invocation struct {
		Server, Tool string
		Arguments    json.RawMessage
	}
	Result struct {
		OK  mcpResult `json:"Ok"`
		Err string
	}
	Changes        map[string]change
	Status, Stdout string
	Stderr         string
}

// part is a part of a message.
type part struct {
	Type, Text string
	Encrypted  string `json:"encrypted_content"`
}

// reader translates the files of a session.
type reader struct {
	session dialect.Session
	out     []dialect.Record

	// Of the file.
	meta   meta
	prefix string         // of the ids of records
	ids    map[string]int // that begin with the same
	source string
	number int // ordinal of the record
	time   time.Time
	copied bool // the records are a copy of another session's

	// Of the turn.
	cwd, branch, model, trigger string
	turns                       int
	reviewing                   bool

	// The conversation as it stands, without what was taken back.
	chain       []link
	parent      string // of the next prompt, if the conversation was rewound
	firstPrompt string

	open    map[string]call   // calls without an answer, by id
	running map[string]string // calls whose command goes on, by the client's number of the command
	state   map[string]state  // of calls with an answer
	nested  int               // calls of scripts so far
}

// link is a record of the conversation.
type link struct {
	number int
	id     string
	prompt bool
}

// file reads the next file of the session.
func (r *reader) file(path string) error {
	in, err := open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	n := 0
	for line, err := range dialect.Lines(in) {
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if n == 0 {
			m, err := parseMeta(line)
			if err != nil {
				return unknown(path)
			}
			r.begin(path, m)
		}
		r.line(n, line)
		n++
	}
	return nil
}

// begin starts a file. The second one of a thread goes on from a record of a former one.
func (r *reader) begin(path string, m meta) {
	r.meta, r.copied, r.turns = m, r.isCopied(m), 0
	r.cwd, r.branch, r.trigger, r.reviewing = m.Cwd, m.Git.Branch, "", false
	r.source, _ = m.source()
	r.prefix = m.ID
	if _, segment, _ := rolloutName(filepath.Base(path)); segment != "" {
		r.prefix = segment
	}
	if m.HistoryBase != nil && len(r.out) > 0 {
		n := len(r.chain)
		for n > 0 && r.chain[n-1].number >= m.HistoryBase.End {
			n--
		}
		r.rewind(n)
	}
}

// isCopied reports whether a file begins with a copy of another session, which is not to be counted: that
// of a subagent, and that of a fork whose origin is still there. A newer client's fork copies nothing.
// subagent_history_start_ordinal does not tell: it is the end of a file that was rewritten.
func (r *reader) isCopied(m meta) bool {
	if m.Origin == "" || m.HistoryBase != nil {
		return false
	}
	return r.session.Agent != "" || len(find(rootOf(r.session.Source), m.Origin, "")) > 0
}

// rewind keeps the first n records of the conversation.
func (r *reader) rewind(n int) {
	r.chain = r.chain[:n]
	if r.parent = dialect.Root; n > 0 {
		r.parent = r.chain[n-1].id
	}
}

// line reads the line with a number, from 0.
func (r *reader) line(n int, b []byte) {
	e, err := parseLine(b)
	if err != nil {
		r.out = append(r.out, dialect.Record{Speaker: dialect.Broken})
		return
	}
	if r.number = n; e.Ordinal != nil {
		r.number = *e.Ordinal
	}
	r.time, _ = time.Parse(time.RFC3339, e.Timestamp) // the zero time says unknown
	var p payload
	if err := decode(e.Payload, &p); err != nil {
		return
	}
	if e.Type == "event_msg" && p.Type == "task_started" && ownTurn(p.TurnID, r.meta.ID) {
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
		r.say(dialect.Summary, summary(p.Message))
	}
}

// ownTurn reports whether a turn began when the thread was there. The ids of both are in the order of
// time; ids of another kind tell nothing.
func ownTurn(turn, thread string) bool { return len(turn) != len(thread) || turn > thread }

// event reads what the client reports.
func (r *reader) event(p payload) {
	switch p.Type {
	case "task_started":
		if r.trigger = p.Attribution.Trigger; r.turns > 0 {
			r.branch = "" // the client looks at the branch once, when it begins the file
		}
		r.turns++
	case "item_completed":
		if p.ThreadID == r.meta.ID { // else a reviewer's, whose own file has it
			r.item(p.Item)
		}
	case "entered_review_mode", "exited_review_mode":
		r.reviewing = p.Type == "entered_review_mode"
	case "user_message":
		r.prompt(p.Message)
	case "agent_message":
		r.say(dialect.Model, p.Message)
	case "agent_reasoning", "agent_reasoning_raw_content":
		r.think(p.Text)
	case "patch_apply_end":
		r.item(p.fileChange())
	case "mcp_tool_call_end":
		r.item(p.mcp())
	case "thread_rolled_back":
		r.rollBack(p.NumTurns)
	}
}

// rollBack takes back the last turns.
func (r *reader) rollBack(turns int) {
	n := len(r.chain)
	for n > 0 && turns > 0 {
		if n--; r.chain[n].prompt {
			turns--
		}
	}
	r.rewind(n)
}

// responseItem reads what the model sees, as far as the client's events don't tell it.
func (r *reader) responseItem(p payload) {
	switch p.Type {
	case "function_call", "custom_tool_call", "local_shell_call":
		r.open[p.CallID] = call{p, r.nested}
		delete(r.state, p.CallID) // some services begin with the same ids again
	case "function_call_output", "custom_tool_call_output":
		r.output(p)
	case "web_search_call":
		r.call(dialect.Call{ID: cmp.Or(p.ID, strconv.Itoa(r.number)), Name: "web_search", Input: object(p.Action, "action")})
	case "agent_message":
		r.say(dialect.Agent, agentMessage(p.Content))
	case "message": // others are told by the events
		if text := texts(p.Content); p.Role == "user" && strings.HasPrefix(text, "<subagent_notification>") {
			r.say(dialect.Agent, notification(text))
		}
	}
}

// id returns an id for a record of the line that is being read. Older files are rewritten without the
// turns that were taken back: the time of a line stays, its number does not.
func (r *reader) id() string {
	id := r.prefix + "-" + strconv.FormatInt(r.time.UnixMilli(), 10)
	if r.time.IsZero() {
		id = r.prefix + "-line-" + strconv.Itoa(r.number)
	}
	n := r.ids[id]
	if r.ids[id]++; n > 0 {
		id += "-" + strconv.Itoa(n)
	}
	return id
}

// add adds a record with what all records of a turn share.
func (r *reader) add(rec dialect.Record) {
	rec.ID, rec.Time, rec.Cwd, rec.Branch = r.id(), r.time, r.cwd, r.branch
	if rec.Speaker == dialect.Model {
		rec.Model = r.model
	}
	r.out = append(r.out, rec)
	r.chain = append(r.chain, link{number: r.number, id: rec.ID})
}

// say adds what was said, if it was anything.
func (r *reader) say(who dialect.Speaker, text string) {
	if strings.TrimSpace(text) != "" {
		r.add(dialect.Record{Speaker: who, Text: text})
	}
}

func (r *reader) think(text string) {
	if strings.TrimSpace(text) != "" {
		r.add(dialect.Record{Speaker: dialect.Model, Thinking: text})
	}
}

// prompt adds what stands in the user's place. Of a review it is the client's task for the reviewer.
func (r *reader) prompt(text string) {
	if r.reviewing {
		return
	}
	text = withoutEditor(text)
	if r.firstPrompt == "" {
		r.firstPrompt = text
	}
	r.add(dialect.Record{Speaker: r.speaker(), Text: text, Parent: r.parent})
	r.parent, r.chain[len(r.chain)-1].prompt = "", true
}

// speaker says who sends prompts. Newer clients tell it for each turn: a person can go on with the
// session of a program, and a program with a person's.
func (r *reader) speaker() dialect.Speaker {
	switch {
	case r.source == "subagent":
		return dialect.Agent
	case r.source == "internal":
		return dialect.Client
	case r.trigger == "user":
		return dialect.Person
	case r.trigger != "" || r.source == "exec" || r.source == "mcp":
		return dialect.Program
	}
	return dialect.Person
}

// withoutEditor cuts what an editor tells of where the user looks, in front of what the user says.
func withoutEditor(text string) string {
	if strings.HasPrefix(text, "# Context from my IDE setup:") {
		if _, said, ok := strings.Cut(text, "\n## My request for Codex:"); ok {
			return strings.TrimSpace(said)
		}
	}
	return text
}

// summary cuts the words with which the client introduces a summary to the model.
func summary(text string) string {
	intro, said, ok := strings.Cut(text, "\n")
	if ok && strings.HasPrefix(intro, "Another language model started to solve this problem") {
		return said
	}
	return text
}

// agentMessage is what another agent says, behind the lines that name it. Text that the service
// encrypted has no blank.
func agentMessage(content []part) string {
	var b strings.Builder
	for _, p := range content {
		b.WriteString(p.Text)
		if strings.Contains(p.Encrypted, " ") {
			b.WriteString(p.Encrypted)
		}
	}
	text := b.String()
	if _, said, ok := strings.Cut(text, "\nPayload:\n"); ok && strings.HasPrefix(text, "Message Type:") {
		return said
	}
	return text
}

// notification is what an agent came to, which the client puts in the user's place.
func notification(text string) string {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "<subagent_notification>"), "</subagent_notification>")
	var n struct {
		Status struct{ Completed, Errored string }
	}
	_ = decode([]byte(text), &n) // a status in another form says nothing
	return n.Status.Completed + n.Status.Errored
}

// titleOf returns the last title of a session in the client's index, which has those of sessions on a
// terminal.
func titleOf(s dialect.Session) (title string) {
	root := rootOf(s.Source)
	if root == "" || s.Agent != "" {
		return ""
	}
	f, err := os.Open(filepath.Join(root, "session_index.jsonl"))
	if err != nil {
		return "" // a title is not worth an error
	}
	defer f.Close()
	for line := range dialect.Lines(f) {
		var t struct {
			ID   string
			Name string `json:"thread_name"`
		}
		if bytes.Contains(line, []byte(s.ID)) && decode(line, &t) == nil && t.ID == s.ID {
			title = t.Name
		}
	}
	return title
}
