package main

import (
	"regexp"
	"slices"
	"strings"
)

// editable reports whether people edit a file of memory by hand.
func editable(rel string) bool {
	switch {
	case strings.HasPrefix(rel, "projects/"), rel == "gitmem/profile.md", rel == "gitmem/entities.md":
		return true
	}
	for _, part := range []string{"/tasks.md", "/orders.md", "/decisions/", "/sessions/"} {
		if strings.Contains(rel, part) {
			return true
		}
	}
	return false
}

// editByHand changes a line of a file like an editor. Half of all edits are in MEMORY.md.
func (m *machine) editByHand() error {
	names := m.sorted(editable)
	rel := m.memory() + "MEMORY.md"
	if len(names) > 0 && m.rng.IntN(2) == 0 {
		rel = oneOf(m.rng, names)
	}
	text := m.read(rel)
	if text == "" {
		text = "# Memory\n\n## Notes\n\n"
	}
	front, lines := bodyOf(text)
	var kind string
	lines, kind = m.editLines(rel, lines)
	m.say("  %s of %s", kind, rel)
	m.write(rel, front+strings.Join(lines, ""))
	return nil
}

// bodyOf splits a file into its frontmatter and the lines below.
func bodyOf(text string) (front string, lines []string) {
	if strings.HasPrefix(text, "---\n") {
		if at := strings.Index(text[4:], "\n---\n"); at >= 0 {
			front, text = text[:4+at+5], text[4+at+5:]
		}
	}
	return front, slices.Collect(strings.Lines(text))
}

// editLines changes some lines once.
func (m *machine) editLines(rel string, lines []string) (changed []string, kind string) {
	ending := "\n"
	if m.rng.IntN(20) == 0 {
		ending = "\r\n"
	}
	mark := "- "
	if strings.HasSuffix(rel, "/tasks.md") {
		mark = "- [ ] "
	}
	fresh := mark + m.phrase()
	if m.rng.IntN(20) == 0 {
		fresh += " \xff\xfe" // bytes that are not text
	}
	if n := len(lines); n > 0 && !strings.HasSuffix(lines[n-1], "\n") {
		lines[n-1] += "\n"
	}
	at, line := m.someLine(lines)
	n := m.rng.IntN(5)
	if at < 0 {
		n = 0
	}
	switch n {
	case 0:
		return append(lines, fresh+ending), "new last line"
	case 1:
		return slices.Insert(lines, at, fresh+ending), "new line in the middle"
	case 2:
		lines[at] = line.begin + m.phrase() + line.end
		return lines, "line replaced"
	case 3:
		lines[at] = line.begin + line.text + " and " + m.phrase() + line.end
		return lines, "line extended"
	default:
		return slices.Delete(lines, at, at+1), "line deleted"
	}
}

// handLine is a line that a person may change: the parts before and after its text stay.
type handLine struct{ begin, text, end string }

// someLine picks a line that is neither a heading nor parsed by the program; -1 for none.
func (m *machine) someLine(lines []string) (at int, line handLine) {
	pattern := regexp.MustCompile(`^(\s*(?:[-*] (?:\[[ x]\] )?)?)(\S.*?)((?: \([^()]*\))?(?: \^[\w-]+)?\s*)$`)
	fixed := regexp.MustCompile(`^(#|---|messages: |session: |wrote: |log: |\s+- \w+ \[\[)`)
	var may []int
	for i, l := range lines {
		if !fixed.MatchString(l) && pattern.MatchString(l) {
			may = append(may, i)
		}
	}
	if len(may) == 0 {
		return -1, handLine{}
	}
	at = oneOf(m.rng, may)
	part := pattern.FindStringSubmatch(lines[at])
	return at, handLine{part[1], part[2], part[3]}
}

// deleteSection deletes a session's section of the archive, or another one of a list of notes.
func (m *machine) deleteSection() error {
	names := m.sorted(func(rel string) bool {
		return strings.Contains(rel, "/sessions/") || strings.HasSuffix(rel, "/MEMORY.md")
	})
	if len(names) == 0 {
		return nil
	}
	rel := oneOf(m.rng, names)
	front, lines := bodyOf(m.read(rel))
	var heads []int
	for i, line := range lines {
		if strings.HasPrefix(line, "## ") {
			heads = append(heads, i)
		}
	}
	if len(heads) == 0 || len(heads) == 1 && strings.HasSuffix(rel, "/MEMORY.md") {
		return nil
	}
	at := oneOf(m.rng, heads)
	end := len(lines)
	if i := slices.IndexFunc(lines[at+1:], func(l string) bool { return strings.HasPrefix(l, "## ") }); i >= 0 {
		end = at + 1 + i
	}
	m.say("  %.60q of %s", lines[at], rel)
	m.write(rel, front+strings.Join(slices.Delete(lines, at, end), ""))
	return nil
}
