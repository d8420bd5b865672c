package providers

import "strings"

// maxNumber is the maximum length of an issue number in digits; longer runs are times, phone numbers and
// hashes.
const maxNumber = 9

// References returns the references found in text, in order of their first appearance and without duplicates:
// "#123" and "!45" (issue and merge request numbers), ":issue:`12`", "owner/repo#123", and keys such as
// "ABC-1" or "RFC-12". "GH-12" becomes "#12", and "RFC 12" or "RFC12" become "RFC-12". Names of standards
// that only look like keys (UTF-8, SHA-256, ISO-8601) are left out.
func References(text string) []string {
	var out []string
	seen := map[string]bool{}
	for i := 0; i < len(text); {
		ref, n := referenceAt(text, i)
		if ref != "" && !seen[ref] {
			seen[ref] = true
			out = append(out, ref)
		}
		i += max(n, 1)
	}
	return out
}

// referenceAt parses the reference that starts at text[i] and returns it with its length in the text. If
// there is none it returns "" and the number of bytes to skip.
func referenceAt(text string, i int) (string, int) {
	c := text[i]
	switch {
	case c == '#' || c == '!':
		return numberAt(text, i)
	case c == '`':
		return roleAt(text, i)
	case !isAlnum(c):
		return "", 1
	case i > 0 && (isAlnum(text[i-1]) || text[i-1] == '.'):
		return "", 1
	}
	if ref, n := qualifiedAt(text, i); ref != "" {
		return ref, n
	}
	return keyAt(text, i)
}

// roleAt parses the number of a reStructuredText role, such as :issue:`12`.
func roleAt(text string, i int) (string, int) {
	n := digits(text[i+1:])
	if n == 0 || n > maxNumber || text[i+1] == '0' || !strings.HasPrefix(text[i+1+n:], "`") ||
		!strings.HasSuffix(text[:i], ":issue:") && !strings.HasSuffix(text[:i], ":pr:") {
		return "", 1
	}
	return "#" + text[i+1:i+1+n], 1 + n
}

// numberAt parses "#123" or "!123".
func numberAt(text string, i int) (string, int) {
	if i > 0 && (isAlnum(text[i-1]) || strings.IndexByte("&#/!_-=", text[i-1]) >= 0) {
		return "", 1
	}
	n := digits(text[i+1:])
	if n == 0 || n > maxNumber || text[i+1] == '0' || continues(text, i+1+n) {
		return "", 1
	}
	return text[i : i+1+n], 1 + n
}

// qualifiedAt parses "owner/repo#123". A slash before the owner means that this is the end of a path or an
// address, not a reference.
func qualifiedAt(text string, i int) (string, int) {
	if i > 0 && strings.IndexByte("/:@-_", text[i-1]) >= 0 {
		return "", 0
	}
	slash := -1
	j := i
	for ; j < len(text); j++ {
		c := text[j]
		if c == '/' && slash < 0 {
			slash = j
		} else if !isAlnum(c) && strings.IndexByte("-_.", c) < 0 {
			break
		}
	}
	if slash < 0 || j == len(text) || text[j] != '#' || j == slash+1 {
		return "", 0
	}
	n := digits(text[j+1:])
	if n == 0 || n > maxNumber || text[j+1] == '0' || continues(text, j+1+n) {
		return "", 0
	}
	return text[i : j+1+n], j + 1 + n - i
}

// keyAt parses "ABC-1": capitals and digits that start with a capital, a hyphen, a number. A hyphen or an
// underscore may follow, so that branch names such as feature/ABC-1-relay count.
func keyAt(text string, i int) (string, int) {
	j := i
	for j < len(text) && (isUpper(text[j]) || j > i && isDigit(text[j])) {
		j++
	}
	if strings.HasPrefix(text[i:j], "RFC") {
		return rfcAt(text, i)
	}
	if j-i < 2 || j-i > 10 || j == len(text) || text[j] != '-' {
		return "", wordLength(text, i)
	}
	prefix, n := text[i:j], digits(text[j+1:])
	end := j + 1 + n
	if n == 0 || n > maxNumber || continues(text, end) || isStandard(prefix) {
		return "", max(wordLength(text, i), end-i)
	}
	if prefix == "GH" {
		return "#" + text[j+1:end], end - i
	}
	if prefix == "CVE" && n == 4 && end < len(text) && text[end] == '-' {
		end += 1 + digits(text[end+1:])
	}
	return text[i:end], end - i
}

// rfcAt parses the three common ways to write the number of an RFC.
func rfcAt(text string, i int) (string, int) {
	j := i + len("RFC")
	if j < len(text) && (text[j] == '-' || text[j] == ' ') {
		j++
	}
	n := digits(text[j:])
	if n == 0 || n > maxNumber || continues(text, j+n) {
		return "", wordLength(text, i)
	}
	return "RFC-" + text[j:j+n], j + n - i
}

// isStandard reports whether prefix belongs to a well-known name with a number
// in it rather than to an issue tracker.
func isStandard(prefix string) bool {
	switch prefix {
	case "UTF", "SHA", "ISO", "AES", "RSA", "MD", "UCS", "IEEE", "BASE", "CRC", "HMAC",
		"LATIN", "CP", "ED", "HTTP", "TLS", "IPV", "ARM", "AMD", "GPT", "COVID":
		return true
	}
	return false
}

// wordLength returns the length of the run of letters and digits at i.
func wordLength(text string, i int) int {
	j := i
	for j < len(text) && isAlnum(text[j]) {
		j++
	}
	return j - i
}

// continues reports whether the word continues at text[i], so that the digits before are not a number of
// their own.
func continues(text string, i int) bool { return i < len(text) && isAlnum(text[i]) }

// digits returns the number of leading digits of s.
func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// isAlnum is ASCII only: scripts without spaces write references directly after a letter.
func isAlnum(c byte) bool {
	return isDigit(c) || isUpper(c) || 'a' <= c && c <= 'z'
}
