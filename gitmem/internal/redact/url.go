package redact

import (
	"slices"
	"strings"
)

const (
	kindURLPassword = "url-password"
	kindAuth        = "auth-header"
)

// maxUserinfo limits how far a password with unescaped slashes is searched.
const maxUserinfo = 256

// matchURL matches the password of scheme://user:password@host, or a user part alone that is a credential
// (scheme://<token>@host).
func matchURL(_ *Redactor, s string, at, floor int) (Finding, bool) {
	if at == floor || !isAlnum(s[at-1]) {
		return Finding{}, false
	}
	from := at + len("://")
	end := from
	for end < len(s) && !endsURL(s[end]) && strings.IndexByte("/?#", s[end]) < 0 {
		end++
	}
	authority := s[from:end]
	host := strings.LastIndexByte(authority, '@')
	colon := strings.IndexByte(authority, ':')
	if host < 0 && colon > 0 && authority[0] != '[' && end < len(s) && !endsURL(s[end]) {
		// Passwords are often written with their slashes unescaped. Text that looks like a port is a port.
		host = hiddenHost(s[from:min(len(s), from+maxUserinfo)], colon)
	}
	if host < 0 {
		return Finding{}, false
	}
	if colon < 0 || colon > host {
		user := s[from : from+host]
		return Finding{kindURLPassword, from, from + host}, len(user) >= 16 && random(user)
	}
	password := s[from+colon+1 : from+host]
	found := Finding{kindURLPassword, from + colon + 1, from + host}
	return found, len(password) >= 3 && !placeholder(password)
}

// hiddenHost returns the position of the @ in user:pass/word@host, -1 if the colon precedes
// a port or there is none.
func hiddenHost(s string, colon int) int {
	end := wordEnd(s, 0, "")
	host := strings.IndexByte(s[:end], '@')
	slash := strings.IndexAny(s[:end], "/?#")
	if host < 0 || slash <= colon+1 || isDigits(s[colon+1:slash]) {
		return -1
	}
	return host
}

func endsURL(b byte) bool {
	return isSpace(b) || strings.IndexByte("\"'`<>\\", b) >= 0
}

// wordEnd returns the end of the word at at: a byte that ends a URL, one of stops, or the limit of the examined part.
func wordEnd(s string, at int, stops string) int {
	limit := min(len(s), at+judged)
	for at < limit && !endsURL(s[at]) && strings.IndexByte(stops, s[at]) < 0 {
		at++
	}
	return at
}

// matchAuthorization matches the credential of an Authorization header, in HTTP, JSON, YAML and source code.
func matchAuthorization(_ *Redactor, s string, at, _ int) (Finding, bool) {
	at = skipAny(s, at+len("authorization"), "\\\"'`])", 6)
	at = skipAny(s, at, " \t", 64)
	sep := skipAny(s, at, ":=,>(", 3)
	if sep == at {
		return Finding{}, false
	}
	at = skipAny(s, sep, " \t", 64)
	at = skipAny(s, at, "\\\"'`", 4)
	scheme := dashed.run(s, at, at+32)
	if from := skipAny(s, scheme, " \t", 8); from > scheme && slices.Contains(schemes[:], strings.ToLower(s[at:scheme])) {
		return credential(s, from, strings.EqualFold(s[at:scheme], "basic"))
	}
	return credential(s, at, false)
}

// schemes precede the credential of an Authorization header.
var schemes = [...]string{"bearer", "basic", "token", "apikey", "api-key", "api-token", "digest", "negotiate", "bot",
	"ssws", "splunk", "genie-key"}

// matchBearer matches the text after the word Bearer without a header's name.
func matchBearer(_ *Redactor, s string, at, _ int) (Finding, bool) {
	from := at + len("bearer")
	to := skipAny(s, from, " \t", 8)
	if to == from {
		return Finding{}, false
	}
	f, ok := credential(s, to, false)
	return f, ok && f.End-f.Start >= 16
}

// credential returns the token at at if it looks like one. The text after Basic may also decode to user:password.
func credential(s string, at int, basic bool) (Finding, bool) {
	end := token68.run(s, at, at+judged)
	value := s[at:end]
	return Finding{kindAuth, at, token68.run(s, end, len(s))}, len(value) >= 6 && !placeholder(value) &&
		(random(value) || basic && userPassword(value))
}

func userPassword(value string) bool {
	pair := fromBase64(strings.TrimRight(value, "="))
	return len(value) >= 8 && strings.Contains(pair, ":") && !strings.ContainsFunc(pair, func(c rune) bool {
		return c < ' ' || c > '~'
	})
}

// matchUserFlag matches the password of curl's -u user:password.
func matchUserFlag(_ *Redactor, s string, at, _ int) (Finding, bool) {
	from := strings.IndexByte(s[at:min(len(s), at+16)], ' ') + at
	from = skipAny(s, skipAny(s, from, " ", 8), "\\\"'", 4)
	colon := wordEnd(s, from, ":")
	if colon >= len(s) || s[colon] != ':' {
		return Finding{}, false
	}
	start, end := argument(s, colon+1)
	if start > colon+1 && from > 0 && s[from-1] == s[start-1] { // the closing quote
		end = start
	}
	user, password := s[from:colon], s[start:end]
	if password == "" { // a key for a user, without a password
		return Finding{kindPassword, from, colon}, len(user) >= 12 && random(user) && !placeholder(user)
	}
	if len(password) < 5 || strings.HasPrefix(password, "//") || isDigits(password) || placeholder(password) ||
		expression(password, true) {
		return Finding{}, false
	}
	return Finding{kindPassword, start, end}, user != "" || random(password)
}

// skipAny skips at most n bytes of the set.
func skipAny(s string, at int, set string, n int) int {
	for ; n > 0 && at < len(s) && strings.IndexByte(set, s[at]) >= 0; n-- {
		at++
	}
	return at
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// matchDSN matches the password of a data source such as user:password@tcp(host).
func matchDSN(_ *Redactor, s string, at, floor int) (Finding, bool) {
	from := at
	for from > floor && at-from < judged && !endsURL(s[from-1]) && s[from-1] != '=' && s[from-1] != '(' {
		from--
	}
	user, password, ok := strings.Cut(s[from:at], ":")
	return Finding{kindURLPassword, at - len(password), at}, ok && user != "" && password != "" && !placeholder(password)
}

// matchOracle matches the password of thin:user/password@host and of sqlplus user/password@host.
func matchOracle(_ *Redactor, s string, at, _ int) (Finding, bool) {
	user, password, f := beforeHost(s, at+strings.IndexAny(s[at:], ": ")+1, "/")
	return f, user != "" && password != "" && !placeholder(password)
}

// matchBrokenURL matches the password of a URL that has lost a slash.
func matchBrokenURL(_ *Redactor, s string, at, _ int) (Finding, bool) {
	user, password, f := beforeHost(s, at+strings.Index(s[at:], ":/")+len(":/"), ":")
	return f, word.all(user) && passwordArgument(password)
}

// beforeHost returns the user and the password before the separator of a host; "" if there
// is none.
func beforeHost(s string, from int, sign string) (user, password string, f Finding) {
	host := wordEnd(s, from, "@")
	if host == len(s) || s[host] != '@' {
		return "", "", f
	}
	user, password, _ = strings.Cut(s[from:host], sign)
	return user, password, Finding{kindURLPassword, host - len(password), host}
}
