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

// Sources are what one workspace can be answered from: files of Markdown, transcripts,
// the repository's history and documents, its forge and its tracker, each with its index.
// Like the workspace they serve one call.
type Sources struct {
	ws *workspace.Workspace
	// Budget bounds what a first build reads before an answer.
	Budget Budget
	// FirstBuildWait is how long a question waits for an index that another process builds
	// for the first time; 0 means 30 s.
	FirstBuildWait time.Duration

	waits      bool           // busy indexes are waited for, and large ones compacted
	forges     *forge.Forges  // of the place, nil until they are asked for
	tombstones *tombstone.Set // what was forgotten, nil until it is asked for
	listedIn   *store.Store   // that they were read from
	meaning    *Semantic      // searching by meaning, as it is configured
	sentences  *sentences     // the model that judges them
	files      frozenFiles    // of the reference time
	listing    *listing       // of transcripts, begun early for a question
	documents  *docs.Source   // of the commit that is asked about, listed once
	tags       []git.Tag      // of the repository, read once
	tagsRead   bool
	looked     *messageSearch  // the messages of a history, for a question; nil until they are
	running    *sync.WaitGroup // what was begun beside a question
}

// New are the sources of a workspace.
func New(ws *workspace.Workspace) *Sources {
	return &Sources{
		ws: ws, Budget: UsualBudget(), running: &sync.WaitGroup{},
		sentences: &sentences{encoder: ws.Options.Encoder, file: ws.Options.Sentences},
	}
}

// Fork are the sources in another state, that of ws, which comes from
// [workspace.Workspace.Fork].
func (src *Sources) Fork(ws *workspace.Workspace) *Sources {
	return &Sources{
		ws: ws, Budget: src.Budget, FirstBuildWait: src.FirstBuildWait, meaning: src.meaning, sentences: src.sentences,
		running: src.running, waits: src.waits,
	}
}

// Leave releases what sources of another reference time opened.
func (src *Sources) Leave() {
	src.forges.Close()
	src.ws.Leave()
}
