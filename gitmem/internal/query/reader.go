package query

import (
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Reader answers questions from the sources of one workspace. Like the sources, it serves one call.
type Reader struct {
	ws     *workspace.Workspace
	src    *ingest.Sources
	ranker *search.Ranker
	listed *graph.Names                  // nil until needed
	ranges map[[2]string]map[string]bool // commits, as in [search.History]
}

// New returns a reader of a workspace and its sources. The ranker contains buffers that readers may share.
func New(ws *workspace.Workspace, src *ingest.Sources, ranker *search.Ranker) *Reader {
	return &Reader{ws: ws, src: src, ranker: ranker, ranges: map[[2]string]map[string]bool{}}
}

// Workspace returns the workspace; for a view of the past, in its past state.
func (rd *Reader) Workspace() *workspace.Workspace { return rd.ws }

// Ranker returns the ranker with its buffers.
func (rd *Reader) Ranker() *search.Ranker { return rd.ranker }
