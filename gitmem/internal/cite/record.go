package cite

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// record reads a record of a transcript or of the prompt history by its line.
func (r *Resolver) record(id ID) (Source, error) {
	file := HistoryFile(r.ConfigRoot)
	switch {
	case id.Kind == KindTranscript:
		var err error
		if file, err = r.TranscriptFile(id.Name); err != nil {
			return Source{}, fmt.Errorf("%s: %w", id, err)
		}
		id.Name = TranscriptName(file) // the id may be abbreviated
	case r.ConfigRoot == "":
		return Source{}, fmt.Errorf("%s: %w", id, ErrNotFound)
	}
	f, err := r.Stores.Open(file)
	if err != nil {
		return Source{}, fmt.Errorf("%s: %w", id, ErrNotFound)
	}
	defer f.Close()
	m, err := transcript.Line(f, id.Number)
	if err != nil {
		return Source{}, fmt.Errorf("%s: %s: %w", id, err, ErrNotFound)
	}
	src, p, err := r.source(id, file, f, m)
	if p != nil {
		src.Text = p.Text
	}
	return src, err
}

// TakenBack reports whether a citation names a record on a branch that was taken back. It reads the whole transcript.
func (r *Resolver) TakenBack(id string) bool {
	parsed, err := Parse(id)
	if err != nil || parsed.Kind != KindTranscript {
		return false
	}
	file, err := r.TranscriptFile(parsed.Name)
	if err != nil {
		return false
	}
	h, err := r.Stores.Open(file)
	if err != nil {
		return false
	}
	defer h.Close()
	tree, _, err := h.Tree(transcript.Position{}, "")
	return err == nil && tree.TakenBack(parsed.Number)
}

// Record reads a record of a transcript or of the prompt history at a known offset. It reads only the record, while
// [Resolver.Resolve] scans the file up to its line.
func (r *Resolver) Record(id, file string, offset, length int64) (Source, error) {
	parsed, err := Parse(id)
	if err != nil {
		return Source{}, err
	}
	f, err := r.Stores.Open(file)
	if err != nil {
		return Source{}, fmt.Errorf("%s: %w", id, ErrNotFound)
	}
	defer f.Close()
	if m, err := transcript.At(f, offset, length); err == nil {
		m.Line = parsed.Number
		if src, _, err := r.source(parsed, file, f, m); err == nil {
			return src, nil
		}
	}
	return r.record(parsed) // the file was rewritten since it was indexed
}

// source converts a record, or the block of it that id names, to a source. For a block, p is set and the text is the
// indexed part.
func (r *Resolver) source(id ID, file string, f io.ReaderAt, m transcript.Message) (src Source, p *Part, err error) {
	src = r.message(id.Name, file, m)
	switch {
	case id.Kind == KindPrompt && PromptSession(m) != id.Name:
		return src, nil, fmt.Errorf("%s: the line belongs to another session: %w", id, ErrNotFound)
	case id.Kind == KindPrompt:
		src.ID, src.Source, src.Type, src.Title = id.String(), string(KindPrompt), string(KindPrompt), string(KindPrompt)
		src.By = "" // it may contain pasted text
		return src, nil, nil
	case id.Fragment == "":
		return src, nil, nil
	}
	callers := func(call string) (transcript.ToolUse, bool) {
		use, ok, err := transcript.Caller(f, m.Offset, call)
		return use, ok && err == nil // otherwise the title is shorter
	}
	for _, b := range m.Blocks() {
		if b.Name() != id.Fragment {
			continue
		}
		found := newPart(id.Name, m, b, r.Redactor)
		src.ID, src.Type, src.Text, src.Paths = found.ID.String(), found.Type, found.Excerpted(), found.Paths
		src.Title, src.Author, src.By = found.Title(callers, r.Redactor), cmp.Or(found.Tool, src.Author), ""
		return src, &found, nil
	}
	return Source{}, nil, fmt.Errorf("%s: the record has no such block: %w", id, ErrNotFound)
}

// MessageText returns the text of a record as it is indexed, quoted and shown: the message, followed by one line for
// each tool use. Secrets are masked.
func MessageText(m transcript.Message, redactor *redact.Redactor) string {
	var b strings.Builder
	b.WriteString(m.Text)
	for _, t := range m.Tools {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(t.Name)
		for _, p := range t.Paths {
			b.WriteString(" " + redactor.Path(p))
		}
	}
	text, _ := redactor.Text(b.String())
	return text
}

// TranscriptName returns the session part of a transcript's citation ids: the base name of its file, so that a
// subagent's records (agent-<id>) have separate ids.
func TranscriptName(file string) string {
	return strings.TrimSuffix(filepath.Base(file), ".jsonl")
}

// TranscriptFile returns the path of a transcript by the session part of its citation ids. It returns ErrNotFound if
// there is none.
func (r *Resolver) TranscriptFile(name string) (string, error) {
	if !transcript.ValidSessionID(name) {
		return "", ErrNotFound
	}
	dirs := []string{r.KeptDir}
	if r.ConfigRoot != "" {
		dirs = []string{filepath.Join(r.ConfigRoot, "projects"), r.KeptDir}
	}
	for _, dir := range dirs {
		if file := transcript.Find(dir, name); file != "" {
			return file, nil
		}
	}
	if file := r.Stores.Find(name); file != "" {
		return file, nil
	}
	return "", ErrNotFound
}
