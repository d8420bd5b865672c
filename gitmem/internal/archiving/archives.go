package archiving

import (
	"context"
	"iter"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/session"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Archives writes the archives of sessions during one call of the program.
type Archives struct {
	ws       *workspace.Workspace
	src      *ingest.Sources
	sessions *session.Sessions
}

// New returns Archives for one call of the program.
func New(ws *workspace.Workspace, src *ingest.Sources, sessions *session.Sessions) *Archives {
	return &Archives{ws: ws, src: src, sessions: sessions}
}

// Model performs the tasks that need a language model, if the configuration enables them. Both methods may be slow.
type Model interface {
	// Summarise returns sentences for the start of a session's section and a mark for its head, or "".
	Summarise(ctx context.Context, project, session, section string, msgs iter.Seq2[transcript.Message, error]) (sentences,
		mark string, err error)
	// Ideas returns the ideas of a session, related to the known ideas of the project. It returns nil if the ideas of the
	// session's digest should be used.
	Ideas(ctx context.Context, project, session string, known []graph.Node,
		msgs iter.Seq2[transcript.Message, error]) (*archive.Found, error)
}
