package graph

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/gitmem/gitmem/gitmem/internal/lint"
	"github.com/gitmem/gitmem/gitmem/internal/profile"
	"github.com/gitmem/gitmem/internal/lazy"
)

// The types of entities.
const (
	TypeProject    = "project"
	TypeTechnology = "technology"
	TypeConcept    = "concept"
	TypePerson     = "person"
	TypeFile       = "file"
)

// EntityTypes returns the types of entities.
func EntityTypes() []string {
	return []string{TypeProject, TypeTechnology, TypeConcept, TypePerson, TypeFile}
}

// Entity is a subject of ideas. The JSON form is a public contract.
type Entity struct {
	Type string `json:"type"` // one of [EntityTypes]
	Name string `json:"name"`
}

// Mention is an entity with its spelling in a text.
type Mention struct {
	Entity
	As string
}

// word is a run of characters without blanks, or a text in backticks.
type word struct {
	text   string
	code   bool
	joins  bool // only white space precedes it
	begins bool // begins a sentence, so its capital has no meaning
}

var (
	linkTarget = lazy.Pattern(`\]\([^)\s]*\)`)
	wordOrCode = lazy.Pattern("`+[^`]+`+|[^\\s`—–…|·→]+")
	hashName   = lazy.Pattern(`^#(\pL[\pL\pN_.+#-]+(?:/[\pL\pN_.+#-]+)*)$`)
	// a colour or commit, an issue, a version, code
	noName     = lazy.Pattern(`^(?i:[0-9a-f]{3,8}|[a-z]+-?\d+)$|^v\d|\.`)
	handle     = lazy.Pattern(`^@([a-z][a-z0-9]+(?:-[a-z0-9]+)*)$`)
	partNumber = lazy.Pattern(`^\p{Lu}{2,}\d{2,}(?:\p{Lu}+\d*)*$`)                   // ESP32, STM32L072
	versioned  = lazy.Pattern(`^\p{Ll}[\p{Ll}\d]+(?:-[\p{Ll}\d]+)*-v\d+(?:\.\d+)+$`) // control-v1.1
	compound   = lazy.Pattern(`^[^-\s]+-(?:based|backed|\p{Lu}\S*)$`)                // Postgres-Datenbank
	sourceDir  = lazy.Pattern(`^(?:\.{1,2}|~|/(?:etc|usr|var|opt|tmp|home|Users)|cmd|docs?|internal|packages|scripts|src` +
		`|templates|testdata|\.[a-z]+)/.`)
	// mu.lock, ctx.c, res.json
	noFile = lazy.Pattern(`^(?:\w+\.(?:lock|sum|mod|[a-z])|(?:\w|re[qs]|resp|response|request|this|self` +
		`|window)\.[\w.]+|(?:docs|crates|tokio)\.rs)$`)
	lockFile = lazy.Pattern(`^(?:go|Cargo|Gemfile|poetry|yarn|composer|uv)\.`)
)

// Mentions returns the distinct entities that a text and its tags name, in the order of the text. It skips ambiguous
// words: ordinary words that are also names, annotations, colours, and backtick text that is not a path.
func (n *Names) Mentions(text string, tags ...string) (list []Mention) {
	add := func(m Mention) {
		if m.Name != "" && !slices.ContainsFunc(list, func(old Mention) bool { return old.Entity == m.Entity }) {
			list = append(list, m)
		}
	}
	words, before := wordsOf(text), ""
	for len(words) > 0 {
		m, used := n.mention(words, before)
		before = words[used-1].text
		words = words[used:]
		add(m)
	}
	for _, tag := range tags {
		add(n.tagged(tag, "#"+tag))
	}
	return list
}

// wordsOf splits a text into words.
func wordsOf(text string) (words []word) {
	joins, begins := false, true
	for _, s := range wordOrCode().FindAllString(linkTarget().ReplaceAllString(text, "]"), -1) {
		if s[0] == '`' {
			words = append(words, word{text: strings.TrimSpace(strings.Trim(s, "`")), code: true})
			joins, begins = false, false
			continue
		}
		rest := strings.TrimLeft(s, `([*"'“„«‘`)
		bare := strings.TrimRight(rest, `.,;:!?)]*"'”“»’`)
		words = append(words, word{
			text:  strings.TrimSuffix(strings.TrimSuffix(bare, "'s"), "’s"),
			joins: joins && rest == s, begins: begins || rest != s && s[0] != '*',
		})
		joins, begins = bare == rest, bare == "" || bare == "-" || strings.ContainsAny(rest[len(bare):], ".!?:")
	}
	return words
}

// mention returns the entity that the first words of a text name, usually none, and the number of these words. before
// is the preceding word.
func (n *Names) mention(words []word, before string) (Mention, int) {
	w, most := words[0], 1
	for most < min(len(words), maxWords) && words[most].joins {
		most++
	}
	for used := most; used > 0; used-- {
		as := w.text
		for _, next := range words[1:used] {
			as += " " + next.text
		}
		var e Entity
		if len(n.listed) > 0 {
			e = n.listed[fold(as)]
		}
		if e.Name == "" && !w.code {
			e = Entity{TypeTechnology, n.technology(as, w.begins)}
		}
		if e.Name != "" {
			return Mention{e, as}, used
		}
	}
	return n.marked(w, before, words[min(1, len(words)-1)].text), 1
}

// technology returns the usual spelling of the name of a program, a language or similar, or "".
func (n *Names) technology(as string, begins bool) string {
	name, of, ordinary := profile.Name(as)
	if name == "" {
		if first, _, ok := strings.Cut(as, "-"); ok && compound().MatchString(as) {
			return n.technology(first, begins)
		}
		return ""
	}
	key := fold(as)
	ordinary = ordinary || n.notName("word "+key)
	if of == "codePreferences.style" || n.notName("never "+key) || ordinary &&
		(begins || as != name || as == strings.ToLower(as)) {
		return ""
	}
	return name
}

// marked returns the entity that the form of a word denotes: a path in backticks, #tech/x, a part number, a name with a
// version, or @x next to a word for a person.
func (n *Names) marked(w word, before, next string) Mention {
	if w.code {
		return n.first(TypeFile, filePath(w.text), w.text)
	}
	switch {
	case partNumber().MatchString(w.text):
		return n.first(TypeTechnology, w.text, w.text)
	case versioned().MatchString(w.text):
		return n.first(TypeConcept, w.text, w.text)
	}
	if m := hashName().FindStringSubmatch(w.text); m != nil &&
		(strings.Contains(m[1], "/") || n.technology(m[1], true) != "" || n.listed[fold(m[1])].Name != "") {
		return n.tagged(m[1], w.text)
	}
	if file := filePath(strings.TrimPrefix(w.text, "@")); w.text != "" && w.text[0] == '@' && path.Ext(file) != "" {
		return n.first(TypeFile, file, w.text)
	}
	people := n.notName("people "+strings.ToLower(before)) || n.notName("says "+strings.ToLower(next))
	if m := handle().FindStringSubmatch(w.text); m != nil && people && !n.notName("at "+m[1]) {
		return n.first(TypePerson, m[1], w.text)
	}
	return Mention{}
}

// tagged returns the entity that #name denotes.
func (n *Names) tagged(name, as string) Mention {
	switch typ, rest := CutType(name); {
	case typ == TypeTechnology:
		usual, _, _ := profile.Name(rest)
		return n.first(typ, cmp.Or(usual, rest), as)
	case typ != "":
		return n.first(typ, rest, as)
	case noName().MatchString(name) || n.notName("hash "+strings.ToLower(name)):
		return Mention{}
	}
	if usual := n.technology(name, true); usual != "" {
		return n.first(TypeTechnology, usual, as)
	}
	return n.first(TypeConcept, name, as)
}

// CutType splits a name such as tech/PostgreSQL; typ is "" if it has no type.
func CutType(s string) (typ, name string) {
	typ, name, _ = strings.Cut(s, "/")
	if typ == "tech" {
		typ = TypeTechnology
	}
	if name = strings.TrimSpace(name); name == "" || !slices.Contains(EntityTypes(), typ) {
		return "", ""
	}
	return typ, name
}

// first returns the listed entity with a name, otherwise one with the first spelling of the name; an empty name gives
// none.
func (n *Names) first(typ, name, as string) Mention {
	e, ok := n.listed[fold(name)]
	if key := typ + "/" + fold(name); !ok && name != "" {
		n.met[key] = cmp.Or(n.met[key], Entity{typ, name})
		e = n.met[key]
	}
	return Mention{e, as}
}

// filePath returns the path of a file or folder that a word names, or "" if it may be something else: a branch, a
// server address, a media type.
func filePath(s string) string {
	p, ok := lint.Path(s)
	name, _, _ := profile.Name(s)
	if !ok || name != "" || noFile().MatchString(p) && !lockFile().MatchString(p) || !lint.KnownExtension(p) &&
		!sourceDir().MatchString(s) {
		return ""
	}
	return p
}

// SameName reports whether two names are equal except for case, blanks and hyphens.
func SameName(a, b string) bool { return fold(a) == fold(b) }

// fold normalises case, blanks and hyphens of a name; in a path only the case.
func fold(name string) string {
	if strings.ContainsAny(name, "./") {
		return strings.ToLower(strings.TrimSpace(name))
	}
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return unicode.IsSpace(r) || r == '-' || r == '_'
	}), " ")
}
