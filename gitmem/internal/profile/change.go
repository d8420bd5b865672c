package profile

import (
	"strings"
	"unicode"
)

// Change is one thing that a message says about the person who wrote it.
type Change struct {
	Remove bool
	Path   string // such as tools.editor; "" for a removal wherever the value stands
	Value  string // as it is shown: "Neovim", "backend developer"
	Said   string // the words that say it, "" for a command
}

// Key is a value as it is compared: the usual name of what it names, in lower case, with
// letters, digits, + and #, and single hyphens for anything else: at most 60 characters, and no dot, so that it can be
// part of a path.
func Key(value string) string {
	if name, path := Name(value); path != "" {
		value = name
	}
	words := strings.FieldsFunc(strings.ToLower(value), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '+' && r != '#'
	})
	key := []rune(strings.Join(words, "-"))
	return strings.TrimRight(string(key[:min(len(key), 60)]), "-")
}
