package redact

import "strings"

// printer is a command that prints a secret, alone on the next line.
type printer struct {
	named bool     // the words are ambiguous: the line must also have one of namesSecret
	words []string // lower case
}

var printers = [...]printer{
	{named: true, words: []string{"base64 -d", "base64 --decode", "cat ", "printenv ", "echo $", "get-content ",
		"op item get ", "config get "}},
	{words: []string{
		"kv get -field", "read -field", "versions access ", "keyvault secret show", "get-secret-value", "--with-decryption",
		"op read ", "pass show ", "gopass show ", "bw get ",
		"find-generic-password", "find-internet-password", "secret-tool lookup", "openssl rand", "token_hex(",
		"token_urlsafe(", "randombytes(", "securerandom.",
		"generate_key()", "rails secret", "rake secret", "phx.gen.secret", "wg genkey", "wg genpsk", "key:generate",
		"token create", "create token", "dumpprivkey",
		"output -raw ", "output --raw ", "config:get ", "pwgen", "generate-password", "get-random-password",
		"print-access-token", "get-access-token", "auth token",
		"cookie --generate", "get-authorization-token", "get-login-password", "secrets get ", "reset-password ",
		"proceed to installation", "recovery codes", "backup codes",
		"scratch codes",
	}},
}

// match returns the word on the line below a command.
func (c *printer) match(_ *Redactor, s, word string, at, floor int) (Finding, bool) {
	if at > floor && isAlnum(s[at-1]) && isAlnum(word[0]) {
		return Finding{}, false
	}
	end := at
	for limit := min(len(s), at+maxCommand); end < limit && s[end] != '\n' && !strings.HasPrefix(s[end:], `\n`) &&
		!strings.HasPrefix(s[end:], `\r\n`); {
		end++
	}
	from := pairBreak(s, end)
	if from == end || c.named && !containsAny(strings.ToLower(s[lineStart(s, at, floor):end]), namesSecret[:]...) {
		return Finding{}, false
	}
	from = pairBreak(s, from)
	from += hasPrefix(s[from:], "=> ")
	quote := quoteAt(s, &from)
	if end := (sep{at: from, quote: quote}).words(s, name{text: "phrase", start: at, floor: floor,
		password: true}); end > 0 && c.named {
		return Finding{kindPassword, from, end}, true
	}
	to := wordEnd(s, from, "")
	v := s[from:to]
	// the prompt, if the file has no line end
	if dollar := strings.IndexByte(v, '$'); dollar > 0 && dollar == len(v)-1 && to < len(s) && s[to] == ' ' {
		to--
		v = v[:dollar]
	} else if after := skipQuote(s, to); after < len(s) && pairBreak(s, after) == after {
		return Finding{}, false
	}
	return Finding{kindSecret, from, to}, v != "" && printed(v, quote != "")
}

// namesSecret are the words that show that a command is about a secret.
var namesSecret = [...]string{"secret", "passw", "passphrase", "token", ".key", "_key", "-key", "apikey", "credential",
	"psk", "_pw", "/pw", ".pass", "_pass"}

// printed reports whether a word alone on its line can be a secret that a command
// prints.
func printed(v string, quoted bool) bool {
	if len(v) < 8 || placeholder(v) || strings.HasPrefix(v, "-----") || strings.HasPrefix(v, "#!") ||
		strings.ContainsAny(v, "(){}[]<>|") && !noisy(v) || strings.IndexByte("/:.;,=", v[len(v)-1]) >= 0 &&
		!strings.HasSuffix(v, "=") || v[0] == '/' || v[0] == '.' {
		return false
	}
	if name, value, ok := strings.Cut(v, "="); ok && strings.Trim(value, "=") != "" && word.all(name) {
		return false
	}
	if i := strings.IndexByte(v, ':'); i > 0 && !strings.HasPrefix(v, "base64:") {
		return false
	}
	return hasDigit(v) && (random(v) || mixed(v) && alnum.all(v)) && !version(v) && (quoted || !uuid(v))
}
