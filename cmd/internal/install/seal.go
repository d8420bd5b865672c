package install

import (
	"bytes"
	"slices"
)

// sealStart begins the line that marks a file as written by this program.
const sealStart = "# Written by gitmem install, which replaces this file as long as nobody else changes it: "

// frontmatter is the first line of sealed Markdown; the seal is a comment below it.
const frontmatter = "---\n"

// Seal marks a text as written by this program: Markdown with frontmatter, or another format whose comments
// begin with a number sign.
func Seal(text []byte) []byte {
	body, isMarkdown := bytes.CutPrefix(text, []byte(frontmatter))
	sealed := slices.Concat([]byte(sealStart+sum(body)+"\n"), body)
	if isMarkdown {
		sealed = append([]byte(frontmatter), sealed...)
	}
	return sealed
}

// Sealed reports whether a text was written by any version of this program and not changed
// since.
func Sealed(text []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimPrefix(text, []byte(frontmatter)), []byte(sealStart))
	if !ok {
		return false
	}
	mark, body, ok := bytes.Cut(rest, []byte("\n"))
	return ok && string(mark) == sum(body)
}
