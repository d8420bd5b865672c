package cite

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gitmem/gitmem/providers"
	"github.com/gitmem/gitmem/providers/git"
)

// BlameID returns the citation id of lines of a file at a commit. Lines are counted from 1 and the range includes both
// ends; to may be 0 for one line.
func BlameID(path string, from, to int, sha string) ID {
	if to == from {
		to = 0
	}
	return ID{Kind: KindBlame, Name: path, Number: from, To: to, Fragment: strings.ToLower(sha)}
}

// lastLine returns the last line of a blame id.
func (id ID) lastLine() int { return max(id.Number, id.To) }

// blame resolves lines at their commit.
func (r *Resolver) blame(id ID) (Source, error) {
	if r.Repository == nil {
		return Source{}, fmt.Errorf("%s: not inside a git repository: %w", id, ErrNotFound)
	}
	c, err := r.Repository.Commit(id.Fragment)
	var body []byte
	if err == nil {
		body, err = r.Repository.Blob(c.Hash, id.Name)
	}
	if errors.Is(err, git.ErrNotFound) {
		return Source{}, fmt.Errorf("%s: %w in %s", id, ErrNotFound, r.Repository.Location().GitDir)
	}
	if err != nil {
		return Source{}, fmt.Errorf("%s: %w", id, err)
	}
	// redact the whole file, since a secret may span lines
	text, ok := CutLines(r.Redactor.Lines(string(body)), id.Number, id.lastLine())
	if !ok {
		return Source{}, fmt.Errorf("%s: the file had no such line: %w", id, ErrNotFound)
	}
	id.Fragment = c.Hash
	path := r.Redactor.Path(id.Name)
	return Source{
		ID: id.String(), Layer: LayerTeam, Source: providers.Git,
		Type:  providers.InferType(c.Subject, c.Body, []string{path}),
		Title: fmt.Sprintf("%s:%s at %s", path, id.lines(), c.Hash[:12]), Text: text,
		Author: r.clean(c.Author.Name), Time: c.Author.When, Project: r.clean(r.Project), Path: path, Line: id.Number,
		Paths: []string{path},
		URL:   r.page(id),
	}, nil
}

// CutLines returns a range of lines of a text, counted from 1 and including both ends, and whether all of them exist.
func CutLines(text string, from, to int) (string, bool) {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		if n++; n >= from && n <= to {
			b.WriteString(line)
		}
	}
	return b.String(), n >= to
}
