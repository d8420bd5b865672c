package profile

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

var (
	listSign = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\s*[,，、&/]\s*(?:and |und )?|\s+(?:and|und|or|oder|plus|with|mit|\+|n)\s+|\s*(?:和|跟|还有|加)\s*`)
	})
	preposition = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\s+(?:for|in|on|with|at|from|to|under|inside|via|of|who|working|based|and|by|für|auf|bei|beim|aus|im|am|mit|und|von|zu)\s+`)
	})
	version = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s+v?\d[\d.]*$`) })
)

// resolve says what a match of a pattern of a kind means. Its groups are a and b for what
// is taken and what is left, l and m for lists of them, and k for the kind of a.
func (c cues) resolve(kind string, g map[string]string, start bool) []Change {
	switch kind {
	case "use", "weak":
		return append(c.names(g["l"], false, kind == "weak", start), c.names(g["m"], true, false, start)...)
	case "drop":
		return c.dropped(g["m"])
	case "switch", "rival", "prefer":
		return c.compared(kind, g["a"], g["b"])
	case "slot":
		return c.slot(g["k"], g["a"])
	}
	value := c.value(kind, g["a"]+g["b"])
	if value == "" {
		return nil
	}
	return []Change{{Remove: g["b"] != "", Path: pathOf(kind), Value: value}}
}

// names are the known names that a list begins with.
func (c cues) names(list string, remove, weak, start bool) []Change {
	var all []Change
	for _, part := range listSign().Split(list, -1) {
		k := c.item(part)
		if k.path == "" || weak && k.ordinary && (start || !capital(strings.TrimSpace(part))) {
			break
		}
		all = append(all, Change{Remove: remove, Path: k.path, Value: k.name})
	}
	return all
}

// dropped are the removals of what a list names. What isn't known is looked for wherever
// it stands.
func (c cues) dropped(list string) []Change {
	if all := c.names(list, true, false, false); all != nil {
		return all
	}
	if value := c.free(list); value != "" && strings.Count(value, " ") < 3 {
		return []Change{{Remove: true, Value: value}}
	}
	return nil
}

// compared is what a comparison sets and removes: two known names, for a rival of one
// kind, or one known name and what is compared with it, or two ways of doing something.
func (c cues) compared(kind, a, b string) []Change {
	ka, kb := c.item(a), c.item(b)
	if ka.path == "" && kb.path == "" && kind != "prefer" || kind == "rival" && ka.path != kb.path {
		return nil
	}
	if ka.path == "" {
		ka = known{name: c.free(a), path: kb.path}
	}
	if kb.path == "" {
		kb = known{name: c.free(b), path: ka.path}
	}
	if ka.path == "" {
		ka.path, kb.path = pathOf("style"), pathOf("style")
	}
	if ka.name == "" || ka.name == kb.name {
		return nil
	}
	all := []Change{{Path: ka.path, Value: ka.name}}
	for _, more := range listSign().Split(a, -1)[1:] {
		if k := c.item(more); k.path != "" {
			all = append(all, Change{Path: k.path, Value: k.name})
		}
	}
	if kb.name != "" {
		all = append(all, Change{Remove: true, Path: kb.path, Value: kb.name})
	}
	return all
}

// slot is what somebody's editor, shell or the like is.
func (c cues) slot(word, value string) []Change {
	k := c.item(listSign().Split(value, 2)[0])
	if k.path == "" {
		if k.name = c.free(value); strings.Count(k.name, " ") > 2 {
			return nil
		}
	}
	path := pathOf(c.same("slot", strings.ToLower(word)))
	if k.name == "" || path == "" {
		return nil
	}
	return []Change{{Path: path, Value: k.name}}
}

// value is what a phrase says as a value of a kind, "" where it can't be one.
func (c cues) value(kind, s string) string {
	switch kind {
	case "role":
		return c.role(s)
	case "name":
		return c.person(s)
	case "location", "team":
		s = preposition().Split(c.phrase(s), 2)[0]
		if kind == "team" && c.begins("deictic", s) {
			return ""
		}
		return s
	case "tone", "language":
		return c.phrase(s)
	}
	if k := c.item(s); k.path != "" {
		return k.name
	}
	return c.free(s)
}

// item is the known name in a phrase, alone or with what it is used for.
func (c cues) item(s string) known {
	s = c.phrase(s)
	if k := lookUp(s); k.path != "" {
		return k
	}
	if at := preposition().FindStringIndex(s); at != nil {
		if c.begins("deictic", s[at[1]:]) {
			return known{}
		}
		s = c.trim(s[:at[0]])
	}
	return lookUp(version().ReplaceAllString(s, ""))
}

// free is the phrase for something that has no known name.
func (c cues) free(s string) string {
	s = strings.TrimSpace(s)
	if c.begins("deictic", s) {
		return ""
	}
	s = c.phrase(s)
	if c.begins("deictic", s) || c.has("vague", s) {
		return ""
	}
	return s
}

// role is the usual form of a profession, "" for what is none.
func (c cues) role(s string) string {
	s = preposition().Split(c.phrase(s), 2)[0]
	words := strings.Fields(s)
	if len(words) == 0 || len(words) > 5 || c.begins("deictic", s) {
		return ""
	}
	for i, w := range words {
		words[i] = c.same("same", w)
	}
	last := strings.ToLower(words[len(words)-1])
	if !slices.ContainsFunc(c.lists["role"], func(r string) bool {
		return last == r || r[0] >= 0xE3 && strings.HasSuffix(last, r) || strings.Contains(last, "-") && strings.HasSuffix(last, "-"+r)
	}) {
		return ""
	}
	return strings.Join(words, " ")
}

// same is the usual form of a word by a list of pairs, the word itself where there is none.
func (c cues) same(list, word string) string {
	for _, pair := range c.lists[list] {
		if w, usual, _ := strings.Cut(pair, " = "); strings.EqualFold(w, word) {
			return usual
		}
	}
	return word
}

// person is the name of a person, "" for what is none.
func (c cues) person(s string) string {
	s = strings.Trim(s, " '.")
	if c.has("nonames", s) || c.role(s) != "" || lookUp(s).path != "" || s == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

func capital(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}
