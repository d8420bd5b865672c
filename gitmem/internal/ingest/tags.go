package ingest

import (
	"context"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/plain"
	"github.com/gitmem/gitmem/providers/git"
)

// ReleaseTags are the tags of the current repository, read once.
func (src *Sources) ReleaseTags() []git.Tag {
	if src.tagsRead {
		return src.tags
	}
	src.tagsRead = true
	p, err := src.ws.Place(context.Background()) // known by now: nothing is waited for
	if err != nil {
		return nil
	}
	repo, err := src.ws.Repository(p)
	if err != nil || repo == nil {
		return nil
	}
	if src.tags, err = repo.Tags(); err != nil {
		src.ws.Caveat("The tags of the repository could not be read: %v", src.ws.Clean(plain.Text(err)))
	}
	return src.tags
}

// FindTag finds a tag by its name in any case, or else by a version that only one
// line of versions has, the main line first.
func FindTag(tags []git.Tag, name string) (git.Tag, bool) {
	for _, t := range tags {
		if strings.EqualFold(t.Name, name) {
			return t, true
		}
	}
	v, ok := git.ParseVersion(strings.ToLower(name))
	if !ok {
		return git.Tag{}, false
	}
	var found []git.Tag
	for _, t := range tags {
		if len(t.Version.Numbers) == 0 {
			continue
		}
		same := t.Version
		same.Line = v.Line
		switch {
		case same.Compare(v) != 0:
		case strings.EqualFold(t.Version.Line, v.Line):
			return t, true
		case v.Line == "":
			found = append(found, t)
		}
	}
	if len(found) != 1 {
		return git.Tag{}, false
	}
	return found[0], true
}
