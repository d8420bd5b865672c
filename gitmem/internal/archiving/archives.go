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

// Archives writes the archives of sessions during one call.
type Archives struct {
	ws       *workspace.Workspace
	src      *ingest.Sources
	sessions *session.Sessions
}

// New writes archives during one call.
func New(ws *workspace.Workspace, src *ingest.Sources, sessions *session.Sessions) *Archives {
	return &Archives{ws: ws, src: src, sessions: sessions}
}

// Model says of a session what it takes a language model for, where the configuration asks for
// that. Both take their time.
type Model interface {
	// Summarise gives sentences for the beginning of the section of a project's session, and
	// their mark for its head; "" is none.
	Summarise(ctx context.Context, project, session, section string, msgs iter.Seq2[transcript.Message, error]) (sentences,
		mark string, err error)
	// Ideas gives what a session of a project leaves behind what is known of the project; nil
	// is for what the session's digest has of it.
	Ideas(ctx context.Context, project, session string, known []graph.Node,
		msgs iter.Seq2[transcript.Message, error]) (*archive.Found, error)
}
