package redact

import "strings"

const (
	// randomSymbols are the symbols that distinguish a random password from hashes, ids and names.
	randomSymbols = "!#^~?"
	minBare       = 12
	maxBare       = 40
)

// randomWords appends the words that are passwords regardless of context: those that switch between letters, digits,
// symbols and cases at every second character, as password managers generate them. Program text has other symbols,
// base64 has none of these, and camel case switches less often.
func randomWords(found []Finding, s string) []Finding {
	for at := 0; ; {
		i := strings.IndexAny(s[at:], randomSymbols)
		if i < 0 {
			return found
		}
		i, at = at+i, at+i+1
		if i == 0 || at == len(s) || !signed.has(s[i-1]) || !signed.has(s[at]) {
			continue
		}
		from, end := signed.runBack(s, i, max(0, i-maxBare-1)), signed.run(s, i, i+maxBare+1)
		at = end
		v := strings.TrimRight(strings.TrimLeft(s[from:end], "*_~!"), "*_~.?")
		if !isolated(s, from, end) || !randomWithSymbols(v) {
			continue
		}
		from += strings.Index(s[from:end], v)
		found = append(found, Finding{kindPassword, from, from + len(v)})
	}
}

// isolated reports whether a word is surrounded by blanks, quotes or brackets.
func isolated(s string, from, end int) bool {
	if end < len(s) && strings.IndexByte(",;)", s[end]) >= 0 {
		end++
	}
	if from > 0 && s[from-1] == '(' {
		from--
	}
	return (from == 0 || delimits(s[from-1])) && (end == len(s) || delimits(s[end]) || s[end] == '\\')
}

// delimits reports whether a byte is a blank, a quote or not ASCII.
func delimits(b byte) bool { return isSpace(b) || b >= 0x80 || strings.IndexByte("\"'`", b) >= 0 }

// randomWithSymbols reports whether v is a random password with symbols.
func randomWithSymbols(v string) bool {
	if i := strings.IndexByte(v, '%'); i >= 0 && hex.run(v, i+1, i+3) == i+3 {
		return false // an escaped URL
	}
	return len(v) >= minBare && len(v) <= maxBare && strings.ContainsAny(v, randomSymbols) && hasDigit(v) &&
		mixedCase(v) &&
		turns(v)*2 >= len(v) && entropy(v) >= 3.2 && !strings.Contains(v, "?.") && !strings.Contains(v, "!.") &&
		!placeholder(v)
}
