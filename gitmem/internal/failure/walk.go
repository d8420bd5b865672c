package failure

import (
	"bytes"
	"encoding/json"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// At is a block of a message.
type At struct {
	Message transcript.Message
	Block   string
}

// Change is what may have ended a failure: an edit, a command, or the work of a subagent.
type Change struct {
	At
	Command       string
	Path          string // of an edit
	Before, After string // the replaced text and its replacement
	Agent         string // the task of a subagent
}

// Episode is a failure and how it ended in the same session.
type Episode struct {
	Failed  At     // the last result with the error
	Said    string // its line with the error
	Command string // that failed
	// Changes are the changes between the failure and its end, most probable first. There are none if the same command
	// succeeded when it was run again.
	Changes []Change
	Asked   At // the last prompt before the end
	Ended   At // the result of the command that succeeded; its Block is "" if there was none

	failed  []step
	near    string // the lines with the error
	told    string // all lines of that output except those about passed tests
	frozen  bool   // a later run failed with another error
	unknown bool   // a step with unknown effects came in between
}

// call is a tool call with its position.
type call struct {
	transcript.ToolUse
	at At
}

// walk follows one conversation.
type walk struct {
	err   Error
	calls map[string]call
	open  *Episode
	out   []*Episode
}

// Find returns the episodes of an error in the messages of a session, in order. It ignores abandoned branches.
func Find(text Error, msgs iter.Seq2[transcript.Message, error]) (out []*Episode, err error) {
	walks := map[bool]*walk{} // of the session and of the subagents in its file
	for m, err := range msgs {
		if err != nil {
			return nil, err
		}
		if m.TakenBack {
			continue
		}
		w := walks[m.Sidechain]
		if w == nil {
			w = &walk{err: text, calls: map[string]call{}}
			walks[m.Sidechain] = w
		}
		w.take(m)
	}
	for _, w := range walks {
		out = append(out, w.out...)
	}
	return slices.DeleteFunc(out, func(e *Episode) bool {
		return e.unknown && len(e.Changes) == 0 && e.Ended.Block != ""
	}), nil
}

func (w *walk) take(m transcript.Message) {
	if m.Role == transcript.RoleUser && m.Prompt && w.open != nil {
		w.open.Asked = At{Message: m}
	}
	block := func(id string) At {
		for _, b := range m.Blocks() {
			if b.ID == id {
				return At{m, b.Name()}
			}
		}
		return At{Message: m}
	}
	for _, t := range m.Tools {
		w.calls[t.ID] = call{t, block(t.ID)}
	}
	for _, r := range m.Results {
		c, ok := w.calls[r.ID]
		delete(w.calls, r.ID)
		switch {
		case !ok:
		case c.Name == "Bash":
			w.command(c, r, block(r.ID))
		case w.open != nil && !r.Error:
			w.open.used(c)
		}
	}
}

// command processes a command and its result.
func (w *walk) command(c call, r transcript.ToolResult, at At) {
	all := steps(c.Command)
	run, ok := failing(all, r.Error)
	if strings.Contains(r.Text, "[Request interrupted by user") ||
		bytes.Contains(c.Input, []byte(`"run_in_background":true`)) { // unknown result
		ok = false
	}
	if w.open != nil {
		w.open.unknown = w.open.unknown || !ok || slices.ContainsFunc(all, func(s step) bool {
			return listed(opaque, s.program) && len(s.targets) < 2 ||
				r.Error && s.changes(w.open.failed[0]) && !w.open.covered(s)
		})
	}
	if !ok {
		return
	}
	said := w.err.In(r.Text)
	switch {
	case said != nil && (r.Error || !run.sure && !run.views()):
		w.fail(c, at, r.Text, said, run)
	case w.open == nil:
	case !r.Error && w.open.endedBy(all, c, r):
		if at.Block == "" { // it printed nothing
			at = c.at
		}
		w.open.end(c, at, all)
		w.open = nil
	case r.Error:
		w.open.failsOtherwise(c, run)
	case !w.open.frozen && w.open.changedBy(all):
		w.open.Changes = append(w.open.Changes, Change{At: c.at, Command: c.Command})
	}
}

// fail records that a command failed with the error, for the first time or again.
func (w *walk) fail(c call, at At, output string, said []string, run step) {
	if w.open == nil {
		w.open = &Episode{}
		w.out = append(w.out, w.open)
	}
	*w.open = Episode{Failed: at, Said: said[0], near: strings.Join(said, "\n"), Command: c.Command,
		failed: append(w.open.failed, run)}
	for _, l := range linesOf(output) {
		if !passes().MatchString(l.said) {
			w.open.told += l.said + "\n"
		}
	}
}

// failsOtherwise records that a command failed with another error. Later changes belong to that failure.
func (e *Episode) failsOtherwise(c call, run step) {
	f := e.failed[len(e.failed)-1]
	switch {
	case e.frozen || !e.covered(run):
	case len(e.Changes) == 0 && !e.unknown && slices.Equal(run.targets, f.targets) && !slices.Equal(run.words, f.words):
		e.Changes, e.frozen = []Change{{At: c.at, Command: c.Command}}, true
	default:
		e.frozen = len(e.Changes) > 0
	}
}

// endedBy reports whether a command line that succeeded shows that the failure ended.
func (e *Episode) endedBy(all []step, c call, r transcript.ToolResult) bool {
	whole := !slices.ContainsFunc(all, func(s step) bool {
		return s.piped && !listed(" tail head tee cat ", s.program)
	})
	return slices.ContainsFunc(all, func(s step) bool {
		return (s.sure || whole && clean(r.Text)) && e.covered(s)
	})
}

// changedBy reports whether a command line has a command, other than the failed one, that may have changed something.
func (e *Episode) changedBy(all []step) bool {
	return slices.ContainsFunc(all, func(s step) bool { return s.changes(e.failed[0]) && !e.covered(s) })
}

// covered reports whether a command repeats the failed one. A later merge after a conflict does not.
func (e *Episode) covered(s step) bool {
	return (s.program != "git" || !strings.Contains(e.told, "CONFLICT")) &&
		slices.ContainsFunc(e.failed, func(f step) bool { return s.covers(f, e.told) })
}

// end records the success. The command itself is a change if it differs from the failed one or changed something
// first.
func (e *Episode) end(c call, at At, all []step) {
	e.Ended = at
	other := essence(c.Command, c.at.Message.Cwd) != essence(e.Command, e.Failed.Message.Cwd)
	if !e.frozen && other && (e.changedBy(all) || len(e.Changes) == 0 && !e.unknown) {
		e.Changes = append(e.Changes, Change{At: c.at, Command: c.Command})
	}
	where := e.near
	if !file().MatchString(where) {
		where = e.told
	}
	names := func(text string, c Change) bool {
		return c.Path != "" && strings.Contains(text, path.Base(strings.ReplaceAll(c.Path, `\`, "/")))
	}
	edited := func(c Change) bool { return c.Path != "" }
	changed := slices.ContainsFunc(e.Changes, edited)
	e.Changes = slices.DeleteFunc(e.Changes, func(c Change) bool { // a change for another error of the same output
		return names(e.told, c) && !names(where, c)
	})
	if changed && !slices.ContainsFunc(e.Changes, edited) {
		e.Changes, e.unknown = nil, true
	}
	rank := func(change Change) int {
		switch {
		case names(where, change):
			return 0
		case strings.Contains(change.Command, "build"), change.Message.Line == c.at.Message.Line:
			return 2
		}
		return 1
	}
	slices.Reverse(e.Changes)
	slices.SortStableFunc(e.Changes, func(a, b Change) int { return rank(a) - rank(b) })
}

// essence returns a command without parts that only print, or change to the current folder.
func essence(command, cwd string) string {
	var out []string
	for _, s := range steps(command) {
		if s.piped || listed(" echo true ", s.program) || s.program == "cd" && slices.Equal(s.targets, []string{cwd}) {
			continue
		}
		out = append(out, strings.Join(s.words, " "))
	}
	return strings.Join(out, "\n")
}

// used records the change by a tool other than the shell.
func (e *Episode) used(c call) {
	var in struct {
		OldString   string `json:"old_string"`
		Description string
		Edits       []struct {
			OldString string `json:"old_string"`
		}
	}
	_ = json.Unmarshal(c.Input, &in) // unreadable input is not shown
	switch {
	case e.frozen || listed(" Read Grep Glob LS NotebookRead WebFetch WebSearch TodoWrite ToolSearch ", c.Name):
	case strings.HasPrefix(c.Name, "Task") && c.Name != "Task":
	case c.Writes && len(c.Paths) > 0:
		for _, ed := range in.Edits {
			in.OldString += ed.OldString + "\n"
		}
		after := strings.Trim(c.Written(), "\n")
		e.Changes = append(e.Changes, Change{At: c.at, Path: c.Paths[0], Before: in.OldString, After: after})
	case c.Name == "Task" || c.Name == "Agent":
		e.Changes = append(e.Changes, Change{At: c.at, Agent: in.Description})
	default:
		e.unknown = true
	}
}
