package ask

import (
	"slices"
	"strings"

	"github.com/gitmem/gitmem/gitmem/internal/cite"
	"github.com/gitmem/gitmem/gitmem/internal/index"
)

// exactName is a word of a question that is written as code is, such as an option or a
// qualified name. Endings are part of it: --minify is not about minifiers.
type exactName struct {
	text  string   // in lower case; with its dashes where it is an option of a single plain word
	terms []string // the term of the whole, and behind it those of its parts
}

// exactNames picks the words of a question that are written as code is.
func exactNames(words []string) (out []exactName) {
	for _, w := range words {
		bare := strings.Trim(w, `?!.,;:"'()`+"`")
		bare = strings.TrimSuffix(strings.TrimSuffix(bare, "'s"), "’s")
		name := strings.Trim(bare, "-.")
		if name == "" || !strings.HasPrefix(bare, "--") && !strings.ContainsAny(name, "_.") && !innerCapital(name) {
			continue
		}
		if terms := index.QueryTerms(name); len(terms) > 0 {
			if strings.HasPrefix(bare, "--") && !strings.ContainsAny(name, "-_.") && !innerCapital(name) {
				name = "--" + name
			}
			out = append(out, exactName{strings.ToLower(name), terms})
		}
	}
	return out
}

// qualified are the parts of a name such as urls.Join, nil for other names and numbers.
func (n exactName) qualified() []string {
	parts := strings.Split(n.text, ".")
	for _, p := range parts {
		if p == "" || p[0] < 'a' || p[0] > 'z' {
			return nil
		}
	}
	if len(parts) < 2 {
		return nil
	}
	return parts
}

// namesExactly tells whether terms name the subject, and that is written as code is.
func (w *weigher) namesExactly(terms []string) bool {
	return slices.Contains(terms, w.subject) && slices.ContainsFunc(w.exact, func(n exactName) bool { return slices.Contains(n.terms, w.subject) })
}

// coverWhole adds the whole of a qualified name to a set that has its parts: what
// is urls.Join in use is Join of urls where it is made.
func (w *weigher) coverWhole(set map[string]bool) {
	for _, name := range w.exact {
		whole := name.terms[0]
		if _, asked := w.rarity[whole]; !asked || len(name.terms) == 1 || name.qualified() == nil {
			continue
		}
		all := true
		for _, part := range name.terms[1:] {
			all = all && set[part]
		}
		if all {
			set[whole] = true
		}
	}
}

// sharpShare is the share of the things that bear a name of their own that a source names.
func (w *weigher) sharpShare(src cite.Source) float64 {
	if len(w.sharp) == 0 {
		return 1
	}
	texts := append([]string{src.Title, src.Author, src.Text}, src.Paths...)
	has := map[string]bool{}
	for _, text := range texts {
		for _, t := range index.Terms(text) {
			has[t] = true
		}
	}
	whole := strings.ToLower(strings.Join(texts, "\n"))
	for _, name := range w.exact {
		has[name.terms[0]] = name.in(whole)
	}
	n := 0
	for _, t := range w.sharp {
		if has[t] {
			n++
		}
	}
	return float64(n) / float64(len(w.sharp))
}

// in tells whether a text in lower case holds the name as a word of its own, or each
// part of a qualified one.
func (n exactName) in(text string) bool {
	if holdsWord(text, n.text) {
		return true
	}
	parts := n.qualified()
	for _, part := range parts {
		if !holdsWord(text, part) {
			return false
		}
	}
	return len(parts) > 0
}

// holdsWord tells whether a text holds a word that no letter or digit goes on from.
func holdsWord(text, word string) bool {
	letter := func(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= 0x80 }
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(word)
		if (from == 0 || !letter(text[from-1])) && (to == len(text) || !letter(text[to])) {
			return true
		}
		at = from + 1
	}
}
