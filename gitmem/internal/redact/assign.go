package redact

import (
	"slices"
	"strings"
)

const (
	kindPassword  = "password"
	kindSecret    = "secret"
	kindAWSSecret = "aws-secret-key"
)

// maxName limits the length of a name on each side of the word that makes it suspect.
const maxName = 64

// secretWord is a word in names of secrets: in source code, environment files, JSON, YAML, XML, connection strings,
// query strings, command lines and prose. The value decides whether it is a secret.
type secretWord struct {
	// judge completes the name, which consists of head, word and tail, and reports whether such names refer to secrets.
	judge func(n *name, head, word, tail string) bool
	is    name     // common properties of all names with these words
	words []string // lower case
}

var secretWords = [...]secretWord{
	{judgePass, name{password: true}, []string{"pass"}},
	{judgePassword, name{password: true}, []string{"pwd", "psk"}},
	{judgePassword, name{password: true, weak: true}, []string{"pw"}},
	{judgeSecret, name{}, []string{"secret", "token"}},
	{judgeCredential, name{}, []string{"cred"}},
	{judgeKey, name{}, []string{"key"}},
	{judgeFree, name{random: true}, []string{"salt"}},
	{judgeJoined, name{password: true}, []string{"kennwort", "kennwört"}},
	{judgeFree, name{password: true, foreign: true}, []string{"mot de passe", "contraseña", "senha", "wachtwoord", "密码",
		"密碼", "口令", "パスワード", "пароль", "recovery code", "backup code"}},
	{judgePhrase, name{password: true, random: true}, []string{"mnemonic", "phrase"}},
	{judgeAlone, name{phrase: true}, []string{"seed", "recovery words"}},
	{judgeAuth, name{random: true}, []string{"auth"}},
	{judgePassword, name{password: true}, []string{"authtok", "keymaterial"}},
	{judgeAlone, name{keyed: true}, []string{"appid", "_pk"}},
	{judgeAny, name{random: true}, []string{"sig=", "signature="}},
}

// name is the name before a value, with the properties that the rules need.
type name struct {
	text       string
	before     string // the word before the name, if only a blank separates them
	start, end int
	word       int // where the secret word ends
	term       string
	floor      int  // left limit: nothing before it may be read
	password   bool // values may be short words; otherwise they must look random
	// free: the name is just the word pass, which also reports test results, so only a value with an unambiguous form
	// counts.
	free bool
	weak bool // pass is only a part of the name
	// random: the name has many other uses, so the value must look random.
	random  bool
	phrase  bool // only a sequence of words can be a value
	opens   bool // the name is followed by its object, as in code of the door
	cell    bool // the name is a table cell, with its value in the next one
	foreign bool // of a language other than English
	user    bool // the name is preceded by a user name
	keyed   bool // any key: the value must be one that only programs generate
	prose   prose
}

// match returns the value that is assigned to the name around the word.
func (t *secretWord) match(r *Redactor, s, word string, at, floor int) (Finding, bool) {
	n, ok := t.name(s, word, at, floor)
	if !ok {
		return Finding{}, false
	}
	if f, ok := r.assigned(s, n); ok || n.keyed { // a sentence with such a key is about the key itself
		return f, ok
	}
	return r.inProse(s, n)
}

// assigned returns the value that an operator or a separator assigns to a name.
func (r *Redactor) assigned(s string, n name) (Finding, bool) {
	if n.prose != (prose{}) {
		return Finding{}, false
	}
	sep, ok := separator(s, n)
	if !ok || sep.env && n.foreign && upper.run(s, sep.at, sep.at+maxName) > sep.at+3 {
		return Finding{}, false
	}
	if end := sep.words(s, n); end > 0 {
		return Finding{kindPassword, sep.at, end}, true
	}
	var all Finding
	for range maxValues {
		f, end := r.judge(s, n, sep)
		if all.Kind == "" {
			all = f
		} else if f.Kind != "" {
			all.End = f.End
		}
		if sep, ok = sep.next(s, end); !ok {
			break
		}
	}
	return all, all.Kind != ""
}

// maxValues limits the number of values of one name.
const maxValues = 32

// judge returns the value at sep if it is a secret, and the end of the value.
func (r *Redactor) judge(s string, n name, sep sep) (Finding, int) {
	if sep.bytes > 0 {
		v := s[sep.at:sep.bytes]
		if entropy(v) < 3 || n.keyed || n.random || n.term == "token" { // such as those of test vectors
			return Finding{}, sep.bytes
		}
		return Finding{r.valueKind(s, n, sep.at, sep.bytes), sep.at, sep.bytes}, sep.bytes
	}
	end, more := sep.value(s)
	switch {
	case sep.xml && !strings.HasPrefix(s[skipAny(s, end, " \t\r\n", maxName):], "</"), sep.quote == "" &&
		strings.HasPrefix(s[end-1:], "->"):
		return Finding{}, end
	case sep.below && !sep.alone(s, end):
		return Finding{}, end
	}
	sep.ends = end == len(s) || s[end] == '\n' || s[end] == '\r'
	switch {
	case n.phrase, !n.accepts(s[sep.at:end], sep) && !(n.password && sep.plain(s, n, end)):
		return Finding{}, end
	case sep.block > 0:
		end = sep.block
	case more:
		end = sep.rest(s, end)
	}
	return Finding{r.valueKind(s, n, sep.at, end), sep.at, end}, end
}

// name returns the name around the word, and whether such names refer to secrets.
func (t *secretWord) name(s, word string, at, floor int) (name, bool) {
	after := at + len(word)
	n := t.is
	n.start, n.end, n.floor = dotted.runBack(s, at, max(floor, at-maxName)), dotted.run(s, after, after+maxName), floor
	if s[after-1] == '=' || unspaced(word[0]) {
		n.end = after
	} else if n.end-after == maxName {
		return n, false
	}
	n.word, n.term = after, strings.TrimRight(word, "=")
	n.text = strings.ToLower(s[n.start:n.end])
	if n.start-1 > floor && s[n.start-1] == ' ' {
		n.before = s[alnum.runBack(s, n.start-1, max(floor, n.start-16)) : n.start-1]
	}
	n.opens = strings.HasPrefix(s[n.end:], " ") && hasPrefix(s[n.end:], " d'acc", " de ", " di ", " do ", " da ", " del",
		" for the ", " of the ", " f\u00fcr ", " zu ", " vom ") > 0
	n.cell = strings.HasPrefix(s[skipAny(s, n.end, " ", maxName):], "|") &&
		strings.Trim(s[lineStart(s, n.start, floor):n.start], " |") == ""
	return n, t.judge(&n, s[n.start:at], s[at:after], s[after:n.end])
}

// valueKind returns the kind that the name gives to the value. It is "" for a value with a form of its own: the rule
// for that form finds it, and may know more about its context.
func (r *Redactor) valueKind(s string, n name, from, end int) string {
	if r.isToken(s, from, end) {
		return ""
	}
	switch {
	case n.password:
		return kindPassword
	case strings.Contains(n.text, "aws") && end-from == 40:
		return kindAWSSecret
	}
	return kindSecret
}

// isToken reports whether a rule for its form finds s[from:end].
func (r *Redactor) isToken(s string, from, end int) bool {
	if from+3 > len(s) {
		return false
	}
	for e := range r.index.entriesAt(s, from) {
		switch e.matcher.(type) {
		case *token, *rule:
			if f, ok := e.match(r, s, e.word, from, from); ok && f.Start == from && f.End >= end {
				return true
			}
		}
	}
	return false
}

func judgePass(n *name, head, word, tail string) bool {
	rest, whole := cutPassword(tail)
	n.free, n.weak = !whole && head == "", !whole
	return (whole || freeWord(head, word[0]) || hasAnySuffix(head, passwordHeads[:])) && secretTail(rest)
}

func judgePassword(_ *name, head, word, tail string) bool {
	return (freeWord(head, word[0]) || hasAnySuffix(head, passwordHeads[:])) && secretTail(tail)
}

// passwordHeads are prefixes after which pass and pw follow without a separator.
var passwordHeads = [...]string{"db", "user", "root", "admin", "store", "key", "sql", "smtp", "ftp", "mail", "bind",
	"ssh", "ldap", "vpn", "wifi"}

func judgeSecret(_ *name, head, _, tail string) bool {
	head = strings.TrimRight(head, "_-.")
	return secretTail(tail) && !hasSuffixFold(head, "public") && !hasSuffixFold(head, "publishable")
}

func judgeCredential(_ *name, head, word, tail string) bool {
	rest, ok := cutAny(tail, "entials", "ential", "s")
	last := lastWord(tail)
	return ok && freeWord(head, word[0]) && secretTail(rest) && last != "id" && last != "ids"
}

func judgeKey(n *name, head, _, tail string) bool {
	if head == "" {
		head = n.before // as in "the api key is"
	}
	if hasAnySuffix(strings.TrimRight(head, "_-."), keyKinds[:]) || n.cell && strings.HasSuffix(head, "_") {
		n.password = hasAnySuffix(head, []string{"pre-shared-", "pre_shared_", "wpa-psk-"})
		return secretTail(tail)
	}
	if hasPrefixFold(head, "wireless.") { // a setting of uci
		n.password = true
		return tail == ""
	}
	n.keyed = true
	return !hasAnySuffix(strings.TrimRight(head, "_-."), plainKeys[:]) && secretTail(tail)
}

// plainKeys are qualifiers of keys that are not secret.
var plainKeys = [...]string{"public", "pub", "publishable", "cache", "primary", "foreign", "partition", "sort", "group",
	"object", "site", "idempotency", "hash", "storage_object", "peer", "range", "map", "index", "dedup", "lookup",
	"translation", "i18n", "msg", "trace", "state", "build", "query", "store"}

// judgeFree applies to words that are not part of another word.
func judgeFree(_ *name, head, word, tail string) bool {
	return freeWord(head, word[0]) && secretTail(tail)
}

// judgeAlone applies to words that other names begin or end with.
func judgeAlone(_ *name, head, word, tail string) bool {
	return freeWord(head, word[0]) && tail == ""
}

// judgeAny applies to words whose values have a form of their own.
func judgeAny(_ *name, head, word, _ string) bool { return freeWord(head, word[0]) }

// judgeJoined applies to words that follow others without a separator.
func judgeJoined(_ *name, _, _, tail string) bool { return secretTail(tail) }

func judgePhrase(n *name, _, _, tail string) bool {
	return (n.text != "phrase" || hasAnySuffix(n.before, []string{"seed", "recovery", "backup", "secret", "wallet"})) &&
		secretTail(tail)
}

// judgeAuth applies to the names auth and _auth alone, whose values are a user and a password in base64.
func judgeAuth(_ *name, head, _, tail string) bool {
	return tail == "" && (head == "" || head[len(head)-1] == '_')
}

// cutPassword removes the rest of password, passwd, passphrase or passcode after pass.
func cutPassword(tail string) (rest string, ok bool) {
	return cutAny(tail, "words", "word", "wort", "wd", "phrase", "code")
}

// cutAny removes the first of the words that is a prefix of s, case-insensitively.
func cutAny(s string, words ...string) (rest string, ok bool) {
	for _, w := range words {
		if hasPrefixFold(s, w) {
			return s[len(w):], true
		}
	}
	return s, false
}

// freeWord reports whether a word that begins with first and follows head is not part of another word, unlike pass in
// compass and bypass.
func freeWord(head string, first byte) bool {
	return !endsInLetter(head) || !isLetter(first) || isUpper(first) && isLower(head[len(head)-1])
}

// hasAnySuffix reports whether s ends in one of the words, case-insensitively.
func hasAnySuffix(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return hasSuffixFold(s, w) })
}

// keyKinds are qualifiers of secret keys; many others (cache, table, sort key) are not secret.
var keyKinds = [...]string{
	"api", "access", "secret", "private", "encryption", "encrypt", "decryption", "signing", "sign", "account", "auth",
	"master", "service", "license", "licence", "webhook",
	"client", "app", "shared", "preshared", "deploy", "storage", "session", "hmac", "jwt", "ssh", "rsa", "cipher", "admin",
	"logged_in", "nonce", "ingest", "write",
	"unseal", "wpa", "wpa2", "wifi", "network", "sas", "function", "functions", "subscription", "server", "consumer",
	"bot", "activation", "product", "recovery", "aes", "gpg", "root", "host", "symmetric", "integration", "rest",
}

// secretTail reports whether the text after the word in a name keeps its meaning. A letter that continues the word
// makes another word (tokenizer, secretary), and some suffixes name a property of a secret.
func secretTail(tail string) bool {
	tail = strings.TrimRight(tail, ".")
	if tail == "" || tail == "s" || tail == "S" {
		return true
	}
	if isLower(tail[0]) && !hasPrefixFold(tail, "s_") && !hasPrefixFold(tail, "s.") {
		return false
	}
	return !describesSecret(lastWord(tail))
}

// lastWord returns the last word of a name, in lower case.
func lastWord(s string) string {
	for i := len(s) - 1; i >= 0; i-- {
		if strings.IndexByte("_-.", s[i]) >= 0 {
			return strings.ToLower(s[i+1:])
		}
		if i > 0 && isUpper(s[i]) && isLower(s[i-1]) {
			return strings.ToLower(s[i:])
		}
	}
	return strings.ToLower(s)
}

func describesSecret(part string) bool {
	switch part {
	case "file", "filename", "path", "dir", "url", "uri", "endpoint", "host", "name", "names", "type", "types", "kind",
		"count", "counts", "limit", "length", "len",
		"size", "max", "min", "ttl", "age", "expiry", "expires", "expiration", "timeout", "at", "ref", "reference", "arn",
		"field", "label", "placeholder",
		"title", "hint", "message", "error", "errors", "version", "policy", "format", "pattern", "regex", "prefix", "suffix",
		"enabled", "required",
		"budget", "usage", "used", "cost", "index", "position", "algorithm", "method", "mode", "status", "manager",
		"provider", "store", "service",
		"selector", "column", "env", "description", "rules", "rule", "strength", "reset", "prompt", "stdin":
		return true
	}
	return false
}

func endsInLetter(s string) bool { return s != "" && isLetter(s[len(s)-1]) }

// repeatsName reports whether a value is an identifier that contains the secret word again, as in token = commaToken$1.
func (n name) repeatsName(v string) bool {
	return !n.password && mixedCase(v) && strings.Trim(v, "$!") != "" && word.all(strings.ReplaceAll(v, "$", "")) &&
		strings.Contains(strings.ToLower(v), n.term)
}

// accepts reports whether a value can be a secret, given its name and the form of the assignment.
func (n name) accepts(v string, sep sep) bool {
	switch {
	case n.keyed:
		return (strong(v) || sep.env && len(v) >= 20 && hex.all(v) && random(v)) && !strings.Contains(strings.ToLower(v),
			n.term) && !sep.comma && (n.text != "key" || sep.quote != "" && !hex.all(v) || sep.tight && sep.shell) &&
			(sep.quote != "" || sep.env || sep.shell)
	case sep.list && !random(v) && !(n.password && !n.free && mixed(v) && hasDigit(v)), sep.list && !n.password &&
		len(v) < 20:
		return false
	case sep.quote != "" && noisy(v):
		return true
	case v == "" || placeholder(v) || n.free && !sep.literal &&
		!(sep.ends && hasDigit(v) && random(v) && alternating(v)) || strings.EqualFold(v, n.text):
		return false
	case sep.quote == "" && sep.block == 0 && !strings.HasPrefix(v, "K10") &&
		(expression(v, sep.shell) || !sep.shell && n.repeatsName(v)):
		return false
	case sep.below:
		return random(v) || n.password && mixed(v) && hasDigit(v)
	case sep.quote != "" && !n.password && pattern(v):
		return false
	case sep.prose && !(hasDigit(v) && random(v) && (alternating(v) || strings.ContainsAny(v, "!#$%^&*?"))):
		return false
	case sep.comma && !sep.literal && !(hasDigit(v) && alternating(v)):
		return false // two items of a list
	case random(v) || n.random && userPassword(v), n.term == "auth" && userPair(v):
		return true
	case strings.ContainsAny(v, " \t"):
		return sep.literal && (n.password && passphrase(v) || anyRandom(v))
	case version(v) || n.random:
		return false
	case n.free:
		return mixed(v)
	case n.password && sep.literal:
		return len(v) >= 4 && !(v[0] == '/' && slug(v)) && (hasDigit(v) || !stateWord(strings.ToLower(v)) &&
			!(n.weak && sep.quote == "" && !sep.env))
	case n.password:
		return mixed(v) && !(slug(v) && strings.Contains(v, "_")) && (!n.weak || hasDigit(v) && len(v) >= 8)
	}
	return (sep.literal || sep.shell && sep.tight) && len(v) >= 6 && digits(v) > 0 && mixed(v) &&
		(!slug(v) || (sep.env || sep.tight && sep.shell) && (n.term == "secret" || n.term == "token" && !sep.env) &&
			alnum.all(v) && len(v) >= 8)
}

// userPair reports whether a value is a user and a password, as in auth: ann:….
func userPair(v string) bool {
	user, password, ok := strings.Cut(v, ":")
	return ok && user != "" && word.all(user) && alnum.all(password) && len(password) >= 8 && mixed(password) &&
		hasDigit(password)
}
