package query

import (
	"bytes"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown/linediff"
)

// FileChange is the change of one file. The JSON form is a public contract.
type FileChange struct {
	Path    string `json:"path"`
	Status  string `json:"status"` // added, modified or deleted
	Added   int    `json:"added"`  // lines
	Removed int    `json:"removed"`
	Patch   string `json:"patch"` // in the unified format
	// Redacted means that all changes are hidden: both states look the same without secrets and forgotten text.
	Redacted bool `json:"redacted"`
}

// FileChanges returns the changes of files. It redacts both states as a whole before it extracts changes.
func (rd *Reader) FileChanges(files []store.FileDiff) []FileChange {
	out := []FileChange{}
	for _, f := range files {
		if f.Before != nil && f.After != nil && bytes.Equal(f.Before, f.After) {
			continue
		}
		out = append(out, rd.fileChange(f))
	}
	return out
}

func (rd *Reader) fileChange(f store.FileDiff) FileChange {
	c := FileChange{Path: rd.ws.Clean(f.Path), Status: "modified"}
	before, after := c.Path, c.Path
	switch {
	case f.Before == nil:
		c.Status, before = "added", ""
	case f.After == nil:
		c.Status, after = "deleted", ""
	}
	a, b := rd.src.Shown(f.Path, f.Before), rd.src.Shown(f.Path, f.After)
	hunks := linediff.Diff(a, b)
	c.Added, c.Removed = linediff.Counts(hunks)
	c.Patch = linediff.Unified(before, after, a, hunks, diffContext)
	c.Redacted = c.Patch == "" && !bytes.Equal(f.Before, f.After)
	return c
}

// diffContext is the number of unchanged lines around a change, as in git.
const diffContext = 3
