package profile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/internal/lazy"
	"github.com/gitmem/gitmem/markdown"
)

// Mention contains the statements in one message about its writer.
type Mention struct {
	Changes []Change
	Time    time.Time
	Source  string // citation id of the message, "" for a command
	// Confidence is the confidence of a new value; 0 means 1.
	Confidence float64
	By         answer.Trust // see [Entry]
}

// Head returns the file at a path without any values.
func Head(rel string) []byte {
	kind := "profile"
	if rel != File {
		kind = pathOrders
	}
	return []byte("---\nformat: 1\nkind: " + kind + "\n---\n")
}

// Update applies mentions to a profile.md, in order, and returns the new bytes and the actions, one line each: "set
// tools.editor Neovim". A message that is already the source of a value, or older than the value's last mention, does
// not change it: forks of sessions repeat old messages. A message so old that its value would have decayed since sets
// nothing. Values written by hand are recorded as mentioned now. A change that can't be made is skipped and reported in
// the error; the others are made.
func Update(src []byte, now time.Time, mentions []Mention) (out []byte, done []string, err error) {
	return edit(src, now, func(e *editor) {
		for _, m := range mentions {
			if e.at = e.now; m.Source != "" && m.Time.Before(e.now) {
				e.at = m.Time.UTC().Truncate(time.Second)
			}
			for _, c := range m.Changes {
				e.change(m, c)
			}
		}
	})
}

// Remove removes the values at a path, and below it, from a profile.md.
func Remove(src []byte, now time.Time, path string) (out []byte, done []string, err error) {
	return edit(src, now, func(e *editor) {
		for _, entry := range e.p.Find(path) {
			e.remove(entry, "remove")
		}
	})
}

// Pin prevents the values at a path from decaying, or lets them decay again.
func Pin(src []byte, now time.Time, path string, pinned bool) (out []byte, done []string, err error) {
	return edit(src, now, func(e *editor) {
		for _, entry := range e.p.Find(path) {
			if entry.Pinned == pinned {
				continue
			}
			entry.Confidence, entry.LastSeen, entry.Pinned = entry.Now(now), now, pinned
			if e.note(entry) {
				e.did(map[bool]string{true: "pin", false: "unpin"}[pinned], entry.Path)
			}
		}
	})
}

// Confirm marks the values at a path as the user's own.
func Confirm(src []byte, now time.Time, path string) (out []byte, done []string, err error) {
	return edit(src, now, func(e *editor) {
		for _, entry := range e.p.Find(path) {
			if entry.By == "" {
				continue
			}
			entry.By, entry.Confidence, entry.LastSeen = "", 1, now
			if e.note(entry) {
				e.did("confirm", entry.Path, entry.Value)
			}
		}
	})
}

// Decay removes values that were not mentioned for too long.
func Decay(src []byte, now time.Time) (out []byte, done []string, err error) {
	return edit(src, now, func(e *editor) {
		for _, entry := range e.p.Entries {
			if entry.stale(now) {
				e.remove(entry, "decay")
			}
		}
	})
}

// editor changes a profile.md step by step.
type editor struct {
	p       *Profile
	src     []byte
	now     time.Time
	at      time.Time // time of the current mention: now, or earlier
	done    []string
	removed time.Time // time of the last removal, zero for none
	err     error
}

// edit applies changes to a profile.md. If nothing changes, it returns the same bytes.
func edit(src []byte, now time.Time, change func(*editor)) ([]byte, []string, error) {
	now = now.UTC().Truncate(time.Second)
	e := &editor{src: src, now: now, at: now}
	if e.p, e.err = Read(src); e.err != nil {
		return nil, nil, e.err
	}
	e.adopt()
	change(e)
	if e.removed.After(e.p.removed) {
		e.field(markdown.FieldChange{Path: []string{"meta", metaRemoved}, Value: "{last_seen: " +
			quote(e.removed.Format(time.RFC3339)) + "}", Raw: true})
	}
	return e.src, e.done, e.err
}

// metaRemoved is the key in meta of the time of the last removal.
const metaRemoved = "removed"

// adopt records values that were written or removed by hand.
func (e *editor) adopt() {
	for _, path := range e.p.orphans {
		if e.field(markdown.FieldChange{Path: []string{"meta", path}, Remove: true}) {
			e.removed = e.now
			e.did("remove", path, "(by hand)")
		}
	}
	for _, entry := range e.p.Entries {
		if entry.LastSeen.IsZero() && !entry.Pinned {
			entry.Source, entry.Said, entry.By = "", "", ""
			entry.LastSeen, entry.Pinned = e.now, entry.of() == pathOrders
			if e.note(entry) {
				e.did("set", entry.Path, entry.Value, "(by hand)")
			}
		}
	}
}

// did records an action.
func (e *editor) did(words ...string) {
	e.done = append(e.done, strings.Join(strings.Fields(strings.Join(words, " ")), " "))
}

// field changes the frontmatter, parses it again, and reports whether it changed.
func (e *editor) field(c markdown.FieldChange) bool {
	edits, err := e.p.doc.EditFields(c)
	src := e.src
	if err == nil {
		src, err = markdown.Apply(e.src, edits...)
	}
	p := e.p
	if err == nil {
		p, err = Read(src)
	}
	if err != nil {
		e.err = errors.Join(e.err, err)
		return false
	}
	changed := !bytes.Equal(src, e.src)
	e.src, e.p = src, p
	return changed
}

// change makes one change.
func (e *editor) change(m Mention, c Change) {
	c.Value = strings.Join(strings.Fields(c.Value), " ")
	if Key(c.Value) == "" {
		return
	}
	switch {
	case c.Remove:
		e.removeValue(m, c)
		return
	case c.Mentioned:
		e.mentionValue(m, c)
		return
	}
	entry := Entry{Pinned: c.Path == pathOrders, Path: c.Path, Value: c.Value,
		Confidence: cmp.Or(min(max(m.Confidence, 0), 1), 1), LastSeen: m.Time.UTC().Truncate(time.Second), Source: m.Source,
		Said: c.Said, By: m.By}
	if i := slices.IndexFunc(e.p.Entries, func(known Entry) bool {
		return strings.EqualFold(known.of(), c.Path)
	}); i >= 0 {
		entry.Path = e.p.Entries[i].of() // with the spelling in the file
	}
	of := entry.Path
	if entry.list = e.isList(of); entry.list {
		entry.Path += "." + Key(c.Value)
	}
	i := slices.IndexFunc(e.p.Entries, func(known Entry) bool { return known.Path == entry.Path })
	switch {
	case i >= 0 && Key(e.p.Entries[i].Value) == Key(c.Value) && (m.Source+string(m.By) != "" || entry.list ||
		e.p.Entries[i].Value == c.Value):
		e.mention(e.p.Entries[i], entry)
		return
	case i >= 0 && e.older(m, e.p.Entries[i].LastSeen), e.older(m, e.p.removed), e.newerOpposite(m, entry),
		m.Source != "" && entry.stale(e.now):
		return
	}
	if e.field(markdown.FieldChange{Path: strings.Split(of, "."), Value: c.Value, Item: entry.list}) {
		e.note(entry)
		e.did("set", entry.Path, c.Value+entry.By.Mark())
		e.dropOpposite(entry)
	}
}

// older reports whether a message is older than a time. A command counts as now, which is never before a time.
func (e *editor) older(m Mention, than time.Time) bool {
	return m.Source != "" && m.Time.Before(than) && !than.After(e.now)
}

// mention records another mention of a value. Mentions by others do not change the user's own values.
func (e *editor) mention(known, again Entry) {
	if again.By != "" && known.By == "" || again.Source != "" && again.Source == known.Source ||
		again.LastSeen.Before(known.LastSeen) && !known.LastSeen.After(e.now) {
		return
	}
	known.Confidence = min(1, known.Now(again.LastSeen)+perMention)
	known.LastSeen, known.Source, known.Said, known.By = again.LastSeen, again.Source, again.Said, again.By
	if e.note(known) {
		e.did("mention", known.Path)
		e.dropOpposite(known)
	}
}

// mentionValue records that the value of a change is in use, at any path. The author of the value does not change.
func (e *editor) mentionValue(m Mention, c Change) {
	for _, known := range e.p.Entries {
		if Key(known.Value) == Key(c.Value) && known.of() != pathAvoid {
			e.mention(known, Entry{LastSeen: m.Time.UTC().Truncate(time.Second), Source: m.Source, Said: c.Said, By: known.By})
		}
	}
}

// dropOpposite removes entries that contradict an entry.
func (e *editor) dropOpposite(entry Entry) {
	for _, other := range e.p.Entries {
		if opposite(entry, other) {
			e.remove(other, "remove")
		}
	}
}

// newerOpposite reports whether an entry that contradicts another one was mentioned after a message.
func (e *editor) newerOpposite(m Mention, entry Entry) bool {
	return slices.ContainsFunc(e.p.Entries, func(o Entry) bool { return opposite(entry, o) && e.older(m, o.LastSeen) })
}

// opposite reports whether another list entry contradicts the latest one: nobody prefers what they avoid, and only one
// of the manners of talking from different messages applies. The user's own values are kept whatever others claim.
func opposite(entry, other Entry) bool {
	a, b, same := entry.of(), other.of(), Key(other.Value) == Key(entry.Value)
	switch {
	case !other.list || entry.By != "" && other.By == "":
		return false
	case a == pathTone && b == pathTone:
		manner := extractRules().re("manner")
		return !same && (entry.Source == "" || entry.Source != other.Source) &&
			manner.MatchString(entry.Value) && manner.MatchString(other.Value)
	}
	return same && (a == pathAvoid && b != pathAvoid || b == pathAvoid && (a == pathStacks || a == pathStyle))
}

// isList reports whether a path contains several values.
func (e *editor) isList(path string) bool {
	for _, entry := range e.p.Entries {
		if strings.EqualFold(entry.of(), path) {
			return entry.list
		}
	}
	return slices.Contains(lists[:], path)
}

var valuePath = lazy.Pattern(`^[A-Za-z][\w-]*(\.[A-Za-z][\w-]*){1,3}$`)

// ValidPath reports whether a value can be at a path: two to four keys, or the orders; not one of the file's own
// fields, and not below a list.
func ValidPath(path string) bool {
	section, _, _ := strings.Cut(path, ".")
	below := slices.ContainsFunc(lists[:], func(l string) bool {
		return strings.HasPrefix(strings.ToLower(path), strings.ToLower(l)+".")
	})
	return path == pathOrders || !below && section != "format" && section != "kind" && section != "meta" &&
		valuePath().MatchString(path)
}

// lists are the paths that contain several values.
var lists = [...]string{pathOrders, pathStacks, pathStyle, pathAvoid, pathTone, pathTools}

// The paths that this package refers to by name.
const (
	pathOrders   = "orders"
	pathStacks   = "codePreferences.preferredStacks"
	pathStyle    = "codePreferences.style"
	pathAvoid    = "codePreferences.avoid"
	pathTone     = "codePreferences.tone"
	pathLanguage = "codePreferences.language"
	pathTools    = "tools.other"
	pathEditor   = "tools.editor"
	pathRole     = "work.role"
	pathName     = "work.name"
)

// removeValue removes a value at or below the change's path, or the orders that contain all words of the change.
func (e *editor) removeValue(m Mention, c Change) {
	for _, entry := range e.p.Find(c.Path) {
		if !e.older(m, entry.LastSeen) && removes(c, entry) {
			e.remove(entry, "remove")
		}
	}
}

// removes reports whether a change removes an entry at or below its path.
func removes(c Change, entry Entry) bool {
	same := Key(entry.Value) == Key(c.Value) && entry.of() != pathAvoid
	return same || c.Path == pathOrders && entry.of() == pathOrders && says(entry.Value, c.Value)
}

// says reports whether an order contains every longer word of a text, ignoring endings.
func says(order, text string) bool {
	words := slices.DeleteFunc(strings.Split(Key(text), "-"), func(w string) bool {
		return utf8.RuneCountInString(w) < longWord
	})
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool {
		return !strings.Contains(strings.ToLower(order), string([]rune(w)[:longWord]))
	})
}

// longWord is the minimum length of the words by which orders are compared.
const longWord = 4

// remove removes an entry.
func (e *editor) remove(entry Entry, why string) {
	if !e.field(markdown.FieldChange{Path: strings.Split(entry.of(), "."), Value: entry.Value, Item: entry.list,
		Remove: true}) {
		return
	}
	if entry.meta != "" {
		e.field(markdown.FieldChange{Path: []string{"meta", entry.meta}, Remove: true})
	}
	if e.at.After(e.removed) {
		e.removed = e.at
	}
	e.did(why, entry.Path, entry.Value)
}

// note writes the metadata of an entry to its line in meta, and reports whether it changed.
func (e *editor) note(entry Entry) bool {
	var parts []string
	add := func(key, value string) { parts = append(parts, key+": "+value) }
	if !entry.list {
		add("of", quote(Key(entry.Value)))
	}
	add("confidence", strconv.FormatFloat(float64(int(entry.Confidence*1000+0.5))/1000, 'f', -1, 64))
	add("last_seen", quote(entry.LastSeen.Format(time.RFC3339)))
	if entry.Source != "" {
		add("source", quote(entry.Source))
	}
	if entry.Pinned {
		add("pinned", "true")
	}
	if entry.By != "" {
		add("by", string(entry.By))
	}
	if entry.Said != "" { // last, because what follows the last colon of a line can be forgotten
		add("said", quote(entry.Said))
	}
	return e.field(markdown.FieldChange{Path: []string{"meta", entry.Path}, Value: "{" + strings.Join(parts, ", ") +
		"}", Raw: true})
}

// quote returns a text as a value in a flow mapping, where punctuation ends a plain one.
func quote(s string) string { return fmt.Sprintf("%q", strings.ToValidUTF8(s, "\uFFFD")) }

// OrderChanges returns the standing orders of a message as changes: those for the project, and those for everywhere. A
// revoked order is removed in both. The name by which somebody wants to be called is not an order.
func OrderChanges(message string) (here, everywhere []Change) {
	for _, o := range Orders(message) {
		said := Extract(o.Text)
		isName := func(c Change) bool { return c.Path == pathName && strings.HasPrefix(fold(o.Text), fold(c.Said)) }
		if i := slices.IndexFunc(said, isName); i >= 0 && !o.Revokes {
			everywhere = append(everywhere, said[i])
			continue
		}
		c := Change{Path: pathOrders, Value: o.Text, Remove: o.Revokes}
		if o.Revokes {
			c.Value = orderRules().replace("revoking", o.Text, " ")
		}
		if o.Person || o.Revokes {
			everywhere = append(everywhere, c)
		}
		if !o.Person || o.Revokes {
			here = append(here, c)
		}
	}
	return here, everywhere
}
