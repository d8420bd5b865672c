package redact

import "strings"

const (
	kindPassword  = "password"
	kindSecret    = "secret"
	kindAWSSecret = "aws-secret-key"
)

// maxName bounds a name on each side of the word that makes it suspect.
const maxName = 64

// assignRules look where a secret is given to a name: in source code,
// environment files, JSON, YAML, XML, connection strings, query strings,
// command lines and plain sentences.
func assignRules() []rule {
	words := []string{"pass", "pwd", "secret", "token", "credential", "key", "_auth", "sig="}
	rules := make([]rule, len(words))
	for i, w := range words {
		rules[i] = rule{w, []string{kindPassword, kindSecret, kindAWSSecret}, func(r *Redactor, s string, at, floor int) (Finding, bool) {
			return r.assignment(s, at, len(w), floor)
		}}
	}
	return rules
}

// name is what a secret is given to, as far as it matters.
type name struct {
	text       string
	start, end int
	password   bool // values may be short words; otherwise they must look drawn
	// free: the name is the bare word pass, which also reports test results,
	// so only a value in a form of its own counts.
	free bool
}

// assignment takes the value that is given to the name around s[at:at+width].
func (r *Redactor) assignment(s string, at, width, floor int) (Finding, bool) {
	n, ok := secretName(s, at, width, floor)
	if !ok {
		return Finding{}, false
	}
	sep, ok := separator(s, n)
	if !ok {
		return Finding{}, false
	}
	end, more := sep.value(s)
	if !n.accepts(s[sep.at:end], sep) {
		return Finding{}, false
	}
	if more {
		end = sep.rest(s, end)
	}
	return Finding{r.valueKind(s, n, sep.at, end), sep.at, end}, true
}

// valueKind prefers what the value says about itself to what its name says.
func (r *Redactor) valueKind(s string, n name, from, end int) string {
	for _, rule := range r.rules[lower(s[from])] {
		if !hasPrefixFold(s[from:], rule.word) {
			continue
		}
		if f, ok := rule.match(r, s, from, from); ok && f.Start == from && f.End >= end {
			return f.Kind
		}
	}
	switch {
	case n.password:
		return kindPassword
	case strings.Contains(n.text, "aws") && end-from == 40:
		return kindAWSSecret
	}
	return kindSecret
}

// secretName returns the name around a word, if such names hold secrets.
func secretName(s string, at, width, floor int) (name, bool) {
	n := name{start: at, end: dotted.run(s, at+width, at+width+maxName)}
	for n.start > floor && at-n.start < maxName && dotted.has(s[n.start-1]) {
		n.start--
	}
	if n.end-at-width == maxName {
		return n, false
	}
	n.text = strings.ToLower(s[n.start:n.end])
	w := strings.ToLower(s[at : at+width])
	head, tail := s[n.start:at], s[at+width:n.end]
	switch w {
	case "pass":
		n.password = true
		rest, whole := cutPassword(tail)
		n.free = !whole
		return n, (whole || freeWord(head, s[at])) && secretTail(rest)
	case "pwd":
		n.password = true
	case "key":
		return n, secretKey(head) && secretTail(tail)
	case "_auth", "sig=":
		n.end = at + width
		return n, tail == "" || w == "sig=" && !endsInLetter(head)
	}
	return n, secretTail(tail)
}

// cutPassword completes pass to password, passwd, passphrase or passcode.
func cutPassword(tail string) (rest string, ok bool) {
	for _, more := range []string{"words", "word", "wort", "wd", "phrase", "code"} {
		if hasPrefixFold(tail, more) {
			return tail[len(more):], true
		}
	}
	return tail, false
}

// freeWord reports whether a word that begins with first is no part of
// another one, as pass is in compass and bypass.
func freeWord(head string, first byte) bool {
	return !endsInLetter(head) || isUpper(first) && isLower(head[len(head)-1])
}

// secretKey reports whether a name that ends in key is one of a secret: many
// keys (of caches, tables, sort orders) are none.
func secretKey(head string) bool {
	head = strings.ToLower(strings.TrimRight(head, "_-."))
	for _, kind := range []string{"api", "access", "secret", "private", "encryption", "signing", "account", "auth", "master", "service", "license", "webhook", "client", "app"} {
		if strings.HasSuffix(head, kind) {
			return true
		}
	}
	return false
}

// secretTail judges what follows the word in a name. A letter that continues
// the word makes another word (tokenizer, secretary), and some additions say
// that the value is something about a secret.
func secretTail(tail string) bool {
	tail = strings.TrimRight(tail, ".")
	if tail == "" || tail == "s" || tail == "S" {
		return true
	}
	if isLower(tail[0]) && !hasPrefixFold(tail, "s_") && !hasPrefixFold(tail, "s.") {
		return false
	}
	last := tail
	for i := len(tail) - 1; i >= 0; i-- {
		if strings.IndexByte("_-.", tail[i]) >= 0 {
			last = tail[i+1:]
			break
		}
		if i > 0 && isUpper(tail[i]) && isLower(tail[i-1]) {
			last = tail[i:]
			break
		}
	}
	return !about(strings.ToLower(last))
}

func about(part string) bool {
	switch part {
	case "file", "filename", "path", "dir", "url", "uri", "endpoint", "host", "name", "names", "type", "types", "kind", "count", "counts", "limit", "length", "len",
		"size", "max", "min", "ttl", "age", "expiry", "expires", "expiration", "timeout", "at", "ref", "reference", "arn", "field", "label", "placeholder",
		"title", "hint", "message", "error", "errors", "version", "policy", "format", "pattern", "regex", "prefix", "suffix", "enabled", "required",
		"budget", "usage", "used", "cost", "index", "position", "algorithm", "method", "mode", "status", "manager", "provider", "store", "service",
		"selector", "column", "env", "description", "rules", "rule", "strength", "reset", "prompt":
		return true
	}
	return false
}

func endsInLetter(s string) bool { return s != "" && isLetter(s[len(s)-1]) }

// accepts judges a value by the name and the way it is given.
func (n name) accepts(v string, sep sep) bool {
	switch {
	case v == "" || placeholder(v) || n.free && !sep.literal:
		return false
	case sep.quote == "" && expression(v, sep.env):
		return false
	case random(v):
		return true
	case strings.ContainsAny(v, " \t") || version(v):
		return false
	case n.password && sep.literal:
		return len(v) >= 4 && !(v[0] == '/' && slug(v))
	case n.password:
		return mixed(v)
	}
	return sep.literal && len(v) >= 6 && digits(v) > 0 && mixed(v) && !slug(v)
}
