package ingest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/osfile"
	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/gitmem/internal/redact"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// scannedTranscript is the scan state of a transcript that may be kept: the position and the findings so far. It is a
// cache: without it the transcript is read again.
type scannedTranscript struct {
	Offset  int64    `json:"offset"`
	Line    int      `json:"line"`
	Sample  string   `json:"sample"` // of the scanned part, see Sample
	Folders []string `json:"folders"`
	Why     string   `json:"why"` // permanent reason not to keep it
}

// ReasonNotKept returns the reason why a session must not be kept, or "". It continues where the last scan ended, since
// hooks call it after every turn.
func (src *Sources) ReasonNotKept(session, folder string, names []string) string {
	if src.keptForgotten(session) {
		return "something of it was forgotten"
	}
	cache := filepath.Join(src.ws.IndexDir(), "kept", src.ws.SessionName(session)+".json")
	known := map[string]scannedTranscript{}
	if b, err := os.ReadFile(cache); err == nil && json.Unmarshal(b, &known) != nil {
		known = map[string]scannedTranscript{}
	}
	why := ""
	for _, name := range names {
		l, err := src.scanTranscript(filepath.Join(src.ws.ClientProjects(), folder, name), known[name])
		if err != nil {
			return "it can't be read: " + plain.Text(err)
		}
		known[name] = l
		if why == "" {
			why = src.reasonOf(l, folder)
		}
	}
	if b, err := json.Marshal(known); err == nil && os.MkdirAll(filepath.Dir(cache), 0o700) == nil {
		_ = osfile.Replace(cache, "", osfile.Bytes(b)) // a cache
	}
	return why
}

// reasonOf checks the folders each time, since rules change.
func (src *Sources) reasonOf(l scannedTranscript, folder string) string {
	if l.Why != "" {
		return l.Why
	}
	for _, f := range l.Folders {
		if rule := src.ws.ExcludedRecord(f, folder); rule != "" {
			return "a part is excluded by the rule " + rule
		}
	}
	return ""
}

// scanTranscript scans the new part of a transcript.
func (src *Sources) scanTranscript(file string, l scannedTranscript) (scannedTranscript, error) {
	f, err := transcript.OpenSession(file)
	if err != nil {
		return l, err
	}
	defer f.Close()
	if l.Offset > 0 && l.Sample != Sample(f, l.Offset) {
		l = scannedTranscript{} // rewritten
	}
	r, err := f.Reader(transcript.Position{Offset: l.Offset, Line: l.Line})
	if err != nil {
		return l, err
	}
	for msg, err := range r.All() {
		if err != nil {
			return l, err
		}
		if !slices.Contains(l.Folders, msg.Cwd) {
			l.Folders = append(l.Folders, msg.Cwd)
		}
		if l.Why == "" {
			l.Why = src.privateRecord(msg)
		}
	}
	at := r.Position()
	l.Offset, l.Line, l.Sample = at.Offset, at.Line, Sample(f, at.Offset)
	return l, nil
}

// privateRecord returns why a record must not be kept regardless of the rules.
func (src *Sources) privateRecord(msg transcript.Message) string {
	if _, ok := src.ws.PausedRecord(msg.Cwd, msg.Time); ok {
		return "a part was said while capture was paused"
	}
	texts := []string{msg.Text, msg.Thinking}
	for _, t := range msg.Tools {
		texts = append(texts, string(t.Input))
	}
	for _, res := range msg.Results {
		texts = append(texts, res.Text)
	}
	var blocks redact.Redactor // without rules it finds only private blocks
	for _, text := range texts {
		if _, found := blocks.Text(text); len(found) > 0 {
			return "it holds a private block"
		}
	}
	return ""
}
