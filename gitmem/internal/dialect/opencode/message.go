package opencode

import (
	"encoding/json"
	"errors"
	"strings"
)

// session is a row of the table session, or a file of storage/session.
type session struct {
	id         string
	ParentID   string `json:"parentID"`
	ProjectID  string `json:"projectID"`
	Directory  string
	Title      string
	Time       struct{ Created int64 }
	Permission []rule
	Revert     struct{ MessageID, PartID string } // from where on the user took the session back
	messages   []message
	copied     map[string]bool // ids of messages that a fork copied and another session has
}

// rule is a permission that a session was made with.
type rule struct{ Permission, Pattern, Action string }

// message is a message of the user, or one step of the model.
type message struct {
	id       string
	created  int64 // Unix time in milliseconds
	broken   bool
	parts    []part
	Role     string
	ParentID string `json:"parentID"`
	ModelID  string `json:"modelID"`
	Summary  bool   // of a compaction; in messages of the user it is an object
	Error    json.RawMessage
	Path     struct{ Cwd string }
	Time     struct{ Created, Completed int64 }
}

// part is a part of a message. Types that are not known are passed over.
type part struct {
	id                 string
	Type, Text, Tool   string
	Synthetic, Ignored bool
	CallID             string `json:"callID"`
	State              struct {
		Status, Output, Error string
		Input                 json.RawMessage
		Metadata              struct{ Exit json.RawMessage }
		Time                  struct{ End int64 }
	}
}

// decode reads JSON as far as its members have the types that they should have. It reports whether it
// is JSON.
func decode(data []byte, into any) bool {
	err := json.Unmarshal(data, into)
	mismatch := (*json.UnmarshalTypeError)(nil)
	return err == nil || errors.As(err, &mismatch)
}

// add adds a part to the message.
func (m *message) add(id string, data []byte) {
	p := part{id: id}
	if !decode(data, &p) {
		m.broken = true
		return
	}
	m.parts = append(m.parts, p)
}

// said are the texts of one type that are not put in by a plugin or by the client.
func (m message) said(typ string) string {
	var out []string
	for _, p := range m.parts {
		if p.Type == typ && !p.Synthetic && !p.Ignored && strings.TrimSpace(p.Text) != "" {
			out = append(out, p.Text)
		}
	}
	return strings.Join(out, "\n\n")
}

// tools are the calls that the model made.
func (m message) tools() []part {
	var out []part
	for _, p := range m.parts {
		if p.Type == "tool" && p.Tool != "" {
			out = append(out, p)
		}
	}
	return out
}

// running reports whether the model is still at this step. After a crash it is so forever.
func (m message) running() bool {
	return m.Role == "assistant" && m.Time.Completed == 0 && len(m.Error) == 0
}

// kept are the messages that count: without what the user took back and may still restore, and without
// a last step at which the model still is.
func (s session) kept() []message {
	out := s.messages
	if n := len(out); n > 0 && out[n-1].running() {
		out = out[:n-1]
	}
	for i, m := range out {
		if s.Revert.MessageID == "" || m.id != s.Revert.MessageID {
			continue
		}
		out = out[:i:i]
		if before, ok := m.before(s.Revert.PartID); ok {
			out = append(out, before)
		}
		break
	}
	return out
}

// before returns the message as it was before one of its parts.
func (m message) before(part string) (message, bool) {
	for i, p := range m.parts {
		if part != "" && p.id == part {
			m.parts = m.parts[:i]
			return m, true
		}
	}
	return m, part != ""
}
