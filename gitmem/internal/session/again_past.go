package session

import (
	"cmp"
	"errors"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// past is what history tells of a section.
func (a *again) past(o *oldSection) (*archive.Past, error) {
	if o.day.pasts == nil {
		if err := a.readPast(o.day); err != nil {
			return nil, err
		}
	}
	return cmp.Or(o.day.pasts[o.ID], archive.NewPast()), nil
}

// readPast reads who changed what of the sections of a file. A commit in which a section comes to
// be, or that derives it again, has it from gitmem; any other one may hold what a person edited.
func (a *again) readPast(d *archiveDay) (err error) {
	pasts := map[string]*archive.Past{}
	for _, c := range slices.Backward(a.log[d.Path]) {
		before := map[string]string{}
		if len(c.Parents) > 0 {
			if before, err = a.textsAt(c.Parents[0], d); err != nil {
				return err
			}
		}
		after, err := a.textsAt(c.Hash, d)
		if err != nil {
			return err
		}
		op := func(name string) bool { return slices.Contains(c.Trailers, "Gitmem-Op: "+name) }
		for id, text := range after {
			pasts[id] = cmp.Or(pasts[id], archive.NewPast())
			begins := before != nil && before[id] == "" && (op("archive") || op("observe"))
			pasts[id].Change(before[id], text, begins || op(againOp))
		}
	}
	d.pasts = pasts
	return nil
}

// textsAt are the sections of a file in a commit, by their block ids; nil where history was cut
// off before it.
func (a *again) textsAt(rev string, d *archiveDay) (map[string]string, error) {
	st := a.sessions.ws.Store
	b, err := st.Read(rev, d.Path)
	if errors.Is(err, store.ErrNotFound) { // the commit, or the file in it
		if _, err := st.Look(rev); err != nil {
			return nil, nil
		}
		err = nil
	}
	texts := map[string]string{}
	for _, s := range archive.SectionsOf(b, d.time) {
		texts[s.ID] = string(s.Span.Of(b))
	}
	return texts, err
}
