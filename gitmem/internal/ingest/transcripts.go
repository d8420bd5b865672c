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

// sampleBytes at both ends of what was read of a transcript are hashed: transcripts
// only grow, and one that was rewritten differs there.
const sampleBytes = 4096

// TranscriptSource brings the transcripts shard up to date. Files grow by lines, so
// only what is new is read.
type TranscriptSource struct {
	M *Sources
	// listed, where set, is what the first plan compares; later ones list anew.
	listed *listing
	// until is the reference time: a transcript ends before
	// the first turn that is dated later, as [transcript.Until] says. Zero: no end.
	until time.Time
	// secrets remembers which folders have a secret in their name.
	secrets map[string]bool
}

// appended is a transcript with something new behind from.
type appended struct {
	file  transcript.File
	mark  index.Mark
	from  transcript.Position
	tally tally           // of what was read before
	tree  transcript.Tree // of what is new, where that was read already
	// lines, where set, are the only ones that are wanted, with those beside each, in order.
	lines []int
	// live is set for the prompt history: the sessions that have a transcript.
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

// read yields what is new in one file and notes how far it came.
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

// readMessages yields the documents of what is new in a transcript.
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
		sum.Skipped += undated // whether the past had any of them is not known
	}
	return r.Position(), late.flush(yield), nil
}

// blocksLast yields the blocks of a transcript behind its messages. Both are sessions of
// their own in the index, whose rows are read together.
type blocksLast struct {
	held  []index.Doc
	bytes int
}

// heldBytes bounds the text of the blocks that are held back.
const heldBytes = 1 << 20

func (b *blocksLast) take(d index.Doc, yield func(index.Doc, error) bool) bool {
	if !cite.IsBlockSession(d.Session) {
		return yield(d, nil)
	}
	b.held = append(b.held, d)
	b.bytes += len(d.Text)
	return b.bytes < heldBytes || b.flush(yield)
}

// flush yields the blocks that were held back and reports whether more is wanted.
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

// withheld reports whether a record is excluded or was written while capture was paused,
// and notes what that depends on. A title may quote any record before it, and is indexed
// once.
func (f *TranscriptSource) withheld(sum *tally, file transcript.File, msg transcript.Message) bool {
	if f.secretFolder(msg.Cwd) {
		return true // the tally, which is kept, may not name the folder either
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

// secretFolder reports whether the name of a folder holds a secret, once for each.
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

// DocsOf makes the documents of a record: its message, and its blocks: calls of tools,
// results, thoughts, plans.
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
		message.Text = f.M.ws.Clean(m.Text) // its calls are documents of their own
		if m.Role == transcript.RoleSummary {
			message.Type, message.Session = string(m.Role), cite.BlockSession(d.Session)
		}
		docs = append(docs, message)
	}
	return append(docs, beside.docs(d, m)...)
}

// unknownProject stands for the project of a session that does not say where it worked.
const unknownProject = "unknown"

// ProjectFolder is the folder the session worked in; records that don't say have
// at least the client's form of it. A folder must be absolute to be one.
func ProjectFolder(file transcript.File, m transcript.Message) string {
	if filepath.IsAbs(m.Cwd) {
		return filepath.Clean(m.Cwd)
	}
	return cmp.Or(file.Folder, unknownProject)
}

// DayOf is what tells when a file of memory is from: its name, behind that of its folder, which may be
// a month.
func DayOf(rel string) string { return path.Join(path.Base(path.Dir(rel)), path.Base(rel)) }

// LogSession is the session id in the name of an observation log, DD-<id>.md. In that of
// an older one it is cut to its beginning: see transcript.ShortID.
func LogSession(rel string) string {
	_, id, _ := strings.Cut(strings.TrimSuffix(path.Base(rel), ".md"), "-")
	return id
}
