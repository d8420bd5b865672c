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
				e.putBackRemoved(was, c)
			}
		}
	})
}

// putBackRemoved puts back what a change took out.
func (e *editor) putBackRemoved(was *Profile, c Change) {
	for _, old := range was.Entries {
		there := slices.ContainsFunc(e.p.Entries, func(known Entry) bool { return known.Path == old.Path })
		if c.Remove && !there && removes(c, old) {
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
