package ask

import (
	"slices"
	"strings"
)

// events groups words that people use for one and the same event of a project. The
// first of a group names it.
func events() []string {
	return []string{
		"remove removal delete deletion drop retire strip discard eliminate purge ditch scrap abandon kill prune vanish disappear gone lose lost",
		"add added addition introduce implement create",
		"revert undo rollback backout restore",
		"replace swap supersede",
		"migrate migration switch port",
		"rename renaming",
		"move relocate extract split",
		"fix solve repair correct",
		"upgrade update bump raise",
		"deprecate deprecation obsolete",
		"disable switchoff",
		"stop cease",
		"avoid prevent skip ignore",
		"never",
		"default defaulting",
	}
}

// canonical writes the ways in which people tell an event in more than one word, or
// with other words between, by the word that names it: "took the parser out" is
// "remove the parser". A word for the beginning of anything says nothing that its
// thing does not say, and is left out.
func canonical(words []string) []string {
	out := make([]string, 0, len(words))
	words = bygone(words)
	taken := map[int]bool{}
	for i, w := range words {
		if taken[i] {
			continue
		}
		verb := plainWord(w)
		if to, at := particled(verb, words, i); at > 0 {
			taken[at] = true
			if to != "" {
				out = append(out, to)
			}
			continue
		}
		if ends(verb) && i+1 < len(words) && ofUse(plainWord(words[i+1])) {
			taken[i+1] = true
			out = append(out, "remove")
			continue
		}
		if i > 0 && i == len(words)-1 && goes(strings.TrimRight(w, "?!.")) && !governs(plainWord(words[i-1])) {
			out = append(out, "remove")
			continue
		}
		if begins(verb) && i+2 < len(words) && plainWord(words[i+1]) == "to" {
			taken[i+1] = true
			continue
		}
		if begins(verb) && i+1 < len(words) && strings.HasSuffix(plainWord(words[i+1]), "ing") {
			taken[i+1] = taken[i+1] || soft(plainWord(words[i+1]))
			continue
		}
		if !soft(verb) {
			out = append(out, w)
		}
	}
	return out
}

func plainWord(w string) string { return strings.ToLower(strings.Trim(w, `?!.,;:"'()`)) }

// particle is a verb's second half that makes it tell an event.
type particle struct {
	verbs, word, event string
}

// particles lists verbs with the particles that make events of them.
func particles() []particle {
	return []particle{
		{"take took taken taking throw threw thrown throwing pull pulled pulling rip ripped kick kicked cut leave left phase phased strip stripped", "out", "remove"},
		{"back backed backing", "out", "revert"},
		{"come came ship shipped", "out", ""},
		{"pull pulled", "from", "remove"},
		{"go goes went gone going take took taken throw threw thrown do did", "away", "remove"},
		{"get got getting", "rid", "remove"},
		{"give gave given", "up", "remove"},
		{"turn turned turning switch switched switching", "off", "disable"},
		{"turn turned turning switch switched switching", "on", "enable"},
		{"go goes went gone going come came take took taken put roll rolled bring brought", "back", "revert"},
		{"come came coming go goes went gone get got bring brought", "in", ""},
	}
}

// apart is how many words may stand between a verb and its particle.
const apart = 7

// particled finds the particle that belongs to the verb at i, and the event that
// they name; 0 for none. What ends a clause ends the search.
func particled(verb string, words []string, i int) (event string, at int) {
	for _, p := range particles() {
		if !slices.Contains(strings.Fields(p.verbs), verb) {
			continue
		}
		most := apart
		if p.word == "in" || p.word == "on" || p.word == "rid" || p.word == "up" {
			most = 1 // else it belongs to the words behind it
		}
		for k := i + 1; k < len(words) && k <= i+most; k++ {
			if plainWord(words[k]) == p.word {
				return p.event, k
			}
			if opensClause(plainWord(words[k])) || strings.ContainsAny(words[k][len(words[k])-1:], ",;:.?") {
				break
			}
		}
	}
	return "", 0
}

// ends tells verbs that say of another one that it ended, and ofUse those with which
// that is a removal.
func ends(verb string) bool {
	return slices.Contains([]string{"stop", "stops", "stopped", "stopping", "cease", "ceased", "quit"}, verb)
}

func ofUse(verb string) bool {
	return slices.Contains([]string{"supporting", "using", "shipping", "having", "accepting", "offering", "providing", "depending", "relying"}, verb)
}

// goes tells the verbs that say of what stands before them at the end of a question that
// it is there no more. The language is written Go.
func goes(word string) bool { return word == "go" || word == "went" || word == "gone" }

// governs tells the words behind which a name stands and no verb.
func governs(before string) bool {
	return locates(before) || slices.Contains([]string{"to", "into", "of", "for", "the", "a", "and", "or", "as"}, before)
}

// begins tells verbs that say of another one that it began.
func begins(verb string) bool {
	return slices.Contains([]string{"start", "started", "begin", "began"}, verb)
}

// soft tells words for the beginning of anything: what has come, arrived or landed is
// told by its thing alone.
func soft(verb string) bool {
	return slices.Contains([]string{
		"arrive", "arrived", "arrives", "land", "landed", "lands", "appear", "appeared", "grow", "grew", "accepting", "supporting", "having", "using", "becoming",
		"become", "became", "start", "started", "begin", "began", "turn", "turned", "gain", "gained",
	}, verb)
}

// sharpTerms are the terms of the words of a question that name one thing and no
// other: identifiers, paths, versions, numbers and names. What does not hold them is
// about something else.
func sharpTerms(words []string, terms func(string) []string) []string {
	var out []string
	for i, w := range words {
		bare := strings.Trim(w, `?!.,;:"'()`+"`")
		bare = strings.TrimSuffix(strings.TrimSuffix(bare, "'s"), "’s")
		if bare == "" || !isSharp(bare, i == 0) {
			continue
		}
		if all := terms(bare); len(all) > 0 {
			out = append(out, all[0])
		}
	}
	return out
}

// isSharp tells by its form whether a word names one thing: capitals where no
// sentence begins, digits, and signs within.
func isSharp(w string, first bool) bool {
	if strings.ContainsAny(w, "_/0123456789") || strings.HasPrefix(w, "--") || strings.Contains(w[1:], ".") {
		return true
	}
	upper := strings.IndexFunc(w, func(r rune) bool { return r >= 'A' && r <= 'Z' })
	return upper > 0 || upper == 0 && !first && len(w) > 1
}

// titleEvent is the event that the form of a title tells: a conventional feature and
// what begins with "support" or "initial" was added.
func titleEvent(title string) string {
	first, rest, _ := strings.Cut(strings.ToLower(title), " ")
	kind, _, _ := strings.Cut(strings.TrimRight(first, ":!"), "(")
	if strings.HasSuffix(first, ":") {
		if kind == "feat" || kind == "feature" {
			return "add"
		}
		first, _, _ = strings.Cut(rest, " ")
	}
	switch first {
	case "support", "supports", "initial", "new", "allow", "allows", "enable", "feature", "first":
		return "add"
	}
	return ""
}
