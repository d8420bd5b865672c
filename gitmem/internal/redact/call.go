package redact

import "strings"

// call is a function that takes a password or a key as one of its first arguments.
type call struct {
	words []string // the end of its name, with the parenthesis
	nth   int      // the position of the argument; 0 is any
	// key: it takes a key, which must look random.
	key bool
}

var calls = [...]call{
	{words: []string{"curlopt_userpwd,", " crypt("}, nth: 1},
	{words: []string{
		"ftp_login(", "ldap_bind(", "imap_open(", "auth_password(", "emailandpassword(", ".connect(", "->connect(",
		"mysqldb.connect(", "pymysql.connect(", "connector.connect(",
		"plainauth(", "mysqli(", "mysqli->__construct(", "mysqli_connect(", "real_connect(", "getconnection(", "pdo(",
		"pdo->__construct(",
	}, nth: 3},
	{words: []string{
		"auth(", "auth=(", "credentials(", "networkcredential(", "passwordauthentication(", "usernamepasswordtoken(",
		".login(", "credentials.basic(", "changeuserpassword(",
		"wifi.begin(", "_pw_set(", "pgp_sym_encrypt(", "pgp_sym_decrypt(", "emailandpassword(", "jwt.sign(", "jwt.encode(",
		"jwt.decode(", "jwt.verify(", "jwt::encode(",
	}, nth: 2},
	{words: []string{"credentials(", "real_connect("}, nth: 4},
	{words: []string{
		"hmac.new(", "hmackeyfor(", "hmac256(", "secretkeyspec(", "aes.new(", "fernet(", "cookieparser(", "cookiestore(",
		"wallet(", "privatekeytoaccount(", "from_key(",
	}, nth: 1, key: true},
	{words: []string{"encrypt(", "decrypt(", "createhmac(", "hmac.new(", "cipheriv(", "algoliasearch("},
		nth: 2, key: true},
	{words: []string{"openssl_encrypt(", "openssl_decrypt(", "hash_hmac("}, nth: 3, key: true},
	{words: []string{"client(", "handler(", "oauth1(", "')('", "api("}, key: true},
}

// match returns the argument if it is a string that can be a password.
func (c *call) match(_ *Redactor, s, word string, at, _ int) (Finding, bool) {
	at += len(strings.TrimSuffix(word, "'"))
	var all Finding
	computed := false
	for n := 1; n <= 5; n++ {
		at = skipAny(s, at, " \t\r\n", maxName)
		start, end, next := argumentOf(s, at)
		v := s[start:end]
		text := start > at
		switch {
		case c.nth == 0 && text && strong(v):
			if all.End == 0 {
				all = Finding{kindSecret, start, end}
			}
			all.End = end
		case n == c.nth && c.key:
			return Finding{kindSecret, start, end}, text && (strong(v) || noisy(v))
		case n == c.nth:
			return Finding{kindPassword, start, end}, text && passwordArgument(v) && v[0] != '/' && !mailAddress(v) &&
				(word != ".connect(" || hasDigit(v)) && !(computed && !mixed(v))
		}
		computed = computed || !text
		if next >= len(s) || s[next] != ',' || next == at {
			break
		}
		at = next + 1
	}
	return all, all.End > 0
}

// argumentOf returns the string argument of a call at at, also within a conversion such as []byte("…"), and the end of
// the argument. For an expression it only returns the end.
func argumentOf(s string, at int) (start, end, next int) {
	from := at
	if open := conversion(s, at); open > at {
		from = open
	}
	start = from
	if quote := quoteAt(s, &start); quote != "" {
		end = closing(s, start, start+judged, quote)
		if !strings.HasPrefix(s[end:], quote) {
			return at, at, at
		}
		next = end + len(quote)
		if from > at {
			next = skipAny(s, next, ")", 1)
		}
		return start, end, skipAny(s, next, " ", 4)
	}
	return at, at, expressionEnd(s, at)
}

// conversion returns the start of the argument of a function that converts a string to bytes or a key, at if there is
// none.
func conversion(s string, at int) int {
	open := at
	for open < len(s) && open < at+maxName && (dotted.has(s[open]) || strings.IndexByte("[]:&!>", s[open]) >= 0) {
		open++
	}
	if open == at || open >= len(s) || s[open] != '(' || !quoted(s, skipBreaks(s, open+1)) {
		if !strings.HasPrefix(s[at:], "new ") || open != at+len("new") {
			return at
		}
		if in := conversion(s, open+1); in > open+1 {
			return in
		}
		return at
	}
	return skipBreaks(s, open+1)
}

// expressionEnd returns the end of an argument that is an expression: the comma or the parenthesis after it.
func expressionEnd(s string, at int) int {
	depth := 0
	for limit := min(len(s), at+maxBefore); at < limit; at++ {
		switch s[at] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return at
			}
		case ',':
			if depth == 0 {
				return at
			}
		case '\n', ';':
			return len(s)
		}
	}
	return len(s)
}

// strong reports whether a string in program text is a key and not an identifier: hexadecimal digits of 16 bytes or
// more, or letters and digits that alternate often.
func strong(v string) bool {
	if len(v) < 16 || !hasDigit(v) || strings.Contains(v, " ") || placeholder(v) ||
		strings.Contains(strings.ToLower(v), "abcdef") || strings.Contains(v, "123456") {
		return false
	}
	v = strings.TrimPrefix(v, "0x")
	if hex.all(v) && (strings.ToLower(v) == v || strings.ToUpper(v) == v) {
		return len(v) >= 32 && entropy(v) >= 3 && digits(v) < len(v)
	}
	return joined.all(v) && !uuid(v) && randomMixed(v) && !slug(v)
}

// mailAddress reports whether v is an e-mail address rather than a password.
func mailAddress(v string) bool {
	user, host, ok := strings.Cut(v, "@")
	return ok && user != "" && tilde.all(host) && strings.Contains(host, ".") && !mixedCase(host)
}
