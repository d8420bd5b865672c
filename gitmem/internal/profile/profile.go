// Package profile defines what memory stores about the person who works: the format of profile.md, the confidence in
// each value over time, and the extraction of statements in a message about its writer. It is pure: it takes bytes,
// times and messages, and returns values and bytes. It does not know stores, sessions or projects.
package profile

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gitmem/gitmem/gitmem/answer"
	"github.com/gitmem/gitmem/markdown"
)

// File is the path of the profile, relative to the root of memory.
const File = "gitmem/profile.md"

// OrdersFile is the file of a project's standing orders in its folder, in the format of a profile.
const OrdersFile = "orders.md"

// Confidence of a value: it halves each halfLife without a mention, a mention adds perMention up to 1, and a value
// below least is removed.
const (
	halfLife   = 30 * 24 * time.Hour
	perMention = 0.3
	least      = 0.1
)

// Entry is one value of the profile.
type Entry struct {
	// Path is the dot path of the value, for an item of a list with the item's key appended: tools.editor,
	// codePreferences.preferredStacks.bun.
	Path  string
	Value string
	// Confidence is the confidence at the last mention, 0 to 1.
	Confidence float64
	// LastSeen is the time of the last mention; zero for values written by hand since the program last wrote the file.
	LastSeen time.Time
	Source   string       // citation id of the last message with it, "" for a command or an edit
	Said     string       // the words of that message, "" for none
	Pinned   bool         // it does not decay
	By       answer.Trust // a model or another tool, "" for the user
	Line     int          // 1-based line in the file; 0 if unknown
	MetaLine int          // line of its metadata, likewise

	list bool
	meta string // key of its line in meta, "" without one
}

// Now returns the confidence at a time. Before the last mention, for example because the clock was put back, it is the
// confidence at the mention.
func (e Entry) Now(now time.Time) float64 {
	if e.Pinned || e.LastSeen.IsZero() {
		return e.Confidence
	}
	age := max(0, now.Sub(e.LastSeen))
	return e.Confidence * math.Exp2(-float64(age)/float64(halfLife))
}

// stale reports whether the value has not been mentioned for too long.
func (e Entry) stale(now time.Time) bool { return !e.Pinned && e.Now(now) < least }

// Stale reports whether [Decay] would remove a value.
func (p *Profile) Stale(now time.Time) bool {
	return slices.ContainsFunc(p.Entries, func(e Entry) bool { return e.stale(now) })
}

// DaysLeft returns the number of whole days without a mention after which the value is removed; false for one that is
// not removed.
func (e Entry) DaysLeft(now time.Time) (int, bool) {
	if e.Pinned {
		return 0, false
	}
	days := math.Log2(e.Now(now)/least) * halfLife.Hours() / 24
	return max(0, int(math.Ceil(days))), true
}

// Vanishes returns the time at which a value is removed without another mention; zero for one that is not removed, and
// for one without a known mention.
func (e Entry) Vanishes() time.Time {
	if e.Pinned || e.LastSeen.IsZero() {
		return time.Time{}
	}
	return e.LastSeen.Add(time.Duration(max(0, math.Log2(e.Confidence/least)) * float64(halfLife)))
}

// Profile is a parsed profile.md.
type Profile struct {
	Entries []Entry // sorted by path
	Words   string  // the person's own text below the frontmatter

	doc     *markdown.Doc
	orphans []string  // paths in meta that have no value
	removed time.Time // time of the last removal, zero for never
}

// Read parses a profile.md; nil is an empty one. The error explains why its frontmatter can't be parsed.
func Read(src []byte) (*Profile, error) {
	p := &Profile{doc: markdown.Parse(src)}
	p.Words = strings.TrimSpace(string(p.doc.Body.Of(src)))
	if p.doc.Front == nil {
		if len(p.doc.Skipped) > 0 && p.doc.Skipped[0].Span.Start == 0 {
			return nil, errors.New(p.doc.Skipped[0].Reason)
		}
		if n := markdown.ConflictMark(src); n > 0 {
			return nil, fmt.Errorf("a conflict mark on line %d and no frontmatter", n)
		}
		return p, nil
	}
	if p.doc.Front.Err != nil {
		return nil, p.doc.Front.Err
	}
	fields := maps.Clone(p.doc.Front.Fields)
	meta, _ := fields["meta"].(map[string]any)
	// Note editors store creation and modification times in the frontmatter.
	for _, own := range []string{"format", "kind", "meta", "created", "updated", "modified", "date"} {
		delete(fields, own)
	}
	p.addFields("", fields)
	p.addMeta(meta)
	lines := linesOf(p.doc.Front.Span.Of(src))
	for i, e := range p.Entries {
		p.Entries[i].Line, p.Entries[i].MetaLine = lines[e.Path], lines["meta."+e.meta]
	}
	slices.SortStableFunc(p.Entries, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
	return p, nil
}

// addFields adds the values of a mapping.
func (p *Profile) addFields(above string, fields map[string]any) {
	for key, v := range fields {
		path := above + key
		switch v := v.(type) {
		case nil:
		case map[string]any:
			p.addFields(path+".", v)
		case []any:
			for _, item := range v {
				switch item.(type) {
				case nil, map[string]any, []any:
					continue // not a value, for example an item that a colon turns into a mapping
				}
				s := strings.TrimSpace(fmt.Sprint(item))
				known := slices.ContainsFunc(p.Entries, func(e Entry) bool { return e.Path == path+"."+Key(s) })
				if s != "" && !known {
					p.Entries = append(p.Entries, Entry{Path: path + "." + Key(s), Value: s, Confidence: 1, list: true})
				}
			}
		default:
			if s := strings.TrimSpace(fmt.Sprint(v)); s != "" {
				p.Entries = append(p.Entries, Entry{Path: path, Value: s, Confidence: 1})
			}
		}
	}
}

// addMeta adds the metadata to the entries. Metadata of another value than the present one does not apply: somebody has
// replaced the value.
func (p *Profile) addMeta(meta map[string]any) {
	for path, v := range meta {
		note, _ := v.(map[string]any)
		text := func(key string) string { s, _ := note[key].(string); return s }
		if path == metaRemoved {
			p.removed, _ = time.Parse(time.RFC3339, text("last_seen"))
			continue
		}
		i := slices.IndexFunc(p.Entries, func(e Entry) bool { return e.Path == path })
		if i < 0 {
			p.orphans = append(p.orphans, path)
			continue
		}
		e := &p.Entries[i]
		e.meta = path
		if !e.list && text("of") != Key(e.Value) {
			continue
		}
		e.Pinned, _ = note["pinned"].(bool)
		e.LastSeen, _ = time.Parse(time.RFC3339, text("last_seen"))
		e.Source, e.Said = text("source"), text("said")
		if by := answer.Trust(text("by")); by.Mark() != "" {
			e.By = by
		}
		e.Confidence = confidenceOf(note["confidence"])
	}
	slices.Sort(p.orphans)
}

// confidenceOf parses a confidence that may be edited by hand: 1 if it is invalid.
func confidenceOf(v any) float64 {
	switch v := v.(type) {
	case float64:
		if v >= 0 && v <= 1 {
			return v
		}
	case int:
		if v == 0 {
			return 0
		}
	}
	return 1
}

// linesOf finds the lines of the values of frontmatter in block form, by their paths.
func linesOf(front []byte) map[string]int {
	type level struct {
		indent int
		path   string
	}
	lines := map[string]int{}
	var levels []level
	n := 0
	for line := range strings.Lines(string(front)) {
		n++
		text := strings.TrimLeft(line, " ")
		indent := len(line) - len(text)
		text = strings.TrimSpace(text)
		if item, ok := strings.CutPrefix(text, "- "); ok && len(levels) > 0 {
			lines[levels[len(levels)-1].path+"."+Key(item)] = n
			continue
		}
		key, _, ok := strings.Cut(text, ":")
		if !ok || text == "" || text[0] == '#' {
			continue
		}
		key = strings.Trim(key, `"'`)
		for len(levels) > 0 && levels[len(levels)-1].indent >= indent {
			levels = levels[:len(levels)-1]
		}
		if len(levels) > 0 {
			key = levels[len(levels)-1].path + "." + key
		}
		levels = append(levels, level{indent, key})
		lines[key] = n
	}
	return lines
}

// Find returns the entries at a path: the value, or all values below it.
func (p *Profile) Find(path string) []Entry {
	return slices.DeleteFunc(slices.Clone(p.Entries), func(e Entry) bool { return !e.under(path) })
}

// under reports whether an entry is at a path or below it; every entry is below "".
func (e Entry) under(path string) bool {
	return path == "" || strings.EqualFold(e.Path, path) || len(e.Path) > len(path) &&
		strings.EqualFold(e.Path[:len(path)], path) && e.Path[len(path)] == '.'
}

// of returns the path of an entry without the key of a list's item.
func (e Entry) of() string {
	if e.list {
		return e.Path[:strings.LastIndexByte(e.Path, '.')]
	}
	return e.Path
}
