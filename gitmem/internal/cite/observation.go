package cite

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/markdown"
)

// observationMark separates a line of a session's log from its id.
const observationMark = " ^o-"

// ObservationLine returns a line of a session's log. Hooks run in parallel, so the id is not a counter: it is derived
// from call, which identifies what the line is about, or from the time and the text if call is "". Neither may contain
// a line break.
func ObservationLine(at time.Time, text, call string) string {
	at = at.UTC()
	id := markdown.ContentID(cmp.Or(call, at.Format(time.RFC3339Nano)+" "+text))
	return "- " + at.Format(time.TimeOnly) + " " + text + observationMark + id + "\n"
}

// LogMarks returns the words before the ids in a session's log, which identify the origin of its lines.
func LogMarks(log string) []string {
	parts := strings.Split(log, observationMark)
	words := parts[:len(parts)-1]
	for i, part := range words {
		words[i] = part[strings.LastIndexByte(part, ' ')+1:]
	}
	return words
}

// observationUnits parses the lines "- 14:03:22 Edit ok · … ^o-81c2d0k7qa" of a session's log. Older lines have numbers
// as ids.
func observationUnits(d *markdown.Doc) ([]Unit, []markdown.Skip) {
	session := d.Front.Field("session")
	day := d.Front.Day("date")
	var units []Unit
	var skips []markdown.Skip
	seen := map[string]bool{}
	pos, line := d.Body.Start, lineAt(d.Source, d.Body.Start)
	for raw := range strings.Lines(string(d.Body.Of(d.Source))) {
		span := markdown.Span{Start: pos, End: pos + len(raw)}
		pos, line = pos+len(raw), line+1
		text, ok := strings.CutPrefix(strings.TrimRight(raw, "\r\n"), "- ")
		if !ok {
			if last := len(units) - 1; last >= 0 && strings.HasPrefix(raw, "  > ") && units[last].Span.End == span.Start {
				units[last].Text += "\n" + strings.TrimRight(raw, "\r\n")
				units[last].Span.End = span.End
			}
			continue
		}
		text, id, err := observation(text)
		if err == nil && seen[id] {
			err = fmt.Errorf("a second ^o-%s", id)
		}
		if err != nil {
			skips = append(skips, markdown.Skip{Line: line - 1, Span: span, Reason: err.Error()})
			continue
		}
		seen[id] = true
		layer, title := observed(text)
		clock, _, _ := strings.Cut(text, " ")
		at, _ := onDay(day, time.TimeOnly, clock)
		u := Unit{
			ID:    ID{Kind: KindObservation, Name: session, Fragment: id}.String(),
			Layer: layer, Source: string(KindObservation), Title: title, Text: text,
			Line: line - 1, Session: session, Time: at, Span: span,
		}
		switch title {
		case EntryPrompt, EntryAnswer:
			_, _ = fmt.Sscanf(text[strings.LastIndex(text, " · ")+1:], "· line %d", &u.Turn) // the line number is optional
		case EntryContext, EntrySummary:
			u.By = byEntry(u)
		case EntryIdea:
			if ideas := markdown.Parse([]byte("- " + u.Said())).Ideas; len(ideas) > 0 {
				u = ideaUnit(ideas[0], u)
			}
		}
		units = append(units, u)
		if title == EntryRewind {
			takeBackTurns(units, u.Said())
		}
	}
	return units, skips
}

// takeBackTurns marks the entries as taken back whose turns are in the line ranges that a rewind names, such as 12–40.
func takeBackTurns(units []Unit, said string) {
	for field := range strings.FieldsSeq(said) {
		var from, to int
		if n, _ := fmt.Sscanf(field, "%d–%d", &from, &to); n != 2 {
			continue
		}
		for i, u := range units {
			if from <= u.Turn && u.Turn <= to {
				units[i].State = StateTakenBack
			}
		}
	}
}

// The kinds of log entries: tool uses, prompts, answers, ideas, and entries about the session as a whole.
const (
	EntryTool    = "tool use"
	EntryPrompt  = "prompt"
	EntryAnswer  = "answer"
	EntryIdea    = "idea"    // as the archive will contain it after the session's end
	EntrySummary = "summary" // what was done in it
	EntryContext = "context" // what a later session should know
	EntryRewind  = "rewind"  // transcript lines that were taken back
)

// CompactedBy begins a summary that the client made of a session.
const CompactedBy = "compacted ("

// Typed precedes the mark of an entry that a model wrote in the user's own words.
const Typed = "typed "

// byEntry returns the author of a summary or a context entry: the user if the words were typed, "" if the client wrote
// it, otherwise a model.
func byEntry(u Unit) answer.Trust {
	switch {
	case strings.HasPrefix(u.Said(), CompactedBy):
		return ""
	case strings.HasPrefix(u.Text[strings.LastIndex(u.Text, " · ")+len(" · "):], Typed):
		return answer.Mine
	}
	return answer.Model
}

// Said returns the statement of a log entry, or "" for a tool use.
func (u Unit) Said() string {
	_, said, _ := strings.Cut(u.Text, " · said: ")
	if end := strings.LastIndex(said, " · "); end >= 0 {
		said = said[:end]
	}
	return said
}

// Wrote reports whether the entry is a tool call that wrote a file of the store, or a shell command that names the
// file.
func (u Unit) Wrote(rel string) bool {
	if u.Title != EntryTool {
		return false
	}
	if slices.ContainsFunc(ToolFiles(u.Text, "wrote"), func(name string) bool {
		name = "/" + strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/")
		return strings.HasSuffix(name, "/"+rel) || strings.HasSuffix("/"+rel, name)
	}) {
		return true
	}
	asked, _, _ := strings.Cut(u.Text, " · out: ")
	_, tool, _ := strings.Cut(asked, " ")
	return strings.HasPrefix(tool, "Bash ") && strings.Contains(tool, path.Base(rel))
}

// ToolFiles returns the files that a part of a tool call's line lists, such as wrote, without truncated names.
func ToolFiles(line, part string) []string {
	at := strings.LastIndex(line, " · "+part+": ")
	if at < 0 {
		return nil
	}
	list, _, _ := strings.Cut(line[at+len(" · "+part+": "):], " · ")
	return slices.DeleteFunc(strings.Split(list, ", "), func(name string) bool { return strings.HasSuffix(name, "…") })
}

// observed returns the layer and the title of a log line: a tool use, or an entry such as prompt, answer, subagent or
// summary, which the client makes when it compacts a session.
func observed(text string) (layer, title string) {
	_, rest, _ := strings.Cut(text, " ")
	kind, rest, _ := strings.Cut(rest, " ")
	switch {
	case !strings.HasPrefix(rest, "· "): // tools record whether they succeeded
		return LayerTranscripts, EntryTool
	case kind == EntrySummary, kind == EntryContext:
		return LayerSummaries, kind
	}
	return LayerTranscripts, kind
}

// observation splits an observation line into its text and its block id.
func observation(s string) (text, id string, err error) {
	i := strings.LastIndex(s, observationMark)
	if i < 0 {
		return "", "", fmt.Errorf("an observation without a ^o-<id>")
	}
	if id = s[i+len(observationMark):]; !isObservationID(id) {
		return "", "", fmt.Errorf("an observation with a damaged id %q", s[i+1:])
	}
	return s[:i], id, nil
}

// isObservationID reports whether s is a valid id: a result of [markdown.ContentID] or a number.
func isObservationID(s string) bool {
	return s != "" && s[0] != '0' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// DuplicateID is the position of an id in a session's log that an earlier line has too, with an unused replacement.
type DuplicateID struct {
	Span  markdown.Span // of the id
	Fresh string
}

// DuplicateIDs finds the lines of a session's log whose ids occur in earlier lines.
func DuplicateIDs(src []byte) []DuplicateID {
	var out []DuplicateID
	body := markdown.Parse(src).Body
	seen, pos := map[string]bool{}, body.Start
	for raw := range strings.Lines(string(body.Of(src))) {
		start := pos
		pos += len(raw)
		text, id, err := observation(strings.TrimRight(raw, "\r\n"))
		if err != nil || !strings.HasPrefix(text, "- ") {
			continue
		}
		if seen[id] {
			end := start + len(text) + len(observationMark)
			fresh := markdown.ContentID(text)
			for seen[fresh] {
				fresh = markdown.ContentID(fresh + text)
			}
			out, id = append(out, DuplicateID{markdown.Span{Start: end, End: end + len(id)}, fresh}), fresh
		}
		seen[id] = true
	}
	return out
}
