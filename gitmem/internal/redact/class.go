package redact

// class is a set of ASCII bytes that secrets consist of.
type class uint8

const (
	digit   class = iota // 0-9
	hex                  // 0-9 a-f A-F
	upper                // A-Z 0-9
	alnum                // A-Z a-z 0-9
	word                 // alnum and _
	dashed               // word and -
	dotted               // dashed and .
	path                 // dashed and /
	base64s              // alnum and + / =
	token68              // dotted and + / = ~ (what follows a scheme in an Authorization header)
	escaped              // token68, and % : $ of values that are escaped or concatenated
	tilde                // dotted and ~
	address              // path, and @ .
	pair                 // dashed and : |
	joined               // base64s and _ -
	hashed               // base64s and . $ , -
	coded                // alnum and + / - _, the digits of base64 in both its alphabets
	signed               // alnum and ! # $ % & * + - . ? ^ _ ~, as random passwords have them
)

// Each set has one bit per byte: the first word for those below 64.
const (
	lowDigits  = 0x3ff << '0'
	lowBase64  = lowDigits | 1<<'+' | 1<<'/' | 1<<'='
	lowToken68 = lowBase64 | 1<<'-' | 1<<'.'
	highUpper  = (1<<26 - 1) << ('A' - 64)
	highLower  = (1<<26 - 1) << ('a' - 64)
	highAlpha  = highUpper | highLower
	highWord   = highAlpha | 1<<('_'-64)
	highHex    = (1<<6-1)<<('A'-64) | (1<<6-1)<<('a'-64)
)

var sets = [...][2]uint64{
	digit:   {lowDigits, 0},
	hex:     {lowDigits, highHex},
	upper:   {lowDigits, highUpper},
	alnum:   {lowDigits, highAlpha},
	word:    {lowDigits, highWord},
	dashed:  {lowDigits | 1<<'-', highWord},
	dotted:  {lowDigits | 1<<'-' | 1<<'.', highWord},
	path:    {lowDigits | 1<<'-' | 1<<'/', highWord},
	base64s: {lowBase64, highAlpha},
	token68: {lowToken68, highWord | 1<<('~'-64)},
	tilde:   {lowDigits | 1<<'-' | 1<<'.', highWord | 1<<('~'-64)},
	address: {lowDigits | 1<<'-' | 1<<'/' | 1<<'.', highWord | 1<<('@'-64)},
	pair:    {lowDigits | 1<<'-' | 1<<':', highWord | 1<<('|'-64)},
	joined:  {lowBase64 | 1<<'-', highWord},
	hashed:  {lowBase64 | 1<<'.' | 1<<'$' | 1<<',' | 1<<'-', highAlpha},
	coded:   {lowDigits | 1<<'+' | 1<<'/' | 1<<'-', highWord},
	signed: {lowDigits | 1<<'!' | 1<<'#' | 1<<'$' | 1<<'%' | 1<<'&' | 1<<'*' | 1<<'+' | 1<<'-' | 1<<'.' | 1<<'?',
		highWord | 1<<('^'-64) | 1<<('~'-64)},
	escaped: {lowToken68 | 1<<'%' | 1<<':' | 1<<'$', highWord | 1<<('~'-64)},
}

func (c class) has(b byte) bool {
	return b < 128 && sets[c][b>>6]>>(b&63)&1 != 0
}

// run returns the end of the bytes of the class that begin at at, at most limit.
func (c class) run(s string, at, limit int) int {
	limit = min(limit, len(s))
	for at < limit && c.has(s[at]) {
		at++
	}
	return at
}

// runBack returns the start of the bytes of the class that end at at, at least floor.
func (c class) runBack(s string, at, floor int) int {
	for at > floor && c.has(s[at-1]) {
		at--
	}
	return at
}

func (c class) all(s string) bool { return c.run(s, 0, len(s)) == len(s) }

func isDigit(b byte) bool  { return '0' <= b && b <= '9' }
func isUpper(b byte) bool  { return 'A' <= b && b <= 'Z' }
func isLower(b byte) bool  { return 'a' <= b && b <= 'z' }
func isLetter(b byte) bool { return isUpper(b) || isLower(b) }
func isAlnum(b byte) bool  { return isLetter(b) || isDigit(b) }
func isSpace(b byte) bool  { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }
