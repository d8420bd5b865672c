package session

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/gitmem/internal/workspace"
)

// Announcement is a message shown to the person once, at the start of a session.
type Announcement struct {
	About []string // citation ids; half of them in an earlier announcement make it a repetition
	Text  string   // "" after it was shown
}

// announcementsFile returns the file with the announcements of a project. It is in the folder of the model's answers,
// which are deleted when something is forgotten.
func (s *Sessions) announcementsFile(p *workspace.Place) string {
	return filepath.Join(s.ws.IndexDir(), workspace.RunsFolder, store.ShortHash(p.Project.ID)+".announced")
}

func (s *Sessions) announcements(p *workspace.Place) (list []Announcement) {
	b, err := os.ReadFile(s.announcementsFile(p))
	if err != nil || json.Unmarshal(b, &list) != nil {
		return nil // a cache
	}
	return list
}

func (s *Sessions) saveAnnouncements(p *workspace.Place, list []Announcement) error {
	b, err := json.Marshal(list)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.announcementsFile(p)), 0o700); err != nil {
		return err
	}
	return os.WriteFile(s.announcementsFile(p), b, 0o600)
}

// Announce stores the first announcement that was not shown yet for the start of the next session in the working
// folder's project, replacing the waiting one.
func (s *Sessions) Announce(ctx context.Context, list []Announcement) error {
	p, err := s.ws.Place(ctx)
	if err != nil {
		return err
	}
	was := s.announcements(p)
	told := slices.DeleteFunc(slices.Clone(was), func(a Announcement) bool { return a.Text != "" })
	i := slices.IndexFunc(list, func(a Announcement) bool {
		return !slices.ContainsFunc(told, func(t Announcement) bool {
			again := slices.DeleteFunc(slices.Clone(a.About), func(id string) bool { return !slices.Contains(t.About, id) })
			return 2*len(again) >= len(a.About)
		})
	})
	if i < 0 && len(told) == len(was) {
		return nil
	}
	if i >= 0 {
		told = append(told, Announcement{list[i].About, s.ws.Clean(list[i].Text)})
	}
	return s.saveAnnouncements(p, told)
}

// announcement returns the waiting text, "" for none.
func (c *contextBuilder) announcement() string {
	list := c.s.announcements(c.p)
	i := slices.IndexFunc(list, func(a Announcement) bool { return a.Text != "" })
	if i < 0 {
		return ""
	}
	text := list[i].Text
	list[i].Text = ""
	if c.s.saveAnnouncements(c.p, list) != nil {
		return "" // it would be shown each time
	}
	return text
}
