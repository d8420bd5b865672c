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
