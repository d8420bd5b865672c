// Package profile knows what people say about themselves in their messages to an agent:
// the tools that they work with, what they do, and how they like things done.
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
}

// paths of the kinds of things that are said, by the names that the data has for them.
var paths = [...][2]string{
	{"stack", "codePreferences.preferredStacks"},
	{"style", "codePreferences.style"},
	{"avoid", "codePreferences.avoid"},
	{"tone", "codePreferences.tone"},
	{"language", "codePreferences.language"},
	{"editor", "tools.editor"},
	{"shell", "tools.shell"},
	{"terminal", "tools.terminal"},
	{"os", "tools.os"},
	{"browser", "tools.browser"},
	{"tool", "tools.other"},
	{"role", "work.role"},
	{"team", "work.team"},
	{"location", "work.location"},
	{"name", "work.name"},
}

// pathOf is the path of a kind, "" for what is none.
func pathOf(kind string) string {
	for _, p := range paths {
		if p[0] == kind {
			return p[1]
		}
	}
	return ""
}

// maxKey is the length of a key in runes.
const maxKey = 60

// Key is a value as it is compared: the usual name of what it names, in lower case, with
// letters, digits, + and #, and single hyphens for anything else. It holds no dot, so that
// it can be part of a path.
func Key(value string) string {
	if name, path := Name(value); path != "" {
		value = name
	}
	var b strings.Builder
	gap, n := false, 0
	for _, r := range strings.ToLower(value) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '+' && r != '#' {
			gap = n > 0
			continue
		}
		if gap && n+1 < maxKey {
			b.WriteByte('-')
			n++
		}
		if n >= maxKey {
			break
		}
		b.WriteRune(r)
		gap, n = false, n+1
	}
	return strings.TrimSuffix(b.String(), "-")
}
