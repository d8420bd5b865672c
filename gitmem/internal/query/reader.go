package query

import (
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Reader answers questions from the sources of one workspace. Like these it serves one
// call.
type Reader struct {
	ws     *workspace.Workspace
	src    *ingest.Sources
	ranker *search.Ranker
	listed *graph.Names                  // nil until they are needed
	ranges map[[2]string]map[string]bool // commits, as in [search.History]
}

// New is the reader of a workspace and its sources. The ranker holds buffers that
// readers may share.
func New(ws *workspace.Workspace, src *ingest.Sources, ranker *search.Ranker) *Reader {
	return &Reader{ws: ws, src: src, ranker: ranker, ranges: map[[2]string]map[string]bool{}}
}

// Workspace is where the sources are: for a view, as it was at the moment that is asked about.
func (rd *Reader) Workspace() *workspace.Workspace { return rd.ws }

// Ranker holds the buffers of rankings.
func (rd *Reader) Ranker() *search.Ranker { return rd.ranker }
