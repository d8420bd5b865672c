package gitmem

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gitmem/gitmem/internal/linediff"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/providers/git"
)

// largestCompared is the size of a file, in bytes, from which its change is not shown.
const largestCompared = 1 << 20

// Changes tells what the commit that a source is changed: its files with the numbers of
// lines, and their patches without secrets until these have so many lines; left counts
// the lines beyond. A merge has no change of its own. Where content is missing here,
// the numbers are 0.
//
// ErrUsage: the source is no commit.
func (m *Memory) Changes(ctx context.Context, src Source, lines int) (changes []FileChange, left int, err error) {
	sha, isCommit := strings.CutPrefix(src.ID, "git:commit:")
	if !isCommit {
		return nil, 0, fmt.Errorf("%w: %s is no commit, so that it has no change to show", ErrUsage, src.ID)
	}
	p, err := m.here(ctx)
	if err != nil {
		return nil, 0, err
	}
	repo, err := m.repository(p)
	if err != nil || repo == nil {
		return nil, 0, errors.Join(err, ErrNoRepository)
	}
	c, err := repo.Commit(sha)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", src.ID, err)
	}
	s, err := repo.Substance(ctx, sha)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", src.ID, err)
	}
	if s == nil || len(s.Files) != len(c.Changes) {
		s = nil
	}
	old := map[string]bool{} // paths that were renamed
	for i := 0; s != nil && i < len(s.Files); i++ {
		old[s.Files[i].From] = true
	}
	changes = []FileChange{}
	for i, ch := range c.Changes {
		f := FileChange{Path: m.redactor.Path(ch.Path), Status: map[byte]string{'A': "added", 'D': "deleted"}[ch.Op]}
		before := ch.Path
		if s != nil {
			f.Added, f.Removed = s.Files[i].Added, s.Files[i].Removed
			if s.Files[i].From != "" {
				before, f.Status = s.Files[i].From, "renamed"
			}
		}
		if old[ch.Path] {
			continue // told of with its new path
		}
		if f.Status == "" {
			f.Status = "modified"
		}
		if lines > 0 {
			f.Patch, f.Redacted = m.patch(repo, c, f.Status, before, ch.Path)
		}
		changes = append(changes, f)
	}
	return changes, bound(changes, lines), nil
}

// bound cuts patches behind so many lines and counts those that it takes away.
func bound(changes []FileChange, lines int) (left int) {
	for i := range changes {
		var kept strings.Builder
		for line := range strings.Lines(changes[i].Patch) {
			if lines--; lines < 0 {
				left++
				continue
			}
			kept.WriteString(line)
		}
		changes[i].Patch = kept.String()
	}
	return left
}

// patch is how a file differs from the first parent's, in the unified format and
// without secrets, or a line that says why it is not told. What differs may be
// nothing but secrets.
func (m *Memory) patch(repo *git.Repository, c git.Commit, status, old, path string) (text string, redacted bool) {
	var content [2][]byte
	names := [2]string{m.redactor.Path(old), m.redactor.Path(path)}
	if status == "added" {
		names[0] = ""
	}
	if status == "deleted" {
		names[1] = ""
	}
	for i, at := range []struct{ rev, path string }{{strings.Join(c.Parents[:min(1, len(c.Parents))], ""), old}, {c.Hash, path}} {
		if names[i] == "" {
			continue
		}
		b, err := repo.Blob(at.rev, at.path)
		switch {
		case errors.Is(err, git.ErrTooLarge) || len(b) > largestCompared:
			return m.redactor.Path(path) + ": too large to be compared\n", false
		case err != nil:
			return m.redactor.Path(path) + ": its content is not here\n", false
		case linediff.Binary(b):
			return m.redactor.Path(path) + ": binary\n", false
		}
		content[i] = b
	}
	text = markdown.Unified(names[0], names[1], []byte(m.redactor.Lines(string(content[0]))), []byte(m.redactor.Lines(string(content[1]))), diffContext)
	return text, text == "" && !bytes.Equal(content[0], content[1])
}
