package tombstone

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/markdown"
)

// kindDeleted is the kind, and the class, of what a person deleted by hand.
const kindDeleted = "deleted"

// BlockKey returns the key of a block id in a file of the archive.
func BlockKey(rel, id string) string { return rel + "\x00" + id }

// SectionKey returns the key of a session's section in a day's file, by its block id, independent of the project.
func SectionKey(session, date, id string) string {
	return "section\x00" + session + "\x00" + date + "\x00" + id
}

// ThroughKey returns the key of a session's section by its end in the transcript: the line, and the mark of the message
// there.
func ThroughKey(session string, line int, mark string) string {
	return fmt.Sprintf("through\x00%s\x00%d\x00%s", session, line, mark)
}

// Deleted returns the tombstone of a key that was deleted by hand.
func (b Builder) Deleted(key string) Tombstone {
	return b.newTombstone(kindDeleted, kindDeleted, key)
}

// HasDeleted reports whether a key was deleted by hand.
func (s *Set) HasDeleted(key string) bool {
	return s.AnyDeleted() && slices.ContainsFunc(s.salts, func(salt string) bool {
		return s.Holds(Tombstone{Salt: salt, Hash: digest(salt, kindDeleted, key)})
	})
}

// AnyDeleted reports whether anything was deleted by hand.
func (s *Set) AnyDeleted() bool { return s != nil && len(s.deleted) > 0 }

// Listed returns the list without the tombstones of keys that were put back by hand, and with those of deleted keys.
func (b Builder) Listed(list []byte, deleted, back []string) []byte {
	drop := &Set{}
	for _, salt := range ParseSet(list).salts {
		for _, key := range back {
			drop.put(Builder{Salt: salt}.Deleted(key))
		}
	}
	var add []Tombstone
	for _, key := range deleted {
		if !ParseSet(list).HasDeleted(key) {
			add = append(add, b.Deleted(key))
		}
	}
	return changed(list, add, drop)
}

// Reverted returns the list with a change of the manually deleted entries reverted; the rest of the change is kept.
func Reverted(before, after, now []byte) []byte {
	was, is := ParseSet(before), ParseSet(after)
	drop := &Set{}
	for _, t := range is.deleted {
		if !was.Holds(t) {
			drop.put(t)
		}
	}
	var add []Tombstone
	for _, t := range was.deleted {
		if !is.Holds(t) && !ParseSet(now).Holds(t) {
			add = append(add, t)
		}
	}
	slices.SortFunc(add, func(x, y Tombstone) int { return strings.Compare(x.String(), y.String()) })
	return changed(now, add, drop)
}

// changed returns the list without the lines of some tombstones, and with others added at its end.
func changed(list []byte, add []Tombstone, drop *Set) []byte {
	var out []byte
	for line := range bytes.Lines(list) {
		if t, ok := parseTombstone(strings.TrimSpace(string(line))); !ok || !drop.Holds(t) {
			out = append(out, line...)
		}
	}
	if len(add) > 0 && len(out) == 0 {
		out = []byte(Header)
	}
	if len(add) > 0 && out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	for _, t := range add {
		out = append(out, t.String()+"\n"...)
	}
	return out
}

// WithoutDeleted returns the list without the tombstones of what was deleted by hand.
func WithoutDeleted(list []byte) []byte {
	return changed(list, nil, &Set{deleted: ParseSet(list).deleted})
}

// AfterMerge is Cut for the result of a merge: it also removes what was deleted by hand, since another machine may
// still have it, or have changed it. A file of the archive with only its frontmatter and title left is removed.
func (c Cutter) AfterMerge(f cite.File, merged []byte) (out []byte, cut []string) {
	c.deleted = f.Area == cite.AreaArchive && c.Set.AnyDeleted()
	out, cut = c.Cut(f, merged)
	if f.Area == cite.AreaArchive && len(cut) > 0 && isEmptyDay(out) {
		return nil, cut
	}
	return out, cut
}

// isEmptyDay reports whether a file of the archive contains only its frontmatter and title.
func isEmptyDay(src []byte) bool {
	d := markdown.Parse(src)
	text := d.Body.Of(src)
	if len(d.Sections) > 0 && d.Sections[0].Level == 1 {
		text = slices.Concat(src[d.Body.Start:d.Sections[0].Heading.Start], src[d.Sections[0].Heading.End:])
	}
	return len(bytes.TrimSpace(text)) == 0
}
