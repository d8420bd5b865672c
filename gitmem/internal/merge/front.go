package merge

import (
	"strings"

	"github.com/gitmem/gitmem/markdown"
)

// lostText is what gave way, as a text and lines below it.
type lostText struct{ text, lines string }

// mergeFront merges the frontmatter of a file.
func mergeFront(b, x, y *version) (front string, lost []lostText) {
	switch {
	case x.front == y.front, y.front == b.front:
		return x.front, nil
	case x.front == b.front:
		return y.front, nil
	}
	merged, fields, ok := markdown.MergeFields(closed(b), closed(x), closed(y))
	if ok {
		for _, f := range fields {
			lost = append(lost, lostText{f.Path + ": " + f.Value, ""})
		}
		return string(merged), lost
	}
	valid := func(v *version) bool {
		_, _, ok := markdown.MergeFields(nil, closed(v), closed(v))
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
	return winner, []lostText{{"the other frontmatter:", fence + "yaml\n" + strings.TrimRight(loser, "\r\n") + "\n" + fence}}
}

// closed is the frontmatter with its last line end.
func closed(v *version) []byte {
	if v.front == "" || strings.HasSuffix(v.front, "\n") {
		return []byte(v.front)
	}
	return []byte(v.front + v.eol)
}

// mergeYAML merges a file of YAML by keys. What gave way stays as a comment.
func mergeYAML(base, ours, theirs []byte) []byte {
	wrap := func(src []byte) *version {
		v := &version{eol: markdown.Parse(src).EOL}
		if len(src) > 0 {
			v.front = "---" + v.eol + string(src)
			if !strings.HasSuffix(v.front, "\n") {
				v.front += v.eol
			}
			v.front += "---" + v.eol
		}
		return v
	}
	b, x, y := wrap(base), wrap(ours), wrap(theirs)
	if ours == nil {
		return theirs
	}
	if theirs == nil {
		return ours
	}
	front, lost := mergeFront(b, x, y)
	lines := splitLines(front)
	var out strings.Builder
	for _, line := range lines[min(1, len(lines)):max(len(lines)-1, 0)] {
		out.WriteString(line)
	}
	eol := pick(b.eol, x.eol, y.eol)
	for _, l := range lost {
		for line := range strings.Lines(l.text + "\n" + l.lines) {
			line = "# conflict: " + strings.TrimRight(line, "\r\n") + eol
			if !strings.Contains(out.String(), line) {
				out.WriteString(line)
			}
		}
	}
	return []byte(out.String())
}
