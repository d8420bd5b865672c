package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Project ids become folders, one for each segment, by a reversible escaping. Different ids stay different on every
// file system, even if it ignores case or some characters, or reserves some names:
//
//   - a-z, 0-9 and - _ . + @ = , are kept
//   - an upper-case letter becomes ! and the lower-case letter
//   - any other byte becomes % and two lower-case hex digits
//   - a dot at either end is escaped, and the last byte of a segment that would
//     be a name Windows reserves, a lock, a temporary file, a credential file
//     or one of the names that have a meaning inside a project

// maxIDPath limits the path that an id becomes, in bytes. With the files below a project it stays far from the 4,096
// bytes or less that systems accept.
const maxIDPath = 400

// shortID returns an id whose path every file system accepts. A segment that is too long as a file name, or a whole id
// that is too long, keeps its beginning and ends in "~" and a hash of the full text. project.md lists the full name, so
// the id can be recovered. A short enough id is unchanged.
func shortID(id string) string {
	segs := strings.Split(id, "/")
	for i, seg := range segs {
		if len(escapeSegment(seg)) > maxSegment {
			segs[i] = abbreviate(seg)
		}
	}
	short := strings.Join(segs, "/")
	if len(escapeID(short)) <= maxIDPath {
		return short
	}
	_, rest, _ := strings.Cut(id, "/")
	return segs[0] + "/" + abbreviate(rest)
}

// abbreviate returns the longest prefix of a name that takes at most 80 bytes when escaped.
func abbreviate(name string) string {
	keep := min(len(name), 80)
	for keep > 0 && len(escapeSegment(name[:keep])) > 80 {
		keep--
	}
	sum := sha256.Sum256([]byte(name))
	return fmt.Sprintf("%s~%x", strings.ToValidUTF8(name[:keep], ""), sum[:8])
}

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
		return "%" // no other segment maps to this
	}
	var b strings.Builder
	for i := range len(seg) {
		c := seg[i]
		switch {
		case c == '.' && (i == 0 || i == len(seg)-1):
			b.WriteString(hexByte(c))
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', strings.IndexByte("-_.+@=,", c) >= 0:
			b.WriteByte(c)
		case c >= 'A' && c <= 'Z':
			b.WriteByte('!')
			b.WriteByte(c + 'a' - 'A')
		default:
			b.WriteString(hexByte(c))
		}
	}
	out := b.String()
	if safeSegment(out) && !insideProject(out) {
		return out
	}
	return guard(out, seg)
}

// guard escapes the last byte of a segment, or the first one if Windows considers only the part before a dot.
func guard(out, seg string) string {
	if stem, _, _ := strings.Cut(out, "."); reservedName(stem) {
		return hexByte(seg[0]) + out[1:]
	}
	if last := seg[len(seg)-1]; out[len(out)-1] == last {
		return out[:len(out)-1] + hexByte(last)
	}
	return out // too long, see shortID
}

func hexByte(c byte) string { return fmt.Sprintf("%%%02x", c) }

// insideProject reports whether a name has a meaning in a project's folder. No segment of a project's path has such a
// name, so a path shows where the project's own files begin.
func insideProject(name string) bool {
	return slices.Contains([]string{"sessions", "decisions", "observations", "tasks.md", "orders.md", "project.md"}, name)
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
	for c := 'a'; c <= 'z'; c++ {
		seg = strings.ReplaceAll(seg, "!"+string(c), strings.ToUpper(string(c)))
	}
	plain, err := url.PathUnescape(seg)
	return plain, err == nil && !strings.Contains(seg, "!")
}

// ShortHash returns a file or folder name of twelve hex digits for the text that it is about.
func ShortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:6])
}
