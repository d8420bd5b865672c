package redact

import (
	"encoding/json"
	"slices"
	"strings"
)

// JSON is [Redactor.Text] for a JSON value, complete or truncated. It redacts each string unescaped, since escapes hide
// parts of it, such as the line ends of a key of many lines. Then it redacts the whole, in which names precede values.
// Private blocks may span strings: if there is one, it only redacts the whole.
func (r *Redactor) JSON(s string) string {
	plain, found := r.Text(s)
	if slices.ContainsFunc(found, func(f Finding) bool { return f.Kind == kindPrivate }) {
		return plain
	}
	var b strings.Builder
	b.Grow(len(s))
	for at := 0; at < len(s); {
		if s[at] != '"' {
			b.WriteByte(s[at])
			at++
			continue
		}
		end := stringEnd(s, at)
		b.WriteString(r.jsonString(s[at:end]))
		at = end
	}
	out, _ := r.Text(b.String())
	return out
}

// jsonString redacts one string with its quotes. It returns a string without a secret, or one that is not valid JSON,
// unchanged.
func (r *Redactor) jsonString(s string) string {
	var text string
	if !strings.Contains(s, `\`) || json.Unmarshal([]byte(s), &text) != nil {
		return s
	}
	clean := r.nested(text)
	if clean == text {
		return s
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(clean) // encoding a string cannot fail
	return strings.TrimSuffix(b.String(), "\n")
}

// nested redacts the text of a string, which may be JSON again.
func (r *Redactor) nested(text string) string {
	if t := strings.TrimSpace(text); strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[") {
		return r.JSON(text)
	}
	text, _ = r.Text(text)
	return text
}

// stringEnd returns the end of the string that begins with the quote at at.
func stringEnd(s string, at int) int {
	for at++; at < len(s); at++ {
		switch s[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(s)
}
