package redact

import "strings"

// pairValue returns the start of the value if a name is the first half of a pair: {"name": "NAME", "value": "…"} of
// tasks and manifests, also in YAML, on one line or two, and Key=NAME,Value=…. It returns 0 if it is not.
func pairValue(s string, end int, before string) int {
	before = strings.TrimRight(before, "\\\"'` \t")
	if before == "" || strings.IndexByte(":=", before[len(before)-1]) < 0 {
		return 0
	}
	before = strings.TrimRight(before[:len(before)-1], "\\\"'` \t")
	if !hasSuffixFold(before, "name") && !hasSuffixFold(before, "key") {
		return 0
	}
	at := skipAny(s, skipQuote(s, end), " \t,", maxName)
	at = skipQuote(s, skipAny(s, pairBreak(s, at), " \t,", maxName))
	if hasPrefixFold(s[at:], "parameter") {
		at += len("parameter")
	}
	if !hasPrefixFold(s[at:], "value") {
		return 0
	}
	at = skipAny(s, skipQuote(s, at+len("value")), " \t", 8)
	if at >= len(s) || s[at] != ':' && s[at] != '=' {
		return 0
	}
	return at + 1
}

// skipQuote skips a quote with the backslashes that escape it.
func skipQuote(s string, at int) int {
	quoteAt(s, &at)
	return at
}

// pairBreak skips a line end, also in its JSON-escaped form, with the prefix that editors and diffs put before the next
// line.
func pairBreak(s string, at int) int {
	if end := hasPrefix(s[at:], "\r\n", "\n", `\r\n`, `\n`); end > 0 {
		return skipAny(s, at+end, " \t+-", maxName)
	}
	return at
}
