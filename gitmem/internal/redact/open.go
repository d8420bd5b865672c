package redact

import "strings"

// OpenBlock tells how many private blocks are open behind a text before which depth
// were, for those who show the parts of one text by themselves.
func OpenBlock(s string, depth int) int {
	for at := 0; at < len(s); {
		next := strings.IndexAny(s[at:], `<\`)
		if next < 0 {
			break
		}
		at += next
		width, closing := privateTag(s, at)
		switch {
		case width == 0:
			width = 1
		case !closing:
			depth++
		case depth > 0:
			depth--
		}
		at += width
	}
	return depth
}

// Begun gives a text whose beginning stands in a private block of an earlier text, as
// a closing tag says that nothing in it opened, the block's beginning in place of what
// was in it. Other texts are returned as they are. It is for what
// people write: a program that names the tag means nothing by it.
func Begun(s string) string {
	depth, closed := 0, 0
	for at := 0; at < len(s); {
		next := strings.IndexAny(s[at:], `<\`)
		if next < 0 {
			break
		}
		at += next
		width, closing := privateTag(s, at)
		at += max(1, width)
		switch {
		case width == 0:
		case !closing:
			depth++
		case depth > 0:
			depth--
		default:
			closed = at
		}
	}
	if closed == 0 {
		return s
	}
	return "<private></private>" + s[closed:]
}
