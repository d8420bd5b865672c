package ask

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// toldOf are the terms of a clause that may tell an event of the subject: of a source
// that lends its title to all that stands below, all of them; else those of the parts
// that name the subject's rarest word, or enough of it. What is removed in or from a
// thing is not the thing.
func (w *weigher) toldOf(head headline, clause string) (terms []string) {
	if head.lends {
		return index.Terms(withoutCompounds(clause))
	}
	for _, part := range w.objects(strings.Join(bygone(strings.Fields(clause)), " ")) {
		if !w.negated {
			part = untilNo(part)
		}
		if !w.enables {
			part = happening(part)
		}
		own := index.Terms(part)
		if w.things > 0 && w.named(index.Terms(withoutArea(part))) == 0 || w.speaksOf(part) {
			continue
		}
		if w.subject != "" && slices.Contains(own, w.subject) || w.named(own) >= ownObject*w.things {
			plain := withoutCompounds(part)
			terms = append(terms, index.Terms(plain+" "+strings.Join(canonical(strings.Fields(plain)), " "))...)
		}
	}
	return terms
}

// speaksOf tells whether a part names, behind the subject, something that only speaks of
// it and is not asked about: "remove the parser check" removes no parser.
func (w *weigher) speaksOf(part string) bool {
	words := strings.Fields(part)
	asked := func(word string) bool {
		terms := index.Terms(word)
		return len(terms) > 0 && w.rarity[terms[0]] > 0
	}
	for i, word := range words {
		if w.subject == "" || !slices.Contains(index.Terms(word), w.subject) {
			continue
		}
		for i++; i < len(words) && asked(words[i]); {
			i++
		}
		return i < len(words) && mentions(plainWord(words[i]))
	}
	return false
}

// withoutArea leaves out what a title begins with to say where a change was made:
// "parser: remove the cache" removes no parser.
func withoutArea(part string) string {
	area, rest, ok := strings.Cut(part, ": ")
	if !ok || strings.Contains(area, " ") {
		return part
	}
	return rest
}

// untilNo is what stands before the word that says no: what is not to be removed was not.
func untilNo(part string) string {
	words := strings.Fields(part)
	for i, word := range words {
		if word = plainWord(word); word == "not" || word == "never" || word == "without" || strings.HasSuffix(word, "n't") {
			return strings.Join(words[:i], " ")
		}
	}
	return part
}

// enabling tells words that make an event a choice of users, or one that may be to come.
func enabling(word string) bool {
	switch word {
	case "option", "options", "flag", "allow", "allows", "allowed", "allowing", "able", "ability", "possible", "impossible", "can", "may", "could", "would", "might",
		"should", "whether", "todo", "fixme", "eventually", "someday":
		return true
	}
	return false
}

// happening is what a part tells of what was done: what something can do, or is for, is
// no event, and neither is what became of the things that a program handles, such as
// removed files.
func happening(part string) string {
	words := strings.Fields(part)
	var out []string
	for i, word := range words {
		plain := plainWord(word)
		if i+1 < len(words) && enabling(plain) && (plainWord(words[i+1]) == "to" || plain != "option" && plain != "options" && plain != "flag") {
			return strings.Join(append(out, word), " ")
		}
		if i > 0 && strings.HasSuffix(plain, "ed") && qualifies(plainWord(words[i-1])) {
			continue
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

// qualifies tells words behind which a participle belongs to the noun that follows.
func qualifies(word string) bool {
	return slices.Contains([]string{"a", "an", "any", "all", "some", "of", "for", "these", "those", "no"}, word)
}

// objects cuts a clause before the words that say where something happened or what only
// speaks of a thing, and before another event: of "remove the one and add the other" each verb has its own. What
// stands before a passive verb belongs to it all the same.
func (w *weigher) objects(clause string) (out []string) {
	words := strings.Fields(clause)
	start := 0
	for i, word := range words {
		byDefault := plainWord(word) == "by" && i+1 < len(words) && plainWord(words[i+1]) == "default"
		if i > start && !byDefault && (locates(plainWord(word)) || mentions(plainWord(words[i-1])) && among(" to of for about ", plainWord(word)) || joined(plainWord(words[i-1])) && w.changes(plainWord(word))) {
			out = append(out, strings.Join(words[start:i], " "))
			start = i
		}
		if i > 0 && passive(plainWord(words[i-1])) {
			out = append(out, strings.Join(words[:i+1], " "))
		}
	}
	return append(out, strings.Join(words[start:], " "))
}

func locates(word string) bool {
	switch word {
	case "in", "from", "on", "with", "by", "via", "at", "within", "inside", "using", "through", "across", "between", "against", "under":
		return true
	}
	return false
}

// mentions tells words for what only speaks of a thing: who removes the references to it
// has not removed it.
func mentions(word string) bool {
	return among(" reference references ref refs mention mentions comment comments note notes doc docs documentation test tests check checks usage usages use uses call calls leftover leftovers remnant remnants example examples ", word)
}

func joined(before string) bool { return before == "and" || before == "then" || before == "&" }

// changes tells the verbs of change.
func (w *weigher) changes(word string) bool {
	terms := index.Terms(word)
	return len(terms) > 0 && w.verbs[terms[0]]
}

func passive(word string) bool {
	switch word {
	case "is", "are", "was", "were", "be", "been", "being", "got", "gets", "get":
		return true
	}
	return false
}

// withoutCompounds leaves out the names that a verb and a particle make, since a drop-in
// or an add-on is no event, and addresses and identifiers, whose words tell none either.
func withoutCompounds(clause string) string {
	words := strings.Fields(clause)
	return strings.Join(slices.DeleteFunc(words, func(word string) bool {
		bare := strings.Trim(word, "?!.,;:\"'()`[]*")
		_, particle, _ := strings.Cut(strings.ToLower(bare), "-")
		return strings.Contains(word, "://") || strings.Contains(bare, "_") || innerCapital(bare) || slices.Contains([]string{"in", "ins", "on", "ons", "off", "out", "up", "down", "over"}, particle)
	}), " ")
}

// innerCapital tells words such as removeItem.
func innerCapital(word string) bool {
	for i := 1; i < len(word); i++ {
		if word[i] >= 'A' && word[i] <= 'Z' && word[i-1] >= 'a' && word[i-1] <= 'z' {
			return true
		}
	}
	return false
}

// clauses cuts a passage before the words that open a clause of its own, since what is
// removed "when not using viper" is something else, and before the items of a list.
func clauses(s string) []string {
	var out []string
	words := strings.Fields(s)
	start := 0
	for i, word := range words {
		if i > start && (opensClause(strings.ToLower(word)) || isItem(word) || i > start+1 && isArea(word) || strings.HasSuffix(words[i-1], ";")) {
			out = append(out, strings.Join(words[start:i], " "))
			start = i
		}
	}
	return append(out, strings.Join(words[start:], " "))
}

// isArea tells the words with which titles of commits begin that stand in a row.
func isArea(word string) bool {
	return len(word) > 1 && strings.HasSuffix(word, ":") && !strings.ContainsAny(word[:1], "\"'(`")
}

func opensClause(word string) bool {
	switch word {
	case "when", "whenever", "while", "where", "if", "unless", "because", "although", "though", "since", "until", "which", "whereas", "but", "during", "like", "after", "before":
		return true
	}
	return false
}

// isItem tells the marks with which items of a list begin: bullets and hashes of commits.
func isItem(word string) bool {
	if word == "-" || word == "*" || word == "•" {
		return true
	}
	const sha1 = 40
	return isHash(word, sha1)
}

// contradicts tells whether a source says the opposite of what was asked about: that
// something ended whose beginning was asked about, that something is so that the
// question says is not, that a change went the other way, or that
// something is off by default that the question says is on.
func (w *weigher) contradicts(head headline, quotes []cite.Quote) bool {
	passages := []string{head.text}
	for _, q := range quotes {
		passages = append(passages, q.Text)
	}
	if w.negated && !slices.ContainsFunc(passages, w.denies) {
		return true
	}
	return w.begins && w.onlyEnds(passages) || w.turn != nil && w.turnsBack(passages) || w.usual && offByDefault(passages)
}

// denies tells whether a clause of a passage says no, or only, of the subject.
func (w *weigher) denies(passage string) bool {
	return slices.ContainsFunc(clauses(passage), func(clause string) bool {
		words := plainWords(clause)
		return (w.subject == "" || slices.Contains(index.Terms(clause), w.subject)) && (negates(words) || slices.Contains(words, "only") || tellsEnd(clause))
	})
}

// onlyEnds tells whether all that passages say of the subject is that it ended. A thing
// with a name of its own comes before a rarer word.
func (w *weigher) onlyEnds(passages []string) bool {
	met, subject := false, w.subject
	if len(w.sharp) > 0 {
		subject = slices.MaxFunc(w.sharp, func(a, b string) int { return cmp.Compare(w.rarity[a], w.rarity[b]) })
	}
	for _, p := range passages {
		for _, clause := range clauses(p) {
			if !slices.Contains(index.Terms(clause), subject) {
				continue
			}
			asked := func(t string) bool { return len(w.events[t]) > 0 }
			if !tellsEnd(clause) || slices.ContainsFunc(index.Terms(clause), asked) {
				return false
			}
			met = true
		}
	}
	return met
}

// negates tells whether words say no.
func negates(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		switch w {
		case "no", "not", "never", "none", "nothing", "nobody", "neither", "nor", "without", "cannot":
			return true
		}
		return strings.HasSuffix(w, "n't") || strings.HasSuffix(w, "n’t")
	})
}

// tellsEnd tells whether a passage says of something that it ended or is not wanted.
func tellsEnd(passage string) bool {
	const words = `remove removal delete deletion drop retire strip discard eliminate purge ditch scrap abandon kill gone lose lost
		revert undo rollback backout disable stop cease avoid prevent deprecate deprecation obsolete refuse reject forbid disallow omit exclude fail instead`
	told := index.Terms(withoutCompounds(passage))
	return slices.ContainsFunc(index.Terms(words), func(t string) bool { return slices.Contains(told, t) })
}

// asksForBeginning tells whether a question is about the beginning of something.
func asksForBeginning(text string) bool {
	words := plainWords(text)
	return !tellsEnd(text) && slices.ContainsFunc(words, func(w string) bool {
		return begins(w) || slices.Contains([]string{"add", "added", "introduce", "introduced", "arrive", "arrived", "gain", "gained", "appear", "appeared"}, w)
	})
}
