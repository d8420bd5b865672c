package report

import (
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Team answers who, state and why questions from the history of the current repository.
type Team struct {
	ws     *workspace.Workspace
	src    *ingest.Sources
	reader *query.Reader
}

// New returns a Team for one call.
func New(ws *workspace.Workspace, src *ingest.Sources, reader *query.Reader) *Team {
	return &Team{ws: ws, src: src, reader: reader}
}
