// Package markdown reads gitmem's Markdown files without losing a byte and edits them without touching a byte
// outside the edit.
//
// It is pure: bytes in, values and byte ranges out. It knows the forms that gitmem uses in Markdown
// (frontmatter, headings with block ids, idea lines, task lines, relations). It must not know files, time,
// stores or projects.
//
// # Reading
//
// [Parse] never fails. It returns a [Doc] whose spans all point into the bytes it was given. Text that it
// does not understand stays in the source, is left out of the values and is counted in [Doc.Skipped] with a
// line and a reason. Libraries locate things: goldmark finds the lines that really are headings and list
// items (a '#' in a fenced code block is neither), adrg/frontmatter parses the frontmatter's values, and
// yaml.v3 finds the lines of its fields. None of them ever writes.
//
// # Writing
//
// Every change is an [Edit]: a byte range and its new text. The methods of [Doc] compute edits
// ([Doc.AppendTo], [Doc.AppendSection] and [Doc.EditFields]) and [Apply] applies them, in any order, all or
// none. YAML is never marshalled again, so comments, order and quoting stay as the author wrote them.
//
// # Terms
//
// A line ends with "\n" or "\r\n"; a lone "\r" is an ordinary byte. Frontmatter is at the very top (after a
// byte order mark, if there is one), between two lines "---" (YAML) or "+++" (TOML) that start in the first
// column. A fence that is never closed does not begin frontmatter, and is counted.
//
// A section is a heading of the document itself, ATX or underlined. Headings inside quotes and list items
// belong to quoted or listed text: they start no section and are counted. Link reference definitions are
// recognised if they are complete on one line.
//
// An idea is a list item that starts with a checkbox, a category in brackets or both:
//
//   - [decision] Use 10 A relays: the pump draws 7 A #tech/relay (L124 14:22) ^i-81c2d0k7qa
//   - supersedes [[2026-10-02#^i-77aa01m3xz]]
//   - [ ] Repeat the range test ^task-range
//
// Items inside a block quote are quotations, not ideas, and are counted. If a block id occurs twice, the
// first in file order keeps it; the later ones are read without an id and counted.
//
// # Cost
//
// Parse is linear in the size of its input. Three guards ensure that where goldmark alone is not linear:
// containers deeper than 64 blocks are read as text (and counted), runs of blank lines count as one, and
// finished blocks are removed from goldmark's tree at once. Frontmatter above 256 KiB is kept and located but
// its values are not parsed.
package markdown
