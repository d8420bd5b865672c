package corpus

import (
	"embed"
	"math/rand/v2"
	"strings"
)

//go:embed words/*.txt
var words embed.FS

// verb is a verb in the forms that sentences need.
type verb struct{ base, third, past, gerund string }

// project is one folder that sessions work in.
type project struct{ name, ext string }

// lexicon contains the words and templates of texts. It is not changed after its creation.
type lexicon struct {
	nouns, plurals              []string
	verbs                       []verb
	adjectives, adverbs, people []string
	projects                    []project
	prompts, says, thoughts     []template
	code, logs, commands        []template
}

// newLexicon reads the word lists. It adds compounds to nouns and adjectives, so that there are some
// thousands of each, with the hand-written ones first.
func newLexicon() *lexicon {
	l := &lexicon{
		adjectives: list("adjectives"), adverbs: list("adverbs"), people: list("people"),
		prompts: templates("prompts"), says: templates("says"), thoughts: templates("thoughts"),
		code: templates("code"), logs: templates("logs"), commands: templates("commands"),
	}
	for _, v := range list("verbs") {
		l.verbs = append(l.verbs, conjugate(v))
	}
	base := list("nouns")
	// Shuffled, so that neighbours in the list have unrelated frequencies.
	r := rand.New(rand.NewPCG(1, 1))
	shuffle(r, base)
	shuffle(r, l.adjectives)
	r.Shuffle(len(l.verbs), func(i, j int) { l.verbs[i], l.verbs[j] = l.verbs[j], l.verbs[i] })
	l.nouns = derived(base, l.verbs)
	for _, n := range l.nouns {
		l.plurals = append(l.plurals, plural(n))
	}
	fields := list("projects")
	for i := 0; i+1 < len(fields); i += 2 {
		l.projects = append(l.projects, project{fields[i], fields[i+1]})
	}
	return l
}

func shuffle(r *rand.Rand, s []string) {
	r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
}

// list returns the words of a list, each once.
func list(name string) []string {
	seen := map[string]bool{}
	var out []string
	for w := range strings.FieldsSeq(text(name)) {
		if !seen[w] || name == "projects" {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

func text(name string) string {
	b, err := words.ReadFile("words/" + name + ".txt")
	if err != nil {
		panic(err) // the lists are part of the binary
	}
	return string(b)
}

// derived adds derivations as used by programmers: subqueries, decoders and reindexings.
func derived(base []string, verbs []verb) []string {
	out := append([]string(nil), base...)
	seen := map[string]bool{}
	for _, w := range out {
		seen[w] = true
	}
	add := func(w string) {
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	for _, v := range verbs {
		add(agent(v.base))
		add("re" + v.gerund)
	}
	for _, prefix := range []string{"sub", "meta", "micro", "pre", "auto"} {
		for i, w := range base {
			if i%5 == len(prefix)%5 || prefix == "sub" {
				add(prefix + w)
			}
		}
	}
	return out
}

func agent(v string) string {
	if strings.HasSuffix(v, "e") {
		return v + "r"
	}
	return strings.TrimSuffix(conjugate(v).gerund, "ing") + "er"
}

func plural(n string) string {
	switch {
	case ends(n, "s", "x", "z", "ch", "sh"):
		return n + "es"
	case ends(n, "y") && !ends(n, "ay", "ey", "oy", "uy"):
		return n[:len(n)-1] + "ies"
	}
	return n + "s"
}

func ends(s string, with ...string) bool {
	for _, w := range with {
		if strings.HasSuffix(s, w) {
			return true
		}
	}
	return false
}

// conjugate returns the forms of a verb; an irregular past follows a colon.
func conjugate(entry string) verb {
	base, past, irregular := strings.Cut(entry, ":")
	v := verb{base: base, third: plural(base), past: past}
	stem := base
	switch {
	case ends(base, "ee"):
	case ends(base, "e"):
		stem = base[:len(base)-1]
	case doubles(base):
		stem = base + base[len(base)-1:]
	}
	v.gerund = stem + "ing"
	if !irregular || past == "" {
		v.past = stem + "ed"
		switch {
		case ends(base, "ee"):
			v.past = base + "d"
		case ends(base, "y") && !ends(base, "ay", "ey", "oy", "uy"):
			v.past = base[:len(base)-1] + "ied"
		}
	}
	return v
}

// doubles reports whether the last letter of a verb is doubled: one short syllable that ends in one vowel and
// one consonant.
func doubles(v string) bool {
	const vowels = "aeiou"
	n := len(v)
	if n < 3 || n > 4 && !ends(v, "mit", "fer", "map", "pin", "pop") || strings.ContainsAny(v[n-1:], vowels+"wxy") {
		return false
	}
	return strings.ContainsAny(v[n-2:n-1], vowels) && !strings.ContainsAny(v[n-3:n-2], vowels)
}

// some chooses a noun by a random number, preferring the first ones.
func (l *lexicon) some(random uint64) int {
	n := uint64(len(l.nouns))
	return int((random & 0xffff) * (random >> 16 & 0xffff) >> 16 * n >> 16)
}
