package session

import (
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Sessions follows the sessions of the client during one call: what hooks tell a session and
// note of it, and what becomes of its transcript.
type Sessions struct {
	ws     *workspace.Workspace
	src    *ingest.Sources
	reader *query.Reader
}

// New follows sessions during one call.
func New(ws *workspace.Workspace, src *ingest.Sources, reader *query.Reader) *Sessions {
	return &Sessions{ws: ws, src: src, reader: reader}
}
