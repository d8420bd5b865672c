package linediff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Unified writes the changes of a text in the unified format of diff and git, with
// up to context equal lines around each, or nothing where there are none. A name
// that is empty means a file that does not exist.
func Unified(oldName, newName string, a []byte, hunks []Hunk, context int) string {
	if len(hunks) == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", fileName("a/", oldName), fileName("b/", newName))
	lines := slices.Collect(bytes.Lines(a))
	for len(hunks) > 0 {
		n := 1
		for n < len(hunks) && hunks[n].Old.Start-hunks[n-1].Old.End <= 2*context {
			n++
		}
		writeGroup(&out, lines, hunks[:n], context)
		hunks = hunks[n:]
	}
	return out.String()
}

func fileName(prefix, name string) string {
	if name == "" {
		return "/dev/null"
	}
	return prefix + name
}

// writeGroup writes hunks that share their surroundings under one head.
func writeGroup(out *strings.Builder, a [][]byte, hunks []Hunk, context int) {
	first, last := hunks[0], hunks[len(hunks)-1]
	before := min(context, first.Old.Start)
	after := min(context, len(a)-last.Old.End)
	at, end := first.Old.Start-before, last.Old.End+after
	fmt.Fprintf(out, "@@ -%s +%s @@\n", place(Range{at, end}), place(Range{first.New.Start - before, last.New.End + after}))
	for _, h := range hunks {
		writeLines(out, ' ', bytes.Join(a[at:h.Old.Start], nil))
		writeLines(out, '-', h.Removed)
		writeLines(out, '+', h.Added)
		at = h.Old.End
	}
	writeLines(out, ' ', bytes.Join(a[at:end], nil))
}

// place is a range as the format has it: from 1, and an empty one named by the
// line before it.
func place(l Range) string {
	switch l.Len() {
	case 0:
		return fmt.Sprintf("%d,0", l.Start)
	case 1:
		return fmt.Sprint(l.Start + 1)
	}
	return fmt.Sprintf("%d,%d", l.Start+1, l.Len())
}

func writeLines(out *strings.Builder, mark byte, text []byte) {
	for l := range bytes.Lines(text) {
		out.WriteByte(mark)
		out.Write(l)
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		out.WriteString("\n\\ No newline at end of file\n")
	}
}
