package gitmem

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown"
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

// Difference is what memory changed since a state. The JSON form is a public contract.
type Difference struct {
	From  string       `json:"from"` // commit that is compared with; "" for the time before there was any
	Files []FileChange `json:"changes"`
}

// Diff tells what memory changed since a time (3d, yesterday, 2026-11-01) or since
// a revision of the store, what is not committed yet included; "" means since the
// last commit. what narrows to a path or a citation.
func (h *History) Diff(ctx context.Context, since, what string) (Difference, error) {
	if err := h.m.needStore(); err != nil {
		return Difference{}, err
	}
	var t target
	if what != "" {
		var err error
		if t, err = h.m.target(ctx, what); err != nil {
			return Difference{}, err
		}
	}
	from, err := h.m.stateAt(since)
	if err != nil {
		return Difference{}, err
	}
	files, err := h.m.store.Difference(ctx, from, "", t.rel)
	if err != nil {
		return Difference{}, err
	}
	own, may, err := h.m.reachable(ctx)
	if err != nil {
		return Difference{}, err
	}
	if h.m.tellLeftOut(own); own != nil {
		files = slices.DeleteFunc(files, func(f store.FileDiff) bool { return !may(f.Path) })
	}
	if t.part {
		for i := range files {
			files[i].Before = h.m.onlyIn(files[i], t.lines)
		}
	}
	return Difference{From: from, Files: h.m.fileChanges(files)}, nil
}

// stateAt is the commit that memory was at; "" when there was none yet.
func (m *Memory) stateAt(since string) (string, error) {
	if since == "" {
		since = "HEAD"
	}
	if at, err := search.ParseTime(since, m.o.Now()); err == nil {
		if at.Since.IsZero() {
			at.Since = at.Until
		}
		return m.store.At(at.Since)
	}
	c, err := m.store.Look(since)
	switch {
	case errors.Is(err, store.ErrNotFound) && since == "HEAD":
		return "", nil
	case errors.Is(err, store.ErrNotFound):
		return "", fmt.Errorf("%w: --since %s is neither a time (3d, yesterday, 2026-11-01) nor a commit of %s", ErrUsage, since, m.root)
	}
	return c.Hash, err
}

// onlyIn is the earlier state of a file as if only what touches the lines had
// changed since.
func (m *Memory) onlyIn(f store.FileDiff, lines markdown.Lines) []byte {
	out, at := []byte{}, 0
	for _, h := range linediff.Diff(f.Before, f.After) {
		if h.New.Start > lines.End || h.New.End < lines.Start || h.New.Len() > 0 && (h.New.Start == lines.End || h.New.End == lines.Start) {
			continue
		}
		out = append(append(out, f.After[at:h.NewAt]...), h.Removed...)
		at = h.NewAt + len(h.Added)
	}
	return append(out, f.After[at:]...)
}

// fileChanges redacts both states whole, before anything is cut out of them.
func (m *Memory) fileChanges(files []store.FileDiff) []FileChange {
	out := []FileChange{}
	for _, f := range files {
		if f.Before != nil && f.After != nil && bytes.Equal(f.Before, f.After) {
			continue
		}
		out = append(out, m.fileChange(f))
	}
	return out
}

// diffContext is how many equal lines are shown around a change, as by git.
const diffContext = 3

func (m *Memory) fileChange(f store.FileDiff) FileChange {
	c := FileChange{Path: m.clean(f.Path), Status: "modified"}
	before, after := c.Path, c.Path
	switch {
	case f.Before == nil:
		c.Status, before = "added", ""
	case f.After == nil:
		c.Status, after = "deleted", ""
	}
	a, b := m.shown(f.Path, f.Before), m.shown(f.Path, f.After)
	hunks := linediff.Diff(a, b)
	c.Added, c.Removed = linediff.Counts(hunks)
	c.Patch = linediff.Unified(before, after, a, hunks, diffContext)
	c.Redacted = c.Patch == "" && !bytes.Equal(f.Before, f.After)
	return c
}
