package forget

import (
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Forgetter takes things out of memory, during one call.
type Forgetter struct {
	ws     *workspace.Workspace
	src    *ingest.Sources
	reader *query.Reader
}

// New forgets during one call.
func New(ws *workspace.Workspace, src *ingest.Sources, reader *query.Reader) *Forgetter {
	return &Forgetter{ws: ws, src: src, reader: reader}
}
