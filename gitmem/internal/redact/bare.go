package redact

import "strings"

const (
	// drawnSigns are those by which a drawn password is told from hashes, ids and names.
	drawnSigns = "!#^~?"
	minBare    = 12
	maxBare    = 40
)

// bare adds the words that are passwords by themselves, whatever stands around them:
// those that turn from letters to digits or signs and between cases at every second
// character, as password managers draw them. Expressions of programs have other signs,
// base64 has none of these, and names of two cases turn less often.
func bare(found []Finding, s string) []Finding {
	for at := 0; ; {
		i := strings.IndexAny(s[at:], drawnSigns)
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
		if !isolated(s, from, end) || !drawnSigned(v) {
			continue
		}
		from += strings.Index(s[from:end], v)
		found = append(found, Finding{kindPassword, from, from + len(v)})
	}
}

// isolated reports whether blanks, quotes or brackets are around a word.
func isolated(s string, from, end int) bool {
	if end < len(s) && strings.IndexByte(",;)", s[end]) >= 0 {
		end++
	}
	if from > 0 && s[from-1] == '(' {
		from--
	}
	return (from == 0 || quotes(s[from-1])) && (end == len(s) || quotes(s[end]) || s[end] == '\\')
}

// quotes reports whether a byte is a blank, a quote or of a sign beyond ASCII.
func quotes(b byte) bool { return isSpace(b) || b >= 0x80 || strings.IndexByte("\"'`", b) >= 0 }

// drawnSigned reports whether v is a drawn password with signs.
func drawnSigned(v string) bool {
	if i := strings.IndexByte(v, '%'); i >= 0 && hex.run(v, i+1, i+3) == i+3 {
		return false // escapes of an address
	}
	return len(v) >= minBare && len(v) <= maxBare && strings.ContainsAny(v, drawnSigns) && hasDigit(v) && mixedCase(v) &&
		turns(v)*2 >= len(v) && entropy(v) >= 3.2 && !strings.Contains(v, "?.") && !strings.Contains(v, "!.") && !placeholder(v)
}
