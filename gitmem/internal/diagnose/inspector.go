package diagnose

import (
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Inspector reports the state of memory and its indexes, during one call of the program.
type Inspector struct {
	ws     *workspace.Workspace
	src    *ingest.Sources
	reader *query.Reader
}

// New returns an Inspector for one call of the program.
func New(ws *workspace.Workspace, src *ingest.Sources, reader *query.Reader) *Inspector {
	return &Inspector{ws: ws, src: src, reader: reader}
}
