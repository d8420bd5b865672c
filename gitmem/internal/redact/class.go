package redact

// class is a set of bytes of which a secret is made.
type class uint8

const (
	alnum   class = iota // A-Z a-z 0-9
	upper                // A-Z 0-9
	word                 // alnum and _
	dashed               // word and -
	dotted               // dashed and .
	path                 // dashed and /
	base64s              // alnum and + / =
	token68              // dotted and + / = ~ (what follows a scheme in an Authorization header)
)

func (c class) has(b byte) bool {
	switch {
	case isDigit(b) || isUpper(b):
		return true
	case isLower(b):
		return c != upper
	case b == '_':
		return c == word || c == dashed || c == dotted || c == path || c == token68
	case b == '-':
		return c == dashed || c == dotted || c == path || c == token68
	case b == '.':
		return c == dotted || c == token68
	case b == '/':
		return c == path || c == base64s || c == token68
	case b == '+' || b == '=':
		return c == base64s || c == token68
	case b == '~':
		return c == token68
	}
	return false
}

// run returns the end of the bytes of the class that begin at at, and looks
// no further than limit.
func (c class) run(s string, at, limit int) int {
	limit = min(limit, len(s))
	for at < limit && c.has(s[at]) {
		at++
	}
	return at
}

func isDigit(b byte) bool  { return '0' <= b && b <= '9' }
func isUpper(b byte) bool  { return 'A' <= b && b <= 'Z' }
func isLower(b byte) bool  { return 'a' <= b && b <= 'z' }
func isLetter(b byte) bool { return isUpper(b) || isLower(b) }
func isAlnum(b byte) bool  { return isLetter(b) || isDigit(b) }
func isSpace(b byte) bool  { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }
