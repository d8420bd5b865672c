package redact

import (
	"iter"
	"strings"
)

// tags yields the tags of private blocks in s starting at at: the end of each, and whether it is a closing tag.
func tags(s string, at int) iter.Seq2[int, bool] {
	return func(yield func(int, bool) bool) {
		for at < len(s) {
			next := strings.IndexAny(s[at:], `<\`)
			if next < 0 {
				return
			}
			at += next
			width, closing := privateTag(s, at)
			at += max(1, width)
			if width > 0 && !yield(at, closing) {
				return
			}
		}
	}
}

// OpenBlock returns how many private blocks are open after a text, given that depth were open before, for callers that
// show the parts of a text one by one.
func OpenBlock(s string, depth int) int {
	for _, closing := range tags(s, 0) {
		switch {
		case !closing:
			depth++
		case depth > 0:
			depth--
		}
	}
	return depth
}

// ReopenBlock replaces the text before an unmatched closing tag by an opening tag: the block began in an earlier text.
// It returns other texts unchanged. It is for text that people write: in the output of programs the tag has no meaning.
func ReopenBlock(s string) string {
	depth, closed := 0, 0
	for end, closing := range tags(s, 0) {
		switch {
		case !closing:
			depth++
		case depth > 0:
			depth--
		default:
			closed = end
		}
	}
	if closed == 0 {
		return s
	}
	return "<private></private>" + s[closed:]
}
