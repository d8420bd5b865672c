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

// Name gives the usual spelling of a name and the path that it belongs to, "" for both
// where the name isn't known: nvim is Neovim, of tools.editor. ordinary tells that it is also
// an ordinary word.
func Name(word string) (name, path string, ordinary bool) {
	k := lookUp(word)
	return k.name, k.path, k.ordinary
}

// lookUp finds a name by any of its spellings.
func lookUp(word string) known { return names[0]()[fold(word)] }

// fold makes spellings equal that differ in case and blanks only.
func fold(word string) string { return strings.ToLower(strings.Join(strings.Fields(word), " ")) }

// readNames reads the list of names; its head says how a line is read.
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

// namesOne reports whether a text holds a known name of up to three words. One in Chinese,
// which puts no blanks between words, may.
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
