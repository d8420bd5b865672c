package redact

import "strings"

const (
	kindPrivateKey = "private-key"
	kindJWT        = "jwt"
)

// maxBlock limits the length of a PEM block: the largest keys in use, with comments and subkeys, are far smaller.
const maxBlock = 64 << 10

// matchPEM matches a private key from its BEGIN to its END line, whether the line ends are real or written as \n in a
// string. A block without an END line extends as far as its lines look like a key.
//
// Prefixes that editors, pagers and diffs put before each line are skipped; the first line determines the prefix.
func matchPEM(_ *Redactor, s string, at, floor int) (Finding, bool) {
	body, ok := pemLine(s, at, "-----BEGIN ")
	if !ok {
		return Finding{}, false
	}
	rest := s[body:min(len(s), body+maxBlock)]
	if next := strings.Index(rest, "-----"); next >= 0 {
		for strings.HasPrefix(rest[next:], "------") { // the mark of a removed line
			next++
		}
		if end, ok := pemLine(s, body+next, "-----END "); ok {
			return Finding{kindPrivateKey, at, end}, true
		}
	}
	start := max(lineStart(s, at, floor), at-maxPrefix)
	end := pemBody(s, body, s[start:at])
	return Finding{kindPrivateKey, at, end}, end > body
}

// matchPutty matches the private lines of a PuTTY key.
func matchPutty(_ *Redactor, s string, at, _ int) (Finding, bool) {
	from := skipAny(s, at+len("private-lines:"), " 0123456789", 6)
	start := skipBreaks(s, from)
	end := pemBody(s, from, "")
	return Finding{kindPrivateKey, start, end}, end > start && start > from
}

// matchJWK matches the private part of a JSON web key: the member d, or k of a symmetric one, if the key's type is near
// it.
func matchJWK(_ *Redactor, s string, at, floor int) (Finding, bool) {
	const near = 2 << 10
	from := skipAny(s, skipAny(s, at+len(`"d"`), " ", 4), ":", 1)
	from = skipAny(s, skipAny(s, from, " ", 4), `"`, 1)
	end := dashed.run(s, from, from+near)
	if end-from < 40 || from-at < len(`"d":"`) || !random(s[from:min(end, from+judged)]) {
		return Finding{}, false
	}
	key := strings.Contains(s[max(floor, at-near):at], `"kty"`) || strings.Contains(s[end:min(len(s), end+near)], `"kty"`)
	return Finding{kindPrivateKey, from, end}, key
}

// matchAWSPair matches the AWS secret key near an access key id, before or after it, whatever is between them. The id
// is left for the next pass.
func matchAWSPair(_ *Redactor, s string, at, floor int) (Finding, bool) {
	const near = 512
	id := upper.run(s, at, at+len("AKIA")+17)
	if id-at != len("AKIA")+16 {
		return Finding{}, false
	}
	from := max(floor, at-near)
	if from > floor && base64s.has(s[from-1]) {
		from = base64s.run(s, from, at)
	}
	for ; from < min(len(s), id+near); from++ {
		end := base64s.run(s, from, from+near)
		if v := s[from:end]; len(v) == 40 && randomMixed(v) && !slug(v) {
			return Finding{kindAWSSecret, from, end}, true
		}
		from = end
	}
	return Finding{}, false
}

// pemLine returns the end of a line such as -----BEGIN RSA PRIVATE KEY----- at at.
func pemLine(s string, at int, open string) (end int, ok bool) {
	rest, ok := strings.CutPrefix(s[at:min(len(s), at+80)], open)
	if !ok {
		return 0, false
	}
	label, _, ok := strings.Cut(rest, "-----")
	if !ok || !strings.Contains(label, "PRIVATE KEY") {
		return 0, false
	}
	return at + len(open) + len(label) + len("-----"), true
}

// pemBody returns the end of the lines of base64 that begin at at. All but the last are long, which distinguishes them
// from prose after a mention of the BEGIN line. Each line may have the prefix of the first one.
func pemBody(s string, at int, before string) int {
	const long = 32
	end := pemHeaders(s, at, before)
	at = end
	for {
		from := nextLine(s, end, before)
		to := base64s.run(s, from, len(s))
		last := to-from < long
		if to == from || last && end == at || !atBreak(s, to) {
			return end
		}
		end = to
		if last {
			return end
		}
	}
}

// maxPrefix limits the prefix of the lines of a key.
const maxPrefix = 64

// nextLine skips blanks, line ends and the prefix of a line.
func nextLine(s string, at int, before string) int {
	for {
		from := skipBreaks(s, at)
		if before == "" || from == at {
			return from
		}
		if at = linePrefix(s, from, before); at == from {
			return from
		}
	}
}

// linePrefix returns the end of the prefix at from, which is from if there is none. Line
// numbers may differ, and so may blanks.
func linePrefix(s string, from int, before string) int {
	i := from
	for p := 0; p < len(before); {
		switch {
		case isDigit(before[p]): // the line number
			n := i
			i = digit.run(s, i, i+12)
			if p = digit.run(before, p, len(before)); i == n {
				return from
			}
		case isSpace(before[p]):
			i = skipAny(s, i, " \t", maxPrefix)
			p++
		case i < len(s) && s[i] == before[p]:
			i++
			p++
		default:
			return from
		}
	}
	return i
}

// pemHeaders skips the header lines of an encrypted key, between its BEGIN line and the
// base64.
func pemHeaders(s string, at int, before string) int {
	for {
		from := nextLine(s, at, before)
		if hasPrefix(s[from:], "Proc-Type: ", "DEK-Info: ", "Version: ", "Comment: ", "Hash: ", "Charset: ",
			"MessageID: ") == 0 {
			return at
		}
		at = from
		for at < len(s) && at < from+judged && strings.IndexByte("\r\n\\", s[at]) < 0 {
			at++
		}
	}
}

// skipBreaks skips white space and its escapes.
func skipBreaks(s string, at int) int {
	for at < len(s) {
		switch {
		case isSpace(s[at]):
			at++
		case s[at] == '\\' && at+1 < len(s) && strings.IndexByte(`nrt\`, s[at+1]) >= 0:
			at++
			if s[at] != '\\' {
				at++
			}
		default:
			return at
		}
	}
	return at
}

func atBreak(s string, at int) bool {
	return at == len(s) || isSpace(s[at]) || strings.IndexByte("\\\"'`,-", s[at]) >= 0
}

// maxJWTHeader limits the first part of a JWT: real ones have about 100 bytes, with a certificate chain a few thousand.
const maxJWTHeader = 8 << 10

// matchJWT matches a JSON web token: base64url parts joined by dots, of which the first decodes to a JSON object that
// names an algorithm. Signed tokens have three parts (the last may be empty), encrypted ones five.
func matchJWT(_ *Redactor, s string, at, _ int) (Finding, bool) {
	end := dashed.run(s, at, at+maxJWTHeader)
	if !strings.HasPrefix(s[at:], "eyJ") || at > 0 && dashed.has(s[at-1]) || end == len(s) || s[end] != '.' ||
		!jwtHeader(s[at:end]) {
		return Finding{}, false
	}
	dots := 0
	for dots < 4 && end < len(s) && s[end] == '.' {
		dots++
		next := dashed.run(s, end+1, len(s))
		if next == end+1 {
			break
		}
		end = next
	}
	return Finding{kindJWT, at, end}, dots >= 2
}

func jwtHeader(part string) bool {
	h := strings.TrimSpace(fromBase64(part))
	return strings.HasPrefix(h, "{") && strings.HasSuffix(h, "}") && strings.Contains(h, `"alg"`)
}

// matchWrappedJWT matches a JSON web token that was encoded in base64 once more.
func matchWrappedJWT(_ *Redactor, s string, at, floor int) (Finding, bool) {
	end := base64s.run(s, at, at+judged)
	inner := fromBase64(strings.TrimRight(s[at:end], "="))
	return Finding{kindJWT, at, base64s.run(s, end, len(s))}, end-at >= 60 && strings.HasPrefix(s[at:], "ZXlK") &&
		strings.HasPrefix(inner, "eyJ") && dotted.all(inner)
}
