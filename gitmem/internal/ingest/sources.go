package ingest

import (
	"sync"
	"time"

	"github.com/gitmem/gitmem/gitmem/internal/forge"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/tombstone"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/providers/docs"
	"github.com/gitmem/gitmem/providers/git"
)

// Sources contains all sources of a workspace: Markdown files, transcripts, the repository's history and documents, its
// forge and its tracker, each with its index. Like the workspace it serves one call of the program.
type Sources struct {
	ws *workspace.Workspace
	// Budget limits what a first build reads before an answer.
	Budget Budget
	// FirstBuildWait is how long a question waits for another process to build an index for the first time; 0 means 30 s.
	FirstBuildWait time.Duration

	waits      bool           // wait for busy indexes, and compact large ones
	forges     *forge.Forges  // of the workspace, nil until requested
	tombstones *tombstone.Set // forgotten content, nil until requested
	listedIn   *store.Store   // store that they were read from
	meaning    *Semantic      // configured search by meaning
	sentences  *sentences     // model that classifies sentences
	files      frozenFiles    // of the reference time
	listing    *listing       // of transcripts, started early for a question
	documents  *docs.Source   // of the requested commit, listed once
	tags       []git.Tag      // of the repository, read once
	tagsRead   bool
	looked     *messageSearch  // search of the history's messages for a question, nil until started
	running    *sync.WaitGroup // background work of a question
}

// New returns the sources of a workspace.
func New(ws *workspace.Workspace) *Sources {
	return &Sources{
		ws: ws, Budget: UsualBudget(), running: &sync.WaitGroup{},
		sentences: &sentences{encoder: ws.Options.Encoder, file: ws.Options.Sentences},
	}
}

// Fork returns the sources in the state of ws, which comes from [workspace.Workspace.Fork].
func (src *Sources) Fork(ws *workspace.Workspace) *Sources {
	return &Sources{
		ws: ws, Budget: src.Budget, FirstBuildWait: src.FirstBuildWait, meaning: src.meaning, sentences: src.sentences,
		running: src.running, waits: src.waits,
	}
}

// Leave releases the resources of sources of another reference time.
func (src *Sources) Leave() {
	src.forges.Close()
	src.ws.Leave()
}
