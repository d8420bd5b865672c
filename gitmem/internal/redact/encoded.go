package redact

import (
	"encoding/base64"
	hexadecimal "encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// shortestRun is the minimum number of base64 or hexadecimal digits to decode: 15 bytes, or ten.
	shortestRun = 20
	// fullLine is the minimum length of a line of base64 that continues on the next line.
	fullLine = 60
)

// encoded appends the runs of base64 or hexadecimal digits that are secrets by their form, and with deeper those that
// decode to text with a secret.
func (r *Redactor) encoded(found []Finding, s string, deeper bool) []Finding {
	// Every long enough run covers one of the checked positions.
	for at := shortestRun - 1; at < len(s); at += shortestRun {
		if !coded.has(s[at]) {
			continue
		}
		from := coded.runBack(s, at, at-shortestRun+1)
		end := coded.run(s, at, len(s))
		at = end
		if end-from < shortestRun {
			continue
		}
		if f, ok := numbered(s, from, end); ok {
			found, at = append(found, f), f.End-1
			continue
		}
		if !deeper {
			continue
		}
		from += escapeBefore(s, from)
		digits, end := lines(s, from, end)
		if kind, ok := r.decoded(digits); ok {
			end = skipAny(s, end, "=", 2)
			found, at = append(found, Finding{kind, from, end}), end-1
		}
	}
	return found
}

// escapeBefore returns how many of the digits starting at from belong to an escape that begins before them, such as the
// n of a line end in a string.
func escapeBefore(s string, from int) int {
	switch {
	case from == 0:
	case s[from-1] == '%' && hex.all(s[from:from+2]):
		return 2
	case s[from-1] == '\\' && s[from] == 'u':
		return 5
	case s[from-1] == '\\' && s[from] == 'x':
		return 3
	case s[from-1] == '\\':
		return 1
	}
	return 0
}

// lines returns the digits of a run joined with those of its continuation lines, and the end of the last one.
func lines(s string, from, end int) (string, int) {
	line := s[from:end]
	if len(line) < fullLine || len(line)%4 != 0 {
		return line, end
	}
	var all strings.Builder
	for all.WriteString(line); ; {
		next := end + hasPrefix(s[end:], "\n", "\r\n", `\n`, `\r\n`)
		from := skipAny(s, next, " \t", maxName)
		to := coded.run(s, from, from+len(line)+1)
		if next == end || to == from || to-from > len(line) {
			return all.String(), end
		}
		all.WriteString(s[from:to])
		if end = to; to-from < len(line) {
			return all.String(), end
		}
	}
}

// decoded returns the kind of the first secret in the text that digits encode.
func (r *Redactor) decoded(digits string) (kind string, ok bool) {
	if len(digits) < shortestRun {
		return "", false
	}
	for _, decode := range [...]func(string) string{fromHex, fromBase64, fromUTF16} {
		if !isText(decode(digits[:shortestRun])) {
			continue // nearly all runs encode no text
		}
		if text := decode(digits); isText(text) {
			if found := r.encoded(r.scanParts(text), text, false); len(found) > 0 {
				return found[0].Kind, true
			}
		}
	}
	return "", false
}

func fromHex(digits string) string {
	return decodedText(hexadecimal.DecodeString(digits))
}

// decodedText returns the decoded text, "" if decoding failed.
func decodedText(b []byte, err error) string {
	if err != nil {
		return ""
	}
	return string(b)
}

// fromBase64 decodes either alphabet, without padding.
func fromBase64(digits string) string {
	if len(digits)%4 == 1 { // cut off
		digits = digits[:len(digits)-1]
	}
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(digits, "-_") {
		encoding = base64.RawURLEncoding
	}
	return decodedText(encoding.DecodeString(digits))
}

// fromUTF16 decodes the base64 of PowerShell's encoded commands.
func fromUTF16(digits string) string {
	text := fromBase64(digits)
	if len(text) < 4 || text[1] != 0 || text[3] != 0 {
		return ""
	}
	return strings.ReplaceAll(text, "\x00", "")
}

// isText reports whether s is text, whose end may be truncated.
func isText(s string) bool {
	for i, c := range s {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f || c == utf8.RuneError && i < len(s)-3 {
			return false
		}
	}
	return s != ""
}

// numbered finds the tokens that begin with a number and so have no word in the index: those of Discord, an id in
// base64, a time and a signature, and those of Facebook apps, an id and a secret. s[from:end] is the id or the secret.
func numbered(s string, from, end int) (Finding, bool) {
	if kind := shaped(s, from, end); kind != "" {
		return Finding{kind, from, end}, true
	}
	if end < len(s) && s[end] == '.' && end-from <= 27 {
		signed := dashed.run(s, end+1, end+8)
		to := dashed.run(s, min(signed+1, len(s)), len(s))
		id := fromBase64(s[from:end])
		return Finding{"discord-token", from, to}, signed == end+7 && to-signed > 27 && s[signed] == '.' && len(id) >= 17 &&
			isDigits(id)
	}
	if from > 0 && (s[from-1] == '|' || s[from-1] == '%') && end-from >= 27 && end-from <= 40 {
		id := digit.runBack(s, from-1, max(0, from-18))
		return Finding{"facebook-token", id, end}, from-1-id >= 15 && from-1-id <= 16 && random(s[from:end])
	}
	return Finding{}, false
}

// shaped returns the kind of a value that its groups, or its first letter and its length, identify: recovery keys of
// BitLocker, product keys of Windows, private keys of Mailgun, of Bitcoin and of Stellar.
func shaped(s string, from, end int) string {
	v := s[from:end]
	switch {
	case len(v) == 55 && parts(v, "-", 6, 6, 6, 6, 6, 6, 6, 6) && strings.Trim(v, "0123456789-") == "":
		return kindRecovery
	case len(v) == 29 && parts(v, "-", 5, 5, 5, 5, 5) && grouped(v), len(v) == 29 && parts(v, "-", 4, 4, 4, 4, 4, 4) &&
		grouped(v):
		return kindRecovery
	case len(v) == 50 && parts(v, "-", 32, 8, 8) && hex.all(strings.ReplaceAll(v, "-", "")) && hasDigit(v):
		return "mailgun-key"
	case (len(v) == 52 && (v[0] == 'K' || v[0] == 'L') || len(v) == 51 && v[0] == '5') && alnum.all(v) && randomMixed(v) &&
		ofWallet(s[max(0, from-maxBefore):from]):
		return kindPrivateKey
	case len(v) == 66 && strings.HasPrefix(v, "0x") && hex.all(v[2:]) && entropy(v) > 3 &&
		ofWallet(s[max(0, from-maxBefore):from]):
		return kindPrivateKey
	case len(v) <= 64 && upper.all(v) && hasDigit(v) && !strings.ContainsAny(v, "0189") && entropy(v) > 3 &&
		ofCode(s[max(0, from-maxBefore):from]):
		return kindSecret
	case len(v) == 56 && v[0] == 'S' && upper.all(v) && !strings.ContainsAny(v, "0189") && hasDigit(v) && entropy(v) > 3.5:
		return kindPrivateKey
	}
	return ""
}

// grouped reports whether v consists of groups with both upper-case letters and digits.
func grouped(v string) bool {
	v = strings.ReplaceAll(v, "-", "")
	return upper.all(v) && digits(v) >= 2 && digits(v) <= len(v)-5
}

// ofWallet reports whether a text is about keys of cryptocurrencies.
func ofWallet(before string) bool {
	return containsAny(strings.ToLower(before), "priv", "wif", "wallet", "bitcoin", "btc", "electrum", "signer",
		"accounts: [")
}

// ofCode reports whether a text is about codes of a second factor.
func ofCode(before string) bool {
	before = strings.ToLower(before)
	return slices.ContainsFunc([]string{"totp", "2fa", "mfa", "authenticator"}, func(w string) bool {
		i := strings.LastIndex(before, w)
		return i >= 0 && (i == 0 || !isAlnum(before[i-1])) && (i+len(w) == len(before) || !isAlnum(before[i+len(w)]))
	})
}
