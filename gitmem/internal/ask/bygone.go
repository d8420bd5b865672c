package ask

import (
	"slices"
	"strings"
)

// bygone writes by the word for a removal what people say of things that are no more:
// "no longer exists", "isn't there any more", "we don't ship it anymore". What is no
// longer done with a thing that stays is left as it is.
func bygone(words []string) []string {
	plain := make([]string, len(words))
	for i, w := range words {
		plain[i] = strings.ReplaceAll(plainWord(w), "’", "'")
	}
	no, more := denial(plain)
	if no < 0 {
		return words
	}
	is := slices.IndexFunc(plain[no:], isThere)
	if is < 0 {
		return words
	}
	verb := no + is
	var out []string
	for i, w := range words {
		switch {
		case i == verb:
			out = append(out, "remove")
		case i == no, slices.Contains(more, i):
		default:
			out = append(out, w)
		}
	}
	return out
}

// denial is where words say no, -1 for nowhere, and where they say that it was otherwise
// before.
func denial(plain []string) (no int, more []int) {
	for i, w := range plain {
		switch {
		case w == "no" && i+1 < len(plain) && plain[i+1] == "longer":
			return i, []int{i + 1}
		case w != "not" && !strings.HasSuffix(w, "n't"):
		default:
			for k := i + 1; k < len(plain); k++ {
				if plain[k] == "anymore" || plain[k] == "longer" && plain[k-1] == "any" {
					return i, []int{k}
				}
				if plain[k] == "more" && plain[k-1] == "any" {
					return i, []int{k - 1, k}
				}
			}
		}
	}
	return -1, nil
}

// isThere tells verbs that say of a thing no more than that it is there for somebody.
func isThere(word string) bool {
	return slices.Contains(strings.Fields("exist exists there have has ship ships shipped bundle bundled support supports supported include includes included provide provides provided offer offers offered available present use uses used depend depends need needs needed require requires required accept accepts accepted"), word)
}
