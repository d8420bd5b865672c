package markdown

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// QuoteYAML formats s as a YAML string on one line: unquoted if every parser of YAML 1.1 and 1.2 reads it as
// the same string, otherwise in double quotes. Bytes that are not UTF-8 become U+FFFD.
func QuoteYAML(s string) string {
	if isPlainYAML(s) {
		return s
	}
	return strconv.Quote(strings.ToValidUTF8(s, string(utf8.RuneError))) // YAML has all of Go's escapes
}

// plainYAML is stricter than YAML: a letter first, then letters, digits and some punctuation, words separated
// by single spaces.
var plainYAML = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z_](?: ?[A-Za-z0-9_./-])*$`)
})

// isPlainYAML rejects words that YAML reads as another value.
func isPlainYAML(s string) bool {
	switch strings.ToLower(s) {
	case "", "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity":
		return false
	}
	return plainYAML().MatchString(s)
}
