package curate

import (
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Editor changes memory's files and reads their history, during one call.
type Editor struct {
	ws     *workspace.Workspace
	src    *ingest.Sources
	reader *query.Reader
}

// New edits during one call.
func New(ws *workspace.Workspace, src *ingest.Sources, reader *query.Reader) *Editor {
	return &Editor{ws: ws, src: src, reader: reader}
}
