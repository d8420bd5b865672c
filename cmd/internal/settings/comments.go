package settings

import "strings"

// withoutComments replaces comments and trailing commas with spaces, without changing the length. A comment
// without an end stays, because clients do not accept it either.
func withoutComments(text string) string {
	b := []byte(text)
	last, comma := byte(0), -1 // the byte before, and a comma that nothing has followed
	for i := 0; i < len(b); i++ {
		if n := commentAt(text[i:]); n > 0 {
			for j := i; j < i+n; j++ {
				if b[j] != '\n' && b[j] != '\r' {
					b[j] = ' '
				}
			}
			i += n - 1
			continue
		}
		switch c := b[i]; c {
		case ' ', '\t', '\r', '\n':
			continue
		case '"':
			i, comma = i+textEnd(text[i:])-1, -1
		case ',':
			if comma = -1; !strings.ContainsRune(",:[{\x00", rune(last)) {
				comma = i
			}
		case '}', ']':
			if comma >= 0 {
				b[comma] = ' '
			}
			comma = -1
		default:
			comma = -1
		}
		last = b[i]
	}
	return string(b)
}

// commentAt returns the length of the comment at the beginning of a text, or 0.
func commentAt(text string) int {
	switch {
	case strings.HasPrefix(text, "//"):
		if end := strings.IndexAny(text, "\r\n"); end >= 0 {
			return end
		}
		return len(text)
	case strings.HasPrefix(text, "/*"):
		if end := strings.Index(text[2:], "*/"); end >= 0 {
			return end + 4
		}
	}
	return 0
}

// textEnd returns the length of the JSON string at the beginning of src.
func textEnd(src string) int {
	for i := 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(src)
}

// comments returns the white space between values up to the end of its last comment.
func comments(space string) string {
	end := 0
	for i := 0; i < len(space); i++ {
		if n := commentAt(space[i:]); n > 0 {
			i += n - 1
			end = i + 1
		}
	}
	return space[:end]
}

// cutComma splits the white space between values at its comma, which is not in a comment.
func cutComma(space string) (before, after string, found bool) {
	for i := 0; i < len(space); i++ {
		if n := commentAt(space[i:]); n > 0 {
			i += n - 1
		} else if space[i] == ',' {
			return space[:i], space[i+1:], true
		}
	}
	return space, "", false
}

// join concatenates texts, with a line break if next would become a part of a comment.
func join(said, next string) string {
	line := false
	for i := 0; i < len(said); i++ {
		if n := commentAt(said[i:]); n > 0 {
			line = said[i+1] == '/'
			i += n - 1
		} else if said[i] == '\n' {
			line = false
		}
	}
	if line && !strings.HasPrefix(strings.TrimLeft(next, " \t\r"), "\n") {
		said += "\n"
	}
	return said + next
}

// moveAfter removes the text after an item, for another one that is inserted there: it returns the comments
// that go between the two, and the text after both.
func (it *item) moveAfter() (said, after string) {
	before, rest, comma := cutComma(it.after)
	if !comma {
		said = comments(it.after)
		after, it.after = it.after[len(said):], ""
		return said, after
	}
	it.after = before
	said = comments(rest)
	return said, "," + rest[len(said):]
}
