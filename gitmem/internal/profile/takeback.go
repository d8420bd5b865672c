package profile

import (
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/markdown"
)

// TakeBack undoes in a profile.md what messages said that do not count any more. Values that one
// of them said last go, or become what they were in before, the file as it was then; values
// that one of them removed come back from there. It returns the new bytes and what was done as
// [Update] does.
func TakeBack(src, before []byte, now time.Time, gone []Mention) (out []byte, done []string, err error) {
	was, err := Read(before)
	if err != nil {
		return nil, nil, err
	}
	return edit(src, now, func(e *editor) {
		for _, known := range slices.Clone(e.p.Entries) {
			if !slices.ContainsFunc(gone, func(m Mention) bool { return m.Source != "" && m.Source == known.Source }) {
				continue
			}
			if i := slices.IndexFunc(was.Entries, func(o Entry) bool { return o.Path == known.Path }); i >= 0 {
				e.putBack(was.Entries[i])
			} else {
				e.remove(known, "withdraw")
			}
		}
		for _, m := range gone {
			for _, c := range m.Changes {
				e.putBackRemoved(was, m, c)
			}
		}
	})
}

// putBackRemoved puts back what a change of a message took out, unless something else stands in its
// place by now.
func (e *editor) putBackRemoved(was *Profile, m Mention, c Change) {
	said := Entry{Path: c.Path + "." + Key(c.Value), Value: c.Value, Source: m.Source, By: m.By, list: true}
	for _, old := range was.Entries {
		there := slices.ContainsFunc(e.p.Entries, func(known Entry) bool {
			return known.Path == old.Path || opposite(known, old)
		})
		if gone := c.Remove && removes(c, old) || !c.Remove && opposite(said, old); gone && !there {
			e.putBack(old)
		}
	}
}

// putBack writes an entry as it was.
func (e *editor) putBack(old Entry) {
	e.field(markdown.FieldChange{Path: strings.Split(old.of(), "."), Value: old.Value, Item: old.list})
	if e.note(old) {
		e.did("restore", old.Path, old.Value)
	}
}
