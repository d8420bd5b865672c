package install

import (
	"bytes"
	"slices"
)

// sealStart begins the line that marks a file as written by this program.
const sealStart = "# Written by gitmem install, which replaces this file as long as nobody else changes it: "

// frontmatter is the first line of the sealed files; the seal is a comment below it.
const frontmatter = "---\n"

// Seal marks a text with frontmatter as written by this program.
func Seal(text []byte) []byte {
	body := bytes.TrimPrefix(text, []byte(frontmatter))
	return slices.Concat([]byte(frontmatter), []byte(sealStart+sum(body)+"\n"), body)
}

// Sealed reports whether a text was written by any version of this program and not changed
// since.
func Sealed(text []byte) bool {
	rest, ok := bytes.CutPrefix(text, []byte(frontmatter+sealStart))
	if !ok {
		return false
	}
	mark, body, ok := bytes.Cut(rest, []byte("\n"))
	return ok && string(mark) == sum(body)
}
