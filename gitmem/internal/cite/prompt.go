package cite

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// PromptSession is the session part of the citation id of a prompt: older clients
// noted none.
func PromptSession(p transcript.Prompt) string { return cmp.Or(p.Session, "history") }

// HistoryFile is the client's prompt history in its folder.
func HistoryFile(configRoot string) string { return filepath.Join(configRoot, "history.jsonl") }

// Prompt reads a prompt of the client's history at a known place.
func (r *Resolver) Prompt(id string, offset, length int64) (Source, error) {
	parsed, err := Parse(id)
	if err != nil {
		return Source{}, err
	}
	src, err := r.prompt(parsed, offset, length, 1)
	if err != nil { // rewritten since it was indexed
		return r.prompt(parsed, 0, math.MaxInt64, parsed.Number)
	}
	return src, nil
}

// prompt reads a prompt on a line of a part of the client's history.
func (r *Resolver) prompt(id ID, offset, length int64, line int) (Source, error) {
	if r.ConfigRoot == "" {
		return Source{}, fmt.Errorf("%s: %w", id, ErrNotFound)
	}
	file := HistoryFile(r.ConfigRoot)
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() { // a pipe may never open
		return Source{}, fmt.Errorf("%s: %w", id, ErrNotFound)
	}
	f, err := os.Open(file)
	if err != nil {
		return Source{}, fmt.Errorf("%s: %w", id, ErrNotFound)
	}
	defer f.Close()
	p, err := transcript.PromptLine(io.NewSectionReader(f, offset, length), line)
	if err == nil && PromptSession(p) != id.Name {
		err = errors.New("the line belongs to another session")
	}
	if err != nil {
		return Source{}, fmt.Errorf("%s: %w: %w", id, err, ErrNotFound)
	}
	return Source{
		ID: id.String(), Layer: LayerTranscripts, Source: string(KindPrompt), Type: string(KindPrompt), Title: string(KindPrompt),
		Text: PromptText(p, r.Redactor), Author: "user", Time: p.Time, Project: r.Redactor.Path(p.Project), Session: r.clean(p.Session),
		Path: r.Redactor.Path(file), Line: id.Number,
	}, nil
}

// PromptText is the text of a prompt that is indexed, quoted and shown.
func PromptText(p transcript.Prompt, redactor *redact.Redactor) string {
	text, _ := redactor.Text(p.Text)
	return text
}
