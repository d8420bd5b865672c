package archiving

import (
	"cmp"
	"errors"
	"slices"

	"github.com/gitmem/gitmem/gitmem/internal/archive"
	"github.com/gitmem/gitmem/gitmem/internal/store"
)

// past returns the history of a section.
func (a *again) past(o *oldSection) (*archive.Past, error) {
	if o.day.pasts == nil {
		if err := a.readPast(o.day); err != nil {
			return nil, err
		}
	}
	return cmp.Or(o.day.pasts[o.ID], archive.NewPast()), nil
}

// readPast reads from the history who changed the sections of a file. gitmem wrote a section in a commit that creates
// it or derives it again. Every other commit may contain edits of a person, and so may changes that no single-parent
// commit explains.
func (a *again) readPast(d *archiveDay) (err error) {
	pasts, last := map[string]*archive.Past{}, map[string]string{}
	change := func(before, after map[string]string, gitmem func(comes bool) bool) {
		for id, text := range after {
			if pasts[id] = cmp.Or(pasts[id], archive.NewPast()); before[id] != text {
				pasts[id].Change(before[id], text, gitmem(before[id] == ""))
				last[id] = text
			}
		}
	}
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
		change(before, after, func(comes bool) bool {
			return !c.Cut && (op(againOp) || comes && (op("archive") || op("observe")))
		})
	}
	change(last, textsOf(d.read, d), func(bool) bool { return false })
	d.pasts = pasts
	return nil
}

// textsAt returns the sections of a file in a commit, by block id.
func (a *again) textsAt(rev string, d *archiveDay) (map[string]string, error) {
	b, err := a.archives.ws.Store.Read(rev, d.Path)
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return textsOf(b, d), err
}

func textsOf(b []byte, d *archiveDay) map[string]string {
	texts := map[string]string{}
	for _, s := range archive.SectionsOf(b, d.time) {
		texts[s.ID] = string(s.Span.Of(b))
	}
	return texts
}
