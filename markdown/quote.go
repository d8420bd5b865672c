package markdown

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
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

// plainYAML is narrower than YAML: letters first, then letters, digits and a few signs,
// words apart by single blanks.
var plainYAML = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z_](?: ?[A-Za-z0-9_./-])*$`)
})

// isPlainYAML accepts no word that means a value.
func isPlainYAML(s string) bool {
	switch strings.ToLower(s) {
	case "", "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity":
		return false
	}
	return plainYAML().MatchString(s)
}
