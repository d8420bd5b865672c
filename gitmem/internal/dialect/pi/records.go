package pi

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// Records reads one session.
func Records(s dialect.Session) ([]dialect.Record, error) {
	f, err := os.Open(s.Source)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r *reader
	for line, err := range dialect.Lines(f) {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Source, err)
		}
		if r != nil {
			r.read(line)
			continue
		}
		h, err := parseHeader(line, s.Source)
		if err != nil {
			return nil, err
		}
		r = &reader{cwd: h.Cwd, copied: h.copied(s.Source), next: map[string]string{}, last: dialect.Root}
	}
	if r == nil { // the client has only made the file so far
		return nil, nil
	}
	return r.out, nil
}

// reader makes records of the entries of a file.
type reader struct {
	cwd    string
	copied map[string]bool // entries that count in the session that this one was forked from
	// next is, by the id of an entry, the record that the entries below it go on from: its own, or that of
	// the nearest entry above it that has one. Root stands for all that was copied.
	next map[string]string
	last string // the last record
	out  []dialect.Record
}

// entry is a line behind the header.
type entry struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	ParentID  json.RawMessage `json:"parentId"` // null of a first entry
	Timestamp string          `json:"timestamp"`
	Message   message         `json:"message"`
	Summary   string          `json:"summary"`
	Name      string          `json:"name"`
}

func (r *reader) read(line []byte) {
	var e entry
	if !decode(line, &e) {
		r.out = append(r.out, dialect.Record{Speaker: dialect.Broken})
		return
	}
	if e.ID == "" {
		e.ID = lineID(line)
	}
	if _, repeated := r.next[e.ID]; repeated {
		return
	}
	if r.copied[e.ID] {
		r.next[e.ID] = dialect.Root
		return
	}
	parent := r.parent(e)
	for _, rec := range r.records(e) {
		rec.Time, rec.Cwd = e.time(), r.cwd
		switch {
		case rec.Speaker == dialect.Title:
		case e.Type == "branch_summary": // what follows it goes on from the entry that the user went back to
			rec.Parent = dialect.Root
		default:
			rec.Parent, parent, r.last = parent, rec.ID, rec.ID
		}
		r.out = append(r.out, rec)
	}
	r.next[e.ID] = parent
}

// parent is the record that an entry goes on from.
func (r *reader) parent(e entry) string {
	var id string
	if len(e.ParentID) == 0 || json.Unmarshal(e.ParentID, &id) != nil { // null leaves id ""
		return r.last
	}
	if id == "" {
		return dialect.Root
	}
	if next, known := r.next[id]; known {
		return next
	}
	return id
}

// time is when the entry was written, zero if it does not say so.
func (e entry) time() time.Time {
	if at, err := time.Parse(time.RFC3339, e.Timestamp); err == nil {
		return at
	}
	if ms := e.Message.Timestamp; ms > 0 {
		return time.UnixMilli(ms)
	}
	return time.Time{}
}

// records returns what one entry says, nothing for the client's bookkeeping (model_change,
// thinking_level_change, label, usage, context_edit) and for what extensions keep or put in (custom,
// custom_message).
func (r *reader) records(e entry) []dialect.Record {
	switch e.Type {
	case "message":
		return e.Message.records(e.ID, r.cwd)
	case "compaction", "branch_summary":
		if text := summary(e.Summary); text != "" {
			return []dialect.Record{{ID: e.ID, Speaker: dialect.Summary, Text: text}}
		}
	case "session_info":
		if name := strings.TrimSpace(e.Name); name != "" {
			return []dialect.Record{{Speaker: dialect.Title, Text: name}}
		}
	}
	return nil
}

// summary is a summary without what the client writes before and behind it: where it comes from, and
// the lists of files that the calls tell too.
func summary(text string) string {
	text = strings.TrimPrefix(text, "The user explored a different conversation branch before returning here.\n"+
		"Summary of that exploration:\n\n")
	for _, list := range []string{"\n\n<read-files>\n", "\n\n<modified-files>\n"} {
		if at := strings.LastIndex(text, list); at >= 0 && strings.HasSuffix(text, "-files>") {
			text = text[:at]
		}
	}
	return text
}
