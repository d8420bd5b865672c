package gemini

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// line is one operation of a log, or the whole document of a .json file. The fields that are set determine its kind.
type line struct {
	message
	state
	SessionID string
	RewindTo  *string `json:"$rewindTo"`
	Set       state   `json:"$set"`
	broken    bool
}

// state contains the properties of the whole session, or their new values in a line of a log.
type state struct {
	Summary  string
	Messages []message
}

// message is one message of a conversation.
type message struct {
	ID             string
	Timestamp      time.Time
	Type           string
	Content        content
	DisplayContent content // the typed text, if more was sent
	Thoughts       []struct{ Subject, Description string }
	Model          string
	ToolCalls      []toolCall
}

// Records reads a session or a subagent.
func Records(s dialect.Session) ([]dialect.Record, error) {
	lines, err := read(s.Source)
	if err != nil {
		return nil, err
	}
	c := conversation{session: s, written: map[string]message{}, copies: map[string]bool{}, places: map[string]place{}}
	for _, l := range lines {
		c.scan(l)
	}
	for _, l := range lines {
		c.apply(l)
	}
	return c.records, nil
}

// read reads the lines of a log, or a document as a single line.
func read(file string) (lines []line, err error) {
	add := func(b []byte) (known bool) {
		var l line
		l.broken = !dialect.Decode(b, &l)
		lines = append(lines, l)
		return l.SessionID != "" || l.ID != ""
	}
	if filepath.Ext(file) != ".json" {
		err = dialect.ReadLines(file, add)
		return lines, err
	}
	b, err := dialect.Contents(file)
	if err == nil && !add(b) {
		err = fmt.Errorf("%s: %w", file, dialect.ErrUnknownFormat)
	}
	return lines, err
}

// conversation converts the lines of a session to records.
type conversation struct {
	session dialect.Session
	records []dialect.Record
	written map[string]message // each message in its last version, by id
	copies  map[string]bool    // ids of messages that repeat others
	places  map[string]place   // by message id
	live    []place            // the current conversation of the client
	before  string             // ID of the record that the next one continues
	last    string             // ID of the last record
	title   string             // the last title
	typed   string             // the typed text of the last prompt
}

// place is the position of a message. The client may give the message a new id later.
type place struct {
	id, said       string
	before, behind string // IDs of the records that this message and the next one continue
}

// scan records the messages of a line and which of them are copies. When the client resumes a conversation that was
// saved with a tag or before a tool changed files, it writes lines with new ids and then lists them; none of their
// answers has a model. The list of a resumed session repeats the ids of its own messages.
func (c *conversation) scan(l line) {
	for _, m := range append(l.Messages, l.message) {
		c.written[m.ID] = m
	}
	original := func(m message) bool {
		m = c.written[m.ID]
		return m.Type == "gemini" && (m.Model != "" || len(m.ToolCalls) > 0)
	}
	answer := func(m message) bool { return m.Type == "gemini" }
	if list := l.Set.Messages; slices.ContainsFunc(list, answer) && !slices.ContainsFunc(list, original) {
		for _, m := range list {
			c.copies[m.ID] = true
		}
	}
}

// apply applies a line.
func (c *conversation) apply(l line) {
	for _, m := range append(l.Messages, l.message) {
		c.write(m)
	}
	switch {
	case l.broken:
		c.add(dialect.Record{Speaker: dialect.Broken})
	case l.RewindTo != nil:
		c.rewind(*l.RewindTo)
	case l.Set.Messages != nil:
		c.replace(l.Set.Messages)
	}
	c.setTitle(cmp.Or(l.Summary, l.Set.Summary))
}

// write handles a line of a message. The first line adds the message, in the version of its last line.
func (c *conversation) write(m message) {
	if m.ID == "" || c.copies[m.ID] {
		return
	}
	p, known := c.places[m.ID]
	if !known {
		m = c.written[m.ID]
		p = place{id: m.ID, said: m.said(), before: c.before}
		c.tell(m)
		p.behind = c.before
		c.places[m.ID] = p
	}
	if len(c.live) == 0 || c.live[len(c.live)-1].id != m.ID {
		c.live = append(c.live, p)
	}
}

// rewind takes back a message and everything after it, or all messages if the id is unknown.
func (c *conversation) rewind(id string) {
	at := slices.IndexFunc(c.live, func(p place) bool { return p.id == id })
	if at = max(at, 0); at < len(c.live) {
		c.before, c.live = c.live[at].before, c.live[:at]
	}
}

// replace handles a new list of all messages. It repeats earlier messages, with the same ids, or with new ids after a
// summary and in a saved conversation. So only the summary is new.
func (c *conversation) replace(messages []message) {
	originals := c.originals(messages)
	c.live = nil
	summary := ""
	for _, m := range messages {
		_, written := c.written[m.ID]
		_, text, isSummary := strings.Cut(m.Content.text(), snapshotTag)
		p, known := c.places[m.ID]
		if !known {
			p, known = originals[m.ID]
			p.id, p.behind = m.ID, cmp.Or(summary, p.behind)
			if known && c.copies[m.ID] {
				c.before = p.behind
			}
		}
		if !known && !written && isSummary {
			text, _, _ = strings.Cut(text, snapshotEnd)
			p = place{id: m.ID, said: m.said(), before: c.before, behind: m.ID}
			c.add(dialect.Record{ID: m.ID, Time: m.Timestamp, Speaker: dialect.Summary, Text: strings.TrimSpace(text)})
			summary, known = m.ID, true
		}
		if known {
			c.places[m.ID] = p
			c.live = append(c.live, p)
		}
	}
}

// originals maps the ids of repeated messages in a list to the last messages with the same text.
func (c *conversation) originals(messages []message) map[string]place {
	out := map[string]place{}
	at := len(c.live) - 1
	for _, m := range slices.Backward(messages) {
		for at >= 0 && c.live[at].said != m.said() {
			at--
		}
		if at < 0 {
			break
		}
		out[m.ID] = c.live[at]
		at--
	}
	return out
}

// said returns the key by which messages with different ids are compared.
func (m message) said() string { return m.Type + " " + m.Content.text() }

// setTitle sets the title of the session. The client stores a subagent's result in the same field.
func (c *conversation) setTitle(title string) {
	if title = strings.TrimSpace(title); title != "" && title != c.title && c.session.Agent == "" {
		c.title = title
		c.add(dialect.Record{Speaker: dialect.Title, Text: title})
	}
}

// add adds a record.
func (c *conversation) add(r dialect.Record) {
	if r.Cwd = c.session.Folder; r.ID != "" {
		if c.before != c.last {
			r.Parent = cmp.Or(c.before, dialect.Root)
		}
		c.before, c.last = r.ID, r.ID
	}
	c.records = append(c.records, r)
}
