package redact

import "strings"

const kindCookie = "cookie"

// maxCookie limits the length of the list of a Cookie header.
const maxCookie = 8 << 10

// matchCookieHeader matches the values of a Cookie or Set-Cookie header that look random, in HTTP, JSON and curl's
// --cookie.
func matchCookieHeader(_ *Redactor, s string, at, _ int) (Finding, bool) {
	from := skipAny(s, at+len("cookie"), "\\\"'`])", 6)
	sep := skipAny(s, from, ":=, ", 4)
	if sep == from {
		return Finding{}, false
	}
	return cookies(s, skipAny(s, sep, "\\\"'`", 6))
}

// matchCookieFlag matches the cookies of curl's -b.
func matchCookieFlag(_ *Redactor, s string, at, _ int) (Finding, bool) {
	return cookies(s, skipAny(s, at+len("-b "), "\\\"'`", 4))
}

// cookies returns the range from the first to the last random-looking value in a list of name=value; pairs at at.
func cookies(s string, at int) (Finding, bool) {
	start, end := 0, 0
	for limit := min(len(s), at+maxCookie); at < limit; {
		eq := dotted.run(s, at, at+maxName)
		if eq == at || eq >= limit || s[eq] != '=' {
			break
		}
		to := eq + 1
		for to < limit && !endsURL(s[to]) && s[to] != ';' && s[to] != ',' {
			to++
		}
		if v := s[eq+1 : to]; len(v) >= 16 && random(v) && !placeholder(v) && !expression(v, true) {
			if start == 0 {
				start = eq + 1
			}
			end = to
		}
		if to >= limit || s[to] != ';' {
			break
		}
		at = skipAny(s, to+1, " ", 4)
	}
	return Finding{kindCookie, start, end}, end > 0
}

// matchSession matches the value of a session cookie without its header.
func matchSession(_ *Redactor, s string, at, _ int) (Finding, bool) {
	from := at + strings.IndexByte(s[at:], '=') + 1
	end := escaped.run(s, from, from+judged)
	v := s[from:end]
	return Finding{kindCookie, from, escaped.run(s, end, len(s))}, len(v) >= 20 && hasDigit(v) && random(v) && !uuid(v)
}
