package session

import (
	"context"
	"fmt"

	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Sessions follows the sessions of the client during one call: what hooks add to a session and record about it.
type Sessions struct {
	ws     *workspace.Workspace
	src    *ingest.Sources
	reader *query.Reader
}

// New returns Sessions for one call.
func New(ws *workspace.Workspace, src *ingest.Sources, reader *query.Reader) *Sessions {
	return &Sessions{ws: ws, src: src, reader: reader}
}

// CheckID returns an error that wraps ErrUsage for an invalid session id.
func CheckID(session string) error {
	if transcript.ValidSessionID(session) {
		return nil
	}
	return fmt.Errorf("%w: session id %q", messages.ErrUsage, messages.Clip(session, 40))
}

// Capturing returns the place of the working folder, and a writable store. The error is ErrNotCaptured if capture is
// off or paused, or the place or one of the files is excluded.
func (s *Sessions) Capturing(ctx context.Context, files ...string) (*workspace.Place, error) {
	if err := s.ws.MayCapture(ctx); err != nil {
		return nil, err
	}
	for _, f := range files {
		if rule := s.ws.ExcludedFile(f); rule != "" {
			return nil, fmt.Errorf("%w: a file of the call is excluded by the rule %q in %s",
				workspace.ErrNotCaptured, rule, s.ws.FileOfRule(rule))
		}
	}
	if _, err := s.ws.Appendable(); err != nil {
		return nil, err
	}
	return s.ws.Place(ctx)
}
