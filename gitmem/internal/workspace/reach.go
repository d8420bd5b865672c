package workspace

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
)

// reach returns the scope that may be shown: inside the client the project in which its session began, and nil, which
// is everything, for a person or if local.yaml allows it. The client runs some commands without asking, so that a text
// that it reads could make it read the memory of every project. The working folder of a command does not count, because
// a command can change it.
func (w *Workspace) reach(ctx context.Context) (*Scope, error) {
	if !w.InClient() || w.Policy().Config.CrossProject {
		return nil, nil
	}
	p, err := w.Place(ctx)
	if dir := w.sessionFolder(); err == nil && dir != "" && RealPath(dir) != RealPath(w.Options.Dir) {
		p, err = w.PlaceOf(ctx, dir)
	}
	if err != nil {
		return nil, err
	}
	s := ScopeOfPlace(p)
	s.called, s.allow = p.DisplayName(), "to allow other projects, write cross_project: on into "+w.LocalFile()
	return s, nil
}

// InClient reports whether the process runs inside a coding agent, where a model may have started it.
func (w *Workspace) InClient() bool { return InClient(w.Options.Getenv) }

// InClient reports whether an environment is that of a coding agent's child process.
func InClient(getenv func(string) string) bool {
	return slices.ContainsFunc(agentVariables[:], func(name string) bool { return getenv(name) != "" })
}

// agentVariables are set by Claude Code, Codex, Copilot, Gemini, OpenCode and pi for their child processes.
var agentVariables = [...]string{
	"CLAUDECODE", "CODEX_THREAD_ID", "COPILOT_AGENT_SESSION_ID", "GEMINI_CLI", "OPENCODE", "PI_CODING_AGENT",
}

// OwnSessions returns the ids of the agent sessions in which this call runs, comma-separated, "" for none.
func (w *Workspace) OwnSessions() string {
	return strings.Join(SessionsIn(w.Options.Getenv), ",")
}

// SessionsIn returns the session ids that agents set in the environment of their child processes.
func SessionsIn(getenv func(string) string) (ids []string) {
	for _, own := range [...]struct{ variable, agent string }{
		{"CLAUDE_CODE_SESSION_ID", ""}, {"CODEX_THREAD_ID", "codex-"}, {"COPILOT_AGENT_SESSION_ID", "copilot-"},
		{"GEMINI_SESSION_ID", "gemini-"}, {"PI_SESSION_ID", "pi-"},
	} {
		if id := getenv(own.variable); id != "" {
			ids = append(ids, own.agent+id)
		}
	}
	return ids
}

// Asking returns the session of an agent that does not name it, "" if it can't be determined. started is when the agent
// started this process. The agent stores messages before a tool runs, so if exactly one session in the working folder
// has changed since then, it is that one.
func (w *Workspace) Asking(agent string, started time.Time) string {
	files, _ := w.Stores().Files(agent) // sessions that can't be listed can't be searched
	found := ""
	since := started.Truncate(time.Second).UnixNano() // some agents record whole seconds
	for _, f := range files {
		if f.Stat.MtimeNs < since || f.Session == "" || f.Session == found {
			continue
		}
		if dir := FirstFolder(f.Path); dir != "" && RealPath(dir) != RealPath(w.Options.Dir) {
			continue
		}
		if found != "" {
			return ""
		}
		found = f.Session
	}
	return found
}

// sessionFolder returns the folder in which the client's session began, "" if unknown: from the environment of hooks,
// or for other commands from the session's transcript.
func (w *Workspace) sessionFolder() string {
	if dir := w.Options.Getenv("CLAUDE_PROJECT_DIR"); filepath.IsAbs(dir) {
		return dir
	}
	session := w.OwnSession()
	files, _ := filepath.Glob(filepath.Join(w.ClientProjects(), "*", session+".jsonl")) // an id has no special character
	if file := w.Stores().Find(session); file != "" {
		files = append(files, file)
	}
	for _, f := range files {
		if dir := FirstFolder(f); filepath.IsAbs(dir) {
			return dir
		}
	}
	return ""
}

// OwnSession returns the first session of [Workspace.OwnSessions], "" for none.
func (w *Workspace) OwnSession() string {
	if ids := SessionsIn(w.Options.Getenv); len(ids) > 0 && transcript.ValidSessionID(ids[0]) {
		return ids[0]
	}
	return ""
}

// ReachFolder returns the folder whose project the child processes of this call may read: inside the client the folder
// in which the session began, else the working folder.
func (w *Workspace) ReachFolder() string {
	if w.InClient() {
		if dir := w.sessionFolder(); dir != "" {
			return dir
		}
	}
	return w.Options.Dir
}

// Refuse returns the error for data out of reach.
func (s *Scope) Refuse(what string) error {
	return &messages.Refusal{Reason: fmt.Sprintf("inside the client only %s is told of, where the session began, and "+
		"not %s", s.called, what), Advice: s.allow}
}

// names reports whether a name given by the user denotes a project in reach.
func (s *Scope) names(named func(project string) bool) bool {
	for _, known := range []map[string]bool{s.ids, s.munged} {
		for project := range known {
			if named(project) {
				return true
			}
		}
	}
	return slices.ContainsFunc(s.folders, named)
}

// CheckReach returns an error for data of a project that is out of reach.
func (w *Workspace) CheckReach(ctx context.Context, what, project string) error {
	own, err := w.reach(ctx)
	if err == nil && own != nil && !own.Holds(project) {
		err = own.Refuse(what)
	}
	return err
}

// Reachable returns which files of memory may be shown; both are nil if all may be.
func (w *Workspace) Reachable(ctx context.Context) (own *Scope, may func(rel string) bool, err error) {
	own, err = w.reach(ctx)
	if err != nil || own == nil {
		return nil, nil, err
	}
	known := w.Folders()
	return own, func(rel string) bool { return own.Holds(w.ProjectOf(known, rel)) }, nil
}

// WarnLeftOut warns that other projects are omitted from a list, whether or not they have any entries, since that would
// reveal something.
func (w *Workspace) WarnLeftOut(own *Scope) {
	if own != nil {
		w.Options.Warn("inside the client other projects than " + own.called + " are left out; " + own.allow)
	}
}

// ReachableCommit reports whether a commit changed nothing that is out of reach.
func (w *Workspace) ReachableCommit(ctx context.Context, c store.CommitInfo, may func(rel string) bool) (bool, error) {
	paths := c.Paths
	if may == nil {
		return true, nil
	}
	if len(paths) == 0 && len(c.Parents) < 2 { // it was looked up by name, without its paths
		files, err := w.Store.Difference(ctx, strings.Join(c.Parents, ""), c.Hash, "")
		if err != nil {
			return false, err
		}
		for _, f := range files {
			paths = append(paths, f.Path)
		}
	}
	return !slices.ContainsFunc(paths, func(rel string) bool { return !may(rel) }), nil
}
