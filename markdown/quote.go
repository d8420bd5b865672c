package markdown

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// QuoteYAML formats s as a YAML string on one line: as it is where no reader
// of YAML 1.1 or 1.2 takes it for anything else, otherwise in double quotes.
// Bytes that are not UTF-8 become U+FFFD.
func QuoteYAML(s string) string {
	if isPlainYAML(s) {
		return s
	}
	return strconv.Quote(strings.ToValidUTF8(s, string(utf8.RuneError))) // YAML has all of Go's escapes
}

// isPlainYAML is narrower than YAML: letters first, then letters, digits and
// a few signs, words apart by single blanks, and no word that means a value.
func isPlainYAML(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		inside := c >= '0' && c <= '9' || strings.IndexByte("./-", c) >= 0 ||
			c == ' ' && i+1 < len(s) && s[i+1] != ' '
		if !letter && (i == 0 || !inside) {
			return false
		}
	}
	switch strings.ToLower(s) {
	case "", "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity":
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err != nil
}
