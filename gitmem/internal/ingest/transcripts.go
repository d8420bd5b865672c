package ingest

import (
	"cmp"
	"iter"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// sampleBytes is the number of bytes at both ends of the read part of a transcript that are hashed: transcripts only
// grow, so a different hash shows that one was rewritten.
const sampleBytes = 4096

// TranscriptSource refreshes the transcripts shard. Files grow by lines, so only new lines are read.
type TranscriptSource struct {
	M *Sources
	// listed is the listing for the first plan, or nil; later plans list again.
	listed *listing
	// until is the reference time, zero for none: a transcript ends before the first turn with a later date, see
	// [transcript.Until].
	until time.Time
	// secrets caches which folders have a secret in their name.
	secrets map[string]bool
}

// appended is a transcript with new content after from.
type appended struct {
	file  transcript.File
	mark  index.Mark
	from  transcript.Position
	tally tally           // of the part that was read before
	tree  transcript.Tree // of the new part, if that was read already
	// lines are the only lines to index, with those around each, in order; nil means all.
	lines []int
	// live contains the sessions with a transcript; it is set for the prompt history.
	live map[string]bool
}

func (f *TranscriptSource) docs(news []appended) (iter.Seq2[index.Doc, error], func() []index.Mark) {
	var marks []index.Mark
	seq := func(yield func(index.Doc, error) bool) {
		marks = marks[:0]
		for _, g := range news {
			more, err := f.read(g, yield, &marks)
			if err != nil {
				f.M.ws.Caveat("%s could not be read and is not searched: %v", g.file.Path, err)
			}
			if !more {
				return
			}
		}
	}
	return seq, func() []index.Mark { return marks }
}

// read yields the new documents of one file and records the position.
func (f *TranscriptSource) read(g appended, yield func(index.Doc, error) bool,
	marks *[]index.Mark) (more bool, err error) {
	file, err := transcript.OpenSession(g.file.Path)
	if err != nil {
		return true, err
	}
	defer file.Close()
	sum, readDocs := g.tally.clone(), f.readMessages
	if g.live != nil {
		readDocs = f.readPrompts
	}
	at, more, err := readDocs(g, file, &sum, yield)
	if err != nil || !more {
		return more, err
	}
	g.mark.Offset, g.mark.Lines = at.Offset, int64(at.Line)
	g.mark.Hash, g.mark.ScannedNs = Sample(file, at.Offset), f.M.ws.Options.Now().UnixNano()
	g.mark.Data = sum.String()
	*marks = append(*marks, g.mark)
	return true, nil
}

// readMessages yields the documents of the new part of a transcript.
func (f *TranscriptSource) readMessages(
	g appended, file *transcript.Handle, sum *tally, yield func(index.Doc, error) bool,
) (at transcript.Position, more bool, err error) {
	if g.from.Offset == 0 {
		if g.tree, _, err = file.Tree(transcript.Position{}, ""); err != nil {
			return at, true, err
		}
		sum.Origin = g.tree.Origin
	}
	sum.Last = g.tree.Last
	r, err := file.Reader(g.from)
	if err != nil {
		return at, true, err
	}
	r.WithTitles().WithTree(g.tree)
	sum.Tools = f.M.toolsMode()
	var late blocksLast
	beside := NewTranscriptBlocks(f.M, g.file, file)
	msgs, dated, undated := r.All(), false, 0
	if !f.until.IsZero() {
		msgs = transcript.Until(func(yield func(transcript.Message, error) bool) {
			for msg, err := range r.All() {
				if dated = dated || !msg.Time.IsZero(); !dated {
					undated++
				}
				if !yield(msg, err) {
					return
				}
			}
		}, f.until)
	}
	for msg, err := range msgs {
		if err == nil {
			err = beside.Note(msg)
		}
		if err != nil {
			return at, late.flush(yield), err
		}
		if f.withheld(sum, g.file, msg) || !g.wants(msg.Line) {
			continue
		}
		for _, d := range f.DocsOf(g.file, msg, beside) {
			if !late.take(d, yield) {
				return at, false, nil
			}
		}
	}
	if sum.Skipped += r.Stats().Skipped; !dated {
		sum.Skipped += undated // it is unknown whether they are from before the reference time
	}
	return r.Position(), late.flush(yield), nil
}

// blocksLast yields the blocks of a transcript after its messages. Both are separate sessions in the index, whose rows
// are read together.
type blocksLast struct {
	held  []index.Doc
	bytes int
}

// heldBytes limits the text of the blocks that are held back.
const heldBytes = 1 << 20

func (b *blocksLast) take(d index.Doc, yield func(index.Doc, error) bool) bool {
	if !cite.IsBlockSession(d.Session) {
		return yield(d, nil)
	}
	b.held = append(b.held, d)
	b.bytes += len(d.Text)
	return b.bytes < heldBytes || b.flush(yield)
}

// flush yields the blocks that were held back and reports whether to continue.
func (b *blocksLast) flush(yield func(index.Doc, error) bool) bool {
	held := b.held
	b.held, b.bytes = nil, 0
	for _, d := range held {
		if !yield(d, nil) {
			return false
		}
	}
	return true
}

// withheld reports whether a record is excluded or was written during a pause, and records in the tally what that
// depends on. A title may quote any earlier record and is indexed once.
func (f *TranscriptSource) withheld(sum *tally, file transcript.File, msg transcript.Message) bool {
	if f.secretFolder(msg.Cwd) {
		return true // the stored tally must not contain the folder either
	}
	excluded := f.M.ws.ExcludedRecord(msg.Cwd, file.Folder) != ""
	sum.Folders[msg.Cwd] = excluded
	_, paused := f.M.ws.PausedRecord(msg.Cwd, msg.Time)
	sum.Private = sum.Private || paused
	if excluded || paused || msg.Role != transcript.RoleTitle {
		return excluded || paused
	}
	title := HashOf([]byte(msg.Text))[:12]
	if sum.Private || sum.Title == title || slices.Contains(slices.Collect(maps.Values(sum.Folders)), true) {
		return true
	}
	sum.Title = title
	return false
}

// secretFolder reports whether the name of a folder contains a secret, and caches the result.
func (f *TranscriptSource) secretFolder(cwd string) bool {
	found, known := f.secrets[cwd]
	if !known {
		if f.secrets == nil {
			f.secrets = map[string]bool{}
		}
		found = cwd != "" && f.M.SecretName(cwd)
		f.secrets[cwd] = found
	}
	return found
}

// DocsOf returns the documents of a record: its message, and its blocks: tool calls, results, thoughts, plans.
func (f *TranscriptSource) DocsOf(file transcript.File, m transcript.Message, beside *transcriptBlocks) []index.Doc {
	name := cite.TranscriptName(file.Path)
	id := cite.ID{Kind: cite.KindTranscript, Name: name, Number: m.Line}.String()
	if f.M.hidesTranscript(file.Path, m.Line) || f.M.HidesRecord(id, m.UUID) {
		return nil
	}
	d := index.Doc{
		ID:     id,
		Source: file.Path, Layer: cite.LayerTranscripts, Type: "discussion", Role: string(m.Role),
		Project: ProjectFolder(file, m), Session: cmp.Or(file.Session, m.Session, name), Author: string(m.Role),
		File:  file.Path,
		Order: int64(m.Line), Time: m.Time, Offset: m.Offset, Length: m.Length,
	}
	if file.Subagent {
		// Its turns are not neighbours of the main conversation's.
		d.Session, d.Role = d.Session+"/"+name, "sidechain"
	}
	if m.TakenBack {
		d.Role = cite.StateTakenBack
	}
	var docs []index.Doc
	if strings.TrimSpace(m.Text) != "" && m.Role != transcript.RoleTool && m.Role != transcript.RoleTitle {
		message := d
		message.Text = f.M.ws.Clean(m.Text) // its calls are separate documents
		if m.Role == transcript.RoleSummary {
			message.Type, message.Session = string(m.Role), cite.BlockSession(d.Session)
		}
		docs = append(docs, message)
	}
	return append(docs, beside.docs(d, m)...)
}

// unknownProject is the project of a session without a known folder.
const unknownProject = "unknown"

// ProjectFolder returns the folder in which the session worked. For records without a folder it returns the client's
// form of the folder's name. The folder must be absolute.
func ProjectFolder(file transcript.File, m transcript.Message) string {
	if filepath.IsAbs(m.Cwd) {
		return filepath.Clean(m.Cwd)
	}
	return cmp.Or(file.Folder, unknownProject)
}

// DayOf returns the part of a memory file's path that gives its date: its name and that of its folder, which may be a
// month.
func DayOf(rel string) string { return path.Join(path.Base(path.Dir(rel)), path.Base(rel)) }

// LogSession returns the session id in the name of a session log, DD-<id>.md. In older names it is abbreviated: see
// transcript.ShortID.
func LogSession(rel string) string {
	_, id, _ := strings.Cut(strings.TrimSuffix(path.Base(rel), ".md"), "-")
	return id
}
