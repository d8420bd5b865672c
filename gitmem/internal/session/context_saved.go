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
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// savedContext is what a session got when it began: the client runs the hook again when
// the session is resumed, drops a text that is in the conversation already and adds
// any other.
type savedContext struct {
	Folder string `json:"folder"`
	Print  string `json:"print"` // of what is excluded and forgotten: what must go may not stay here
	Text   string `json:"text"`
}

// savedContextFile lies beside the index, as what can be done without.
func (s *Sessions) savedContextFile(session string) string {
	return filepath.Join(s.seenDir(), store.ShortHash(session)+workspace.ContextSuffix)
}

// loadContext is what a session that goes on got when it began. After a compaction the
// conversation holds it no more, so that it is made anew; a forked session begins with
// the conversation of another one, which got the last text of this folder.
func (s *Sessions) loadContext(o ContextOptions, p *workspace.Place) (string, bool) {
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
		if err != nil || json.Unmarshal(b, &saved) != nil || saved.Folder != p.Folder {
			continue
		}
		ok := saved.Print == s.src.Exclusions() && saved.Text != "" && sessioncontext.UTF16Len(saved.Text) <= sessioncontext.MaxUnits
		return s.ws.Clean(saved.Text), ok
	}
	return "", false
}

// saveContext keeps a session context for when its session goes on, and notes that its
// citations were injected.
func (s *Sessions) saveContext(o ContextOptions, p *workspace.Place, c Context) error {
	if o.Session == "" || s.ws.Homeless {
		return nil
	}
	if o.Source == "compact" {
		_ = os.Remove(s.seenFile(o.Session)) // what was injected is in the conversation no more
	}
	if c.Text == "" {
		return nil
	}
	b, err := json.Marshal(savedContext{Folder: p.Folder, Print: s.src.Exclusions(), Text: c.Text})
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
	return s.markInjected(o.Session, c.Citations)
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
