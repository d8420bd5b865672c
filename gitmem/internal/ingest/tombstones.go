package ingest

import (
	"errors"
	"iter"
	"maps"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/markdown"
)

// KeptKind is the prefix of the entry for a session whose kept transcripts were forgotten, so that they are not kept
// again.
const KeptKind = "kept:"

// TombstoneBuilder returns a builder of tombstones with today's date and the salt of a list.
func (src *Sources) TombstoneBuilder(set *tombstone.Set) tombstone.Builder {
	now, salt := src.ws.Options.Now(), set.Salt()
	if salt == "" { // it is public and only has to differ between stores
		salt = HashOf([]byte(now.String() + "\x00" + src.ws.Options.Machine + "\x00" + src.ws.Root))[:16]
	}
	return tombstone.Builder{Day: now.UTC().Format("2006-01-02"), Salt: salt}
}

// keptForgotten reports whether a session's transcripts must not be kept.
func (src *Sources) keptForgotten(session string) bool {
	return src.Forgotten().HasUnit(KeptKind+session, "")
}

// Forgotten returns the list of forgotten content, empty without a store. It is read once, and again if a store was
// created.
func (src *Sources) Forgotten() *tombstone.Set {
	if src.tombstones != nil && src.listedIn == src.ws.Store {
		return src.tombstones
	}
	src.tombstones, src.listedIn = &tombstone.Set{}, src.ws.Store
	if src.ws.Store == nil {
		return src.tombstones
	}
	b, err := src.ws.Store.Read("", tombstone.File)
	if err != nil {
		if !errors.Is(err, store.ErrNotFound) {
			src.ws.Caveat("What was forgotten could not be looked up and may show: %v", err)
		}
		return src.tombstones
	}
	src.tombstones = tombstone.ParseSet(b)
	if n := src.tombstones.Skipped; n > 0 {
		src.ws.Caveat("%s of %s were not understood.", messages.Plural(n, "line"), tombstone.File)
	}
	return src.tombstones
}

// ForgetSet causes the list to be read again.
func (src *Sources) ForgetSet() { src.tombstones = nil }

// Fingerprint returns the fingerprint of the indexed content. It depends on the tombstone list, so that a new list
// rebuilds the index and forgotten content does not remain in an old one. Content that was deleted by hand may be
// indexed elsewhere.
func (src *Sources) Fingerprint() string {
	if src.Forgotten().Len() == 0 {
		return fingerprint
	}
	b, err := src.ws.Store.Read("", tombstone.File)
	if err != nil {
		return fingerprint
	}
	return fingerprint + " " + HashOf(tombstone.WithoutDeleted(b))[:12]
}

// Mask hides forgotten content in a file, and git's conflict markers.
func (src *Sources) Mask(f cite.File, b []byte) []byte {
	if isOwn(f) {
		b = src.ws.WithoutConflicts(f.Path, b)
	}
	out, cut := src.blanked(f, b)
	switch {
	case len(cut) == 0 || !isOwn(f):
	case !src.ws.Present():
		src.ws.Caveat("%s held %s then that %s lists; they stay hidden.", f.Path, messages.Plural(len(cut), "line"),
			tombstone.File)
	default:
		src.ws.Caveat("%s: %s that %s lists came back and stay hidden; gitmem forget takes them out.", f.Path,
			messages.Plural(len(cut), "line"), tombstone.File)
	}
	return out
}

// blanked returns a file without forgotten content, and the removed lines.
func (src *Sources) blanked(f cite.File, b []byte) (out []byte, cut []string) {
	set := src.Forgotten()
	if set.Len() == 0 {
		return b, nil
	}
	return tombstone.Cutter{Set: set, Redactor: src.ws.Redactor, UnitsOnly: !isOwn(f)}.Blank(f, b)
}

// isOwn distinguishes files of memory from rules and plans, which belong to others: in those only named units are
// hidden, not equal text.
func isOwn(f cite.File) bool { return f.Area != cite.AreaRules && f.Area != cite.AreaPlan }

// RecordUnit returns an id for a record of another agent's session, or for a part of it, that is derived from the
// agent's id: line numbers change when the session gets a title or loses its start. It returns "" if there is only a
// line number.
func RecordUnit(name, uuid, fragment string) string {
	agent := transcript.ClientOf(name)
	if agent == transcript.ClaudeCode || uuid == "" {
		return ""
	}
	return "record:" + agent + ":" + uuid + "#" + fragment
}

// HidesRecord reports whether a transcript record, or a part of it, was forgotten by its own id.
func (src *Sources) HidesRecord(id, uuid string) bool {
	if src.Forgotten().Len() == 0 {
		return false
	}
	c, err := cite.Parse(id)
	return err == nil && c.Kind == cite.KindTranscript && (src.Forgotten().HasUnit(RecordUnit(c.Name, uuid, ""), "") ||
		src.Forgotten().HasUnit(RecordUnit(c.Name, uuid, c.Fragment), ""))
}

// hidesTranscript reports whether a line of a transcript, or all of it, was forgotten.
func (src *Sources) hidesTranscript(file string, line int) bool {
	set := src.Forgotten()
	if set.Len() == 0 {
		return false
	}
	name := cite.TranscriptName(file)
	return set.HasUnit(string(cite.KindTranscript)+":"+name, "") ||
		set.HasUnit(cite.ID{Kind: cite.KindTranscript, Name: name, Number: line}.String(), "")
}

// Remembered yields the messages of a transcript that were not forgotten.
func (src *Sources) Remembered(file string, msgs iter.Seq2[transcript.Message, error]) iter.Seq2[transcript.Message,
	error] {
	if src.Forgotten().Len() == 0 {
		return msgs
	}
	return func(yield func(transcript.Message, error) bool) {
		for msg, err := range msgs {
			if err == nil && src.HidesMessage(file, msg) {
				continue
			}
			if !yield(src.withoutForgotten(file, msg), err) {
				return
			}
		}
	}
}

// HidesMessage reports whether a message of a transcript was forgotten. A file may have another name than its session;
// subagents' files have separate line numbers.
func (src *Sources) HidesMessage(file string, m transcript.Message) bool {
	name := cite.TranscriptName(file)
	named := !transcript.IsSubagent(name) && src.hidesTranscript(m.Session, m.Line)
	id := cite.ID{Kind: cite.KindTranscript, Name: name, Number: m.Line}.String()
	return named || src.hidesTranscript(file, m.Line) || src.HidesRecord(id, m.UUID)
}

// withoutForgotten returns a message without individually forgotten blocks.
func (src *Sources) withoutForgotten(file string, msg transcript.Message) transcript.Message {
	gone := func(kind transcript.Kind, i int) bool {
		id := cite.ID{Kind: cite.KindTranscript, Name: cite.TranscriptName(file), Number: msg.Line,
			Fragment: transcript.Block{Kind: kind, N: i + 1}.Name()}
		return src.Forgotten().HasUnit(id.String(), "") || src.HidesRecord(id.String(), msg.UUID)
	}
	if msg.Thinking != "" && gone(transcript.KindThinking, 0) {
		msg.Thinking = ""
	}
	n := map[transcript.Kind]int{}
	var tools []transcript.ToolUse
	for _, t := range msg.Tools {
		kind := t.Kind()
		if !gone(kind, n[kind]) {
			tools = append(tools, t)
		}
		n[kind]++
	}
	var results []transcript.ToolResult
	for i, r := range msg.Results {
		if !gone(transcript.KindResult, i) {
			results = append(results, r)
		}
	}
	msg.Tools, msg.Results = tools, results
	return msg
}

// Hides reports whether a citation was forgotten.
func (src *Sources) Hides(id string) bool {
	if src.Forgotten().Len() == 0 {
		return false
	}
	c, err := cite.Parse(id)
	if err != nil {
		return src.Forgotten().HasUnit(id, "")
	}
	if c.Kind == cite.KindTranscript && src.hidesTranscript(c.Name, c.Number) ||
		c.Kind == cite.KindPrompt && src.Forgotten().HasUnit(string(cite.KindTranscript)+":"+c.Name, "") {
		return true
	}
	return src.Forgotten().HasUnit(c.String(), "")
}

// RememberedUnits returns the units of a file that were not forgotten, without their relations to forgotten ideas.
func (src *Sources) RememberedUnits(units []cite.Unit) []cite.Unit {
	if src.Forgotten().Len() == 0 {
		return units
	}
	units = slices.DeleteFunc(units, func(u cite.Unit) bool { return src.Hides(u.ID) })
	for i := range units {
		units[i].Relations = slices.DeleteFunc(units[i].Relations, func(r markdown.Relation) bool {
			return src.Hides(cite.IdeaID(r.ID()))
		})
	}
	return units
}

// SessionForgotten reports whether a session's archive section was forgotten, so that it must not be written again from
// the transcript. Older versions recorded only the section's block id, which a session with the same short id would
// share.
func (src *Sources) SessionForgotten(p *workspace.Place, session, date string) bool {
	has := func(fragment string) bool { return src.Forgotten().HasUnit(SessionUnit(date, fragment), p.Project.ID) }
	block := "s-" + transcript.ShortID(session)
	return has("s-"+session) || has(block) && !has(block+AlsoWhole)
}

// AlsoWhole is the suffix of a block id entry whose session is also recorded by its full id.
const AlsoWhole = "-whole"

// SessionUnit returns the citation id of a section of a day's archive.
func SessionUnit(date, fragment string) string {
	return cite.ID{Kind: cite.KindSession, Name: date, Fragment: fragment}.String()
}

// DropForgotten removes forgotten content from a session's digest.
func (src *Sources) DropForgotten(d *transcript.Digest) {
	set := src.Forgotten()
	if set.Len() == 0 {
		return
	}
	d.FirstPrompt, d.Outcome.Text = set.Sentences(d.FirstPrompt), set.Sentences(d.Outcome.Text)
	d.Quotes = maps.Clone(d.Quotes)
	for intent, quotes := range d.Quotes {
		d.Quotes[intent] = slices.DeleteFunc(slices.Clone(quotes), func(q transcript.Quote) bool {
			text := messages.Paragraph(q.Text)
			return set.HasQuote(text) || set.HasUnit("idea:i-"+markdown.ContentID(intent+" "+text), "")
		})
	}
	d.Said = slices.DeleteFunc(slices.Clone(d.Said), func(q transcript.Quote) bool {
		return set.HasQuote(messages.Paragraph(q.Text))
	})
	d.Topics = slices.Clone(d.Topics)
	for i := range d.Topics {
		if d.Topics[i].Title = set.Sentences(d.Topics[i].Title); set.HasQuote(messages.Paragraph(d.Topics[i].Title)) {
			d.Topics[i].Title = ""
		}
	}
}

// Shown returns a file of memory for display: without secrets and forgotten content, which history may still contain.
// Line numbers are unchanged.
func (src *Sources) Shown(rel string, text []byte) []byte {
	return []byte(src.ws.Redactor.Lines(string(src.WithoutForgotten(rel, text))))
}

// WithoutForgotten returns the text of a file of memory without forgotten content.
func (src *Sources) WithoutForgotten(rel string, text []byte) []byte {
	if len(text) == 0 || src.Forgotten().Len() == 0 {
		return text
	}
	return src.Mask(src.FileOf(src.ws.Folders(), rel), text)
}

// FileOf returns the file with its kind for a path below the root, at present or in the past. known contains the
// folders of projects.
func (src *Sources) FileOf(known map[string]string, rel string) cite.File {
	return cite.File{Path: rel, Area: cite.AreaOf(rel), Project: src.ws.ProjectOf(known, rel)}
}

// CutEdit returns an edit that removes from a file what a cutter cuts.
func (src *Sources) CutEdit(c tombstone.Cutter, f cite.File) store.FileEdit {
	return store.FileEdit{Path: f.Path, Edit: func(old []byte) ([]store.Insertion, bool, error) {
		cuts, whole, _ := c.Edits(f, old)
		ins := make([]store.Insertion, len(cuts))
		for i, e := range cuts {
			ins[i] = store.Insertion{At: e.Span.Start, Cut: e.Span.Len(), Text: src.ws.Redactor.Clean(e.Text)}
		}
		return ins, whole, nil
	}}
}

// ShownMessage returns a line of a commit message for display.
func (src *Sources) ShownMessage(line string) string {
	return src.ws.Clean(tombstone.Cutter{Set: src.Forgotten(), Redactor: src.ws.Redactor}.Message(line))
}
