package profile

import (
	"cmp"
	"strings"
	"sync"
	"unicode"

	"github.com/gitmem/gitmem/templates"
)

// known is a name of the list of names.
type known struct {
	name, path string
	ordinary   bool // the name is also an ordinary word
}

var names = [...]func() map[string]known{sync.OnceValue(readNames)}

// Name returns the usual spelling of a name and its path, "" for both if the name is unknown: nvim is Neovim, of
// tools.editor. ordinary reports whether it is also an ordinary word.
func Name(word string) (name, path string, ordinary bool) {
	k := lookUp(word)
	return k.name, k.path, k.ordinary
}

// lookUp finds a name by any of its spellings.
func lookUp(word string) known { return names[0]()[fold(word)] }

// fold maps spellings that differ only in case and blanks to the same string.
func fold(word string) string { return strings.ToLower(strings.Join(strings.Fields(word), " ")) }

// readNames parses the list of names; the head of the list documents its format.
func readNames() map[string]known {
	all := map[string]known{}
	for line := range strings.Lines(templates.Profile("names")) {
		head, spellings, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || head[0] == '#' {
			continue
		}
		path, name, _ := strings.Cut(head, " ")
		name, ordinary := strings.CutPrefix(name, "?")
		if name != "" {
			all[fold(name)] = known{name, path, ordinary}
		}
		for spelling := range strings.SplitSeq(spellings, ", ") {
			bare, ordinary := strings.CutPrefix(spelling, "?")
			all[fold(bare)] = known{cmp.Or(name, bare), path, ordinary}
		}
	}
	return all
}

// namesOne reports whether a text contains a known name of up to three words. It is true for any text with Chinese
// characters, since Chinese has no blanks between words.
func namesOne(text string) bool {
	if strings.ContainsFunc(text, func(c rune) bool { return unicode.Is(unicode.Han, c) }) {
		return true
	}
	words := strings.FieldsFunc(text, func(c rune) bool {
		return unicode.IsSpace(c) || strings.ContainsRune(",;:!?()\"'`，。、；：！？", c)
	})
	for i := range words {
		for n := 1; n <= 3 && i+n <= len(words); n++ {
			if lookUp(strings.TrimRight(strings.Join(words[i:i+n], " "), ".")).path != "" {
				return true
			}
		}
	}
	return false
}
