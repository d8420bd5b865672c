package pi

import (
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/dialect"
)

// Records reads one session.
func Records(s dialect.Session) ([]dialect.Record, error) {
	var r reader
	for e, err := range entries(s.Source) {
		switch {
		case err != nil:
			return nil, err
		case r.next == nil: // the header
			r = reader{cwd: e.Cwd, copied: e.copied(s.Source), next: map[string]string{"": dialect.Root, e.ID: dialect.Root}}
		default:
			r.read(e)
		}
	}
	return r.out, nil
}

// reader converts the entries of a file to records.
type reader struct {
	cwd    string
	copied map[string]bool // entries that count in the session that this one was forked from
	// next maps the id of an entry to the record that its children continue: its own record, or that of the nearest
	// ancestor that has one. Root represents everything that was copied.
	next map[string]string
	out  []dialect.Record
}

func (r *reader) read(e entry) {
	_, repeated := r.next[e.ID]
	switch {
	case e.Type == "":
		r.out = append(r.out, dialect.Record{Speaker: dialect.Broken})
		return
	case repeated:
		return
	case r.copied[e.ID]:
		r.next[e.ID] = dialect.Root
		return
	}
	parent, known := r.next[*e.ParentID]
	if !known {
		parent = *e.ParentID
	}
	for _, rec := range e.records(r.cwd) {
		rec.Time, _ = time.Parse(time.RFC3339, e.Timestamp) // zero if unknown
		rec.Cwd = r.cwd
		switch {
		case rec.Empty() && rec.Speaker != dialect.Person: // a prompt may be an image
			continue
		case rec.Speaker == dialect.Title:
		case e.Type == "branch_summary": // later entries continue the entry that the user went back to
			rec.Parent = dialect.Root
		default:
			rec.Parent, parent = parent, rec.ID
		}
		r.out = append(r.out, rec)
	}
	r.next[e.ID] = parent
}

// intro precedes the summary of a branch.
const intro = "The user explored a different conversation branch before returning here.\n" +
	"Summary of that exploration:\n\n"

// records returns the records of one entry. The record is empty for the client's internal entries (model_change,
// thinking_level_change, label, usage, context_edit), and for those of extensions (custom, custom_message).
func (e entry) records(cwd string) []dialect.Record {
	rec := dialect.Record{ID: e.ID}
	switch e.Type {
	case "message":
		return e.Message.records(rec, cwd)
	case "compaction", "branch_summary":
		// Before a summary the client writes its origin, and after it the files, which the calls contain too.
		text, _, _ := strings.Cut(strings.TrimPrefix(e.Summary, intro), "\n\n<read-files>\n")
		rec.Speaker = dialect.Summary
		rec.Text, _, _ = strings.Cut(text, "\n\n<modified-files>\n")
	case "session_info":
		rec.ID, rec.Speaker, rec.Text = "", dialect.Title, strings.TrimSpace(e.Name)
	}
	return []dialect.Record{rec}
}
