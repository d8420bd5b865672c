package redact

// Lines is [Redactor.Text] for files: it keeps as many line ends as s has, behind
// the mark of what held them, so that line numbers stay true.
func (r *Redactor) Lines(s string) string {
	_, found := r.Text(s)
	return apply(s, found, "\n")
}
