// Package merge merges two versions of a file of memory that were changed independently.
//
// It is pure: it takes and returns bytes. It knows the structure of memory's files (frontmatter by key, sections, items
// and tasks by id, other lines by content and position) and that a result never contains conflict markers. It does not
// know git, stores, projects or time.
package merge

import (
	"bytes"
	"path"
)

// File merges ours and theirs, which both derive from base. Nil means no file: a nil base means that both sides added
// the file, and a nil result that it is deleted. path is the slash path of the file relative to the root of memory.
//
// The result does not depend on which side is ours, except that a file that is neither Markdown nor YAML, such as
// .gitignore, belongs to this machine: for it ours is returned. If a side equals base or the other side, the other one
// is returned unchanged, byte for byte. The result keeps every part that either side added or changed, and drops a part
// that one side removed and the other one left unchanged. If both changed the same part differently, the greater text
// stays in its place, and the other one becomes a list item below it that begins with "[conflict]". In profile.md only
// the value of a field that was seen later is kept.
func File(file string, base, ours, theirs []byte) []byte {
	same := func(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }
	kind := path.Ext(file)
	switch {
	case kind != ".md" && kind != ".yaml", same(ours, theirs), same(base, theirs):
		return ours
	case same(base, ours):
		return theirs
	}
	base, ours, theirs = Settle(file, base), Settle(file, ours), Settle(file, theirs)
	merge := mergeYAML
	if kind == ".md" {
		merge = func(base, ours, theirs []byte) ([]byte, bool) { return mergeMarkdown(file, base, ours, theirs) }
	}
	return withoutMarks(steady(merge, base, ours, theirs)) // lines of both sides together may look like markers
}

// steady merges until merging the result with either side gives the result. One merge suffices unless several parts are
// equal and differ only in order.
func steady(merge func(base, ours, theirs []byte) ([]byte, bool), base, ours, theirs []byte) []byte {
	const most = 4
	merged, mixed := merge(base, ours, theirs)
	if bytes.Compare(ours, theirs) > 0 {
		ours, theirs = theirs, ours
	}
	for n := 0; mixed && n < most; n++ {
		again, _ := merge(base, merged, ours)
		again, _ = merge(base, again, theirs)
		mixed = !bytes.Equal(again, merged)
		merged = again
	}
	return merged
}

// profileFile is the file whose lost values are only kept in its history.
const profileFile = "gitmem/profile.md"

// mergeMarkdown also reports whether equal parts changed their order.
func mergeMarkdown(file string, base, ours, theirs []byte) (merged []byte, mixed bool) {
	prose := path.Base(path.Dir(file)) == "decisions"
	b, x, y := read(base, prose), read(ours, prose), read(theirs, prose)
	front, lost := mergeFront(b, x, y)
	switch { // a deleted file has no fields of its own
	case ours == nil:
		front, lost = y.front, nil
	case theirs == nil:
		front, lost = x.front, nil
	}
	if file == profileFile {
		lost = nil
	}
	out := &version{mark: pick(b.mark, x.mark, y.mark), front: front, eol: pick(b.eol, x.eol, y.eol)}
	m := &merger{eol: out.eol}
	aliasAll(b, x, y)
	relocate(b, x, y)
	var notes []*node
	for _, l := range lost {
		notes = append(notes, m.note("", l.text, l.lines))
	}
	out.root = &node{kind: kindSection}
	m.inside(out.root, b.root, x.root, y.root, notes)
	if (ours == nil || theirs == nil) && len(out.root.units)+len(out.root.sections) == 0 && front == b.front {
		return nil, false
	}
	out.tail = mergeTail(out, b, x, y)
	return out.render(), m.mixed
}

// mergeTail returns the text after the last part: that of a side which is as empty as the result.
func mergeTail(out, b, x, y *version) string {
	switch none := out.empty(); {
	case x.empty() == y.empty() && none && !x.empty():
		return ""
	case x.empty() == y.empty():
		return pick(b.tail, x.tail, y.tail)
	case x.empty() == none:
		return x.tail
	}
	return y.tail
}

// pick returns the changed value, the greater one if both sides changed it.
func pick(base, x, y string) string {
	switch {
	case x == base:
		return y
	case y == base, x > y:
		return x
	}
	return y
}
