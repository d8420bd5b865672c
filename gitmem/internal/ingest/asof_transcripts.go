package ingest

import (
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// hadBegun reports whether the session with a name from a log has a transcript on disk that had begun at the reference
// time.
func (src *Sources) hadBegun(name string) bool {
	w := &src.files
	if w.sessions == nil {
		w.sessions = map[string][]string{}
		for _, dir := range src.ws.TranscriptRoots() {
			found, err := fs.Glob(os.DirFS(dir), "*/*.jsonl")
			if err != nil {
				continue // fails only for a malformed pattern
			}
			for _, rel := range found {
				id, file := cite.TranscriptName(rel), filepath.Join(dir, filepath.FromSlash(rel))
				w.sessions[id] = append(w.sessions[id], file)
				if short := transcript.ShortID(id); short != id {
					w.sessions[short] = append(w.sessions[short], file)
				}
			}
		}
	}
	for _, file := range w.sessions[name] {
		for range src.messagesUpTo(file) {
			return true
		}
	}
	return false
}

// messagesUpTo yields the messages of a transcript up to the reference time. It yields none for a file that cannot be
// read, which the indexer reports.
func (src *Sources) messagesUpTo(file string) iter.Seq[transcript.Message] {
	return func(yield func(transcript.Message) bool) {
		f, err := transcript.OpenSession(file)
		if err != nil {
			return
		}
		defer f.Close()
		for msg, err := range transcript.Until(transcript.NewReader(f, transcript.Position{}).WithTitles().All(),
			src.ws.Past.Until) {
			if err != nil || !yield(msg) {
				return
			}
		}
	}
}

// CheckRecorded returns an error that wraps ErrNotFound unless a record of a transcript existed at the reference time.
func (src *Sources) CheckRecorded(file string, id cite.ID) error {
	for msg := range src.messagesUpTo(file) {
		if msg.Line == id.Number {
			return nil
		}
	}
	return fmt.Errorf("not there yet at %s: %w", src.ws.AsOfText(), cite.ErrNotFound)
}

// NotNewer returns an error if a source is a transcript record after the reference time: the transcript may have been
// rewritten since it was indexed.
func (src *Sources) NotNewer(found cite.Source, err error) (cite.Source, error) {
	isTurn := found.Source == string(cite.KindTranscript) || found.Source == string(cite.KindPrompt)
	if err == nil && isTurn && src.ws.Newer(found.Time) {
		return cite.Source{}, fmt.Errorf("%s: newer than %s: %w", found.ID, src.ws.AsOfText(), cite.ErrNotFound)
	}
	return found, err
}
