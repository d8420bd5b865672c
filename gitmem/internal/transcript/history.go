package transcript

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Prompt is one entry of the client's prompt history, history.jsonl beside the
// project folders: what a person typed, longer than the transcripts last.
type Prompt struct {
	Line           int   // number of its line in the file, from 1
	Offset, Length int64 // of the entry's line in the file

	Text    string // with the pasted text that the history holds
	Project string // the working directory
	Session string // "" in files of older clients
	Time    time.Time
}

// History reads the prompts of a history file. Its methods are those of Reader.
type History struct{ r *Reader }

// NewHistory returns a reader of r, whose first byte is the one at at.Offset.
func NewHistory(r io.Reader, at Position) *History { return &History{NewReader(r, at)} }

// Position returns the place behind the last whole line.
func (h *History) Position() Position { return h.r.end }

// Stats returns the counts so far.
func (h *History) Stats() Stats { return h.r.stats }

// All yields the prompts in the order of the file. Entries without words are
// counted as lines only, lines that are no entries are counted as skipped, and a
// last line without its end is left for the next reader.
func (h *History) All() iter.Seq2[Prompt, error] {
	return func(yield func(Prompt, error) bool) {
		r := h.r
		for !r.done {
			line, size, err := r.line()
			if err != nil {
				r.done, r.stats.Torn = true, size > 0
				if !errors.Is(err, io.EOF) {
					yield(Prompt{}, fmt.Errorf("read prompt history line %d: %w", r.end.Line+1, err))
				}
				return
			}
			p, ok := h.entry(line, size)
			r.end = Position{r.end.Offset + size, r.end.Line + 1}
			if ok && !yield(p, nil) {
				return
			}
		}
	}
}

// entry reads one line.
func (h *History) entry(line []byte, size int64) (Prompt, bool) {
	line = bytes.Trim(line, blank)
	if len(line) == 0 {
		return Prompt{}, false
	}
	h.r.stats.Lines++
	if size > int64(h.r.limit) {
		h.r.stats.Skipped++
		return Prompt{}, false
	}
	p, err := parsePrompt(line)
	if err != nil {
		h.r.stats.Skipped++
		return Prompt{}, false
	}
	if p.Text == "" {
		return Prompt{}, false
	}
	p.Line, p.Offset, p.Length = h.r.end.Line+1, h.r.end.Offset, size
	return p, true
}

// parsePrompt reads an entry. A bare slash command says nothing and has no text.
func parsePrompt(line []byte) (Prompt, error) {
	var in struct {
		Display        *string
		PastedContents map[string]pasted `json:"pastedContents"`
		Timestamp      json.RawMessage
		Project        string
		SessionID      string `json:"sessionId"`
	}
	err := json.Unmarshal(line, &in)
	if mismatch := (*json.UnmarshalTypeError)(nil); err != nil && !errors.As(err, &mismatch) {
		return Prompt{}, errors.New("not a JSON object")
	}
	if in.Display == nil {
		return Prompt{}, errors.New("no entry of a prompt history")
	}
	p := Prompt{Project: folderName(in.Project), Text: strings.TrimSpace(*in.Display)}
	if ValidSessionID(in.SessionID) {
		p.Session = in.SessionID
	}
	if ms, err := strconv.ParseInt(string(in.Timestamp), 10, 64); err == nil && ms > 0 {
		p.Time = time.UnixMilli(ms).UTC()
	}
	if strings.HasPrefix(p.Text, "/") && !strings.ContainsAny(p.Text, " \n") {
		p.Text = ""
		return p, nil
	}
	p.Text = unpaste(p.Text, in.PastedContents)
	return p, nil
}

// pasted is a text that the client keeps beside the prompt it was pasted into.
type pasted struct{ Content string }

// unpaste puts pasted texts where the client shows a mark such as
// [Pasted text #1 +12 lines]. Those that are not there leave their mark.
func unpaste(text string, pastes map[string]pasted) string {
	if len(pastes) == 0 { // of most prompts, which are not worth an expression
		return text
	}
	pasteMark := regexp.MustCompile(`\[Pasted text #([^\] ]*)[^\]]*\]`)
	return pasteMark.ReplaceAllStringFunc(text, func(mark string) string {
		return cmp.Or(pastes[pasteMark.FindStringSubmatch(mark)[1]].Content, mark)
	})
}

// PromptLine reads the prompt in line n, from 1, of a history file.
func PromptLine(r io.Reader, n int) (Prompt, error) {
	in := NewReader(r, Position{})
	if err := in.passTo(n); err != nil {
		return Prompt{}, err
	}
	line, _, err := in.line()
	if n < 1 || in.done || err != nil && !errors.Is(err, io.EOF) || len(line) == 0 {
		return Prompt{}, fmt.Errorf("prompt history line %d: %w", n, io.ErrUnexpectedEOF)
	}
	p, err := parsePrompt(bytes.Trim(line, blank))
	if err == nil && p.Text == "" {
		err = ErrNoMessage
	}
	p.Line = n
	return p, err
}
