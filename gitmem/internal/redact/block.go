package redact

import (
	"encoding/base64"
	"strings"
)

const (
	kindPrivateKey = "private-key"
	kindJWT        = "jwt"
)

// maxBlock bounds a PEM block: the largest keys in use, with comments and
// subkeys, stay far below it.
const maxBlock = 64 << 10

// matchPEM takes a private key from its BEGIN to its END line, whether the
// lines are real or written as \n in a string. A block that is cut off before
// its END line is taken as far as its lines look like a key.
func matchPEM(_ *Redactor, s string, at, _ int) (Finding, bool) {
	body, ok := pemLine(s, at, "-----BEGIN ")
	if !ok {
		return Finding{}, false
	}
	rest := s[body:min(len(s), body+maxBlock)]
	if next := strings.Index(rest, "-----"); next >= 0 {
		if end, ok := pemLine(s, body+next, "-----END "); ok {
			return Finding{kindPrivateKey, at, end}, true
		}
	}
	end := pemBody(s, body)
	return Finding{kindPrivateKey, at, end}, end > body
}

// pemLine returns the end of a line such as -----BEGIN RSA PRIVATE KEY-----
// that stands at at.
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

// pemBody returns the end of the lines of base64 that begin at at. All but the
// last are long, which tells them from prose after a mere mention of the
// BEGIN line.
func pemBody(s string, at int) int {
	const long = 32
	end := pemHeaders(s, at)
	at = end
	for {
		from := skipBreaks(s, end)
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

// pemHeaders passes over the header lines of an encrypted key, which stand
// between its BEGIN line and the base64.
func pemHeaders(s string, at int) int {
	for _, name := range []string{"Proc-Type: ", "DEK-Info: "} {
		from := skipBreaks(s, at)
		if strings.HasPrefix(s[from:], name) {
			at = from
			for at < len(s) && strings.IndexByte("\t\r\n\\\"", s[at]) < 0 {
				at++
			}
		}
	}
	return at
}

// skipBreaks passes over white space and the escapes that stand for it.
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

// maxJWTHeader bounds the first part of a JWT: real ones have some 100 bytes,
// with a certificate chain a few thousand.
const maxJWTHeader = 8 << 10

// matchJWT takes a JSON web token: base64url parts joined by dots, of which
// the first decodes to a JSON object that names an algorithm. Signed tokens
// have three parts (the last may be empty), encrypted ones five.
func matchJWT(_ *Redactor, s string, at, _ int) (Finding, bool) {
	if !strings.HasPrefix(s[at:], "eyJ") || at > 0 && dashed.has(s[at-1]) {
		return Finding{}, false
	}
	end := dashed.run(s, at, at+maxJWTHeader)
	if end == len(s) || s[end] != '.' || !jwtHeader(s[at:end]) {
		return Finding{}, false
	}
	payload := end + 1
	end = dashed.run(s, payload, len(s))
	if end == payload || end == len(s) || s[end] != '.' {
		return Finding{}, false
	}
	for range 3 {
		next := dashed.run(s, end+1, len(s))
		if next == end+1 {
			break
		}
		end = next
		if end == len(s) || s[end] != '.' {
			break
		}
	}
	return Finding{kindJWT, at, end}, true
}

func jwtHeader(part string) bool {
	header, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return false
	}
	h := strings.TrimSpace(string(header))
	return strings.HasPrefix(h, "{") && strings.HasSuffix(h, "}") && strings.Contains(h, `"alg"`)
}
