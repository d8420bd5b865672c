package merge

import (
	"slices"

	"github.com/gitmem/gitmem/markdown"
)

// maxNested is the maximum nesting depth of conflicts.
const maxNested = 3

// Settle merges the two sides in a file with git's conflict markers, with their common ancestor if git wrote it. A file
// without markers is returned unchanged. Text after the markers, such as the name of a branch, is dropped.
func Settle(file string, marked []byte) []byte { return settle(file, marked, maxNested) }

func settle(file string, marked []byte, depth int) []byte {
	if len(markdown.MarkedConflicts(marked)) == 0 {
		return marked
	}
	if depth == 0 {
		return withoutMarks(marked)
	}
	side := func(of func(markdown.MarkedConflict) markdown.Span) []byte {
		text := markdown.ReplaceConflicts(marked, func(c markdown.MarkedConflict) []byte { return of(c).Of(marked) })
		return settle(file, text, depth-1)
	}
	return File(file,
		side(func(c markdown.MarkedConflict) markdown.Span { return c.Base }),
		side(func(c markdown.MarkedConflict) markdown.Span { return c.Ours }),
		side(func(c markdown.MarkedConflict) markdown.Span { return c.Theirs }))
}

// withoutMarks removes the marker lines and keeps all others.
func withoutMarks(marked []byte) []byte {
	for len(markdown.MarkedConflicts(marked)) > 0 {
		src := marked
		marked = markdown.ReplaceConflicts(src, func(c markdown.MarkedConflict) []byte {
			return slices.Concat(c.Ours.Of(src), c.Base.Of(src), c.Theirs.Of(src))
		})
	}
	return marked
}
