package gemini

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// line is one operation of a log, or the whole document of a .json file. Which of its fields are
// there tells what it is.
type line struct {
	message
	SessionID   string    `json:"sessionId"`
	ProjectHash string    `json:"projectHash"`
	Directories []string  `json:"directories"`
	Summary     string    `json:"summary"`
	Messages    []message `json:"messages"`
	RewindTo    *string   `json:"$rewindTo"`
	Set         struct {
		Summary     string    `json:"summary"`
		Directories []string  `json:"directories"`
		Messages    []message `json:"messages"`
	} `json:"$set"`
}

// message is one message of a conversation.
type message struct {
	ID        string          `json:"id"`
	Timestamp moment          `json:"timestamp"`
	Type      string          `json:"type"`
	Content   json.RawMessage `json:"content"`
	Display   json.RawMessage `json:"displayContent"` // what was typed, where more was sent
	Thoughts  []struct {
		Subject     string `json:"subject"`
		Description string `json:"description"`
	} `json:"thoughts"`
	Model     string     `json:"model"`
	ToolCalls []toolCall `json:"toolCalls"`
}

type toolCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Args      json.RawMessage `json:"args"`
	Result    json.RawMessage `json:"result"`
	Status    string          `json:"status"`
	Timestamp moment          `json:"timestamp"`
}

// moment is a time, zero where the client has none.
type moment struct{ time.Time }

// UnmarshalJSON implements [json.Unmarshaler].
func (m *moment) UnmarshalJSON(b []byte) error {
	m.Time, _ = time.Parse(time.RFC3339, strings.Trim(string(b), `"`)) // the zero time says unknown
	return nil
}

// entry is what becomes a record: a message, at the place of its first line and as its last line has
// it, a title, or a line that can't be read.
type entry struct {
	message
	title   string
	broken  bool
	isCopy  bool // of a message that is told elsewhere
	summary bool // of what was before
	// The conversation was rewound before this entry was written: it goes on from the record that stood
	// before rewound, or else from the last record of resumed.
	rewound, resumed *entry
	before, last     string // the IDs of the record before it and of the last one behind which others stand
}

// place is a message of a conversation. The client may give it a new id; a message that has no line of
// its own is not among the entries.
type place struct {
	id string
	*entry
}

// history is what the files of a session tell.
type history struct {
	entries          []*entry
	byID             map[string]*entry
	live             []place // the conversation as the client has it now
	rewound, resumed *entry  // for the next entry
	known            bool    // a line of a known form was read
	hash             string
	directories      []string
}

// read reads one file of a session.
func (h *history) read(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	h.live, h.known = nil, false
	if filepath.Ext(file) == ".json" {
		err = h.readDocument(f)
	} else {
		err = h.readLines(f)
	}
	if err == nil && !h.known {
		err = dialect.ErrUnknownFormat
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

func (h *history) readDocument(f *os.File) error {
	var doc line
	err := decode(json.NewDecoder(f).Decode(&doc))
	if path := (*fs.PathError)(nil); err != nil && !errors.As(err, &path) {
		return dialect.ErrUnknownFormat
	}
	h.apply(doc)
	return err
}

func (h *history) readLines(r io.Reader) error {
	for b, err := range dialect.Lines(r) {
		if err != nil {
			return err
		}
		var l line
		if b == nil || decode(json.Unmarshal(b, &l)) != nil {
			h.add(&entry{broken: true})
			continue
		}
		h.apply(l)
	}
	return nil
}

// decode passes over members of an unexpected type: the others were decoded.
func decode(err error) error {
	if mismatch := (*json.UnmarshalTypeError)(nil); errors.As(err, &mismatch) && mismatch.Field != "" {
		return nil
	}
	return err
}

// apply does what a line says.
func (h *history) apply(l line) {
	h.known = h.known || l.SessionID != "" || l.ID != ""
	h.directories = append(append(h.directories, l.Directories...), l.Set.Directories...)
	if l.ProjectHash != "" {
		h.hash = l.ProjectHash
	}
	switch {
	case l.RewindTo != nil:
		h.rewind(*l.RewindTo)
	case l.ID != "":
		h.write(l.message)
	case l.Set.Messages != nil:
		h.replace(l.Set.Messages)
	}
	for _, m := range l.Messages {
		h.write(m)
	}
	for _, title := range []string{l.Summary, l.Set.Summary} {
		if title != "" {
			h.add(&entry{title: title})
		}
	}
}

// add appends an entry.
func (h *history) add(e *entry) {
	e.rewound, e.resumed, h.rewound, h.resumed = h.rewound, h.resumed, nil, nil
	h.entries = append(h.entries, e)
}

// write takes the line of a message: a new one, or a known one that has changed.
func (h *history) write(m message) {
	if m.ID == "" {
		return // no client writes that
	}
	e := h.byID[m.ID]
	if e == nil {
		e = &entry{message: m}
		h.byID[m.ID] = e
		h.add(e)
	}
	e.message = m
	if len(h.live) == 0 || h.live[len(h.live)-1].entry != e {
		h.live = append(h.live, place{m.ID, e})
	}
}

// rewind takes back a message and all behind it; all messages, if the id is none of theirs.
func (h *history) rewind(id string) {
	for at := len(h.live) - 1; at >= 0; at-- {
		p := h.live[at]
		if h.byID[p.ID] == p.entry {
			h.rewound, h.resumed = p.entry, nil
		}
		h.live = h.live[:at]
		if p.id == id {
			return
		}
	}
}

// replace takes a new list of all messages. It repeats messages, with the same ids or, behind a
// summary, with new ones. So only the summary is new.
func (h *history) replace(messages []message) {
	if h.copied(messages) {
		return
	}
	old := talk(h.live)
	live := make([]place, len(messages))
	repeats := true
	for i := len(messages) - 1; i >= 0; i-- {
		m := messages[i]
		e := h.byID[m.ID]
		n := len(old) - (len(messages) - i)
		repeats = repeats && n >= 0 && same(old[n].message, m)
		switch {
		case e != nil:
		case repeats:
			e = old[n].entry
		default:
			e = &entry{message: m}
		}
		live[i] = place{m.ID, e}
	}
	h.live = live
	for i, p := range live {
		p.summary = p.summary || h.byID[p.ID] == nil && p.Type == "user" &&
			(strings.Contains(p.said(), snapshotTag) || i+1 < len(live) && live[i+1].said() == thanks)
		if p.summary && h.byID[p.ID] == nil {
			h.byID[p.ID] = p.entry
			h.add(p.entry)
		}
	}
}

// thanks is what the client lets the model say to a summary.
const thanks = "Got it. Thanks for the additional context!"

// copied reports whether the messages are those of the lines before, and these were copied: the client
// writes lines with new ids when it takes up a conversation that was saved with a tag or before a tool
// changed files. It keeps no model in them.
func (h *history) copied(messages []message) bool {
	n := len(h.live) - len(messages)
	if n < 0 || len(messages) == 0 {
		return false
	}
	answers := false
	for i, p := range h.live[n:] {
		if p.id != messages[i].ID || p.Type == "gemini" && (p.Model != "" || len(p.ToolCalls) > 0) {
			return false
		}
		answers = answers || p.Type == "gemini"
	}
	if !answers {
		return false
	}
	copies, before := h.live[n:], talk(h.live[:n])
	if copies[len(copies)-1].Timestamp.Sub(copies[0].Timestamp.Time) > time.Duration(len(copies))*maxGap {
		return false
	}
	for _, p := range copies {
		p.isCopy = true
	}
	h.live = copies
	if saved := talk(copies); len(saved) > 0 && begins(before, saved) {
		h.live = before[:len(saved):len(saved)]
		for _, p := range h.live {
			if h.byID[p.ID] == p.entry {
				h.rewound, h.resumed = nil, p.entry
			}
		}
	}
	return true
}

// maxGap is the time from one copied message to the next: no model answers as fast.
const maxGap = 10 * time.Millisecond

// begins reports whether a conversation begins with the messages of another one.
func begins(whole, part []place) bool {
	return len(part) <= len(whole) && slices.EqualFunc(whole[:len(part)], part, func(a, b place) bool {
		return same(a.message, b.message)
	})
}

// talk are the messages of a conversation without the client's own and without context.
func talk(live []place) (out []place) {
	for _, p := range live {
		if p.Type == "gemini" || p.Type == "user" && !isContext(p.said()) {
			out = append(out, p)
		}
	}
	return out
}

// same reports whether two messages say the same.
func same(a, b message) bool { return a.Type == b.Type && a.said() == b.said() }
