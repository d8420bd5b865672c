package profile

import (
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/markdown"
)

// TakeBack reverts in a profile.md the changes of messages that no longer count. before is the file as it was before
// these messages: values that one of the messages set last are removed or restored from it, and values that one of them
// removed are restored. It returns the new bytes and the actions as [Update] does.
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

// putBackRemoved restores what a change of a message removed, unless another value has replaced it.
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

// putBack restores an entry.
func (e *editor) putBack(old Entry) {
	e.field(markdown.FieldChange{Path: strings.Split(old.of(), "."), Value: old.Value, Item: old.list})
	if e.note(old) {
		e.did("restore", old.Path, old.Value)
	}
}
