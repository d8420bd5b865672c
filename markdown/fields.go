package markdown

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/markdown/linediff"
	"gopkg.in/yaml.v3"
)

// FieldChange sets a field of YAML frontmatter, adds an item to a list, or removes either.
type FieldChange struct {
	// Path has the keys from the outermost to the innermost. A key that contains dots is one key.
	Path []string
	// Value is a text or, with Raw, YAML on one line. It is not needed to remove a field.
	Value string
	Raw   bool
	// Item is set if Path is a list and Value an item of it. Items are equal if they only differ in case and
	// surrounding space.
	Item bool
	// Remove removes the field or the item, and parents that become empty unless they contain a comment.
	Remove bool
}

// EditFields returns the edits for changes to the frontmatter, applied one after another. Other lines keep
// their bytes; missing parents and frontmatter are created. A change that would lose a comment, or that the
// form of the YAML does not allow, is an error that names the field.
func (d *Doc) EditFields(changes ...FieldChange) ([]Edit, error) {
	at := bomLen(d.Source)
	fence := string(trimEnd(d.Source[at:lineEnd(d.Source, at)]))
	var old string
	var err error
	switch {
	case fence == fenceTOML, fence == fenceYAML && d.Front == nil:
		err = errors.New("the frontmatter is TOML or is not closed")
	case d.Front != nil:
		in := d.Front.inner(d.Source)
		at, old, err = in.Start, string(in.Of(d.Source)), d.Front.Err
	}
	text := old
	for _, c := range changes {
		if err == nil {
			text, err = c.apply(text, d.EOL)
		}
		if err != nil {
			return nil, fmt.Errorf("field %s: %w: edit the file by hand", strings.Join(c.Path, "."), err)
		}
	}
	if fence = fenceYAML + d.EOL; d.Front == nil && text != "" {
		return []Edit{{Span{at, at}, fence + text + fence}}, nil
	}
	var edits []Edit
	for _, h := range linediff.Diff([]byte(old), []byte(text)) {
		edits = append(edits, Edit{Span{at + h.OldAt, at + h.OldAt + len(h.Removed)}, string(h.Added)})
	}
	return edits, nil
}

// inner returns the span between the fences.
func (f *Frontmatter) inner(src []byte) Span {
	return Span{lineEnd(src, f.Span.Start), lineStart(src, f.Span.End-1)}
}

// apply changes YAML and parses the result: an edit with any other effect than the intended one is refused.
func (c FieldChange) apply(text, eol string) (string, error) {
	if !c.Raw {
		c.Value = QuoteYAML(c.Value)
	}
	n := readValue(c.Value)
	if n == nil || strings.ContainsAny(c.Value, "\r\n") {
		return "", errors.New("the value is not YAML on one line")
	}
	f, err := openFields(text)
	if err != nil {
		return "", err
	}
	was := values(leavesOf(nil, f.root, false))
	want, key, below := maps.Clone(was), fieldKey(c.Path), leavesOf(c.Path, n, false)
	if c.Item {
		key, below = itemKey(c.Path, n), []leaf{{key: itemKey(c.Path, n), text: printed(n)}}
	}
	maps.DeleteFunc(want, func(k, _ string) bool { return k == key || strings.HasPrefix(k, key+keySep) })
	if !c.Remove {
		maps.Copy(want, values(below))
	}
	_, known := was[key]
	if maps.Equal(was, want) && (c.Item || !c.Remove) || known && c.Item && !c.Remove {
		return text, nil
	}
	lines, err := f.edit(c, n, eol)
	if err != nil {
		return "", err
	}
	text = strings.Join(lines, "")
	if f, err = openFields(text); err == nil {
		_, _, err = readFields(fenceYAML, []byte(text))
	}
	if err != nil || !maps.Equal(values(leavesOf(nil, f.root, false)), want) {
		return "", errors.New("its YAML has a form that is not edited")
	}
	return text, nil
}

// leaf is a scalar field, or an item of a list.
type leaf struct {
	key  string
	path []string
	item bool
	node *yaml.Node
	text string // for comparing values
}

func values(l []leaf) map[string]string {
	m := make(map[string]string, len(l))
	for _, leaf := range l {
		m[leaf.key] = leaf.text
	}
	return m
}

// leavesOf returns the leaves at and below a node in file order; null and empty values are left out. With
// entries, each entry of the field meta is one leaf.
func leavesOf(path []string, n *yaml.Node, entries bool) (list []leaf) {
	switch {
	case n.Kind == yaml.MappingNode && !(entries && isMeta(path)):
		for pair := range slices.Chunk(n.Content, 2) {
			list = append(list, leavesOf(slices.Concat(path, []string{pair[0].Value}), pair[1], entries)...)
		}
	case n.Kind == yaml.SequenceNode:
		for _, item := range n.Content {
			list = append(list, leaf{itemKey(path, item), path, true, item, printed(item)})
		}
	case n.Tag != "!!null":
		list = append(list, leaf{fieldKey(path), path, false, n, printed(n)})
	}
	return list
}

// metaField contains data about other fields, by their dotted paths.
const metaField = "meta"

func isMeta(path []string) bool { return len(path) == 2 && path[0] == metaField }

// keySep separates the keys of a path; before an item it is doubled.
const keySep = "\x00"

func fieldKey(path []string) string { return strings.Join(path, keySep) }

func itemKey(path []string, n *yaml.Node) string {
	text := n.Value
	if n.Kind != yaml.ScalarNode {
		text = printed(n)
	}
	return fieldKey(path) + keySep + keySep + strings.ToLower(strings.TrimSpace(text))
}

func printed(n *yaml.Node) string {
	var v any
	if err := n.Decode(&v); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%#v", v)
}
