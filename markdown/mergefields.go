package markdown

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// front is frontmatter with its fences, and its leaves.
type front struct {
	src  []byte
	list []leaf
	at   map[string]leaf
}

// frontOf returns the frontmatter of a file, or nil if there is none that can be merged by keys.
func frontOf(src []byte) *front {
	f, _ := parseFront(src)
	if f == nil || f.Err != nil || src[f.Span.End-1] != '\n' {
		return nil
	}
	y, err := openFields(string(f.inner(src).Of(src)))
	if err != nil {
		return nil
	}
	out := &front{src[:f.Span.End:f.Span.End], leavesOf(nil, y.root, true), map[string]leaf{}}
	for _, l := range out.list {
		out.at[l.key] = l
	}
	if len(out.at) < len(out.list) {
		return nil // duplicate item
	}
	return out
}

// mergeFront merges frontmatter that both sides changed, or returns nil if keys can't resolve it.
func mergeFront(base, a, b *front) *front {
	if bytes.Compare(a.src, b.src) > 0 {
		a, b = b, a // both sides get the same result
	}
	leaves, open := mergeLeaves(base, a, b)
	if len(open) > 0 {
		return nil
	}
	return editedFront(base, a, b, leaves)
}

// editedFront returns frontmatter with these leaves that keeps the comments of both sides, or nil.
func editedFront(base, a, b *front, leaves []leaf) *front {
	lines, _ := mergeLines(base.src, a.src, b.src)
	for _, f := range []*front{frontOf(lines), a, b} {
		if f == nil {
			continue
		}
		if f = f.with(leaves); f != nil && f.keeps(base, a) && f.keeps(base, b) {
			return f
		}
	}
	return nil
}

// mergeLeaves takes the changes of only one side. If both changed a leaf, an edit takes precedence over a
// removal, and the value seen last over the other. If neither decides, it takes the value whose text is
// greater, and the other one is in rest. The meta data of a field comes from the same side as its value.
func mergeLeaves(base, a, b *front) (list, rest []leaf) {
	done, sides := map[string]bool{}, map[string]*front{}
	dots := strings.NewReplacer(keySep+keySep, ".", keySep, ".")
	for _, meta := range []bool{false, true} {
		for _, l := range slices.Concat(a.list, b.list) {
			if done[l.key] || isMeta(l.path) != meta {
				continue
			}
			field := dots.Replace(l.key)
			if meta {
				field = l.path[1]
			}
			from := sides[field]
			if !meta || from == nil {
				from = pick(base, a, b, l.key, field)
			}
			if from == nil {
				other := b
				if from = a; a.at[l.key].text < b.at[l.key].text {
					from, other = b, a
				}
				rest = append(rest, other.at[l.key])
			}
			if a.at[l.key].text != b.at[l.key].text {
				sides[field] = from
			}
			if l, there := from.at[l.key]; there {
				list = append(list, l)
			}
			done[l.key] = true
		}
	}
	return list, rest
}

// pick returns the side that a leaf comes from, nil for neither.
func pick(base, a, b *front, key, field string) *front {
	was, x, y := base.at[key], a.at[key], b.at[key]
	switch {
	case x.text == y.text, y.text == was.text:
		return a
	case x.text == was.text, x.text == "":
		return b
	case y.text == "", x.item, a.seen(field).After(b.seen(field)) && !b.seen(field).IsZero():
		return a
	case b.seen(field).After(a.seen(field)) && !a.seen(field).IsZero():
		return b
	}
	return nil
}

// seen returns when the field was last seen according to meta, or zero.
func (f *front) seen(field string) time.Time {
	var m struct {
		LastSeen time.Time `yaml:"last_seen"`
	}
	if n := f.at[fieldKey([]string{metaField, field})].node; n == nil || n.Decode(&m) != nil {
		return time.Time{}
	}
	return m.LastSeen
}

// with changes the frontmatter until it has these leaves, or returns nil if it can't.
func (f *front) with(list []leaf) *front {
	var changes []FieldChange
	want := values(list)
	for _, l := range slices.Concat(list, f.list) {
		text, keep := want[l.key]
		if !keep || text == l.text && f.at[l.key].text != text {
			changes = append(changes, FieldChange{Path: l.path, Value: inline(l.node), Raw: true, Item: l.item, Remove: !keep})
		}
	}
	edits, err := Parse(f.src).EditFields(changes...)
	if err != nil {
		return nil
	}
	src, err := Apply(f.src, edits...)
	if f = frontOf(src); err != nil || f == nil || !maps.Equal(values(f.list), want) {
		return nil
	}
	return f
}

var commentTexts = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)(?:^|[ \t])#.*$`) })

// keeps reports whether all comments that a side added are present.
func (f *front) keeps(base, side *front) bool {
	return !slices.ContainsFunc(commentTexts().FindAll(side.src, -1), func(c []byte) bool {
		c = bytes.TrimSpace(c)
		return !bytes.Contains(base.src, c) && !bytes.Contains(f.src, c)
	})
}
