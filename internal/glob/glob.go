// Package glob matches slash-separated paths against patterns: * matches any characters within a segment, ?
// one character, [a-z] one of a class and [^a-z] one outside it, ** as a whole segment matches zero or more
// segments, and \ escapes the next character. It must not know where patterns come from.
package glob

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Match reports whether a pattern matches the whole path; an invalid pattern matches nothing, see [Valid].
func Match(pattern, path string) bool {
	return doublestar.MatchUnvalidated(plain(pattern), path)
}

// Valid reports whether a pattern is well-formed: whether its classes are closed.
func Valid(pattern string) bool { return doublestar.ValidatePattern(plain(pattern)) }

// plain escapes syntax of doublestar that [path.Match] does not have: alternatives in braces, whose cost
// doubles with each one, and ! at the beginning of a class.
func plain(pattern string) string {
	if !strings.ContainsAny(pattern, "{}!") {
		return pattern
	}
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			i++
			b.WriteString(pattern[i-1 : i+1])
		case c == '{', c == '}', c == '!' && i > 0 && pattern[i-1] == '[':
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
