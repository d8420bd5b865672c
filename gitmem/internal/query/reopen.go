package query

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Reopening describes how the agent that ran a session resumes it. The JSON form is a public contract.
type Reopening struct {
	Session string   `json:"session"` // gitmem's id of the session
	Agent   string   `json:"agent"`
	Folder  string   `json:"folder"` // working directory of the command, "" if unknown
	Command []string `json:"command"`
}

// Reopen returns how to resume the session of a citation. The error wraps ErrUsage if the source belongs to no session,
// and ErrNotFound if the client no longer has it.
func (rd *Reader) Reopen(ctx context.Context, id string) (Reopening, error) {
	src, err := rd.Show(ctx, id)
	if err != nil {
		return Reopening{}, err
	}
	if src.Session == "" {
		return Reopening{}, fmt.Errorf("%w: %s belongs to no session", messages.ErrUsage, id)
	}
	agent := transcript.ClientOf(src.Session)
	file := rd.ws.Stores().Find(src.Session)
	if agent == transcript.ClaudeCode {
		file = transcript.Find(rd.ws.ClientProjects(), src.Session)
	}
	if file == "" {
		return Reopening{}, fmt.Errorf("%s has session %s no longer: %w", transcript.ClientTitle(agent),
			transcript.OwnID(src.Session), cite.ErrNotFound)
	}
	r := Reopening{Session: src.Session, Agent: agent, Command: transcript.ResumeCommand(src.Session)}
	if folder := workspace.FirstFolder(file); filepath.IsAbs(folder) {
		r.Folder = folder
	}
	return r, nil
}
