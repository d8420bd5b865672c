package copilot

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// event is a line of events.jsonl.
type event struct {
	Type, ID, Timestamp string
	AgentID             string // of the subagent that the event belongs to
	Data                json.RawMessage
}

// data contains the supported fields of all events.
type data struct {
	Context          workingDirectory // session.start, session.resume
	workingDirectory                  // session.context_changed
	// user.message, as the user typed it. The client sends a different text, with the output of hooks.
	Content, Source         string
	IsAutopilotContinuation bool
	// assistant.message
	Model, ReasoningText string
	ToolRequests         []request
	SummaryContent       string // session.compaction_complete
	// subagent.started, tool.execution_complete
	ToolCallID, ExecutionMode string
	outcome
}

type workingDirectory struct{ Cwd, Branch string }

// Records reads the records of a session or of one of its subagents.
func Records(s dialect.Session) ([]dialect.Record, error) {
	r := reader{agent: s.Agent, cwd: s.Folder, seen: map[string]bool{}, tools: map[string]string{},
		waits: map[string]bool{}}
	if err := dialect.ReadLines(s.Source, r.line); err != nil {
		return nil, err
	}
	if r.fork {
		ids := copied(s.Source, r.start)
		r.out = slices.DeleteFunc(r.out, func(rec dialect.Record) bool { return ids[rec.ID] })
	}
	return append(r.title(filepath.Dir(s.Source)), r.out...), nil
}

// reader converts events to records.
type reader struct {
	agent       string // the subagent whose events are read, "" for the session
	cwd, branch string
	start       event  // the first event
	fork        bool   // an event is older than the first one
	prompt      string // the first prompt, which may be skipped as a copy
	out         []dialect.Record
	seen        map[string]bool   // ids of events
	tools       map[string]string // tool name by call id
	waits       map[string]bool   // calls that wait for a subagent
}

// title returns the name of the session, unless it is the start of the first prompt.
func (r *reader) title(dir string) []dialect.Record {
	var workspace struct{ Name string }
	text, _ := dialect.Contents(filepath.Join(dir, workspaceFile)) // without the file there is no name
	if yaml.Unmarshal(text, &workspace) != nil || workspace.Name == "" || r.agent != "" || len(r.out) == 0 {
		return nil
	}
	first := r.out[0]
	if strings.HasPrefix(strings.Join(strings.Fields(r.prompt), " "), workspace.Name) {
		return nil
	}
	title := dialect.Record{Speaker: dialect.Title, Text: workspace.Name, Time: first.Time, Cwd: first.Cwd}
	title.Branch = first.Branch
	return []dialect.Record{title}
}

// line reads a line of the file and reports whether it is an event.
func (r *reader) line(line []byte) (known bool) {
	var e event
	if !dialect.Decode(line, &e) {
		r.out = append(r.out, dialect.Record{Speaker: dialect.Broken, Cwd: r.cwd, Branch: r.branch})
	}
	if e.Type == "" || e.ID == "" {
		return false
	}
	if r.seen[e.ID] {
		return true
	}
	if r.seen[e.ID] = true; r.start.ID == "" {
		r.start = e
	}
	r.fork = r.fork || e.Timestamp < r.start.Timestamp
	switch e.Type {
	case "session.start", "session.resume", "session.context_changed", "user.message", "assistant.message",
		"session.compaction_complete", "subagent.started", "tool.execution_complete":
		var d data
		if dialect.Decode(e.Data, &d) {
			r.event(e, d)
		}
	}
	return true
}

// event reads an event.
func (r *reader) event(e event, d data) {
	if e.Type == "subagent.started" {
		r.waits[d.ToolCallID] = d.ExecutionMode != "background"
	}
	if to := cmp.Or(d.Context, d.workingDirectory); to.Cwd != "" && e.AgentID == "" {
		r.cwd, r.branch = to.Cwd, to.Branch
	}
	if e.AgentID != r.agent {
		return
	}
	var rec dialect.Record
	switch e.Type {
	case "user.message":
		rec = prompt(d)
	case "assistant.message":
		rec = dialect.Record{Speaker: dialect.Model, Model: d.Model, Text: d.Content, Thinking: d.ReasoningText}
		rec.Calls = r.calls(d.ToolRequests)
	case "tool.execution_complete":
		if r.tools[d.ToolCallID] != "" { // the user made other calls
			rec = dialect.Record{Speaker: dialect.Tool, Results: []dialect.Result{r.result(d)}}
		}
	case "session.compaction_complete":
		rec = dialect.Record{Speaker: dialect.Summary, Text: d.SummaryContent}
	}
	if rec.Speaker == "" || rec.Empty() {
		return
	}
	rec.ID, rec.Cwd, rec.Branch = e.ID, r.cwd, r.branch
	rec.Time, _ = time.Parse(time.RFC3339, e.Timestamp) // zero if unknown
	if r.out = append(r.out, rec); len(r.out) == 1 {
		r.prompt = rec.Text
	}
}

// prompt converts a user message. It skips messages of skills, the autopilot and the client.
func prompt(d data) dialect.Record {
	rec := dialect.Record{Text: d.Content}
	switch {
	case strings.HasPrefix(d.Source, "agent-"):
		rec.Speaker = dialect.Agent
	case strings.HasPrefix(d.Source, "schedule-"):
		rec.Speaker = dialect.Program
	case d.Source == "" && !d.IsAutopilotContinuation:
		rec.Speaker = dialect.Person
	}
	return rec
}
