package forget

import (
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Forgetter removes content from memory, during one call of the program.
type Forgetter struct {
	ws     *workspace.Workspace
	src    *ingest.Sources
	reader *query.Reader
}

// New returns a Forgetter for one call of the program.
func New(ws *workspace.Workspace, src *ingest.Sources, reader *query.Reader) *Forgetter {
	return &Forgetter{ws: ws, src: src, reader: reader}
}
