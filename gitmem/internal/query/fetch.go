package query

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// Fetch reads the source of a hit at the position in the index.
func (v *View) Fetch(h search.Hit) (cite.Source, error) {
	h.Doc.ID, _, _ = strings.Cut(h.Doc.ID, ingest.IdFile)
	if isRecord(h) || strings.HasPrefix(h.Doc.ID, string(cite.KindPrompt)+":") {
		src, err := v.local(v.Reader.src.NotNewer(v.Cache.Record(h.Doc.ID, h.Doc.File, h.Doc.Offset, h.Doc.Length)))
		if h.Doc.Role == cite.StateTakenBack || v.takenBackSince(h) {
			src.State = cite.StateTakenBack
		}
		return src, err
	}
	if h.Doc.Layer == cite.LayerTeam {
		return v.Cache.Resolve(h.Doc.ID)
	}
	return v.Reader.src.Attributed(v.Cache.ResolveIn(h.Doc.ID, h.Doc.File))
}

// local converts the time of a session message to the time zone of the caller.
func (v *View) local(src cite.Source, err error) (cite.Source, error) {
	if src.Layer == cite.LayerTranscripts && !src.Time.IsZero() {
		src.Time = src.Time.In(v.Reader.ws.Now().Location())
	}
	return src, err
}

// takenBackSince reports whether a record was taken back by records that its transcript received after it was indexed:
// another process may be about to index them.
func (v *View) takenBackSince(h search.Hit) bool {
	mark, known := v.Snaps[h.Shard].Mark(h.Doc.File)
	info, err := os.Stat(h.Doc.File)
	if !known || err != nil || info.Size() <= mark.Size {
		return false
	}
	id, _ := cite.Parse(h.Doc.ID) // the index has only valid ids
	taken, known := v.takenBack.Load(h.Doc.File)
	if !known {
		taken, _ = v.takenBack.LoadOrStore(h.Doc.File, ingest.TakenBackSince(h.Doc.File, mark))
	}
	return taken.(func(line int) bool)(id.Number)
}

// Digest summarises a transcript file as of the requested moment.
func (v *View) Digest(file string) (transcript.Digest, error) {
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
		return transcript.Digest{}, fmt.Errorf("%s: %w", file, cite.ErrNotFound)
	}
	msgs := v.Reader.src.Remembered(file, transcript.Conversation(file))
	if !v.Reader.ws.Present() {
		msgs = transcript.Until(msgs, v.Reader.ws.Past.Until)
	}
	return transcript.Summarise(v.Reader.src.Redacted(ingest.FolderName(file), msgs, 0))
}
