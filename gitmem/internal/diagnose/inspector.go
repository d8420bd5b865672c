package diagnose

import (
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Inspector reports what state memory and its indexes are in, during one call.
type Inspector struct {
	ws     *workspace.Workspace
	src    *ingest.Sources
	reader *query.Reader
}

// New inspects during one call.
func New(ws *workspace.Workspace, src *ingest.Sources, reader *query.Reader) *Inspector {
	return &Inspector{ws: ws, src: src, reader: reader}
}
