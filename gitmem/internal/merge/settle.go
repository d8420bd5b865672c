package merge

import (
	"github.com/gitmem/gitmem/markdown"
)

// maxNested is how deep conflicts may stand in each other.
const maxNested = 3

// Settle merges the two sides that a file with git's conflict markers holds, with what the
// markers name as their common ancestor where git wrote it. Without markers it returns the
// file as it is. What stood behind the markers, such as the name of a branch, is dropped.
func Settle(file string, marked []byte) []byte { return settle(file, marked, maxNested) }

func settle(file string, marked []byte, depth int) []byte {
	conflicts := markdown.MarkedConflicts(marked)
	if len(conflicts) == 0 {
		return marked
	}
	if depth == 0 {
		return withoutMarks(marked)
	}
	side := func(of func(markdown.MarkedConflict) markdown.Span) []byte {
		out, at := []byte{}, 0
		for _, c := range conflicts {
			out = append(append(out, marked[at:c.Whole.Start]...), of(c).Of(marked)...)
			at = c.Whole.End
		}
		return settle(file, append(out, marked[at:]...), depth-1)
	}
	return File(file,
		side(func(c markdown.MarkedConflict) markdown.Span { return c.Base }),
		side(func(c markdown.MarkedConflict) markdown.Span { return c.Ours }),
		side(func(c markdown.MarkedConflict) markdown.Span { return c.Theirs }))
}

// withoutMarks keeps all lines but the markers.
func withoutMarks(marked []byte) []byte {
	for {
		conflicts := markdown.MarkedConflicts(marked)
		if len(conflicts) == 0 {
			return marked
		}
		out, at := []byte{}, 0
		for _, c := range conflicts {
			out = append(append(out, marked[at:c.Whole.Start]...), c.Ours.Of(marked)...)
			out = append(append(out, c.Base.Of(marked)...), c.Theirs.Of(marked)...)
			at = c.Whole.End
		}
		marked = append(out, marked[at:]...)
	}
}
