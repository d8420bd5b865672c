// Package glob matches paths with slashes against patterns: * is any run of characters within a
// segment, ? one, [a-z] one of a class and [^a-z] one outside it, ** as a whole segment any
// number of segments, also none, and \ takes the character behind it literally. It must not
// know where patterns come from.
package glob

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Match reports whether a pattern matches all of a path; one that is not [Valid] matches nothing.
func Match(pattern, path string) bool {
	return doublestar.MatchUnvalidated(plain(pattern), path)
}

// Valid reports whether a pattern can match anything: whether it closes its classes.
func Valid(pattern string) bool { return doublestar.ValidatePattern(plain(pattern)) }

// plain escapes what doublestar reads and [path.Match] does not: alternatives in braces, whose cost
// doubles with each, and ! at the beginning of a class.
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
