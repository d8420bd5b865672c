package archiving_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gitmem/gitmem/gitmem/internal/archiving"
	"github.com/gitmem/gitmem/gitmem/internal/ingest"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/session"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
	"github.com/gitmem/gitmem/gitmem/internal/workspace/workspacetest"
)

const (
	sessionA = "3f2a91c4-0000-4000-8000-000000000001"
	sessionB = "7b1d02e9-0000-4000-8000-000000000002"
)

// memory is a home folder whose client has transcripts. Each call opens it again, as hooks do.
type memory struct {
	*workspacetest.Machine
	t   *testing.T
	dir string // a repository without commits

	encoder, sentences []byte // the built-in models, or nil
}

func newMemory(t *testing.T) *memory {
	t.Helper()
	m := &memory{Machine: workspacetest.New(t), t: t}
	m.dir = m.Repository("pump", "")
	return m
}

// withStore returns a memory that has its own repository.
func withStore(t *testing.T) *memory {
	t.Helper()
	m := newMemory(t)
	m.in(m.dir, func(c call) {
		if _, err := c.ws.Init(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	return m
}

// call holds the state of one call.
type call struct {
	*archiving.Archives
	ws       *workspace.Workspace
	reader   *query.Reader
	sessions *session.Sessions
}

// in opens a call in a folder.
func (m *memory) in(dir string, do func(call)) {
	m.t.Helper()
	o := m.Options(dir)
	o.Encoder, o.Sentences = m.encoder, m.sentences
	w := m.Open(o)
	src := ingest.New(w)
	reader := query.New(w, src, &search.Ranker{})
	s := session.New(w, src, reader)
	do(call{archiving.New(w, src, s), w, reader, s})
	if err := errors.Join(src.Close(), w.Close()); err != nil {
		m.t.Fatal(err)
	}
}

func (m *memory) appendTo(name, text string) {
	m.t.Helper()
	m.Write(name, m.Read(name)+text)
}

// transcript writes a session in the client's format.
func (m *memory) transcript(dir, session string, turns ...turn) string {
	m.t.Helper()
	return m.Write(m.InRoot("projects/"+transcript.ProjectFolder(dir)+"/"+session+".jsonl"),
		lines(m.t, dir, session, turns...))
}

// end ends a session in a folder.
func (m *memory) end(dir, session, file string) (e archiving.Ended) {
	m.t.Helper()
	m.in(dir, func(c call) {
		var err error
		if e, err = c.End(m.t.Context(), session, file, nil); err != nil {
			m.t.Fatal(err)
		}
	})
	return e
}

// archives returns the concatenated texts of the archive's files.
func (m *memory) archives() string {
	m.t.Helper()
	files, err := filepath.Glob(m.InRoot("gitmem/projects/*/*/sessions/*/*.md"))
	if err != nil {
		m.t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range files {
		b.WriteString(m.Read(f))
	}
	return b.String()
}

// committed fails unless everything in memory is committed.
func (m *memory) committed() {
	m.t.Helper()
	m.in(m.dir, func(c call) {
		if pending, err := c.ws.Store.Pending(m.t.Context()); len(pending) > 0 || err != nil {
			m.t.Errorf("not committed: %q, %v", pending, err)
		}
	})
}

func equal(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// turn is one record of a transcript.
type turn struct{ role, at, text string }

func lines(t *testing.T, dir, session string, turns ...turn) string {
	t.Helper()
	var b strings.Builder
	for i, tn := range turns {
		rec := map[string]any{
			"type": tn.role, "uuid": session[:4] + "-" + tn.at + "-" + string(rune('a'+i)), "sessionId": session,
			"timestamp": tn.at, "cwd": dir, "gitBranch": "main", "version": "2.1.329",
		}
		var content any = tn.text
		if tn.role == "user" {
			rec["promptSource"] = "typed"
		} else {
			content = []map[string]any{{"type": "text", "text": tn.text}}
		}
		rec["message"] = map[string]any{"role": tn.role, "content": content}
		line, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.String()
}

// relayTurns returns the turns of a session about a relay board.
func relayTurns() []turn {
	return []turn{
		{"user", "2025-03-09T14:02:00Z", "Choose a relay for the pump and wire the board"},
		{"assistant", "2025-03-09T14:22:00Z", "We decided to use the ten ampere relay because the pump draws seven ampere. " +
			"The optocoupler was too slow for the zero-cross detector.\n\nThe range test is still open and needs a field."},
		{"assistant", "2025-03-09T15:40:00Z", "The relay board is wired and the driver passes its tests."},
	}
}
