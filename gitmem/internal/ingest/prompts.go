package ingest

import (
	"cmp"
	"errors"
	"io/fs"
	"os"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// The client's prompt history outlives its transcripts. Prompts of a session are indexed from it only while the session
// has no transcript, so that nothing is found twice. For entries of older clients without a session the same holds for
// the project.

// promptKey returns the key that determines whether an entry is indexed.
func promptKey(p transcript.Message) string {
	return cmp.Or(p.Session, "/"+transcript.ProjectFolder(p.Cwd))
}

// liveKeys returns the keys for which there is a transcript.
func liveKeys(files []transcript.File) map[string]bool {
	live := map[string]bool{}
	for i := range files {
		if f := &files[i]; !f.Subagent {
			live[cite.TranscriptName(f.Path)], live["/"+f.Folder] = true, true
		}
	}
	return live
}

// planHistory compares the prompt history with its mark, and returns its new part. found is set if the history exists,
// hidden if something indexed was excluded since.
func (f *TranscriptSource) planHistory(files []transcript.File, marks map[string]index.Mark,
	u *index.Update) (news []appended, found, hidden bool) {
	file := cite.HistoryFile(f.M.ws.ClientDir)
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			f.M.ws.Caveat("The prompt history could not be read and is not searched: %v", err)
		}
		return nil, false, false
	}
	now := Stamp(file, info)
	old, known := marks[file]
	h := appended{file: transcript.File{Path: file}, mark: now, live: liveKeys(files)}
	if !known {
		return []appended{h}, true, false
	}
	was := ParseTally(old.Data)
	judged := (&exclusionChecks{f.M, map[[2]string]bool{}}).compare(old.Data, "")
	same := judged == sameAsThen
	for key, left := range was.Sessions {
		same = same && left == h.live[key]
	}
	switch {
	case !same:
	case untouched(old, now):
		return nil, true, false
	case old.Hash == SampleFile(file, old.Offset):
		if now.Size == old.Size {
			return nil, true, false
		}
		h.from, h.tally = transcript.Position{Offset: old.Offset, Line: int(old.Lines)}, was
		return []appended{h}, true, false
	}
	u.Drop = append(u.Drop, file)
	return []appended{h}, true, judged == nowHidden
}

// readPrompts yields the documents of the new part of the prompt history.
func (f *TranscriptSource) readPrompts(
	h appended, file *transcript.Handle, sum *tally, yield func(index.Doc, error) bool,
) (at transcript.Position, more bool, err error) {
	r, err := file.Reader(h.from)
	if err != nil {
		return at, true, err
	}
	for p, err := range r.All() {
		if err != nil {
			return at, true, err
		}
		if f.secretFolder(p.Cwd) { // no mark and no row has such a name
			continue
		}
		key := promptKey(p)
		sum.Sessions[key] = h.live[key]
		if d, ok := f.promptDoc(h.file.Path, sum, p); ok && !sum.Sessions[key] && !yield(d, nil) {
			return at, false, nil
		}
	}
	sum.Skipped += r.Stats().Skipped
	return r.Position(), true, nil
}

// promptDoc converts an entry to a document, unless it is excluded, forgotten or newer than the reference time.
func (f *TranscriptSource) promptDoc(file string, sum *tally, p transcript.Message) (index.Doc, bool) {
	folder := transcript.ProjectFolder(p.Cwd)
	excluded := f.M.ws.ExcludedRecord(p.Cwd, folder) != ""
	sum.Folders[p.Cwd] = excluded
	_, paused := f.M.ws.PausedRecord(p.Cwd, p.Time)
	late := !f.until.IsZero() && (p.Time.IsZero() || p.Time.After(f.until))
	id := cite.ID{Kind: cite.KindPrompt, Name: cite.PromptSession(p), Number: p.Line}.String()
	if excluded || paused || late || f.M.Hides(id) {
		return index.Doc{}, false
	}
	session := ""
	if p.Session != "" {
		session = cite.BlockSession(p.Session)
	}
	return index.Doc{
		ID: id, Source: file, Layer: cite.LayerTranscripts, Type: string(cite.KindPrompt), Role: string(cite.KindPrompt),
		Project: ProjectFolder(transcript.File{Folder: folder}, p), Session: session, Author: "user",
		File: file, Order: int64(p.Line), Time: p.Time, Offset: p.Offset, Length: p.Length,
		Text: cite.MessageText(p, f.M.ws.Redactor),
	}, true
}
