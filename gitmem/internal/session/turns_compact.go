package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Compacted appends the client's summary of a compacted session to the session's log, as one observation followed by
// the text in quoted lines, and reports whether it did; the next [Sessions.EndTurn] commits it. Duplicates are ignored.
// trigger is the client's word, manual or auto. The summary is ignored if something in the transcript must not be
// captured, since it may repeat that. The error is ErrNotCaptured as in [Sessions.Observe].
func (s *Sessions) Compacted(ctx context.Context, session, transcriptFile, trigger,
	summary string) (logged bool, err error) {
	text := s.quoted(summary)
	if text == "" {
		return false, nil
	}
	if file := s.src.TranscriptFile(session, transcriptFile); s.hidesSome(ctx, file) {
		return false, fmt.Errorf("%w: the summary may tell what was said in an excluded folder or while capture was paused",
			workspace.ErrNotCaptured)
	}
	return s.logEntry(ctx, session, func(now time.Time) (entry, key string) {
		key = transcript.TextHash("summary" + summary)
		return cite.ObservationLine(now, cite.EntrySummary+" · said: "+cite.CompactedBy+
			messages.OneLine(s.ws.Clean(trigger), 16)+") · "+key, "") + text, key
	})
}

// hidesSome reports whether a transcript contains something that must not be captured. It does not read the transcript
// if nothing is excluded and nothing was ever paused.
func (s *Sessions) hidesSome(ctx context.Context, file string) bool {
	if pol := s.ws.Policy(); len(pol.Pauses) == 0 && len(pol.Config.Exclude) == 0 {
		return false
	}
	folder := ingest.FolderName(file)
	for msg, err := range transcript.All(file) {
		if errors.Is(err, fs.ErrNotExist) {
			return false // nothing is known to be hidden
		}
		if err != nil || ctx.Err() != nil || s.ws.Withheld(msg.Cwd, folder, msg.Time) {
			return true
		}
	}
	return false
}

// WithoutHiddenSummaries omits the client's summaries that may contain text that must not be captured: all after such
// text. folder is as in redacted.
func (s *Sessions) WithoutHiddenSummaries(folder string,
	msgs iter.Seq2[transcript.Message, error]) iter.Seq2[transcript.Message, error] {
	return func(yield func(transcript.Message, error) bool) {
		hidden := false
		for msg, err := range msgs {
			hidden = hidden || err == nil && s.ws.Withheld(msg.Cwd, folder, msg.Time)
			if err == nil && hidden && msg.Role == transcript.RoleSummary {
				continue
			}
			if !yield(msg, err) {
				return
			}
		}
	}
}

// quoted returns a text in lines that neither start an entry nor have an id of their own.
func (s *Sessions) quoted(text string) string {
	var b strings.Builder
	for line := range strings.Lines(messages.Clip(redact.Plain(cleanedPrefix(text, s.ws.Clean)), summaryRunes)) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString("  > " + strings.ReplaceAll(line, " ^o-", " o-") + "\n")
		}
	}
	return b.String()
}
