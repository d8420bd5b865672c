package dialect

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"
)

// maxLine is the maximum length in bytes of a line for [Lines].
const maxLine = 64 << 20

// Lines yields the lines of a JSON Lines file without line ends. It skips empty lines and yields nil for a line that is
// too long. It skips a last line without line end unless it is valid JSON, since it is still being written. An error of
// r ends the sequence.
func Lines(r io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		for {
			line, err := readLine(in)
			if err != nil && !errors.Is(err, io.EOF) {
				yield(nil, err)
				return
			}
			ended := err == nil
			line = bytes.Trim(line, " \t\r\n\x00\ufeff")
			switch {
			case len(line) > maxLine:
				line = nil
			case len(line) == 0 && ended:
				continue
			case !ended && !json.Valid(line):
				return
			}
			if !yield(line, nil) || !ended {
				return
			}
		}
	}
}

// ReadLines passes the lines of a file to read, which reports whether it recognises a line. If it recognises none,
// ReadLines returns ErrUnknownFormat.
func ReadLines(file string, read func(line []byte) bool) error {
	f, err := Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	known, empty := false, true
	for line, err := range Lines(f) {
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		known, empty = read(line) || known, false
	}
	if !known && !empty {
		return fmt.Errorf("%s: %w", file, ErrUnknownFormat)
	}
	return nil
}

// readLine reads a line of any length, but keeps at most maxLine+1 bytes.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part[:min(len(part), maxLine+1-len(line))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// HasAtBeginning reports whether the first 8 KiB of a regular file contain a text. It finds the few sessions with a
// common beginning quickly.
func HasAtBeginning(file, text string) bool {
	f, err := Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	beginning := make([]byte, 8<<10)
	n, _ := io.ReadFull(f, beginning) // the file may be shorter
	return bytes.Contains(beginning[:n], []byte(text))
}

// Decode decodes a JSON value and reports whether it is valid. It ignores fields of an unexpected type.
func Decode(b []byte, into any) bool {
	err := json.Unmarshal(b, into)
	return err == nil || errors.As(err, new(*json.UnmarshalTypeError))
}

// Encode encodes the records of a session as lines of a Claude Code session file, which the package transcript reads.
// It is deterministic.
func Encode(s Session, records []Record) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	before := Root
	for _, r := range records {
		if r.Speaker == Broken {
			b.WriteString("!\n")
			continue
		}
		if err := enc.Encode(r.line(s, before)); err != nil {
			return nil, err
		}
		if r.ID != "" && r.Speaker != Title {
			before = r.ID
		}
	}
	return b.Bytes(), nil
}

// line is a record in Claude Code's format.
type line struct {
	Type             string         `json:"type"`
	UUID             string         `json:"uuid,omitempty"`
	Parent           *string        `json:"parentUuid"` // null in a first record
	Session          string         `json:"sessionId,omitempty"`
	AgentID          string         `json:"agentId,omitempty"`
	IsSidechain      bool           `json:"isSidechain,omitempty"`
	IsCompactSummary bool           `json:"isCompactSummary,omitempty"`
	PromptSource     string         `json:"promptSource,omitempty"`
	Origin           *origin        `json:"origin,omitempty"`
	Timestamp        string         `json:"timestamp,omitempty"`
	Cwd              string         `json:"cwd,omitempty"`
	Branch           string         `json:"gitBranch,omitempty"`
	CustomTitle      string         `json:"customTitle,omitempty"`
	Message          *message       `json:"message,omitempty"`
	ToolUseResult    *toolUseResult `json:"toolUseResult,omitempty"`
}

// origin describes the sender of a user message. If the sender is not a person, Claude Code's tags in the text have no
// meaning.
type origin struct {
	Kind string `json:"kind"`
}

type message struct {
	Role    string  `json:"role"`
	Model   string  `json:"model,omitempty"`
	Content []block `json:"content"`
}

type block struct {
	Type      string `json:"type"`
	Text      string `json:"text,omitempty"`
	Thinking  string `json:"thinking,omitempty"`
	ID        string `json:"id,omitempty"`
	Name      string `json:"name,omitempty"`
	Input     any    `json:"input,omitempty"`
	ToolUseID string `json:"tool_use_id,omitempty"`
	Content   string `json:"content,omitempty"`
	IsError   bool   `json:"is_error,omitempty"`
}

type toolUseResult struct {
	AgentID string  `json:"agentId"`
	Content []block `json:"content"`
}

// line returns the record in Claude Code's format; before is the ID of the preceding record.
func (r Record) line(s Session, before string) line {
	l := line{Type: "user", Session: s.ID, Cwd: r.Cwd, Branch: r.Branch}
	if !r.Time.IsZero() {
		l.Timestamp = r.Time.UTC().Format(time.RFC3339Nano)
	}
	if r.Speaker == Title {
		l.Type, l.CustomTitle = "custom-title", r.Text
		return l
	}
	if r.Parent != "" {
		before = r.Parent
	}
	l.UUID, l.AgentID, l.IsSidechain = r.ID, s.Agent, s.Agent != ""
	if before != Root {
		l.Parent = &before
	}
	l.Message = &message{Role: "user", Model: r.Model, Content: r.blocks()}
	switch r.Speaker {
	case Person:
		l.PromptSource = "typed"
	case Program:
		l.PromptSource, l.Origin = "sdk", &origin{"program"}
	case Agent:
		l.Origin = &origin{"task-notification"}
	case Client:
		l.PromptSource, l.Origin = "system", &origin{"auto-continuation"}
	case Command:
		r.Text = "<bash-input>" + r.Text + "</bash-input>"
		l.Message.Content = r.blocks()
	case Summary:
		l.IsCompactSummary = true
	case Model:
		l.Type, l.Message.Role = "assistant", "assistant"
	case Tool:
		l.ToolUseResult = r.report()
	}
	return l
}

// blocks returns the content blocks of the record.
func (r Record) blocks() []block {
	out := []block{}
	if r.Thinking != "" {
		out = append(out, block{Type: "thinking", Thinking: r.Thinking})
	}
	if r.Text != "" {
		out = append(out, block{Type: "text", Text: r.Text})
	}
	for _, c := range r.Calls {
		out = append(out, block{Type: "tool_use", ID: c.ID, Name: c.Name, Input: c.Input})
	}
	for _, res := range r.Results {
		out = append(out, block{Type: "tool_result", ToolUseID: res.ID, Content: res.Text, IsError: res.Failed})
	}
	return out
}

// report returns the report of a subagent in the record's results, or nil.
func (r Record) report() *toolUseResult {
	for _, res := range r.Results {
		if res.Report != "" {
			return &toolUseResult{AgentID: res.ID, Content: []block{{Type: "text", Text: res.Report}}}
		}
	}
	return nil
}
