package session

import (
	"context"
	"fmt"
	"iter"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/graph"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Sessions follows the sessions of the client during one call: what hooks add to a session and
// note of it, and what becomes of its transcript.
type Sessions struct {
	ws     *workspace.Workspace
	src    *ingest.Sources
	reader *query.Reader
}

// Model says of a session what it takes a language model for, where the configuration asks for
// that. Both take their time.
type Model interface {
	// Summarise gives sentences for the beginning of the section of a project's session, and
	// their mark for its head; "" is none.
	Summarise(ctx context.Context, project, session, section string, msgs iter.Seq2[transcript.Message, error]) (sentences, mark string, err error)
	// Ideas gives what a session of a project leaves behind what is known of the project; nil
	// is for what the session's digest has of it.
	Ideas(ctx context.Context, project, session string, known []graph.Node, msgs iter.Seq2[transcript.Message, error]) (*archive.Found, error)
}

// New follows sessions during one call.
func New(ws *workspace.Workspace, src *ingest.Sources, reader *query.Reader) *Sessions {
	return &Sessions{ws: ws, src: src, reader: reader}
}

// checkID refuses what is no session's id.
func checkID(session string) error {
	if transcript.ValidSessionID(session) {
		return nil
	}
	return fmt.Errorf("%w: session id %q", messages.ErrUsage, messages.Clip(session, 40))
}

// capturing gives the place that is worked in, and a store that can be written. The
// error is ErrNotCaptured where capture is off or paused, or the place or one of the
// files is excluded.
func (s *Sessions) capturing(ctx context.Context, files ...string) (*workspace.Place, error) {
	if err := s.ws.MayCapture(ctx); err != nil {
		return nil, err
	}
	for _, f := range files {
		if rule := s.ws.ExcludedFile(f); rule != "" {
			return nil, fmt.Errorf("%w: a file of the call is excluded by the rule %q in %s", workspace.ErrNotCaptured, rule, s.ws.ConfigFile())
		}
	}
	if _, err := s.ws.Appendable(); err != nil {
		return nil, err
	}
	return s.ws.Place(ctx)
}
