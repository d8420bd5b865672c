package redact

import (
	"slices"
	"strings"
)

// maxSentence limits how much of a sentence is read on each side of a name.
const maxSentence = 160

// linkWords are the words between a name and its value.
var linkWords = [...]string{"is", "ist", "lautet", "lauten", "est", "c'est", "\u00e9tait", "etait", "es", "era",
	"\u00e9", "\u00e8", "was", "are", "war", "sind", "to", "auf", "to:", "jest", "it's", "its", "now", "still", "be", "=",
	"->", "\u2192", "\u2014", "-", "\u2013",
	"also", "noch", "jetzt", "set", "reset", "changed", "\u044d\u0442\u043e", "vale", "\u00e0", "isn't", "to\u0142",
	"wynosi", "\u00e4r", "er", "on", "je", "olan", "==", "=>", ":", "called", "reads", "zijn", "werd",
	"\u0431\u044b\u043b", "sar\u00e0", "ser\u00e1", "a", "bisher", "lautete", "hei\u00dft", "immer", "schon", "always",
	"currently", "just", "simply", "einfach", "toujours", "encore", "ahora", "aktuell", "derzeit", "por", "nach", "from",
	"von", "using"}

// linkSuffixes are link words of scripts without blanks, at the end of the text before the value.
var linkSuffixes = [...]string{"\u306f", "\u662f", "\u4e3a", "\u70ba", "\uff1a", "\uff1d", "\u300c", "\u300e", "\uff08",
	"\u7684", "\u306b", "\u3092", "\ub294", "\uc740", "\u6210", "\u201c"}

// inProse returns the value that a sentence gives to a name.
func (r *Redactor) inProse(s string, n name) (Finding, bool) {
	from, end := n.valueAfter(s)
	if end == 0 {
		from, end = n.valueBefore(s)
	}
	if end == 0 || r.isToken(s, from, end) || isReference(s, from) {
		return Finding{}, false
	}
	end = n.moreValues(s, end)
	kind := kindPassword
	if !n.password && !n.prose.digits && !n.prose.login && !n.phrase {
		kind = kindSecret
	}
	return Finding{kind, from, end}, true
}

// isReference reports whether a word refers to something other than a secret: a block of a
// Markdown file, or a commit.
func isReference(s string, from int) bool {
	before := strings.ToLower(strings.TrimRight(s[max(0, from-len("commit `")):from], " `"))
	return strings.HasSuffix(before, "^") || s[from] == '^' || strings.HasSuffix(before, "commit")
}

// moreValues skips values that follow one: from X to Y, and the codes of a list.
func (n name) moreValues(s string, end int) int {
	for range maxValues {
		width := hasPrefix(s[end:], " to ", " auf ", " -> ", " \u2192 ", " \u00e0 ", ", ", " and ", " und ")
		if width == 0 {
			break
		}
		to := dashed.run(s, end+width, end+width+maxName)
		if v := s[end+width : to]; !chosen(v) || width == 2 && !(n.prose.codes && len(v) >= 8) || to < len(s) &&
			strings.IndexByte("/.(@", s[to]) >= 0 && to+1 < len(s) && isAlnum(s[to+1]) {
			break
		}
		end = to
	}
	return end
}

// answer returns the word that answers a question for a password.
func (n name) answer(s string) (from, end int) {
	if !n.password || n.weak || !strings.HasPrefix(s[n.end:], "?") {
		return 0, 0
	}
	at := pairBreak(s, n.end+1)
	if at == n.end+1 {
		return 0, 0
	}
	if who := alnum.run(s, at, at+16); strings.HasPrefix(s[who:], ": ") {
		at = who + 2
	}
	if end = sentenceEnd(s, at); chosen(s[at:end]) && !strings.Contains(s[at:end], " ") {
		return at, end
	}
	return 0, 0
}

// sentenceEnd returns the end of the line of at, or of its readable part.
func sentenceEnd(s string, at int) int {
	line, _, _ := strings.Cut(s[at:min(len(s), at+maxSentence)], "\n")
	line, _, _ = strings.Cut(line, `\n`)
	return at + len(line)
}

// valueAfter reads the words behind a name up to its value.
func (n name) valueAfter(s string) (from, end int) {
	if from, end = n.valuesBelow(s); end > 0 {
		return from, end
	}
	if n.phrase || strings.ContainsAny(n.text, "_.$") || n.start > n.floor &&
		strings.IndexByte("$_.{<%@", s[n.start-1]) >= 0 {
		return 0, 0
	}
	limit := sentenceEnd(s, n.end)
	if from, end := n.answer(s); end > 0 {
		return from, end
	}
	at := skipAny(s, n.end, "*\"'`", 4)
	if !n.goesOn(s, at, limit) {
		return 0, 0
	}
	n.user = strings.Contains(strings.ToLower(s[lineStart(s, n.start, n.floor):n.start]), "user")
	return n.wordAfter(s, at, limit)
}

// goesOn reports whether a sentence goes on behind a name, from at to limit, so that it can give a value.
func (n name) goesOn(s string, at, limit int) bool {
	switch {
	case n.end >= limit || strings.IndexByte(" \t:*\"'`)=|", s[n.end]) < 0 && !unspaced(s[n.end]) && !unspaced(s[n.start]):
		return false
	case !n.password && !n.prose.login && !hasDigit(s[n.end:limit]):
		return false
	}
	return at >= limit || (s[at] != '(' || at != n.end) && strings.IndexByte("[_./", s[at]) < 0
}

// wordAfter takes the first word from at on that can be the value, or one in brackets.
func (n name) wordAfter(s string, at, limit int) (from, end int) {
	joined, direct, slash, words := unspaced(s[n.start]) && isAlnum(s[n.end]), true, false, 0
	for range 12 {
		at = skipAny(s, at, " \t*([{", 40)
		if at >= limit {
			break
		}
		if unspaced(s[at]) {
			to := unspacedEnd(s, at, limit)
			joined = joined || hasAnySuffix(s[at:to], linkSuffixes[:])
			direct = direct || joined
			at = to
			continue
		}
		if s[at] == ':' || s[at] == '=' || s[at] == ',' || s[at] == ')' || s[at] == '|' {
			sign := s[at] == ':' || s[at] == '='
			direct, joined = sign || direct && s[at] != ',', sign || joined && s[at] != ','
			if at++; s[at-1] == '=' && at < limit && (s[at] == '=' || s[at] == ',') {
				return 0, 0
			}
			continue
		}
		quote := quoteAt(s, &at)
		to, stop := proseWord(s, at, limit, quote)
		v := s[at:stop]
		if user := n.userBefore(s, v); user > 0 {
			return at + user, stop
		}
		switch {
		case v == "":
			if at = to; quote == "" {
				return 0, 0
			}
			continue
		case n.acceptsWord(v, joined && (slash || !n.prose.login), direct, quote != "", stop == limit || s[stop] != '(' &&
			s[stop] != '=', n.alone(s, stop)):
			return at, stop
		case n.prose.codes && groups(s, at, limit) > 0:
			return at, groups(s, at, limit)
		}
		low := strings.ToLower(v)
		slash = n.prose.login && (v == "/" || slash && v == "")
		is := slices.Contains(linkWords[:], low) || slash
		if joined && n.password && direct && !n.random {
			if end := (sep{at: at}).words(s, n); end > 0 {
				return at, end
			}
		}
		switch {
		case is, strings.HasSuffix(s[stop:to], ":") && to > stop:
			joined, direct = true, true
		default:
			direct = direct && !joined && words == 0 && n.foreign && smallWord(v)
			words++
		}
		if strings.IndexByte(".?!;", s[to-1]) >= 0 && !is || strings.ContainsAny(v, "(){}<>;=$\\") {
			break
		}
		at = to
	}
	return n.bracketed(s)
}

// userBefore returns the length of a user's name and of the sign behind it in a word that joins them to a
// password; 0 if it does not.
func (n name) userBefore(s, v string) int {
	if !n.prose.login && (n.start <= n.floor || s[n.start-1] != '/') || namesSession(v) {
		return 0
	}
	user := strings.IndexAny(v, ":/|")
	if user <= 0 || user == len(v)-1 || !dotted.all(strings.ReplaceAll(v[:user], "@", "")) || !chosen(v[user+1:]) {
		return 0
	}
	return user + 1
}

// namesSession reports whether a word is a citation of a session or of a part of one, as gitmem writes after a
// quotation: session:2026-11-20#s-7f3a9c2e.
func namesSession(v string) bool {
	kind, _, _ := strings.Cut(v, ":")
	return kind == "session" || kind == "idea" || kind == "transcript"
}

// proseWord returns the end of a word of a sentence, with and without its punctuation.
func proseWord(s string, at, limit int, quote string) (to, stop int) {
	to = at
	for to < limit && !isSpace(s[to]) && !unspaced(s[to]) && (quote == "" || !strings.HasPrefix(s[to:], quote)) &&
		strings.IndexByte("\"`)", s[to]) < 0 {
		to++
	}
	stop = to
	if quote != "" && strings.HasPrefix(s[to:], quote) {
		to += len(quote)
	}
	for stop > at && strings.IndexByte(".,;:)]}!?*'", s[stop-1]) >= 0 &&
		!(s[stop-1] == '!' && stop-1 > at && isDigit(s[stop-2])) {
		stop--
	}
	return to, stop
}

// acceptsWord reports whether a word of a sentence can be a secret.
func (n name) acceptsWord(v string, joined, direct, quoted, apart, alone bool) bool {
	letters := joined && direct && alnum.all(v) && len(v) >= 8 && mixedCase(v) && alternating(v)
	switch {
	case apart && n.prose.digits && direct && strings.Trim(v, "0123456789-#*ABCD") == "" && digits(v) >= 4 &&
		digits(v) <= 10 && (joined || len(v) <= 8):
		return true
	case !apart || placeholder(v) || technical(v) || strings.EqualFold(v, n.text):
		return false
	case isDigits(v):
		return n.password && !n.random && !n.free && direct && (joined && len(v) >= 6 || len(v) >= 8) && len(v) <= 24
	case n.prose.login:
		return joined && direct && chosen(v)
	case n.prose.codes && (!joined || !n.prose.list):
		return false
	case !n.password && !n.prose.digits:
		return (token68.all(v) || alone) && direct && (joined || alone) && (generated(v) && len(v) >= 12 || len(v) == 36 &&
			uuid(v) && joined)
	case n.prose.digits:
		return false
	case n.free || n.weak:
		return (joined && direct || quoted || direct && alone) && generated(v) && len(v) >= 8 ||
			(n.weak && !n.free && (joined || alone) || n.free && alone && n.user) && direct && (chosen(v) || letters) &&
				len(v) >= 8
	case direct:
		return (joined || quoted || len(v) >= 8) && (chosen(v) || letters || len(v) >= 20 && joinedKey(v) || joined &&
			unspaced(n.term[0]) && alnum.all(v) && hasDigit(v) && len(v) >= 6)
	}
	return generated(v)
}

// joinedKey reports whether v is a random key in base64.
func joinedKey(v string) bool { return base64s.all(v) && v[0] != '/' && random(v) && randomMixed(v) }

// alone reports whether a value and its name are alone on a line, in brackets or between commas.
func (n name) alone(s string, end int) bool {
	if end < len(s) && strings.IndexByte("\n\r),.", s[end]) < 0 {
		return false
	}
	before := s[lineStart(s, n.start, n.floor):n.start]
	return n.user || strings.Trim(before, " \t-*") == "" || hasAnySuffix(before, []string{", ", "/ ", "; ", "("})
}

// smallWord reports whether a word has lower-case letters only.
func smallWord(v string) bool {
	return len(v) <= 12 && count(v, isLower)+count(v, foreign) == len(v)
}

// chosen reports whether a word of a sentence looks like a password chosen by a person.
func chosen(v string) bool {
	return len(v) >= 6 && count(v, isLetter)+count(v, foreign) >= 2 && !strings.Contains(v, "%0") &&
		!strings.Contains(v, "&") && hasVariety(v) && !strings.ContainsAny(v, "/\\()<>[]{}=,;'\"") &&
		strings.Count(v, ".") < 2 && !strings.Contains(v, "::") && !expression(v, true) && !technical(v) && !placeholder(v) &&
		!version(v) && !lineRange(v)
}

// hasVariety reports whether v has digits or symbols that plain words lack.
func hasVariety(v string) bool {
	switch signs := strings.ContainsAny(v, "!#$%&?*^+~"); digits(v) {
	case 0:
		return isAlnum(v[0]) && mixedCase(v) && strings.ContainsAny(v[:len(v)-1], "!#%^*+?~") && alternating(v)
	case 1:
		return signs || alternating(v) || mixedCase(v) && len(v) >= 8 && turns(v)*4 >= len(v)
	}
	return true
}

// generated reports whether a word looks generated rather than chosen.
func generated(v string) bool {
	return chosen(v) && len(v) >= 8 && random(v) && (alternating(v) || strings.ContainsAny(v, "!#$%&?*^+~")) &&
		!strings.ContainsAny(v, ".:@")
}

// lineRange reports whether v is a range of lines, as in the headings of archives: L12–L80.
func lineRange(v string) bool {
	from, to, found := strings.Cut(v, "–L")
	return found && v[0] == 'L' && isDigits(from[1:]) && isDigits(to)
}

// technical reports whether a word with digits is a technical term: sha256, base64,
// RFC2898.
func technical(v string) bool {
	low := strings.ToLower(v)
	i := strings.IndexAny(low, "0123456789")
	if i < 0 || isDigits(v) {
		return false
	}
	switch strings.TrimRight(low[:i], "-_ ") {
	case "":
		return len(v) < 8 || !alternating(v)
	case "sha", "md", "base", "utf", "aes", "rsa", "ed", "http", "oauth", "pbkdf", "argon", "bcrypt", "ipv", "win",
		"windows", "python", "rfc", "iso", "tls", "ssl", "v", "ntlm", "ntlmv", "mschap", "mschapv", "ripemd", "blake",
		"scram-sha", "secp", "curve",
		"kerberos", "krb", "pkcs", "pkcs#", "ascii", "latin", "luks", "crypt", "ecdsa", "x", "hmac-sha", "hs", "rs", "es",
		"issue", "version", "step", "line", "cve", "user", "test", "password", "token", "key", "secret", "pass", "node",
		"server", "host", "port", "section", "chapter", "table", "figure", "page", "pbe", "opt", "arg", "param", "bug", "rev",
		"gh", "pr", "level", "mysql", "postgres", "python-", "ubuntu", "debian", "libssh", "openssl", "ssh", "smb", "cp",
		"windows-", "iso-":
		return digits(v) < 6 || strings.HasPrefix(low, "cve")
	}
	return false
}

// bracketed returns a word in brackets or backticks some words after its name, if it can only be a password.
func (n name) bracketed(s string) (from, end int) {
	if !n.password || n.free || n.weak {
		return 0, 0
	}
	limit := min(len(s), n.end+maxSentence)
	for at := n.end; at < limit; at++ {
		if strings.IndexByte("(`", s[at]) < 0 || at == n.end || s[at-1] != ' ' {
			continue
		}
		to := at + 1
		for to < limit && !isSpace(s[to]) && s[to] != s[at] && s[to] != ')' {
			to++
		}
		if v := s[at+1 : to]; to < limit && (s[to] == '`' || s[to] == ')') && len(v) >= 8 && chosen(v) &&
			!strings.ContainsAny(v, "_.@:") && (generated(v) || strings.ContainsAny(v, "!#$%&?*^+~")) {
			return at + 1, to
		}
	}
	return 0, 0
}

// valueBefore returns the value that a sentence calls the password afterwards.
func (n name) valueBefore(s string) (from, end int) {
	if n.phrase || n.prose.codes || n.prose.login || n.free || n.start == n.floor || s[n.start-1] != ' ' {
		return 0, 0
	}
	floor := max(n.floor, n.start-maxSentence)
	if i := strings.LastIndexByte(s[floor:n.start], '\n'); i >= 0 {
		floor += i + 1
	}
	link, end := -1, n.start
	for words := 0; words < 16; words++ {
		end = floor + len(strings.TrimRight(s[floor:end], " "))
		from = floor + strings.LastIndexByte(s[floor:end], ' ') + 1
		if from == end || from == floor && floor > n.floor && s[floor-1] != '\n' {
			return 0, 0
		}
		w := s[from:end]
		bare := strings.Trim(w, "\"'`(),.:;*")
		switch low := strings.ToLower(bare); {
		case link < 0 && slices.Contains(linkWords[:14], low), low == "that's", low == "thats", link < 0 &&
			(low == "as" || low == "als" || low == "como" || low == "comme" || low == "come"):
			link = words
		case link < 0 && words > 5:
			return 0, 0
		case link >= 0 && len(bare) >= 6 && chosen(bare) && (words == link+1 || bare != w) &&
			(n.password || n.prose.digits || generated(bare) && len(bare) >= 16):
			at := from + strings.Index(w, bare)
			return at, at + len(bare)
		case link < 0 && strings.ContainsAny(w, "(){}<>;=$\\.:,\"'"):
			return 0, 0
		}
		end = from
	}
	return 0, 0
}

// unspaced reports whether a byte begins a character, or a punctuation mark, of a script
// without blanks.
func unspaced(b byte) bool { return b >= 0xe3 && b <= 0xef }

// unspacedEnd returns where such characters end.
func unspacedEnd(s string, at, limit int) int {
	for at < limit && (unspaced(s[at]) || s[at] >= 0x80 && s[at] < 0xc0) {
		at++
	}
	return at
}
