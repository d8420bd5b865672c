package curate

import (
	"context"
	"fmt"

	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Editor changes memory's files and reads their history, during one call of the program.
type Editor struct {
	ws     *workspace.Workspace
	src    *ingest.Sources
	reader *query.Reader
}

// New returns an Editor for one call of the program.
func New(ws *workspace.Workspace, src *ingest.Sources, reader *query.Reader) *Editor {
	return &Editor{ws: ws, src: src, reader: reader}
}

// commit commits files that a command changed. done begins the error for files that were written but not committed,
// such as "the note is".
func (ed *Editor) commit(ctx context.Context, paths []string, subject, done string, ops ...string) (string, error) {
	trailers := profile.Trailers(ops)
	if session := ed.session(); session != "" {
		trailers = append(trailers, "Gitmem-Session: "+session)
	}
	id, err := ed.ws.Store.Commit(ctx, store.Change{Paths: paths, Subject: subject, Time: ed.ws.Options.Now(), Fsync: true,
		Trailers: trailers})
	if err != nil {
		err = fmt.Errorf("%s not committed yet: %w", done, err)
	}
	return id, err
}

// mayConfirm refuses confirmations inside the client, where a model may have run the command.
func (ed *Editor) mayConfirm() error {
	if !ed.ws.InClient() {
		return nil
	}
	return &messages.Refusal{Reason: "inside the client nothing is confirmed, since a model may run the command",
		Advice: "run it in a terminal of your own", Err: messages.ErrUsage}
}

// session returns the agent session in which a command runs, or "".
func (ed *Editor) session() string { return ed.ws.OwnSession() }
