package session

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/sessioncontext"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/transcript"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// savedContext is the last context that a session got. The client runs the hook again when the
// session is resumed, and drops a text that equals any earlier one of the conversation.
type savedContext struct {
	Folder string `json:"folder"`
	State  string `json:"state"` // hash of what is known, without what tells one text from earlier ones
	Text   string `json:"text"`
}

// savedContextFile lies beside the index, as what can be done without.
func (s *Sessions) savedContextFile(session string) string {
	return filepath.Join(s.seenDir(), store.ShortHash(session)+workspace.ContextSuffix)
}

// lastContext returns the last context of the conversation that goes on, if there was one. A
// compaction removes it from the conversation. A forked session begins with the conversation of
// another session, which got the last text of this folder.
func (s *Sessions) lastContext(o ContextOptions, p *workspace.Place) (savedContext, bool) {
	var names []string
	switch {
	case o.Session == "":
	case o.Source == "resume":
		names = []string{s.savedContextFile(o.Session)}
	case o.Source == "fork":
		for _, info := range newestFiles(s.seenDir(), workspace.ContextSuffix) {
			names = append(names, filepath.Join(s.seenDir(), info.Name()))
		}
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		var saved savedContext
		if err == nil && json.Unmarshal(b, &saved) == nil && saved.Folder == p.Folder {
			return saved, true
		}
	}
	return savedContext{}, false
}

// told reports whether a session got its context.
func (s *Sessions) told(session string) bool {
	_, err := os.Stat(s.savedContextFile(session))
	return err == nil
}

// Untold notes that what a session was told is in its conversation no more.
func (s *Sessions) Untold(session string) {
	_ = os.Remove(s.savedContextFile(session)) // there may be none
	_ = os.Remove(s.seenFile(session))
}

// tellApart gives a context whose state is unchanged its former text. Any other context gets a line
// that no earlier one has, since the client drops a text that the conversation had at any time.
func (s *Sessions) tellApart(c *Context, last savedContext) {
	switch {
	case c.Text == "":
	case last.State == transcript.TextHash(c.Text):
		c.Text, c.Again = last.Text, true
	default:
		at := s.ws.Options.Now().UTC().Format("2006-01-02 15:04:05.000")
		c.Text = "This takes the place of what gitmem said earlier in this conversation (" + at + " UTC).\n" + c.Text
	}
	c.Characters = sessioncontext.UTF16Len(c.Text)
}

// saveContext keeps a session context for when its session goes on, and notes that its
// citations were injected. state is the hash of what is known.
func (s *Sessions) saveContext(o ContextOptions, p *workspace.Place, c Context, state string) error {
	if o.Session == "" || s.ws.Homeless {
		return nil
	}
	if o.Source == "compact" {
		_ = os.Remove(s.seenFile(o.Session)) // what was injected is in the conversation no more
	}
	if c.Text == "" && !o.Once {
		return nil
	}
	b, err := json.Marshal(savedContext{Folder: p.Folder, State: state, Text: c.Text})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.seenDir(), 0o700); err != nil {
		return err
	}
	s.makeRoom(workspace.ContextSuffix, workspace.MaxContextFiles)
	if err := os.WriteFile(s.savedContextFile(o.Session), b, 0o600); err != nil { // a broken one is read as none
		return err
	}
	return s.MarkInjected(o.Session, c.Citations)
}

// newestFiles lists the files of a folder with an ending, those that changed last
// first; none where the folder can't be read.
func newestFiles(dir, ending string) []fs.FileInfo {
	entries, _ := os.ReadDir(dir)
	var infos []fs.FileInfo
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ending {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			infos = append(infos, info)
		}
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	return infos
}
