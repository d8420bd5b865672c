package session

import (
	"context"
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// Observation is one tool call of a session.
type Observation struct {
	Session string
	Call    string // the client's id of the call, "" for none
	Tool    string
	Agent   string // type of the subagent that made the call, "" for none
	OK      bool
	// Unsettled means that the result of the call is unknown.
	Unsettled bool
	// Interrupted means that somebody stopped the call.
	Interrupted bool
	Input       string   // cut to 200 characters
	Output      string   // cut to 500 characters
	Read        []string // files
	Wrote       []string
	Searched    []string // files and folders in the output; not logged
}

const (
	inputRunes  = 200
	outputRunes = 500
)

// Observe appends a tool call to the session's log. It takes no lock, creates no repository and commits nothing;
// [Sessions.EndTurn] does. It returns the file, "" if nothing is logged: gitmem's own tools are not logged, and for a
// shell command that runs gitmem the output is omitted, since it has other sources. The error is ErrNotCaptured if
// capture is off or paused, or if the working folder or a file of the tool call is excluded.
func (s *Sessions) Observe(ctx context.Context, o Observation) (string, error) {
	if err := CheckID(o.Session); err != nil {
		return "", err
	}
	files := slices.Concat(o.Read, o.Wrote, o.Searched)
	for _, f := range o.Searched { // may be folders
		files = append(files, filepath.Join(f, "x"))
	}
	p, err := s.Capturing(ctx, files...)
	if err != nil {
		return "", err
	}
	if transcript.OwnTool(o.Tool) {
		return "", nil
	}
	input, _ := json.Marshal(map[string]string{"command": o.Input}) // a map of strings always encodes
	if s.src.OwnCall(transcript.ToolUse{Name: o.Tool, Input: input, Paths: slices.Concat(o.Read, o.Searched)}) {
		o.Output = ""
	}
	now := s.ws.Options.Now().UTC()
	rel := s.logFile(p.Project.Dir, now, o.Session)
	line := cite.ObservationLine(now, s.cleaned(o).text(), o.Call)
	return rel, s.appendLog(p, rel, now, o.Session, line)
}

// rawBytes is the maximum size of a text that is examined for a log: far more than is kept, so that the redactor sees
// secrets as a whole.
const rawBytes = 64 << 10

// keyBytes is more than the length of any key.
const keyBytes = 4 << 10

// cleanedPrefix returns the first rawBytes of a text after clean.
func cleanedPrefix(s string, clean func(string) string) string {
	if len(s) <= rawBytes {
		return clean(s)
	}
	s = clean(s[:rawBytes])
	return s[:max(0, len(s)-keyBytes)] // its end may be the beginning of a key
}

// cleaned redacts each field before truncation: a truncated key is no longer recognised as a key.
func (s *Sessions) cleaned(o Observation) Observation {
	clean := func(text string) string {
		if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") { // of a tool with unknown fields
			return s.ws.Redactor.JSON(text)
		}
		return s.ws.Clean(text)
	}
	field := func(text string) string { return cleanedPrefix(text, clean) }
	o.Tool, o.Agent, o.Input, o.Output = field(o.Tool), field(o.Agent), field(o.Input), field(o.Output)
	o.Read, o.Wrote = s.ws.CleanPaths(o.Read), s.ws.CleanPaths(o.Wrote)
	return o
}

// logFile returns the log of a session's day. Names of older logs have a prefix of the session's id, which sessions
// share that began within a minute of each other.
func (s *Sessions) logFile(projectDir string, day time.Time, session string) string {
	return logName(projectDir, day, s.ws.SessionName(session))
}

func logName(projectDir string, day time.Time, session string) string {
	return path.Join(projectDir, "observations", day.Format("2006-01"), day.Format("02")+"-"+session+".md")
}

// text returns the log form of an observation. White space is folded, since a line break in a command must not start a
// new line.
func (o Observation) text() string {
	var b strings.Builder
	state := " ok"
	switch {
	case o.Interrupted:
		state = " interrupted"
	case !o.OK:
		state = " failed"
	case o.Unsettled:
		state = ""
	}
	b.WriteString(messages.OneLine(o.Tool, 64) + state)
	part := func(label, value string) {
		if value != "" {
			b.WriteString(" · " + label + ": " + value)
		}
	}
	part("agent", messages.OneLine(o.Agent, 64))
	part("in", messages.OneLine(o.Input, inputRunes))
	part("out", messages.OneLine(o.Output, outputRunes))
	part("read", messages.OneLine(strings.Join(o.Read, ", "), outputRunes))
	part("wrote", messages.OneLine(strings.Join(o.Wrote, ", "), outputRunes))
	return b.String()
}

// Stop commits what hooks appended for a session. Without a repository the lines stay in their file. It returns the
// commit, "" if nothing was new. The error is ErrNotCaptured as in [Sessions.Observe].
func (s *Sessions) Stop(ctx context.Context, session string) (string, error) {
	if s.ws.Store == nil || !s.ws.Store.HasRepository() {
		return "", nil
	}
	if err := CheckID(session); err != nil {
		return "", err
	}
	p, err := s.Capturing(ctx)
	if err != nil {
		return "", err
	}
	return s.commitLogs(ctx, p, session, Logged{})
}

// ReadObservation parses the line of a tool call, as written by [Observation.text]: its tool, its result and its files.
// Interrupted calls and calls with an unknown result do not count as failed.
func ReadObservation(line string) (o Observation) {
	_, line, _ = strings.Cut(line, " ") // after the time
	head, rest, _ := strings.Cut(line, " · ")
	o.Tool, o.OK = head, !strings.HasSuffix(head, " failed")
	if i := strings.LastIndexByte(head, ' '); i >= 0 {
		o.Tool = head[:i]
	}
	rest = " · " + rest
	o.Read, o.Wrote = cite.ToolFiles(rest, "read"), cite.ToolFiles(rest, "wrote")
	return o
}
