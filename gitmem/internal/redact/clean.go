package redact

import "strings"

// Clean is text that has passed a Redactor: whoever asks for a Clean cannot be
// handed raw text by mistake. The zero value is the empty text.
type Clean struct{ s string }

// Clean returns s without its secrets.
func (r *Redactor) Clean(s string) Clean {
	s, _ = r.Text(s)
	return Clean{s}
}

// Join returns the parts with sep between them. The whole is redacted once
// more, since two harmless halves can make one secret.
func (r *Redactor) Join(sep string, parts ...Clean) Clean {
	all := make([]string, len(parts))
	for i, p := range parts {
		all[i] = p.s
	}
	return r.Clean(strings.Join(all, sep))
}

// String returns the redacted text.
func (c Clean) String() string { return c.s }

// Len returns the length of the redacted text in bytes.
func (c Clean) Len() int { return len(c.s) }
