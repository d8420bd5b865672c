package redact

import (
	"slices"
	"strings"
)

// sep describes the text between a name and its value.
type sep struct {
	at int // start of the value, after its quote
	// quote closes the value; preceding backslashes are part of it, since JSON inside JSON is common in transcripts. Empty
	// for an unquoted value.
	quote string
	// literal: the form is unambiguous, so a plain word can be a password.
	literal bool
	// loose: the form has many other uses, so the value must look like a secret itself.
	loose bool
	env   bool // NAME=value: only blanks and quotes end it
	xml   bool // <name>value</name>
	tight bool // name=value: & begins the next one, as in a query string
	prose bool // a sentence may continue here: the value must look random
	comma bool // "name", "value": may also be two members of a list
	block int  // the end of a YAML block scalar, which is the value; else 0
	list  bool // ["value", "value"]
	below bool // the value is alone on the next line
	ends  bool // the value ends its line
	shell bool // not program text, but a flag or a query string
	bytes int  // the end of a list of numbers, which is the value; else 0
}

// separator parses the text after a name: = : := => == || ?? a comma after a quoted name, ( before a quoted value, > of
// an XML element, a blank after a command-line flag, the word is.
func separator(s string, n name) (sep, bool) {
	at := n.end + hasPrefix(s[n.end:], "[]")
	at = skipAny(s, at, "\\\"'`])", 6)
	closed := at > n.end
	after := skipNumber(s, skipAny(s, skipBold(s, at), " \t", maxName))
	out, ok := operator(s, n, after, closed)
	if !ok && after < len(s) {
		out, ok = valueWithoutOperator(s, n, after, closed)
	}
	if !ok {
		return sep{}, false
	}
	sign := skipBold(s, out.at)
	blank := skipAny(s, sign, " \t", maxName)
	spaced := blank > out.at || after > at
	out.at = blank
	if end := blockScalar(s, n.start, &out.at); end > 0 {
		out.block, out.literal = end, true
		return out, true
	}
	if typed := typedValue(s, out.at); typed > 0 {
		out.at = typed
	}
	out.enter(s, n, sign)
	if out.quote == "" {
		out.quote = quoteAt(s, &out.at)
	}
	if out.quote != "" && !closed && strings.HasSuffix(s[:n.start], out.quote) {
		return sep{}, false // the quote ends a string such as "password="
	}
	out.tight = !spaced && !closed && strings.HasPrefix(s[n.end:], "=")
	out.env = out.tight && out.quote == "" && strings.ToUpper(s[n.start:n.end]) == s[n.start:n.end]
	query := out.tight && n.start > 0 && strings.IndexByte("?&;", s[n.start-1]) >= 0
	out.shell = out.shell || out.env || query || out.tight && n.term == "secret" &&
		(n.start == 0 || strings.IndexByte("\n-", s[n.start-1]) >= 0 || s[n.start] == '-') || out.tight && n.password &&
		(n.start == 0 || s[n.start-1] == '\n')
	listed := out.tight && n.start > n.floor && s[n.start-1] == ',' // mount options
	out.literal = out.literal || !out.loose && (listed && n.free || out.quote != "" || out.env || query || out.xml)
	if out.quote == "" && out.loose && closed {
		return sep{}, false // a comma or a parenthesis before an expression
	}
	return out, true
}

// operator parses the operator after a name. Its result has the position after it.
func operator(s string, n name, at int, closed bool) (sep, bool) {
	if s[n.end-1] == '=' { // the word ends in its own operator
		return sep{at: n.end, loose: true}, true
	}
	if at >= len(s) {
		return sep{}, false
	}
	if typed := typedValue(s, at); typed > 0 && at > n.end && !closed {
		return sep{at: typed}, true
	}
	rest := s[at:]
	if at == n.end && n.start > n.floor && s[n.start-1] == '{' && hasPrefix(rest, ":-", ":=") > 0 { // ${NAME:-value}
		return sep{at: at + len(":-"), shell: true, literal: true}, true
	}
	for _, op := range []string{":=", ":: ", "::=", ":::=", "=>", "===", "==", "!==", "!=", "||", "??=", "??", "?=", "+=",
		".=", "=", ":"} {
		if strings.HasPrefix(rest, op) {
			return sep{at: at + len(op), loose: op == "||" || op == "??" || op[0] == '!'}, true
		}
	}
	before := s[max(n.floor, n.start-maxBefore):n.start]
	if at := pairValue(s, n.end, before); at > 0 {
		return sep{at: at, literal: true}, true
	}
	switch {
	case rest[0] == ',' && closed && !setsEnv(before) && quoted(s, at+1):
		return sep{at: at + 1, loose: true, comma: true}, !strings.HasSuffix(before, "/")
	case rest[0] == '(' && !closed && !n.weak && at == n.end: // not a use of it, as in password.encode("utf-8")
		return sep{at: at + 1, loose: true, literal: strings.HasSuffix(n.text, "setpassword")}, quoted(s, at+1) &&
			(n.word == 0 || strings.IndexByte(s[n.word:n.end], '.') < 0)
	case closed && hasPrefixFold(rest, "value="):
		return sep{at: at + len("value=")}, true
	case at > n.end && !closed && rest[0] == '\'' && sqlPassword(before):
		return sep{at: at, literal: true}, true
	case at > n.end && !closed && setCommand(before):
		return sep{at: at, loose: true, literal: rest[0] == '"' || rest[0] == '\''}, true
	case at > n.end && element(s, n) && strings.IndexByte(rest[:min(len(rest), 3*maxName)], '>') > 0:
		return sep{at: at + strings.IndexByte(rest, '>') + 1, xml: true}, true
	case rest[0] == '>' && at == n.end && element(s, n):
		at = skipAny(s, at+1, " \t\r\n", maxName)
		if hasPrefixFold(s[at:], "<value>") {
			at += len("<value>")
		}
		return sep{at: at, xml: true}, true
	case at > n.end && !closed && s[n.start] == '-' && !strings.HasPrefix(rest, "--"):
		return sep{at: at, loose: true, shell: true, literal: quoted(s, at)}, true
	case rest[0] == '|' && s[n.end-1] != '.' && strings.Trim(s[lineStart(s, n.start, n.floor):n.start],
		" |`0123456789") == "" && wholeCell(s, at+1):
		return sep{at: at + 1, loose: true, shell: n.keyed}, true
	case hasPrefix(rest, "：", "＝", "→") > 0:
		return sep{at: at + hasPrefix(rest, "：", "＝", "→")}, true
	case at > n.end && n.password && !closed && strings.IndexByte("`'\"", rest[0]) >= 0 && !inSettings(before):
		return sep{at: at, loose: true, prose: true}, true
	case at > n.end && n.password && hasPrefix(rest, "lautet ", "ist ", "est ", "es ", "é ", "was ") > 0:
		return sep{at: at + hasPrefix(rest, "lautet ", "ist ", "est ", "es ", "é ", "was "), loose: true, prose: true}, true
	case n.password && hasPrefix(rest, "是", "为", "は") > 0:
		return sep{at: at + hasPrefix(rest, "是", "为", "は"), loose: true, prose: true}, true
	case at > n.end && !closed && hasPrefixFold(rest, "for "):
		return forIs(s, at, n)
	case at > n.end && !closed && n.password && strings.EqualFold(n.text, "password") && usesPassword(before):
		return sep{at: at, loose: true, prose: true}, true
	case at > n.end && hasPrefixFold(rest, "is "):
		return sep{at: at + len("is "), loose: true}, true
	case at > n.end && hasPrefixFold(rest, "is: "):
		return sep{at: at + len("is: "), loose: true}, true
	}
	return sep{}, false
}

// element reports whether a name is that of an XML element, with or without a namespace.
func element(s string, n name) bool {
	at := n.start
	if at > n.floor && s[at-1] == ':' {
		at = word.runBack(s, at-1, max(n.floor, at-16))
	}
	return at > 0 && s[at-1] == '<'
}

// hasPrefix returns the length of the first of the words that is a prefix of s, 0 if none is.
func hasPrefix(s string, words ...string) int {
	for _, w := range words {
		if strings.HasPrefix(s, w) {
			return len(w)
		}
	}
	return 0
}

// containsAny reports whether s contains one of the words.
func containsAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// forIs parses the purpose of a password before its value: the password for the staging server is ….
func forIs(s string, at int, n name) (sep, bool) {
	const words = 40
	// Password for 'https://…': …
	if place := skipAny(s, at+len("for "), " ", 1); n.password && place < len(s) && s[place] == '\'' {
		if end := closing(s, place+1, place+maxBefore, "'"); strings.HasPrefix(s[end:], "': ") {
			return sep{at: end + len("': "), shell: true, literal: true}, true
		}
	}
	rest := s[at:min(len(s), at+words)]
	if eq := strings.Index(rest, "' = '"); n.password && eq > 0 { // SET PASSWORD FOR 'name' = '…' of SQL
		return sep{at: at + eq + len("' = ")}, true
	}
	is := strings.Index(rest, " is ")
	if colon := strings.Index(rest, ": "); n.password && colon > 0 && !strings.ContainsAny(rest[:colon], ".,;\n") {
		return sep{at: at + colon + len(": "), loose: true, prose: true}, true
	}
	if !n.password || is < 0 || strings.ContainsAny(rest[:is], ".,;:\n") {
		return sep{}, false
	}
	return sep{at: at + is + len(" is "), loose: true, prose: true}, true
}

// usesPassword reports whether the text before the word password introduces one: log in
// with password ….
func usesPassword(before string) bool {
	before = strings.TrimRight(before, " ")
	return hasAnySuffix(before, []string{"with", "use", "using", "and", "with the", "use the", "/"})
}

// maxBefore limits how far before a name the command that sets it is searched.
const maxBefore = 96

// setsEnv reports whether the text before a quoted name is a call that assigns it:
// Setenv("NAME", and define('NAME', and setProperty("NAME",.
func setsEnv(before string) bool {
	if quote := strings.LastIndexAny(before, "\"'`"); quote >= 0 && !strings.ContainsAny(before[quote+1:], " ,(") {
		before = before[:quote]
	}
	before = strings.TrimRight(before, "\\\"'` ")
	return hasAnySuffix(before, []string{"setenv(", "define(", "putenv(", "setproperty(", "getenv(", "environ.get(",
		"env(", "fetch(", "config(", ".fill(", ".type(", "fill_in", "getenvordefault(", "env_or(", "getorelse(",
		"getordefault("})
}

// sqlPassword reports whether a name is SQL's keyword before a quoted password: ALTER ROLE
// a WITH LOGIN PASSWORD 'b'.
func sqlPassword(before string) bool {
	before = strings.TrimRight(before, " ")
	words := strings.Fields(before)
	if n := len(words) - 2; n >= 0 && (strings.EqualFold(words[n], "user") || strings.EqualFold(words[n], "role")) {
		return true
	}
	return hasAnySuffix(before, []string{" with", " login", " encrypted", " superuser", " createdb"})
}

// setCommand reports whether the text before a name is a command that assigns the next
// word: aws configure set NAME, setx NAME, git config NAME.
func setCommand(before string) bool {
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i+1:]
	}
	fields := strings.Fields(before)
	for i := len(fields) - 1; i >= 0 && i >= len(fields)-3; i-- {
		switch f := strings.TrimLeft(fields[i], "`\"'("); {
		case f == "set" || f == "setx" || f == "#define" || f == "setenv" || f == "config" || f == "ENV":
			return true
		case !strings.HasPrefix(f, "-") && !strings.HasPrefix(f, "//"):
			return false
		}
	}
	return false
}

func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && hasPrefixFold(s[len(s)-len(suffix):], suffix)
}

func quoted(s string, at int) bool {
	at = skipAny(s, at, " \t", maxName)
	return quoteAt(s, &at) != ""
}

// typedValue returns the start of the value if there is a type at at, as in password: str = "…", and 0 otherwise.
func typedValue(s string, at int) int {
	end := word.run(s, at, at+maxName)
	if end == at {
		end = typeEnd(s, at)
	}
	eq := skipAny(s, end, " \t", 8)
	if eq == end || eq == at || eq+1 >= len(s) || s[eq] != '=' || s[eq+1] == '=' {
		return 0
	}
	return skipAny(s, eq+1, " \t", 8)
}

// typeEnd returns the end of a type of Rust such as &'static str, or at.
func typeEnd(s string, at int) int {
	if at >= len(s) || s[at] != '&' && s[at] != '[' {
		return at
	}
	end := skipAny(s, at, "&", 1)
	end += hasPrefix(s[end:], "'static ")
	if end < len(s) && s[end] == '[' { // &[u8; 32]
		return skipAny(s, skipAny(s, word.run(s, end+1, end+maxName), "; 0123456789", 8), "]", 1)
	}
	return word.run(s, end, end+maxName)
}

// quoteAt returns the quote at *at, with the backslashes that escape it, and moves *at after it. It skips a string
// prefix, as in b"…".
func quoteAt(s string, at *int) string {
	from := *at
	if from+1 < len(s) && strings.IndexByte("bBrRuUfFN@", s[from]) >= 0 && strings.IndexByte("\"'", s[from+1]) >= 0 {
		from++
	}
	end := skipAny(s, from, `\`, 7)
	if end >= len(s) || strings.IndexByte("\"'`", s[end]) < 0 {
		return ""
	}
	*at = end + 1
	return s[from : end+1]
}

// maxQuoted limits the search for the closing quote.
const maxQuoted = 1024

// value returns the end of the examined part of the value at p.at, and whether the value continues after it.
func (p sep) value(s string) (end int, more bool) {
	switch {
	case p.block > 0:
		first, _, _ := strings.Cut(s[p.at:min(p.block, p.at+maxQuoted)], "\n")
		return p.at + len(strings.TrimSuffix(first, "\r")), false
	case p.quote != "":
		end = closing(s, p.at, p.at+maxQuoted, p.quote)
		return end, end == p.at+maxQuoted
	case p.below:
		_, end = argument(s, p.at)
		return end, false
	}
	end = p.bare(s, p.at, p.at+judged)
	if end == p.at+judged {
		return end, true
	}
	for end > p.at && !p.xml && strings.IndexByte(".,;:)]}!?*", s[end-1]) >= 0 {
		if s[end-1] == '!' && end-1 > p.at && isDigit(s[end-2]) {
			break // more often the end of a password than of a sentence
		}
		end--
	}
	return end, false
}

// rest returns the end of a value that was examined up to at and continues. A quoted one without a closing quote ends
// at a blank.
func (p sep) rest(s string, at int) int {
	if p.quote == "" {
		return p.bare(s, at, len(s))
	}
	for at < len(s) && !isSpace(s[at]) && !strings.HasPrefix(s[at:], p.quote) {
		at++
	}
	return at
}

func (p sep) bare(s string, at, limit int) int {
	limit = min(limit, len(s))
	for at < limit && !p.stops(s[at]) {
		at++
	}
	return at
}

// closing returns the position of the quote that ends a value; a line end or
// the end of the text ends it too.
func closing(s string, at, limit int, quote string) int {
	limit = min(limit, len(s))
	for i := at; i < limit; i++ {
		switch {
		case s[i] == '\n' || s[i] == '\r':
			return i
		case strings.HasPrefix(s[i:], quote):
			return i
		case s[i] == '\\' && len(quote) == 1:
			i++
		}
	}
	return limit
}

// stops reports whether a byte ends an unquoted value.
func (p sep) stops(b byte) bool {
	switch {
	// and punctuation of scripts without blanks
	case isSpace(b) || strings.IndexByte("\"'`\\", b) >= 0 || b == 0xe3 || b == 0xef:
		return true
	case p.xml:
		return b == '<'
	case p.env:
		return b == ';'
	}
	return strings.IndexByte(",;<>|)]}", b) >= 0 || b == '&' && p.tight
}
