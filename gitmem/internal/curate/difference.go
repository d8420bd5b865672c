package curate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/messages"
	"github.com/gitmem/gitmem/gitmem/internal/query"
	"github.com/gitmem/gitmem/gitmem/internal/search"
	"github.com/gitmem/gitmem/gitmem/internal/store"
	"github.com/gitmem/gitmem/markdown"
	"github.com/gitmem/gitmem/markdown/linediff"
)

// Difference is the change of memory since an earlier state. The JSON form is a public contract.
type Difference struct {
	From  string             `json:"from"` // base commit; "" for the time before the first commit
	Files []query.FileChange `json:"changes"`
}

// Diff returns the changes of memory since a time (3d, yesterday, 2026-11-01) or a revision of the store, including
// uncommitted ones; "" means since the last commit. what restricts them to a path or a citation.
func (ed *Editor) Diff(ctx context.Context, since, what string) (Difference, error) {
	if err := ed.needStore(); err != nil {
		return Difference{}, err
	}
	var t target
	if what != "" {
		var err error
		if t, err = ed.target(ctx, what); err != nil {
			return Difference{}, err
		}
	}
	from, err := ed.stateAt(ctx, since)
	if err != nil {
		return Difference{}, err
	}
	files, err := ed.ws.Store.Difference(ctx, from, "", t.rel)
	if err != nil {
		return Difference{}, err
	}
	own, may, err := ed.ws.Reachable(ctx)
	if err != nil {
		return Difference{}, err
	}
	if ed.ws.WarnLeftOut(own); own != nil {
		files = slices.DeleteFunc(files, func(f store.FileDiff) bool { return !may(f.Path) })
	}
	if t.part {
		for i := range files {
			files[i].Before = ed.onlyIn(files[i], t.lines)
		}
	}
	return Difference{From: from, Files: ed.reader.FileChanges(files)}, nil
}

// stateAt returns the commit of memory at a time or revision, or "" if there was none yet.
func (ed *Editor) stateAt(ctx context.Context, since string) (string, error) {
	since = cmp.Or(since, "HEAD")
	if at, err := search.ParseTime(since, ed.ws.Options.Now()); err == nil {
		if at.Since.IsZero() {
			at.Since = at.Until
		}
		return ed.ws.Store.At(at.Since)
	}
	c, err := ed.ws.Store.Look(ctx, since)
	switch {
	case errors.Is(err, store.ErrNotFound) && since == "HEAD":
		return "", nil
	case errors.Is(err, store.ErrNotFound):
		return "", fmt.Errorf("%w: --since %s is neither a time (3d, yesterday, 2026-11-01) nor a commit of %s",
			messages.ErrUsage, since, ed.ws.Root)
	}
	return c.Hash, err
}

// onlyIn returns the earlier state of a file as if only the changes that touch the lines had been made since.
func (ed *Editor) onlyIn(f store.FileDiff, lines markdown.Lines) []byte {
	out, at := []byte{}, 0
	for _, h := range linediff.Diff(f.Before, f.After) {
		if h.New.Start > lines.End || h.New.End < lines.Start || h.New.Len() > 0 &&
			(h.New.Start == lines.End || h.New.End == lines.Start) {
			continue
		}
		out = append(append(out, f.After[at:h.NewAt]...), h.Removed...)
		at = h.NewAt + len(h.Added)
	}
	return append(out, f.After[at:]...)
}
