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

// EntityTypes lists the types of entities.
func EntityTypes() []string {
	return []string{TypeProject, TypeTechnology, TypeConcept, TypePerson, TypeFile}
}

// Entity is something that ideas are about. The JSON form is a public contract.
type Entity struct {
	Type string `json:"type"` // one of [EntityTypes]
	Name string `json:"name"`
}

// Mention is an entity as a text names it.
type Mention struct {
	Entity
	As string
}

// word is a run of characters without a blank, or what is between backticks.
type word struct {
	text   string
	code   bool
	joins  bool // the word before it: no mark stands between them
	begins bool // a sentence, so that its capital says nothing
}

var (
	linkTarget = lazy.Pattern(`\]\([^)\s]*\)`)
	wordOrCode = lazy.Pattern("`+[^`]+`+|[^\\s`—–…|·→]+")
	hashName   = lazy.Pattern(`^#(\pL[\pL\pN_.+#-]+(?:/[\pL\pN_.+#-]+)*)$`)
	// a colour or a commit, an issue, a version, code
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

// Mentions finds the entities that a text and the tags behind it name, each once, in the order of
// the text. What may be something else counts as nothing: a name that is an ordinary word, an
// annotation, a colour, what is between backticks and no path.
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

// wordsOf cuts a text into its words.
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

// mention is what the first words of a text name, nothing mostly, and how many words that are.
// before is the word before them.
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

// technology is the usual spelling of a name of a program, a language or the like, "" for other
// words.
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

// marked is what a word names by its form: a path in backticks, #tech/x, the number of a part, a name
// with a version, or @x where a word beside it is one of people.
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

// tagged is what #name names.
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

// CutType takes the type off tech/PostgreSQL; typ is "" where there is none.
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

// first is the entity that is listed by a name, else the one whose name is spelled as it was when
// it was met first; none for no name.
func (n *Names) first(typ, name, as string) Mention {
	e, ok := n.listed[fold(name)]
	if key := typ + "/" + fold(name); !ok && name != "" {
		n.met[key] = cmp.Or(n.met[key], Entity{typ, name})
		e = n.met[key]
	}
	return Mention{e, as}
}

// filePath is the path of a file or a folder that a word is, "" for what may be anything else:
// a branch, an address of a server, a type of media.
func filePath(s string) string {
	p, ok := lint.Path(s)
	name, _, _ := profile.Name(s)
	if !ok || name != "" || noFile().MatchString(p) && !lockFile().MatchString(p) || !lint.KnownExtension(p) &&
		!sourceDir().MatchString(s) {
		return ""
	}
	return p
}

// SameName reports whether two names differ in case, blanks and hyphens at most.
func SameName(a, b string) bool { return fold(a) == fold(b) }

// fold makes names equal that differ in case, blanks and hyphens only; of a path these count.
func fold(name string) string {
	if strings.ContainsAny(name, "./") {
		return strings.ToLower(strings.TrimSpace(name))
	}
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return unicode.IsSpace(r) || r == '-' || r == '_'
	}), " ")
}
