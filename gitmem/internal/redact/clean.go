package redact

// Clean is text that has passed a Redactor, so that a function that takes a Clean cannot be
// given raw text by mistake. The zero value is the empty text.
type Clean struct{ s string }

// Clean returns s without its secrets.
func (r *Redactor) Clean(s string) Clean {
	s, _ = r.Text(s)
	return Clean{s}
}

// String returns the redacted text.
func (c Clean) String() string { return c.s }
