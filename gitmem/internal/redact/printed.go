package redact

import "strings"

// shown is a command that prints a secret, alone on the next line.
type shown struct {
	word string // lower case
	// about is what its line must have, too: where the word says too little. A blank
	// before or behind does not count.
	named bool
}

var showing = [...]shown{
	{"base64 -d", true},
	{"base64 --decode", true},
	{"cat ", true},
	{"printenv ", true},
	{"echo $", true},
	{"get-content ", true},
	{"kv get -field", false},
	{"read -field", false},
	{"versions access ", false},
	{"keyvault secret show", false},
	{"get-secret-value", false},
	{"--with-decryption", false},
	{"op read ", false},
	{"op item get ", true},
	{"pass show ", false},
	{"gopass show ", false},
	{"bw get ", false},
	{"find-generic-password", false},
	{"find-internet-password", false},
	{"secret-tool lookup", false},
	{"openssl rand", false},
	{"token_hex(", false},
	{"token_urlsafe(", false},
	{"randombytes(", false},
	{"securerandom.", false},
	{"generate_key()", false},
	{"rails secret", false},
	{"rake secret", false},
	{"phx.gen.secret", false},
	{"wg genkey", false},
	{"wg genpsk", false},
	{"key:generate", false},
	{"token create", false},
	{"create token", false},
	{"dumpprivkey", false},
	{"output -raw ", false},
	{"output --raw ", false},
	{"config:get ", false},
	{"config get ", true},
	{"pwgen", false},
	{"generate-password", false},
	{"get-random-password", false},
	{"print-access-token", false},
	{"get-access-token", false},
	{"auth token", false},
	{"cookie --generate", false},
	{"get-authorization-token", false},
	{"get-login-password", false},
	{"secrets get ", false},
	{"reset-password ", false},
	{"proceed to installation", false},
	{"recovery codes", false},
	{"backup codes", false},
	{"scratch codes", false},
}

// match takes the word on the line below a command.
func (c *shown) match(_ *Redactor, s string, at, floor int) (Finding, bool) {
	if !hasPrefixFold(s[at:], c.word) || at > floor && isAlnum(s[at-1]) && isAlnum(c.word[0]) {
		return Finding{}, false
	}
	end := at
	for limit := min(len(s), at+maxCommand); end < limit && s[end] != '\n' && !strings.HasPrefix(s[end:], `\n`) && !strings.HasPrefix(s[end:], `\r\n`); {
		end++
	}
	from := pairBreak(s, end)
	if from == end || c.named && !aboutSecret(s[lineStart(s, at, floor):end]) {
		return Finding{}, false
	}
	from = pairBreak(s, from)
	from += hasPrefix(s[from:], "=> ")
	quote := quoteAt(s, &from)
	if end := (sep{at: from, quote: quote}).words(s, name{text: "phrase", start: at, floor: floor, password: true}); end > 0 && c.named {
		return Finding{kindPassword, from, end}, true
	}
	to := from
	for to < len(s) && to < from+judged && !endsURL(s[to]) {
		to++
	}
	v := s[from:to]
	if dollar := strings.IndexByte(v, '$'); dollar > 0 && dollar == len(v)-1 && to < len(s) && s[to] == ' ' { // the prompt, where the file has no line end
		to--
		v = v[:dollar]
	} else if after := skipQuote(s, to); after < len(s) && pairBreak(s, after) == after {
		return Finding{}, false
	}
	return Finding{kindSecret, from, to}, v != "" && printed(v, quote != "")
}

// aboutSecret reports whether a command names what is secret.
func aboutSecret(line string) bool {
	line = strings.ToLower(line)
	for _, word := range []string{"secret", "passw", "passphrase", "token", ".key", "_key", "-key", "apikey", "credential", "psk", "_pw", "/pw", ".pass", "_pass"} {
		if strings.Contains(line, word) {
			return true
		}
	}
	return false
}

// printed reports whether a word alone on its line can be a secret that a command
// prints.
func printed(v string, quoted bool) bool {
	if len(v) < 8 || placeholder(v) || strings.HasPrefix(v, "-----") || strings.HasPrefix(v, "#!") || strings.ContainsAny(v, "(){}[]<>|") && !noisy(v) || strings.IndexByte("/:.;,=", v[len(v)-1]) >= 0 && !strings.HasSuffix(v, "=") || v[0] == '/' || v[0] == '.' {
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
