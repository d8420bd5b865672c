package git

import (
	"strings"
	"unicode/utf8"
)

// decodeText turns the bytes of a commit into UTF-8. encoding is the commit's
// own header, empty for UTF-8. The single-byte western encodings are
// translated; in any other one only the bytes that are not valid UTF-8 are lost,
// each run of them shown as U+FFFD.
func decodeText(s, encoding string) string {
	if isASCII(s) {
		return s
	}
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "iso-8859-15", "windows-1252", "cp1252":
		return fromLatin1(s)
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// fromLatin1 reads ISO-8859-1 with the printable characters that Windows-1252
// has in place of the second row of control characters, which no text uses.
func fromLatin1(s string) string {
	high := []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if 0x80 <= c && c < 0xA0 {
			b.WriteRune(high[c-0x80])
			continue
		}
		b.WriteRune(rune(c))
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
