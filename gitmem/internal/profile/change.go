package profile

import (
	"strings"
	"unicode"

	"github.com/gitmem/gitmem/markdown"
)

// Change is one statement in a message about its writer.
type Change struct {
	Remove bool
	Path   string // such as tools.editor; "" for a removal at any path
	Value  string // display form: "Neovim", "backend developer"
	Said   string // the words of the statement, "" for a command

	// Mentioned means that the value is in use, for example for one task: it raises the confidence of a known value and
	// adds no new one.
	Mentioned bool
}

// Key returns the comparison key of a value: the usual name of what it names, in lower case, with letters, digits, +
// and #, and single hyphens for anything else. It has at most 60 characters; a longer key ends with a hash of the
// whole. It contains no dot, so that it can be part of a path.
func Key(value string) string {
	if name, path, _ := Name(value); path != "" {
		value = name
	}
	words := strings.FieldsFunc(strings.ToLower(value), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '+' && r != '#'
	})
	key := strings.Join(words, "-")
	const most, sum = 60, 9
	if runes := []rune(key); len(runes) > most {
		key = strings.TrimRight(string(runes[:most-sum]), "-") + "-" + markdown.ContentID(key)[:sum-1]
	}
	return key
}
