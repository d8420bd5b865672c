package redact

import (
	"iter"
	"strings"
)

// tags yields the tags of private blocks in s from at on: where each ends, and
// whether it closes one.
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

// OpenBlock returns how many private blocks are open behind a text before which depth
// were, for those who show the parts of one text by themselves.
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

// ReopenBlock puts the beginning of a private block in place of the text before a
// closing tag that nothing in s opened: the block began in an earlier text. Other texts
// are returned as they are. It is for what people write: a program that names the tag
// means nothing by it.
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
