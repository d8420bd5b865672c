package markdown

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

// LostField is a value that a merge replaced with another one.
type LostField struct {
	Path  string // its keys, separated by dots
	Value string // YAML on one line
}

// MergeFields merges YAML frontmatter by keys like [Merge3], and resolves the remaining conflicts: of two
// values it takes the one whose text is greater, and the other one is lost. The texts are frontmatter with
// its fences, or empty for a file without any. ours and theirs may be swapped. It returns false if one of the
// two can't be parsed.
func MergeFields(base, ours, theirs []byte) (merged []byte, lost []LostField, ok bool) {
	o, a, b := frontOrNone(base), frontOrNone(ours), frontOrNone(theirs)
	if a == nil || b == nil {
		return nil, nil, false
	}
	if o == nil {
		o = frontOrNone(nil)
	}
	if bytes.Compare(a.src, b.src) > 0 {
		a, b = b, a
	}
	leaves, rest := mergeLeaves(o, a, b)
	f := heldFront(o, a, b, leaves)
	if f == nil {
		f = editedFront(o, a, b, leaves)
	}
	if f == nil {
		var failed []leaf
		f, failed = b.withEach(leaves)
		rest = append(rest, failed...)
	}
	for _, l := range rest {
		path := strings.Join(l.path, ".")
		lost = append(lost, LostField{path, inline(l.node)})
	}
	return f.src, lost, true
}

// frontOrNone parses frontmatter, which may be empty; nil if it can't be parsed, or if it is followed by
// other text.
func frontOrNone(src []byte) *front {
	if len(bytes.TrimSpace(src)) == 0 {
		return &front{at: map[string]leaf{}}
	}
	f := frontOf(src)
	if f != nil && len(f.src) < len(src) {
		return nil
	}
	return f
}

// heldFront returns the side that has these leaves, with the comments of the other one, or the leaves alone.
func heldFront(base, a, b *front, leaves []leaf) *front {
	want := values(leaves)
	holds := func(f *front) bool { return maps.Equal(values(f.list), want) }
	switch {
	case holds(b) && b.keeps(base, a):
		return b
	case holds(a) && a.keeps(base, b):
		return a
	case holds(a) != holds(b) && editedFront(base, a, b, leaves) == nil:
		if holds(a) {
			return a
		}
		return b
	}
	return nil
}

// withEach applies changes one after another until the frontmatter has these leaves, and returns the leaves
// that it can't apply without losing others.
func (f *front) withEach(list []leaf) (out *front, failed []leaf) {
	want := values(list)
	for _, l := range slices.Concat(list, f.list) {
		text, keep := want[l.key]
		have := values(f.list)
		if keep && (text != l.text || have[l.key] == text) {
			continue
		}
		next := maps.Clone(have)
		if delete(next, l.key); keep {
			next[l.key] = l.text
		}
		edits, err := Parse(f.src).EditFields(FieldChange{Path: l.path, Value: inline(l.node), Raw: true,
			Item: l.item, Remove: !keep})
		src, applyErr := Apply(f.src, edits...)
		g := frontOrNone(src)
		if err != nil || applyErr != nil || g == nil || !maps.Equal(values(g.list), next) {
			if keep {
				failed = append(failed, l)
			}
			continue
		}
		f = g
	}
	return f, failed
}
