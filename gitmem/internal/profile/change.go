package profile

import (
	"strings"
	"unicode"

	"github.com/gitmem/gitmem/markdown"
)

// Change is one thing that a message says about the person who wrote it.
type Change struct {
	Remove bool
	Path   string // such as tools.editor; "" for a removal wherever the value stands
	Value  string // as it is shown: "Neovim", "backend developer"
	Said   string // the words that say it, "" for a command

	// Mentioned says that the value is in use, as for one task: it makes a value surer that is known,
	// and adds none.
	Mentioned bool
}

// Key is a value as it is compared: the usual name of what it names, in lower case, with
// letters, digits, + and #, and single hyphens for anything else: at most 60 characters, a
// longer one with a mark of the whole at its end, and no dot, so that it can be part of a path.
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
