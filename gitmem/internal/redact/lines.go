package redact

import "strings"

// Lines is [Redactor.Text] for files: it keeps as many line ends as s has, behind
// the mark of what held them, so that line numbers stay true.
func (r *Redactor) Lines(s string) string {
	_, found := r.Text(s)
	if len(found) == 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	at := 0
	for _, f := range found {
		b.WriteString(s[at:f.Start])
		b.WriteString(mark(f.Kind))
		for range strings.Count(s[f.Start:f.End], "\n") {
			b.WriteByte('\n')
		}
		at = f.End
	}
	b.WriteString(s[at:])
	return b.String()
}
