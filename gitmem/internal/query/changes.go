package query

import (
	"bytes"

	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown/linediff"
)

// FileChange is what became of one file. The JSON form is a public contract.
type FileChange struct {
	Path    string `json:"path"`
	Status  string `json:"status"` // added, modified or deleted
	Added   int    `json:"added"`  // lines
	Removed int    `json:"removed"`
	Patch   string `json:"patch"` // in the unified format
	// Redacted says that there are changes which nobody is shown: both states look
	// the same without their secrets and without what was forgotten.
	Redacted bool `json:"redacted"`
}

// FileChanges redacts both states whole, before anything is cut out of them.
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

// diffContext is how many equal lines are shown around a change, as by git.
const diffContext = 3
