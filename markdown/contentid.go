package markdown

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// ContentID returns an id for a line without one: 10 lower-case base32 characters of the SHA-256 of its text
// with white space folded.
func ContentID(text string) string {
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(text), " ")))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:10]
}

// TitleID returns an id made from a title: its ASCII letters and digits in lower case, with hyphens for
// everything else, at most 40 bytes; for a title without any of these, its [ContentID].
func TitleID(title string) string {
	const most = 40
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return !('a' <= r && r <= 'z' || '0' <= r && r <= '9')
	})
	id := strings.Join(words, "-")
	if len(id) > most {
		id = strings.TrimRight(id[:most], "-")
	}
	if id == "" {
		return ContentID(title)
	}
	return id
}
