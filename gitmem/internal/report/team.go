package report

import (
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Team answers who, what state and why from the history of the current repository.
type Team struct {
	ws     *workspace.Workspace
	src    *ingest.Sources
	reader *query.Reader
}

// New makes the reports of one call.
func New(ws *workspace.Workspace, src *ingest.Sources, reader *query.Reader) *Team {
	return &Team{ws: ws, src: src, reader: reader}
}
