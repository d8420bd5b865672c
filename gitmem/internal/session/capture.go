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
	Call    string // the client's id of the call, "" where it has none
	Tool    string
	Agent   string // type of the subagent that made the call, "" for none
	OK      bool
	// Unsettled means that nobody knows how the call went.
	Unsettled bool
	// Interrupted means that somebody stopped the call.
	Interrupted bool
	Input       string   // cut to 200 characters
	Output      string   // cut to 500 characters
	Read        []string // files
	Wrote       []string
	Searched    []string // files and folders that the output is about; not part of the line
}

const (
	inputRunes  = 200
	outputRunes = 500
)

// Observe appends a tool call to the session's log. It takes no lock, makes no
// repository and commits nothing; [Sessions.EndTurn] does. It returns the file, "" where nothing
// is logged: gitmem's own tools are not, and of a shell command that runs it the output is left
// out, since what it says has a source of its own. The error is ErrNotCaptured where capture is
// off or paused, or the working folder or a file of the tool call is excluded.
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
	input, _ := json.Marshal(map[string]string{"command": o.Input}) // a map of texts always can be
	if s.src.OwnCall(transcript.ToolUse{Name: o.Tool, Input: input, Paths: slices.Concat(o.Read, o.Searched)}) {
		o.Output = ""
	}
	now := s.ws.Options.Now().UTC()
	rel := s.logFile(p.Project.Dir, now, o.Session)
	line := cite.ObservationLine(now, s.cleaned(o).text(), o.Call)
	return rel, s.appendLog(p, rel, now, o.Session, line)
}

// rawBytes is how much of a text for a log is looked at: far more than is
// kept, so that a secret is whole when the redactor sees it.
const rawBytes = 64 << 10

// keyBytes is more than any key has.
const keyBytes = 4 << 10

// cleanedPrefix is what clean leaves of the first rawBytes of a text.
func cleanedPrefix(s string, clean func(string) string) string {
	if len(s) <= rawBytes {
		return clean(s)
	}
	s = clean(s[:rawBytes])
	return s[:max(0, len(s)-keyBytes)] // its end may be the beginning of a key
}

// cleaned redacts each field before anything is cut off: what is left of a key
// whose end was cut is no longer known as a key.
func (s *Sessions) cleaned(o Observation) Observation {
	clean := func(text string) string {
		if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") { // of a tool whose fields are unknown
			return s.ws.Redactor.JSON(text)
		}
		return s.ws.Clean(text)
	}
	field := func(text string) string { return cleanedPrefix(text, clean) }
	o.Tool, o.Agent, o.Input, o.Output = field(o.Tool), field(o.Agent), field(o.Input), field(o.Output)
	o.Read, o.Wrote = s.ws.CleanPaths(o.Read), s.ws.CleanPaths(o.Wrote)
	return o
}

// logFile is the log of a session's day. Older ones have the beginning of the session's
// id in their names, which sessions share that began within a minute of each other.
func (s *Sessions) logFile(projectDir string, day time.Time, session string) string {
	return logName(projectDir, day, s.ws.SessionName(session))
}

func logName(projectDir string, day time.Time, session string) string {
	return path.Join(projectDir, "observations", day.Format("2006-01"), day.Format("02")+"-"+session+".md")
}

// text is the log's form of an observation. White space is folded, since a line
// break in a command must not start a line of its own.
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

// Stop commits what hooks appended for a session. Without a repository there is
// nothing to commit to: the lines stay in their file. It returns the commit, ""
// when nothing was new. The error is ErrNotCaptured as of [Sessions.Observe].
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

// ReadObservation reads from the line of a tool call, behind [Observation.text], its tool, how
// it went and its files. One that somebody stopped did not fail, nor one of which nobody knows how it went.
func ReadObservation(line string) (o Observation) {
	_, line, _ = strings.Cut(line, " ") // behind the time
	head, rest, _ := strings.Cut(line, " · ")
	o.Tool, o.OK = head, !strings.HasSuffix(head, " failed")
	if i := strings.LastIndexByte(head, ' '); i >= 0 {
		o.Tool = head[:i]
	}
	rest = " · " + rest
	o.Read, o.Wrote = cite.ToolFiles(rest, "read"), cite.ToolFiles(rest, "wrote")
	return o
}
