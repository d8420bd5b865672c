package session

import (
	"context"
	"errors"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// past is what history tells of a section.
func (a *again) past(ctx context.Context, o *oldSection) (*archive.Past, error) {
	if o.day.pasts == nil {
		if err := a.readPast(ctx, o.day); err != nil {
			return nil, err
		}
	}
	if o.day.pasts[o.ID] == nil {
		o.day.pasts[o.ID] = archive.NewPast()
	}
	return o.day.pasts[o.ID], nil
}

// readPast reads who changed what of the sections of a file. A commit in which a section comes to
// be, or that derives it again, has it from gitmem; any other one may hold what a person edited.
func (a *again) readPast(ctx context.Context, d *archiveDay) error {
	if a.log == nil {
		a.log = map[string][]store.CommitInfo{}
		for c, err := range a.sessions.ws.Store.Log(ctx, 0, "gitmem/projects") {
			if err != nil {
				return err
			}
			for _, rel := range c.Paths {
				a.log[rel] = append(a.log[rel], c)
			}
		}
	}
	d.pasts = map[string]*archive.Past{}
	for _, c := range slices.Backward(a.log[d.Path]) {
		after, err := a.textsAt(c.Hash, d)
		if err != nil {
			return err
		}
		before, whole := map[string]string{}, true
		if len(c.Parents) > 0 {
			_, err := a.sessions.ws.Store.Look(c.Parents[0])
			if whole = err == nil; whole { // else history was cut off here
				before, err = a.textsAt(c.Parents[0], d)
			}
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		op := func(names ...string) bool {
			return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(c.Trailers, "Gitmem-Op: "+name) })
		}
		for id, text := range after {
			if d.pasts[id] == nil {
				d.pasts[id] = archive.NewPast()
			}
			d.pasts[id].Change(before[id], text, op(againOp) || before[id] == "" && whole && op("archive", "observe"))
		}
	}
	return nil
}

// textsAt are the sections of a file in a commit, by their block ids.
func (a *again) textsAt(rev string, d *archiveDay) (map[string]string, error) {
	b, err := a.sessions.ws.Store.Read(rev, d.Path)
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	texts := map[string]string{}
	for _, s := range archive.SectionsOf(b, d.time) {
		texts[s.ID] = string(s.Span.Of(b))
	}
	return texts, err
}
