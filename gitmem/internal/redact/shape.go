package redact

import (
	"math"
	"slices"
	"strings"
)

// placeholder reports whether a value is a placeholder for a secret: <token>, ${TOKEN}, {{ token }}, %s, xxxx,
// changeme, your-api-key.
func placeholder(v string) bool {
	if filler(v) || strings.HasPrefix(v, "http://") || strings.HasPrefix(v, "https://") || strings.HasPrefix(v, "...") ||
		strings.HasPrefix(v, markOpen) {
		return true
	}
	switch v[0] {
	case '<', '{':
		return true
	case '$':
		return len(v) > 1 && (v[1] == '{' || v[1] == '(' || variable(v[1:]))
	case '%':
		return len(v) <= 3 || v[1] == 's' || v[1] == '(' || v[1] == '{' || strings.HasSuffix(v, "%")
	}
	return strings.Contains(v, "…") || fillerWords(v) || v[0] == '#' &&
		(color(v[1:]) || slug(v[1:]) && !(mixedCase(v) && hasDigit(v)))
}

// color reports whether s is a colour, as in #ffcc00.
func color(s string) bool { return (len(s) == 3 || len(s) == 6 || len(s) == 8) && hex.all(s) }

// pattern reports whether a quoted value is a regular expression or a format.
func pattern(v string) bool {
	return hasPrefix(v, `\u`, `\U`) > 0 || containsAny(v, "(?", "[^", `\d`, `\w`, `\s`, "%s", "%d", "%v", "${", "\\x")
}

// variable reports whether s is a shell variable's name: words in one case. A random value
// after a $ has both.
func variable(s string) bool {
	s = strings.TrimPrefix(s, "env:")
	return s != "" && word.all(s) && !isDigit(s[0]) && !hasDigit(strings.TrimRight(s, "0123456789")) &&
		(strings.ToUpper(s) == s || strings.ToLower(s) == s)
}

// fillerWords reports whether s consists only of words that people write in place of a
// secret.
func fillerWords(s string) bool {
	if len(s) > 64 {
		return false
	}
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("-_.:/* ", r) }) {
		for part != "" {
			end := camelWord(part)
			if !fillerWord(strings.ToLower(part[:end])) {
				return fillerWord(strings.ToLower(s))
			}
			part = part[end:]
		}
	}
	return true
}

// camelWord returns the length of the first word of someCamelCase; text in
// one case is one word.
func camelWord(s string) int {
	for i := 1; i < len(s); i++ {
		if isUpper(s[i]) && isLower(s[i-1]) {
			return i
		}
	}
	return len(s)
}

func fillerWord(s string) bool {
	switch s {
	case "your", "my", "the", "a", "an", "some", "new", "old", "real", "actual", "valid", "invalid", "wrong", "here",
		"goes", "go", "me",
		"api", "apikey", "key", "keys", "token", "tokens", "secret", "secrets", "password", "passwd", "passphrase",
		"pass", "pwd",
		"credential", "credentials", "access", "auth", "client", "app", "user", "username", "bearer", "basic", "value", "id",
		"name", "text", "string",
		"str", "bytes", "bool", "boolean", "int", "number", "object", "any", "null", "nil", "none", "undefined", "true",
		"false", "unknown", "optional", "required",
		"example", "sample", "placeholder", "dummy", "fake", "mock", "changeme", "change", "changeit", "replace", "replaceme",
		"insert", "enter", "put", "set",
		"todo", "tbd", "redacted", "hidden", "masked", "removed", "omitted", "empty", "foo", "bar", "baz", "yourtoken",
		"yourpassword",
		"mypassword", "mytoken", "mysecret", "env", "environ", "process", "config", "this", "self", "with", "from", "of",
		"is", "it", "inherit", "x", "xx", "xxx":
		return true
	}
	return s != "" && strings.Trim(s, "x") == ""
}

// expression reports whether an unquoted value is program text: a call, an index, a reference, or names joined by dots.
// In an environment file the first character does not matter.
func expression(v string, env bool) bool {
	if strings.ContainsAny(v, "([{") || strings.Contains(v, "->") || strings.Contains(v, "?.") || v[0] == ':' ||
		strings.Contains(v, "::") {
		return true
	}
	if !env && strings.IndexByte(signs, v[0]) >= 0 && !signedKey(v) && (dotted.all(strings.TrimLeft(v, signs)) ||
		strings.IndexByte(`/\`, v[0]) >= 0 || !random(v)) {
		return true
	}
	if !env && mixedCase(v) && word.all(v) && !isDigit(v[0]) && turns(v)*10 < len(v)*3 {
		return true // oneLongIdentifier
	}
	if len(v) == 23 && v[6] == '.' && alnum.all(v[:6]) && alnum.all(v[7:]) && digits(v[7:]) > 1 && !mixedCase(v) {
		return false // a kubeadm token
	}
	names := 0
	for name := range strings.SplitSeq(strings.TrimLeft(v, "$"), ".") {
		if name == "" || isDigit(name[0]) || word.run(name, 0, len(name)) != len(name) || digits(name) > 2 && !slug(name) &&
			alternating(name) {
			return false
		}
		names++
	}
	return names > 1
}

// signs are the first characters of references, flags, negations and paths in program text.
const signs = `&*@!|>-/\`

// signedKey reports whether a value that begins with one of signs is a base64 key and not a path or a flag.
func signedKey(v string) bool {
	return strings.IndexByte("/-!", v[0]) >= 0 && joined.all(v[1:]) && (len(v) >= 16 && randomMixed(v) || v[0] != '/' &&
		len(v) >= 10 && hasDigit(v) && mixedCase(v) && alternating(v))
}

// noisy reports whether v is long and has so many different symbols that it must be generated. It overrides the checks
// for patterns and formats.
func noisy(v string) bool {
	if len(v) < 40 || !hasDigit(v) || entropy(v) < 4.5 || strings.Contains(v, "://") || strings.Contains(v, `"`) ||
		strings.Contains(v, "${") && strings.Contains(v, "}") || strings.Contains(strings.ToLower(v), "abcdef") {
		return false
	}
	different := 0
	for _, sign := range "!#$%&()*+-./:;<=>?@[]^_`{|}~," {
		if strings.ContainsRune(v, sign) {
			different++
		}
	}
	return different >= 5
}

// random reports whether a value looks random rather than written: it has at least eight bytes without blanks, and is
// not a number, a version, or words, names or dates joined by the usual separators.
func random(v string) bool {
	if len(v) < 8 || strings.ContainsAny(v, " \t\r\n") || version(v) || slug(v) {
		return false
	}
	switch {
	case count(v, isLetter) == 0:
		return digits(v) >= 24 // shorter ones are counts, times and ids
	case strings.Trim(v, "0123456789eE.+-") == "":
		return false
	case hasDigit(v):
		return entropy(v) >= 2.5
	case strings.ContainsAny(v, "!#$%^&*+=?~@|"):
		return len(v) >= 12 && entropy(v) >= 3
	}
	return len(v) >= 20 && entropy(v) >= 3
}

// slug reports whether v consists of words, numbers and names that end in a number, joined by separators, as in
// us-east-1, my-app-prod-2024 or SHA256.
func slug(v string) bool {
	from := 0
	for i := 0; i <= len(v); i++ {
		if i < len(v) && strings.IndexByte("-_.:/@+,*=>", v[i]) < 0 {
			continue
		}
		if !wordy(v[from:i]) {
			return false
		}
		from = i + 1
	}
	return true
}

// wordy reports whether a person could have written one part of a slug.
func wordy(part string) bool {
	tail := strings.TrimLeftFunc(part, func(c rune) bool { return c < 0x80 && isLetter(byte(c)) })
	letters := len(part) - len(tail)
	switch {
	case len(part) <= 3:
		return alnum.run(part, 0, len(part)) == len(part)
	case letters == 0:
		return isDigits(part) && len(part) <= 14 || hexNumber(part)
	case tail != "" && (!isDigits(tail) || len(tail) > 5 || letters < 2):
		return false
	}
	return letters <= 40 && readable(part[:letters])
}

// hexNumber reports whether s is a hexadecimal number of up to 64 bits as programs write
// it.
func hexNumber(s string) bool {
	digits, ok := strings.CutPrefix(s, "0x")
	return ok && len(digits) <= 16 && strings.Trim(digits, "0123456789abcdefABCDEF") == ""
}

// readable reports whether s consists of words, also in camel case, rather than random letters: the case changes
// seldom, and vowels are as frequent as in a language.
func readable(s string) bool {
	changes := 0
	for i := 1; i < len(s); i++ {
		if isUpper(s[i]) != isUpper(s[i-1]) {
			changes++
		}
	}
	vowels := count(s, func(b byte) bool { return strings.IndexByte("aeiouyAEIOUY", b) >= 0 })
	if len(s) < 12 {
		return changes*2 <= len(s)
	}
	return changes*3 <= len(s) && vowels*6 >= len(s)
}

// version reports whether v is a version or a range of them: ^1.2.3-rc.1.
func version(v string) bool {
	v = strings.TrimLeft(v, "~^<>=v ")
	rest := strings.TrimLeft(v, "0123456789.x*")
	return strings.Contains(v[:len(v)-len(rest)], ".") && (rest == "" || strings.IndexByte("-+ ,|", rest[0]) >= 0)
}

// mixed reports whether a password looks chosen rather than a plain word: letters with
// digits or symbols, in at least five bytes.
func mixed(v string) bool {
	foreign := count(v, foreign)
	letters := foreign + count(v, isLetter)
	return len(v) >= 5 && foreign*2 < len(v) && letters > 0 && letters < len(v) && !version(v) && !hexNumber(v)
}

// count returns how many bytes of s satisfy is.
func count(s string, is func(byte) bool) int {
	n := 0
	for i := range len(s) {
		if is(s[i]) {
			n++
		}
	}
	return n
}

func digits(s string) int { return count(s, isDigit) }

func foreign(b byte) bool { return b >= 0x80 }

// entropy returns the Shannon entropy in bits for each byte of s.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	sum := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// anyRandom reports whether one of the words of v looks random, as in a generated key with blanks.
func anyRandom(v string) bool {
	return len(v) <= maxQuoted && slices.ContainsFunc(strings.Fields(v), func(w string) bool {
		return len(w) >= 10 && !placeholder(w) && !expression(w, true) && random(w) && hasDigit(w)
	})
}

// passphrase reports whether v consists of generated words rather than a sentence or a label: at least three, all in
// the same case, without the usual words of sentences about passwords, and with few words that name a state.
func passphrase(v string) bool {
	if len(v) < 12 || len(v) > 256 || strings.Contains(v, "  ") {
		return false
	}
	words, capitals, states := 0, 0, 0
	for w := range strings.SplitSeq(strings.TrimSpace(v), " ") {
		if len(w) < 2 || len(w) > 16 || alnum.run(w, 0, len(w)) != len(w) {
			return false
		}
		l := strings.ToLower(w)
		if sentenceWord(l) || w[1:] != l[1:] {
			return false
		}
		if fillerWord(l) || stateWord(l) {
			states++
		}
		words++
		if isUpper(w[0]) {
			capitals++
		}
	}
	return words >= 3 && states*4 <= words && (capitals == 0 || capitals == words && words >= 4)
}

func sentenceWord(s string) bool {
	switch s {
	case "be", "to", "in", "on", "for", "and", "or", "not", "no", "our", "that", "its", "by", "at", "as", "if", "when",
		"was", "are", "were", "must", "should", "can", "cannot",
		"may", "will", "would", "has", "have", "had", "does", "do", "did", "than", "then", "least", "most", "characters",
		"character", "chars", "letters", "digits", "confirm", "forgot",
		"please", "minimum", "maximum", "min", "max", "current", "repeat", "again", "email", "file", "login", "match",
		"matches", "mismatch", "too", "long", "error", "via",
		"using", "use", "used", "which", "who", "how", "what", "where", "why", "only", "also", "into", "per", "you", "we",
		"they", "he", "she", "all", "each", "every", "this", "there",
		"check", "checks", "show", "hide", "save", "send", "get", "sets", "tests", "test", "returns", "return", "contains",
		"contain", "between", "without", "given", "provided":
		return true
	}
	return false
}
