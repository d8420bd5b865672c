package session

import (
	"context"
	"os"
	"path/filepath"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// announcedSuffix ends the names of what a session's start tells once. Such a file is empty when it
// was told, and goes with the records of the model's answers, of which it may be one.
const announcedSuffix = ".announced"

// Announce keeps a text, which an id names, for the person who begins the next session of the
// working folder's project. What was told is not told again.
func (s *Sessions) Announce(ctx context.Context, id, text string) {
	p, err := s.ws.Place(ctx)
	if err != nil {
		return
	}
	file := s.announced(p, id)
	if _, err := os.Stat(file); err != nil && os.MkdirAll(filepath.Dir(file), 0o700) == nil {
		_ = os.WriteFile(file, []byte(s.ws.Clean(text)), 0o600) // the next session's end tries again
	}
}

func (s *Sessions) announced(p *workspace.Place, id string) string {
	return filepath.Join(s.ws.IndexDir(), workspace.RunsFolder, store.ShortHash(p.Project.ID)+"-"+id+announcedSuffix)
}

// announcement is one text that waits to be told, "" for none.
func (c *contextBuilder) announcement() string {
	files, _ := filepath.Glob(c.s.announced(c.p, "*")) // the pattern is valid
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && len(text) > 0 && os.Truncate(file, 0) == nil {
			return string(text)
		}
	}
	return ""
}
