package linediff

import "github.com/aymanbagabas/go-udiff"

// Unified formats the changes of a text in the unified format of diff and git, with up to context equal lines
// around each, or "" if there are none. An empty name means a file that does not exist.
func Unified(oldName, newName string, a []byte, hunks []Hunk, context int) string {
	edits := make([]udiff.Edit, len(hunks))
	for i, h := range hunks {
		edits[i] = udiff.Edit{Start: h.OldAt, End: h.OldAt + len(h.Removed), New: string(h.Added)}
	}
	// cannot fail, because hunks are in order
	text, _ := udiff.ToUnified(fileName("a/", oldName), fileName("b/", newName), string(a), edits, context)
	return text
}

func fileName(prefix, name string) string {
	if name == "" {
		return "/dev/null"
	}
	return prefix + name
}
