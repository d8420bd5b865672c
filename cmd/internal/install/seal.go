package install

import (
	"bytes"
	"slices"
)

// sealStart begins the line by which a file that was written here is known again.
const sealStart = "# Written by gitmem install, which replaces this file as long as nobody else changes it: "

// frontmatter is the first line of the files that are sealed; the seal is a comment
// below it.
const frontmatter = "---\n"

// Seal marks a text with frontmatter as written here.
func Seal(text []byte) []byte {
	body := bytes.TrimPrefix(text, []byte(frontmatter))
	return slices.Concat([]byte(frontmatter), []byte(sealStart+sum(body)+"\n"), body)
}

// Sealed tells a text that was written here, by whichever version, and that nobody
// changed.
func Sealed(text []byte) bool {
	rest, ok := bytes.CutPrefix(text, []byte(frontmatter+sealStart))
	if !ok {
		return false
	}
	mark, body, ok := bytes.Cut(rest, []byte("\n"))
	return ok && string(mark) == sum(body)
}
