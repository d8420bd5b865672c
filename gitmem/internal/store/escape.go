package store

import (
	"fmt"
	"strings"
)

// Project ids become folders, one for each segment, by an escaping that can be
// undone and keeps different ids different on every file system, also where
// case, some characters or some names do not count:
//
//   - a-z, 0-9 and - _ . + @ = , stand for themselves
//   - an upper-case letter becomes ! and the lower-case letter
//   - any other byte becomes % and two lower-case hex digits
//   - a dot at either end is escaped, and the last byte of a segment that would
//     be a name Windows reserves, a lock, a temporary file, a credential file
//     or one of the names that lie inside a project

// escapeID returns the slash path of an id.
func escapeID(id string) string {
	segs := strings.Split(id, "/")
	for i, seg := range segs {
		segs[i] = escapeSegment(seg)
	}
	return strings.Join(segs, "/")
}

func escapeSegment(seg string) string {
	if seg == "" {
		return "%" // no other segment becomes this
	}
	var b strings.Builder
	for i := range len(seg) {
		c := seg[i]
		switch {
		case c == '.' && (i == 0 || i == len(seg)-1):
			writeHex(&b, c)
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', strings.IndexByte("-_.+@=,", c) >= 0:
			b.WriteByte(c)
		case c >= 'A' && c <= 'Z':
			b.WriteByte('!')
			b.WriteByte(c + 'a' - 'A')
		default:
			writeHex(&b, c)
		}
	}
	out := b.String()
	if safeSegment(out) && !insideProject(out) {
		return out
	}
	return guard(out, seg)
}

// guard escapes the last byte of a segment, or the first one where Windows
// looks only at what stands before a dot.
func guard(out, seg string) string {
	if stem, _, _ := strings.Cut(out, "."); reservedName(stem) {
		return hexByte(seg[0]) + out[1:]
	}
	if last := seg[len(seg)-1]; out[len(out)-1] == last {
		return out[:len(out)-1] + hexByte(last)
	}
	return out // too long: the file system will say so
}

func hexByte(c byte) string { return fmt.Sprintf("%%%02x", c) }

func writeHex(b *strings.Builder, c byte) { b.WriteString(hexByte(c)) }

// insideProject lists the names that have a meaning in a project's folder. No
// segment of a project's path has one of them, so a path tells where the
// project's own files begin.
func insideProject(name string) bool {
	switch name {
	case "sessions", "decisions", "observations", "tasks.md", "project.md":
		return true
	}
	return false
}

// unescapeID undoes escapeID.
func unescapeID(dir string) (string, bool) {
	segs := strings.Split(dir, "/")
	for i, seg := range segs {
		plain, ok := unescapeSegment(seg)
		if !ok {
			return "", false
		}
		segs[i] = plain
	}
	return strings.Join(segs, "/"), true
}

func unescapeSegment(seg string) (string, bool) {
	if seg == "%" {
		return "", true
	}
	var b strings.Builder
	for i := 0; i < len(seg); i++ {
		switch seg[i] {
		case '!':
			if i++; i == len(seg) || seg[i] < 'a' || seg[i] > 'z' {
				return "", false
			}
			b.WriteByte(seg[i] - 'a' + 'A')
		case '%':
			var c byte
			if i+2 >= len(seg) {
				return "", false
			}
			if _, err := fmt.Sscanf(seg[i+1:i+3], "%02x", &c); err != nil {
				return "", false
			}
			b.WriteByte(c)
			i += 2
		default:
			b.WriteByte(seg[i])
		}
	}
	return b.String(), true
}
