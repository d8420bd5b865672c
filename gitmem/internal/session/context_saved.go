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

// savedContext is the last context that a session received. The client runs the hook again when the session is resumed,
// and drops a text that equals any earlier one of the conversation.
type savedContext struct {
	Folder string `json:"folder"`
	State  string `json:"state"` // hash of the content, without the line that makes it unique
	Text   string `json:"text"`
}

// savedContextFile returns the path of the saved context, in the folder of the index, since it is dispensable.
func (s *Sessions) savedContextFile(session string) string {
	return filepath.Join(s.seenDir(), store.ShortHash(session)+workspace.ContextSuffix)
}

// lastContext returns the last context of a continued conversation, if there was one. A compaction removes it from the
// conversation. A forked session begins with the conversation of another session, which received the last text of this
// folder.
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

// told reports whether a session has received its context.
func (s *Sessions) told(session string) bool {
	_, err := os.Stat(s.savedContextFile(session))
	return err == nil
}

// Untold records that the context of a session is no longer in its conversation.
func (s *Sessions) Untold(session string) {
	_ = os.Remove(s.savedContextFile(session)) // it may not exist
	_ = os.Remove(s.seenFile(session))
}

// tellApart restores the former text of a context with unchanged state. Any other context gets a unique line, since the
// client drops a text that occurred earlier in the conversation.
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

// saveContext stores a session context for when its session continues, and records that its citations were injected.
// state is the hash of the content.
func (s *Sessions) saveContext(o ContextOptions, p *workspace.Place, c Context, state string) error {
	if o.Session == "" || s.ws.Homeless {
		return nil
	}
	if o.Source == "compact" {
		_ = os.Remove(s.seenFile(o.Session)) // injected texts are no longer in the conversation
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
	if err := os.WriteFile(s.savedContextFile(o.Session), b, 0o600); err != nil { // a broken file counts as none
		return err
	}
	return s.MarkInjected(o.Session, c.Citations)
}

// newestFiles lists the files in a folder with a suffix, last changed first; none if the folder can't be read.
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
