package merge

import (
	"maps"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/markdown"
)

// lostText is a text that lost in a conflict, with the lines below it.
type lostText struct{ text, lines string }

// mergeFront merges the frontmatter of a file.
func mergeFront(b, x, y *version) (front string, lost []lostText) {
	switch {
	case x.front == y.front, y.front == b.front:
		return x.front, nil
	case x.front == b.front:
		return y.front, nil
	}
	merged, fields, ok := markdown.MergeFields([]byte(b.front), []byte(x.front), []byte(y.front))
	if ok {
		for _, f := range fields {
			lost = append(lost, lostText{f.Path + ": " + f.Value, ""})
		}
		return string(merged), lost
	}
	valid := func(v *version) bool {
		_, _, ok := markdown.MergeFields(nil, []byte(v.front), []byte(v.front))
		return ok && v.front != ""
	}
	winner, loser := x.front, y.front
	if valid(x) == valid(y) && x.front < y.front || valid(y) && !valid(x) {
		winner, loser = loser, winner
	}
	if loser == "" {
		return winner, nil
	}
	fence := "```"
	for strings.Contains(loser, fence) {
		fence += "`"
	}
	code := fence + "yaml\n" + strings.TrimRight(loser, "\r\n") + "\n" + fence
	return winner, []lostText{{"the other frontmatter:", code}}
}

// conflictComment begins a YAML comment with a value that lost in a conflict.
const conflictComment = "# conflict: "

// mergeYAML merges a YAML file by keys. Values that lost are kept as comments at its end.
func mergeYAML(base, ours, theirs []byte) (merged []byte, mixed bool) {
	if ours == nil {
		return theirs, false
	}
	if theirs == nil {
		return ours, false
	}
	b, had := wrapYAML(base)
	x, inOurs := wrapYAML(ours)
	y, inTheirs := wrapYAML(theirs)
	front, lost := mergeFront(b, x, y)
	comments := map[string]bool{}
	for c := range inOurs {
		comments[c] = inTheirs[c] || !had[c]
	}
	for c := range inTheirs {
		comments[c] = inOurs[c] || !had[c]
	}
	for _, l := range lost {
		texts := []string{l.text}
		if l.lines != "" {
			texts = slices.DeleteFunc(strings.Split(l.lines, "\n"), isFence)
		}
		for _, text := range texts {
			comments[conflictComment+strings.Join(strings.Fields(text), " ")] = true
		}
	}
	for _, side := range []*version{x, y} {
		for line := range strings.Lines(side.front) {
			if c := strings.TrimSpace(line); strings.HasPrefix(c, "#") && !hasLine(b.front, c) && !hasLine(front, c) {
				comments[c] = true
			}
		}
	}
	lines := splitLines(front)
	var out strings.Builder
	for _, line := range lines[min(1, len(lines)):max(len(lines)-1, 0)] {
		out.WriteString(line)
	}
	for _, c := range slices.Sorted(maps.Keys(comments)) {
		if comments[c] {
			out.WriteString(c + pick(b.eol, x.eol, y.eol))
		}
	}
	return []byte(out.String()), false
}

func hasLine(text, want string) bool {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == want {
			return true
		}
	}
	return false
}

// isFence reports whether a line is only a fence of a wrapped YAML file.
func isFence(line string) bool {
	line = strings.TrimSpace(line)
	return line == "---" || strings.Trim(strings.TrimSuffix(line, "yaml"), "`") == ""
}

// wrapYAML returns a YAML file as frontmatter, without its comments about lost values.
func wrapYAML(src []byte) (v *version, comments map[string]bool) {
	v, comments = &version{eol: markdown.Parse(src).EOL}, map[string]bool{}
	var rest strings.Builder
	for line := range strings.Lines(string(src)) {
		if text, _ := cutEnd(line); strings.HasPrefix(text, conflictComment) {
			comments[text] = true
		} else if rest.WriteString(line); !strings.HasSuffix(line, "\n") {
			rest.WriteString(v.eol)
		}
	}
	if rest.Len() > 0 {
		v.front = "---" + v.eol + rest.String() + "---" + v.eol
	}
	return v, comments
}
